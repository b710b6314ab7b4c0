//! How a game ends by itself, what may be claimed, and who can still mate.

use game::line::{Line, Ply};
use game::outcome::{Claim, ClaimKind, MatingChance, Outcome, Termination};
use game::side::Side;

use crate::moves::Move;
use crate::position::Chess;
use crate::role::Role;
use crate::rules::Rules;
use crate::setup::LIGHT_SQUARES;

/// How the game has ended at the end of a line; nothing while it goes on. Mate comes before the draws
/// by repetition and by move count (CH-24).
#[must_use]
pub fn ending(line: &Line<Chess>, rules: &Rules) -> Option<Outcome> {
    let last = line.last();
    let draw = |termination, rule| Some(Outcome { winner: None, termination, rule });
    if !last.has_legal_move() {
        return if last.checkers.any() {
            let winner = Some(last.side_to_move().opponent());
            Some(Outcome { winner, termination: Termination::Checkmate, rule: "CH-11" })
        } else {
            draw(Termination::Stalemate, "CH-12")
        };
    }
    if is_dead_material(last) {
        return draw(Termination::DeadMaterial, "CH-13");
    }
    if rules.final_repetitions.is_some_and(|count| line.repetitions() >= count) {
        return draw(Termination::Fivefold, "CH-24");
    }
    if rules.final_quiet_plies.is_some_and(|plies| last.halfmove_clock() >= plies) {
        return draw(Termination::SeventyFiveMoves, "CH-24");
    }
    None
}

/// Whether neither side has the men to mate, with any help (CH-13): bare kings, one minor piece, or
/// bishops that all stand on one colour. Positions that are dead for another reason, such as a locked
/// chain of pawns, are not recognised.
#[must_use]
pub fn is_dead_material(position: &Chess) -> bool {
    let board = position.board();
    let kings = board.of_role(Role::King);
    let knights = board.of_role(Role::Knight);
    let bishops = board.of_role(Role::Bishop);
    let men = board.occupied() - kings;
    if men.is_empty() || men == knights && !knights.has_several() {
        return true;
    }
    men == bishops && ((bishops & LIGHT_SQUARES).is_empty() || (bishops - LIGHT_SQUARES).is_empty())
}

/// What the side to move may claim at the end of a line, now or with a move that it declares.
#[must_use]
pub fn claims(line: &Line<Chess>, rules: &Rules) -> Vec<Claim<Move>> {
    let last = line.last();
    let is_repeated = line.repetitions() >= rules.claimable_repetitions;
    let quiet_plies = rules.quiet_plies_to_claim(last.board());
    let is_quiet = last.halfmove_clock() >= quiet_plies;
    let mut repeating = Vec::new();
    let mut quiet = Vec::new();
    for m in last.legal_moves() {
        let mut after = last.clone();
        after.play_unchecked(m);
        if line.repetitions_after(&after) >= rules.claimable_repetitions {
            repeating.push(m);
        }
        if rules.quiet_claim_may_be_declared && after.halfmove_clock() >= quiet_plies {
            quiet.push(m);
        }
    }
    let mut claims = vec![
        Claim { kind: ClaimKind::Threefold, available_now: is_repeated, declared: repeating, rule: "CH-21" },
        Claim { kind: ClaimKind::FiftyMoves, available_now: is_quiet, declared: quiet, rule: "CH-23" },
    ];
    claims.retain(|claim| claim.available_now || !claim.declared.is_empty());
    if line.plies_since(rules.claimable_repetitions).is_some_and(is_perpetual_check) {
        claims.push(Claim {
            kind: ClaimKind::PerpetualCheck,
            available_now: rules.perpetual_check_is_claim,
            declared: Vec::new(),
            rule: "CH-25",
        });
    }
    claims
}

/// Whether one side has given check with every move since the first of three same positions (CH-25).
fn is_perpetual_check(plies: &[Ply<Move>]) -> bool {
    let always_checks = |first: usize| plies.iter().skip(first).step_by(2).all(|ply| ply.gives_check);
    always_checks(0) || always_checks(1)
}

/// Whether a side can still mate, as far as the men tell.
///
/// Proven are the cases in which it cannot: the game is over, its king is bare, or its only minor
/// pieces cannot mate even with the help of the opponent's men. Everything else is assumed to be
/// possible, also where a locked position forbids it.
#[must_use]
pub fn mating_chance(position: &Chess, side: Side) -> MatingChance {
    if !position.has_legal_move() {
        let has_mated = position.checkers.any() && position.side_to_move() != side;
        return MatingChance { can_mate: has_mated, proven: true, cannot_be_forced: !has_mated };
    }
    let can_mate = has_mating_material(position, side);
    MatingChance {
        can_mate,
        proven: !can_mate,
        cannot_be_forced: !can_mate || only_two_knights(position, side),
    }
}

/// Whether a side's men could mate if the opponent helped.
fn has_mating_material(position: &Chess, side: Side) -> bool {
    let board = position.board();
    let own = |role| board.of(side, role);
    let has = |side, role| board.of(side, role).any();
    let them = side.opponent();
    if own(Role::Pawn).any() || own(Role::Rook).any() || own(Role::Queen).any() {
        return true;
    }
    match (own(Role::Knight).len(), own(Role::Bishop).any()) {
        (0, false) => false,
        // The opponent's own man must take a square from his king; a queen never has to.
        (1, false) => {
            [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook].iter().any(|&role| has(them, role))
        }
        (0, true) => {
            let bishops = board.of_role(Role::Bishop);
            let on_both_colours = (bishops & LIGHT_SQUARES).any() && (bishops - LIGHT_SQUARES).any();
            on_both_colours || has(them, Role::Knight) || has(them, Role::Pawn)
        }
        _ => true,
    }
}

/// Two knights alone against a bare king: mate is possible, but not by force (CH-15).
fn only_two_knights(position: &Chess, side: Side) -> bool {
    let board = position.board();
    let knights = board.of(side, Role::Knight);
    knights.len() == 2 && board.of_side(side).len() == 3 && board.of_side(side.opponent()).len() == 1
}
