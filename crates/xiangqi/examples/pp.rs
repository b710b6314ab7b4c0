use std::time::Instant;
use xiangqi::{fen, position::*};
fn perft(p:&Xiangqi,d:u32)->u64{ if d==1 {return p.legal_move_count() as u64;} let mut n=0; for m in p.legal_moves(){ let mut q=p.clone(); q.play_unchecked(m); n+=perft(&q,d-1);} n }
fn main(){ 
 let data=std::fs::read_to_string("/work/shared/data/xiangqi/perft/xiangqi.epd").unwrap();
 let (mut bad,mut nodes)=(0,0u64); let t=Instant::now();
 for l in data.lines(){ let mut it=l.split(" ;"); let f=it.next().unwrap(); 
  let p=match fen::parse(f){Ok(p)=>p,Err(e)=>{println!("{f} {e:?}"); bad+=1; continue}};
  for x in it { if let Some(x)=x.strip_prefix('D'){ let (d,n)=x.trim().split_once(' ').unwrap(); let (d,n):(u32,u64)=(d.parse().unwrap(),n.parse().unwrap());
   let r=perft(&p,d); nodes+=n; if r!=n {println!("BAD {f} d{d} {r} != {n}"); bad+=1; break;} } } }
 println!("bad {bad} nodes {nodes} {:.1} Mnps", nodes as f64/t.elapsed().as_secs_f64()/1e6);
 let p=fen::parse(fen::START).unwrap(); for _ in 0..3 { let t=Instant::now(); let n=perft(&p,5); println!("start d5 {n} {:.1} Mnps", n as f64/t.elapsed().as_secs_f64()/1e6);} 
}
