//! A ruling in words, as an arbiter would write it.

use std::collections::HashSet;
use std::fmt::Write as _;

use game::language::Language;
use game::line::Line;
use game::role::AnyRole;
use game::ruling::{Class, Conduct, IdleKind, Means, PlyConduct, Root, Ruling, Target, Verdict};
use game::side::Side;
use game::square::list;

use crate::message::{role_name, side_name};
use crate::moves::Move;
use crate::position::Xiangqi;
use crate::role::Role;
use crate::square::Square;
use crate::uci;

/// Writes a line for every different move that was judged, one for what each side does, and one for the
/// verdict.
pub(super) fn explain(line: &Line<Xiangqi>, ruling: &Ruling<Move, Square>, language: Language) -> String {
    let mut moves: Vec<String> = Vec::new();
    let mut position = line.last().clone();
    let mut seen = HashSet::new();
    for ply in ruling.plies.iter().rev() {
        position.take_back_quiet(ply.m);
        if seen.insert((position.key, ply.m)) {
            moves.push(explain_move(&position, ply, language));
        }
    }
    moves.reverse();
    for side in Side::ALL {
        moves.push(explain_conduct(side, ruling.conduct[side.index()], language));
    }
    moves.push(explain_verdict(ruling, language));
    if ruling.may_be_excused {
        moves.push(match language {
            Language::En => "An arbiter may find that a post of defence was taken (XQ-27.3).".to_owned(),
            Language::Zh => "是否属于占据要点的防守着法，可由裁判判定（XQ-27.3）。".to_owned(),
        });
    }
    if ruling.incomplete {
        moves.push(match language {
            Language::En => "The search for threats was given up before it was complete.".to_owned(),
            Language::Zh => "对威胁的搜索未能完成。".to_owned(),
        });
    }
    moves.join("\n")
}

fn explain_move(before: &Xiangqi, ply: &PlyConduct<Move, Square>, language: Language) -> String {
    let side = side_name(ply.side, language);
    let (text, uci) = (before.chinese(ply.m), uci::write(ply.m));
    let what = match ply.class {
        Class::Check => pick(language, "gives check", "将军").to_owned(),
        Class::MateThreat => {
            let line = moves_text(&ply.mate);
            match language {
                Language::En => format!("threatens mate by {line}"),
                Language::Zh => format!("要杀：{line}"),
            }
        }
        Class::Chase => {
            let targets: Vec<_> =
                ply.targets.iter().map(|target| explain_target(ply, target, language)).collect();
            match language {
                Language::En => format!("chases {}", targets.join(", and ")),
                Language::Zh => format!("捉{}", targets.join("，又捉")),
            }
        }
        Class::Idle => explain_idle(ply.idle.unwrap_or(IdleKind::Other), language).to_owned(),
    };
    let rule = ply.rule;
    match language {
        Language::En => format!("{side}: {text} ({uci}) {what} [{rule}]"),
        Language::Zh => format!("{side}：{text}（{uci}）{what}［{rule}］"),
    }
}

fn explain_target(
    ply: &PlyConduct<Move, Square>,
    target: &Target<Move, Square>,
    language: Language,
) -> String {
    let role = any_role_name(target.role, ply.side.opponent(), language);
    let square = target.square;
    let root = match (target.root, language) {
        (Root::Rootless, Language::En) => "rootless",
        (Root::FalseRoot, Language::En) => "with a false root",
        (Root::InsufficientRoot, Language::En) => "with an insufficient root",
        (Root::Rooted, Language::En) => "rooted, and worth more than its attacker",
        (Root::Rootless, Language::Zh) => "无根",
        (Root::FalseRoot, Language::Zh) => "假根",
        (Root::InsufficientRoot, Language::Zh) => "少根",
        (Root::Rooted, Language::Zh) => "有根，但价值高于攻方子力",
    };
    let by = if target.protectors.any() {
        let protectors = list(target.protectors);
        match language {
            Language::En => format!(", protected from {protectors}"),
            Language::Zh => format!("，保护子在{protectors}"),
        }
    } else {
        String::new()
    };
    let line = moves_text(&target.line);
    match language {
        Language::En => {
            let means = match target.means {
                Means::Capture => "taken by",
                Means::Exchange => "won by the exchange",
                Means::Checks => "won after check by",
            };
            format!("the {role} on {square} ({root}{by}; {means} {line})")
        }
        Language::Zh => {
            let means = match target.means {
                Means::Capture => "吃子",
                Means::Exchange => "兑子得子",
                Means::Checks => "将军得子",
            };
            format!("{square}的{role}（{root}{by}；{means}：{line}）")
        }
    }
}

const fn explain_idle(kind: IdleKind, language: Language) -> &'static str {
    match kind {
        IdleKind::Other => pick(language, "is idle", "闲着"),
        IdleKind::ExchangeOffer => pick(language, "offers an exchange, which is idle", "兑，属闲着"),
        IdleKind::Sacrifice => pick(language, "offers a man, which is idle", "献，属闲着"),
        IdleKind::Block => pick(language, "blocks, which is idle", "拦，属闲着"),
        IdleKind::Follow => pick(language, "watches a protected man, which is idle", "跟，属闲着"),
    }
}

fn explain_conduct(side: Side, conduct: Conduct, language: Language) -> String {
    let name = side_name(side, language);
    let (en, zh) = match conduct {
        Conduct::Idle => ("makes idle moves", "均为闲着"),
        Conduct::CheckAndIdle => ("gives check with some moves and is idle with others", "将与闲交替"),
        Conduct::MateThreatAndIdle => {
            ("threatens mate with some moves and is idle with others", "杀与闲交替")
        }
        Conduct::ChaseAndIdle => ("chases with some moves and is idle with others", "捉与闲交替"),
        Conduct::AttacksAndIdle => ("attacks with some moves and is idle with others", "打与闲交替"),
        Conduct::PerpetualCheck => ("gives check with every move", "长将"),
        Conduct::PerpetualMateThreat => ("threatens mate with every move", "长杀"),
        Conduct::PerpetualChase => ("chases with every move", "长捉"),
        Conduct::CheckAndMateThreat => ("gives check or threatens mate with every move", "一将一杀"),
        Conduct::CheckAndChase => ("gives check or chases with every move", "一将一捉"),
        Conduct::MateThreatAndChase => ("threatens mate or chases with every move", "一杀一捉"),
        Conduct::CheckMateThreatAndChase => {
            ("gives check, threatens mate or chases with every move", "将、杀、捉交替")
        }
    };
    match language {
        Language::En => format!("{name} {en}."),
        Language::Zh => format!("{name}{zh}。"),
    }
}

fn explain_verdict(ruling: &Ruling<Move, Square>, language: Language) -> String {
    let rule = ruling.rule;
    let side = ruling.side.map_or("", |side| side_name(side, language));
    match (ruling.verdict, language) {
        (Verdict::None, Language::En) => {
            format!("{rule}: the moves have not cycled as often as the position, so there is no ruling yet")
        }
        (Verdict::Draw, Language::En) => format!("{rule}: the game is drawn"),
        (Verdict::Loses, Language::En) => format!("{rule}: {side} loses"),
        (Verdict::MustChange, Language::En) => format!("{rule}: {side} must change"),
        (Verdict::ArbiterDecides, Language::En) => {
            format!("{rule}: {side} must change, unless the arbiter excuses it (XQ-27.3)")
        }
        (Verdict::None, Language::Zh) => format!("{rule}：着法尚未循环足够次数，暂不裁决"),
        (Verdict::Draw, Language::Zh) => format!("{rule}：作和"),
        (Verdict::Loses, Language::Zh) => format!("{rule}：{side}负"),
        (Verdict::MustChange, Language::Zh) => format!("{rule}：{side}必须变着"),
        (Verdict::ArbiterDecides, Language::Zh) => format!("{rule}：{side}必须变着，或由裁判判定（XQ-27.3）"),
    }
}

const fn pick(language: Language, en: &'static str, zh: &'static str) -> &'static str {
    match language {
        Language::En => en,
        Language::Zh => zh,
    }
}

fn any_role_name(role: AnyRole, side: Side, language: Language) -> &'static str {
    Role::ALL
        .into_iter()
        .find(|&known| AnyRole::from(known) == role)
        .map_or("", |role| role_name(role, side, language))
}

fn moves_text(moves: &[Move]) -> String {
    let mut text = String::new();
    for (index, &m) in moves.iter().enumerate() {
        let gap = if index == 0 { "" } else { " " };
        // Writing to a string cannot fail.
        let _ = write!(text, "{gap}{}", uci::write(m));
    }
    text
}
