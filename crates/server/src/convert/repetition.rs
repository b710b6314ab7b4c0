//! Rulings on repetitions of xiangqi.

use analysis::repetition::{PlyReport, RepetitionReport, TargetReport};
use analysis::{Class, Conduct, IdleKind, Means, Root, Verdict};
use proto::v1;

use super::answer::{role_to_proto, side_to_proto};
use super::count_to_proto;

/// Writes a ruling on a repetition.
#[must_use]
pub fn repetition_to_proto(report: RepetitionReport) -> v1::XiangqiRepetition {
    let [first, second] = report.conduct.map(conduct_to_proto);
    v1::XiangqiRepetition {
        verdict: verdict_to_proto(report.verdict).into(),
        side: side_to_proto(report.side).into(),
        plies: report.plies.iter().map(ply_to_proto).collect(),
        first: first.into(),
        second: second.into(),
        rule: report.rule.to_owned(),
        explanation: report.explanation,
        incomplete: report.incomplete,
        may_be_excused: report.may_be_excused,
    }
}

fn ply_to_proto(report: &PlyReport) -> v1::PlyConduct {
    v1::PlyConduct {
        ply: count_to_proto(report.ply),
        side: side_to_proto(Some(report.side)).into(),
        r#move: report.uci.as_str().to_owned(),
        chinese: report.chinese.as_str().to_owned(),
        move_class: class_to_proto(report.class).into(),
        idle: idle_kind_to_proto(report.idle).into(),
        targets: report.targets.iter().map(target_to_proto).collect(),
        mate: report.mate.iter().map(ToString::to_string).collect(),
        rule: report.rule.to_owned(),
        incomplete: report.incomplete,
    }
}

fn target_to_proto(report: &TargetReport) -> v1::ChaseTarget {
    v1::ChaseTarget {
        square: report.square.as_str().to_owned(),
        role: role_to_proto(Some(report.role)).into(),
        root: root_to_proto(report.root).into(),
        protectors: report.protectors.iter().map(ToString::to_string).collect(),
        means: means_to_proto(report.means).into(),
        line: report.line.iter().map(ToString::to_string).collect(),
    }
}

fn verdict_to_proto(verdict: Verdict) -> v1::Verdict {
    match verdict {
        Verdict::None => v1::Verdict::None,
        Verdict::Draw => v1::Verdict::Draw,
        Verdict::Loses => v1::Verdict::Loses,
        Verdict::MustChange => v1::Verdict::MustChange,
        Verdict::ArbiterDecides => v1::Verdict::ArbiterDecides,
    }
}

fn conduct_to_proto(conduct: Conduct) -> v1::Conduct {
    match conduct {
        Conduct::Idle => v1::Conduct::Idle,
        Conduct::CheckAndIdle => v1::Conduct::CheckAndIdle,
        Conduct::MateThreatAndIdle => v1::Conduct::MateThreatAndIdle,
        Conduct::ChaseAndIdle => v1::Conduct::ChaseAndIdle,
        Conduct::AttacksAndIdle => v1::Conduct::AttacksAndIdle,
        Conduct::PerpetualCheck => v1::Conduct::PerpetualCheck,
        Conduct::PerpetualMateThreat => v1::Conduct::PerpetualMateThreat,
        Conduct::PerpetualChase => v1::Conduct::PerpetualChase,
        Conduct::CheckAndMateThreat => v1::Conduct::CheckAndMateThreat,
        Conduct::CheckAndChase => v1::Conduct::CheckAndChase,
        Conduct::MateThreatAndChase => v1::Conduct::MateThreatAndChase,
        Conduct::CheckMateThreatAndChase => v1::Conduct::CheckMateThreatAndChase,
    }
}

fn class_to_proto(class: Class) -> v1::MoveClass {
    match class {
        Class::Check => v1::MoveClass::Check,
        Class::MateThreat => v1::MoveClass::MateThreat,
        Class::Chase => v1::MoveClass::Chase,
        Class::Idle => v1::MoveClass::Idle,
    }
}

fn idle_kind_to_proto(kind: Option<IdleKind>) -> v1::IdleKind {
    match kind {
        None => v1::IdleKind::Unspecified,
        Some(IdleKind::Other) => v1::IdleKind::Other,
        Some(IdleKind::ExchangeOffer) => v1::IdleKind::ExchangeOffer,
        Some(IdleKind::Sacrifice) => v1::IdleKind::Sacrifice,
        Some(IdleKind::Block) => v1::IdleKind::Block,
        Some(IdleKind::Follow) => v1::IdleKind::Follow,
    }
}

fn root_to_proto(root: Root) -> v1::Root {
    match root {
        Root::Rootless => v1::Root::Rootless,
        Root::FalseRoot => v1::Root::FalseRoot,
        Root::InsufficientRoot => v1::Root::InsufficientRoot,
        Root::Rooted => v1::Root::Rooted,
    }
}

fn means_to_proto(means: Means) -> v1::Means {
    match means {
        Means::Capture => v1::Means::Capture,
        Means::Exchange => v1::Means::Exchange,
        Means::Checks => v1::Means::Checks,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convert::names::assert_names;

    #[test]
    fn verdicts_keep_their_names() {
        let known =
            [Verdict::None, Verdict::Draw, Verdict::Loses, Verdict::MustChange, Verdict::ArbiterDecides];
        assert_names("VERDICT", &known, verdict_to_proto, v1::Verdict::as_str_name);
    }

    #[test]
    fn conducts_keep_their_names() {
        let known = [
            Conduct::Idle,
            Conduct::CheckAndIdle,
            Conduct::MateThreatAndIdle,
            Conduct::ChaseAndIdle,
            Conduct::AttacksAndIdle,
            Conduct::PerpetualCheck,
            Conduct::PerpetualMateThreat,
            Conduct::PerpetualChase,
            Conduct::CheckAndMateThreat,
            Conduct::CheckAndChase,
            Conduct::MateThreatAndChase,
            Conduct::CheckMateThreatAndChase,
        ];
        assert_names("CONDUCT", &known, conduct_to_proto, v1::Conduct::as_str_name);
    }

    #[test]
    fn what_a_ply_does_keeps_its_name() {
        let known = [Class::Check, Class::MateThreat, Class::Chase, Class::Idle];
        assert_names("MOVE_CLASS", &known, class_to_proto, v1::MoveClass::as_str_name);
        let known = [
            IdleKind::Other,
            IdleKind::ExchangeOffer,
            IdleKind::Sacrifice,
            IdleKind::Block,
            IdleKind::Follow,
        ];
        let write = |kind| idle_kind_to_proto(Some(kind));
        assert_names("IDLE_KIND", &known, write, v1::IdleKind::as_str_name);
        let known = [Root::Rootless, Root::FalseRoot, Root::InsufficientRoot, Root::Rooted];
        assert_names("ROOT", &known, root_to_proto, v1::Root::as_str_name);
        let known = [Means::Capture, Means::Exchange, Means::Checks];
        assert_names("MEANS", &known, means_to_proto, v1::Means::as_str_name);
    }
}
