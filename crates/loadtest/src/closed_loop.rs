//! The closed loop: the answers decide when a call begins.
//!
//! It finds how much a service can do. Its latencies say little of what callers see, because a slow answer
//! keeps the next question away.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Instant;

use tokio::task::JoinSet;

use crate::asker::Asker;
use crate::plan::Times;
use crate::record::{Recorder, Sample};

/// Keeps so many calls in flight until the time is over, and waits for the last answers.
pub(crate) async fn run(in_flight: usize, times: Times, asker: &Rc<Asker>, recorder: &Rc<RefCell<Recorder>>) {
    let mut callers = JoinSet::new();
    for _ in 0..in_flight {
        callers.spawn_local(caller(times.end, asker.clone(), recorder.clone()));
    }
    while callers.join_next().await.is_some() {}
}

async fn caller(end: Instant, asker: Rc<Asker>, recorder: Rc<RefCell<Recorder>>) {
    let mut now = Instant::now();
    while now < end {
        let call = asker.next();
        let sent = now;
        let (ended, outcome) = asker.ask(call).await;
        now = Instant::now();
        let sample = Sample { method: Asker::method(call), intended: sent, sent, ended, outcome };
        recorder.borrow_mut().count(&sample, || asker.question(call).text.clone());
    }
}
