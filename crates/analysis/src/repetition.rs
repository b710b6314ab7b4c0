//! What a ruling on a repetition says, as plain data.

use game::language::Language;
use game::line::Line;
use game::notation::{MoveString, Notation};
use game::outcome::{Outcome, Termination};
use game::role::AnyRole;
use game::ruling::{Class, Conduct, IdleKind, Means, PlyConduct, Root, Ruling, Target, Verdict};
use game::side::Side;
use game::square::{Square, SquareString};

/// What the rules say of a position that stands for the third time or more, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepetitionReport {
    /// What follows.
    pub verdict: Verdict,
    /// The offender; nobody when neither side or both offend.
    pub side: Option<Side>,
    /// The plies that were judged, first to last.
    pub plies: Vec<PlyReport>,
    /// What each side does in them, the first side at the front.
    pub conduct: [Conduct; 2],
    /// The ledger id of the rule that decides.
    pub rule: &'static str,
    /// The same for people: what each move does, then the verdict.
    pub explanation: String,
    /// The search for threats was given up somewhere: the verdict rests on what was found until then.
    pub incomplete: bool,
    /// A person may excuse the offender.
    pub may_be_excused: bool,
}

/// What one ply of a repetition does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlyReport {
    /// The ply, counted from 0 in the moves of the question.
    pub ply: usize,
    /// Who moves.
    pub side: Side,
    /// The move in UCI.
    pub uci: MoveString,
    /// The move in Chinese.
    pub chinese: MoveString,
    /// What it does.
    pub class: Class,
    /// What kind of idle move it is; nothing unless it is idle.
    pub idle: Option<IdleKind>,
    /// The men it newly attacks; empty unless it is a chase, or where a chase of one man is forbidden, a
    /// check that attacks men, too.
    pub targets: Vec<TargetReport>,
    /// The checks that mate, with the replies, in UCI; empty unless it is a mate threat.
    pub mate: Vec<MoveString>,
    /// The ledger id of the rule that gives the move its class.
    pub rule: &'static str,
    /// The search for threats was given up: the move may do more than its class says.
    pub incomplete: bool,
}

/// A man that a move newly attacks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TargetReport {
    /// Where it stands.
    pub square: SquareString,
    /// What it is.
    pub role: AnyRole,
    /// How it is protected.
    pub root: Root,
    /// The squares of the men that protect it, rightly or falsely.
    pub protectors: Vec<SquareString>,
    /// How it could be won.
    pub means: Means,
    /// The moves that would win it, both sides', in UCI.
    pub line: Vec<MoveString>,
}

impl RepetitionReport {
    /// Writes out a ruling on the repetition at the end of `line`.
    pub(crate) fn new<P: Notation>(
        line: &Line<P>,
        ruling: &Ruling<P::Move, P::Square>,
        language: Language,
    ) -> Self {
        let explanation = P::ruling_message(line, ruling, language);
        Self {
            plies: ply_reports(line, &ruling.plies),
            verdict: ruling.verdict,
            side: ruling.side,
            conduct: ruling.conduct,
            rule: ruling.rule,
            explanation,
            incomplete: ruling.incomplete,
            may_be_excused: ruling.may_be_excused,
        }
    }
}

/// Writes out what plies of a line do, first to last.
fn ply_reports<P: Notation>(line: &Line<P>, plies: &[PlyConduct<P::Move, P::Square>]) -> Vec<PlyReport> {
    let mut before = line.start().clone();
    let mut played = 0;
    let mut reports = Vec::with_capacity(plies.len());
    for judged in plies {
        for ply in line.plies().get(played..judged.ply).unwrap_or_default() {
            before.play_unchecked(ply.m);
        }
        played = judged.ply + 1;
        let after = before.after(judged.m);
        reports.push(ply_report(judged, &before, &after));
        before = after;
    }
    reports
}

fn ply_report<P: Notation>(judged: &PlyConduct<P::Move, P::Square>, before: &P, after: &P) -> PlyReport {
    PlyReport {
        ply: judged.ply,
        side: judged.side,
        uci: before.uci(judged.m),
        chinese: before.move_text(judged.m, after).chinese,
        class: judged.class,
        idle: judged.idle,
        targets: judged.targets.iter().map(|target| target_report(target, after)).collect(),
        mate: uci_of(&judged.mate, after),
        rule: judged.rule,
        incomplete: judged.incomplete,
    }
}

fn target_report<P: Notation>(target: &Target<P::Move, P::Square>, after: &P) -> TargetReport {
    TargetReport {
        square: target.square.text(),
        role: target.role,
        root: target.root,
        protectors: target.protectors.into_iter().map(Square::text).collect(),
        means: target.means,
        line: uci_of(&target.line, after),
    }
}

/// The UCI texts of moves that follow on `after` when its side to move passes. In no game that rules on
/// repetitions do they depend on the position.
fn uci_of<P: Notation>(moves: &[P::Move], after: &P) -> Vec<MoveString> {
    moves.iter().map(|&m| after.uci(m)).collect()
}

/// Whether a legal move, which leads to `after`, would lose the game at once to the ruling on a repetition.
pub(crate) fn would_lose<P: Notation>(
    line: &Line<P>,
    (m, after): (P::Move, &P),
    rules: &P::Rules,
    memo: &mut P::Memo,
) -> bool {
    // Without this, every move that is looked at would cost a copy of the line.
    line.repetitions_after(after) > 1 && {
        let mut line = line.clone();
        line.push(m, after.clone());
        has_lost(&line, !line.last().side_to_move(), rules, memo)
    }
}

/// Whether `side` has lost the game to the ruling on the repetition at the end of `line`.
pub(crate) fn has_lost<P: Notation>(
    line: &Line<P>,
    side: Side,
    rules: &P::Rules,
    memo: &mut P::Memo,
) -> bool {
    line.repetitions() > 1 && P::adjudicate(line, rules, memo).is_some_and(|outcome| is_loss(&outcome, side))
}

/// Whether a game has ended so that `side` has lost it to the ruling on a repetition.
pub(crate) fn is_loss(outcome: &Outcome, side: Side) -> bool {
    let by_ruling = matches!(outcome.termination, Termination::PerpetualCheck | Termination::PerpetualAttack);
    by_ruling && outcome.winner == Some(side.opponent())
}

#[cfg(test)]
mod tests {
    use game::notation::MoveNotation;
    use xiangqi::position::Xiangqi;

    use super::*;

    type XiangqiRuling = Ruling<xiangqi::moves::Move, xiangqi::square::Square>;

    /// Chariots that go to and fro, and a ruling on the last `judged` of so many plies.
    fn shuffle(plies: usize, judged: usize) -> (Line<Xiangqi>, XiangqiRuling) {
        let mut line = Line::new(Xiangqi::start(()).expect("a start position"));
        let mut conduct = Vec::new();
        for (ply, text) in ["a0a1", "a9a8", "a1a0", "a8a9"].into_iter().cycle().take(plies).enumerate() {
            let (side, read) = (line.last().side_to_move(), line.last());
            let m = read.read_move(text, MoveNotation::Uci, Language::En).expect("a legal move");
            line.play(m);
            conduct.push(PlyConduct {
                ply,
                side,
                m,
                class: Class::Idle,
                idle: Some(IdleKind::Other),
                targets: vec![Target {
                    square: m.from,
                    role: AnyRole::Chariot,
                    root: Root::Rooted,
                    protectors: [m.to].into_iter().collect(),
                    means: Means::Capture,
                    line: vec![m],
                }],
                mate: vec![m],
                rule: "XQ-28.9",
                incomplete: false,
            });
        }
        let ruling = Ruling {
            verdict: Verdict::Draw,
            side: None,
            plies: conduct.split_off(plies - judged),
            conduct: [Conduct::Idle; 2],
            rule: "XQ-24.2",
            may_be_excused: false,
            incomplete: false,
        };
        (line, ruling)
    }

    #[test]
    fn a_ruling_is_written_out_from_the_positions_of_its_plies() {
        let (line, ruling) = shuffle(9, 4);
        let report = RepetitionReport::new(&line, &ruling, Language::En);
        let plies: Vec<_> = report.plies.iter().map(|ply| (ply.ply, ply.side, ply.uci.as_str())).collect();
        let [first, second] = Side::ALL;
        assert_eq!(plies, [(5, second, "a9a8"), (6, first, "a1a0"), (7, second, "a8a9"), (8, first, "a0a1")]);
        let chinese: Vec<_> = report.plies.iter().map(|ply| ply.chinese.as_str()).collect();
        assert_eq!(chinese, ["车1进1", "车九退一", "车1退1", "车九进一"]);
        let target = &report.plies[0].targets[0];
        assert_eq!((target.square.as_str(), target.protectors[0].as_str()), ("a9", "a8"));
        assert_eq!((target.line[0].as_str(), report.plies[0].mate[0].as_str()), ("a9a8", "a9a8"));
    }
}
