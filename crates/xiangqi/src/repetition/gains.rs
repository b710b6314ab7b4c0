//! Which men a side could win if it were its turn (XQ-28.3, XQ-29.1): by taking them, by a series of
//! captures, or after giving check.

use std::collections::BTreeMap;

use game::position::{MoveList, Position as _};
use game::ruling::{Means, Root};
use game::side::Side;

use super::ledger::{Ledger, value};
use super::mates::{GivenUp, Mates, after_check};
use crate::moves::Move;
use crate::position::Xiangqi;
use crate::role::Role;
use crate::rules::EveryAttack;
use crate::square::{Bitboard, Square};

/// One board, seen with each side to move.
#[derive(Debug, Clone)]
pub(super) struct View {
    /// With the side to move whose gains are looked for.
    pub(super) ours: Xiangqi,
    /// With its opponent to move.
    pub(super) theirs: Xiangqi,
}

impl View {
    /// The side whose gains are looked for.
    pub(super) fn us(&self) -> Side {
        self.ours.side_to_move()
    }

    /// The man that a move of ours takes, and what it is worth.
    fn captured(&self, m: Move) -> Option<(Role, u32)> {
        captured(&self.ours, m)
    }

    /// Whether the target is a man of the same kind that could take its attacker: taking it is an exchange
    /// (XQ-28.5). A man that could not take back, pinned or lame, is no partner in an exchange.
    pub(super) fn is_mutual(&self, m: Move) -> bool {
        let back = Move { from: m.to, to: m.from, role: m.role };
        self.ours.board.role_at(m.to) == Some(m.role) && self.theirs.is_legal(back)
    }
}

/// The man that a move takes, and what it is worth.
pub(super) fn captured(position: &Xiangqi, m: Move) -> Option<(Role, u32)> {
    let them = position.side_to_move().opponent();
    if !position.board.of_side(them).has(m.to) {
        return None;
    }
    position.board.role_at(m.to).map(|role| (role, value(them, role, m.to)))
}

/// A man that can be won, and how.
#[derive(Debug, Clone)]
pub(super) struct Gain {
    pub(super) means: Means,
    pub(super) root: Root,
    pub(super) line: Vec<Move>,
}

/// Men that can be won, by the points where they stand.
pub(super) type Gains = BTreeMap<Square, Gain>;

/// Looks for gains.
pub(super) struct Search<'a> {
    pub(super) code: &'a EveryAttack,
    pub(super) mates: &'a mut Mates,
    /// Attacks of soldiers count (XQ-27.2b).
    pub(super) with_soldiers: bool,
}

impl Search<'_> {
    /// Whether a man may be the one that takes first. Attacks of generals are idle (XQ-27.1a), and so are
    /// those of soldiers (XQ-27.2a) but in mutual attack.
    fn is_attacker(&self, role: Role) -> bool {
        role != Role::General && (role != Role::Soldier || self.with_soldiers)
    }

    /// Whether the side to move would mate by checks: then what its opponent has just taken is no gain
    /// (XQ-29.4), and what it has retaken is not protected (XQ-28.16b).
    fn is_punished(&mut self, after: &Xiangqi) -> Result<bool, GivenUp> {
        self.mates.has_mate(after, self.code.punishing_checks)
    }

    /// The men that can simply be taken.
    pub(super) fn by_capture(&mut self, view: &View) -> Result<Gains, GivenUp> {
        let mut gains = Gains::new();
        for m in captures(&view.ours) {
            if let Some(gain) = self.capture(view, m, true)?
                && gains.get(&m.to).is_none_or(|known| gain.root < known.root)
            {
                gains.insert(m.to, gain);
            }
        }
        Ok(gains)
    }

    /// What taking a man gains; nothing when it is no gain. Unless `strict`, a check that our side is in
    /// is not looked at, nor what comes after.
    fn capture(&mut self, view: &View, m: Move, strict: bool) -> Result<Option<Gain>, GivenUp> {
        let Some((role, worth)) = view.captured(m) else { return Ok(None) };
        if worth == 0 || !self.is_attacker(m.role) || view.is_mutual(m) && self.is_offer(view, m) {
            return Ok(None);
        }
        let after = view.ours.after(m);
        let is_soldier = m.role == Role::Soldier;
        let ledger = Ledger::default().with_won(role, worth);
        self.mates.spend()?;
        // In mutual attack every attack of a soldier on a man of value counts (XQ-D11).
        if !is_soldier && !self.keeps_gain(&after, m.to, ledger, strict)? {
            return Ok(None);
        }
        if strict && self.is_punished(&after)? {
            return Ok(None);
        }
        let root = self.root(&after, m, worth)?;
        let line = self.capture_line(&after, m, root);
        Ok(Some(Gain { means: Means::Capture, root, line }))
    }

    /// Whether a mutual attack is an offer to exchange. With the parameter, not when the target is
    /// rootless.
    fn is_offer(&self, view: &View, m: Move) -> bool {
        let is_rootless = || view.ours.after(m).board.takers_of(m.to, view.us().opponent()).is_empty();
        !(self.code.rootless_partner_is_chased && is_rootless())
    }

    /// Whether our side stays ahead after a capture on `square`, when from now on either side may take
    /// there or stop. The opponent is to move. Every taking has to be legal, and one after which the
    /// taker is mated by checks does not count.
    fn keeps_gain(
        &mut self,
        after: &Xiangqi,
        square: Square,
        ledger: Ledger,
        strict: bool,
    ) -> Result<bool, GivenUp> {
        if !ledger.is_gain() {
            return Ok(false);
        }
        let Some(victim) = after.board.role_at(square) else { return Ok(true) };
        let us = after.side_to_move().opponent();
        let lost = ledger.with_lost(victim, value(us, victim, square));
        for retake in takings(after, square) {
            self.mates.spend()?;
            let retaken = after.after(retake);
            if self.loses_after_retake(&retaken, square, lost, retake.role, strict)?
                && !(strict && self.is_punished(&retaken)?)
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether our side, to move, has no gain any more after the opponent has retaken on `square`.
    fn loses_after_retake(
        &mut self,
        retaken: &Xiangqi,
        square: Square,
        ledger: Ledger,
        retaker: Role,
        strict: bool,
    ) -> Result<bool, GivenUp> {
        if ledger.is_gain() {
            return Ok(false);
        }
        let them = retaken.side_to_move().opponent();
        let won = ledger.with_won(retaker, value(them, retaker, square));
        for m in takings_by(retaken, square, strict) {
            self.mates.spend()?;
            let after = retaken.after(m);
            if self.keeps_gain(&after, square, won, strict)? && !(strict && self.is_punished(&after)?) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// How the man that `m` has taken was protected (XQ-28.16).
    fn root(&mut self, after: &Xiangqi, m: Move, worth: u32) -> Result<Root, GivenUp> {
        let them = after.side_to_move();
        if after.board.takers_of(m.to, them).is_empty() {
            return Ok(Root::Rootless);
        }
        for retake in takings(after, m.to) {
            let retaken = after.after(retake);
            if !self.is_punished(&retaken)? {
                let ours = value(them.opponent(), m.role, m.to);
                return Ok(if ours < worth { Root::Rooted } else { Root::InsufficientRoot });
            }
        }
        Ok(Root::FalseRoot)
    }

    /// The capture, and when protectors can retake, how the taking goes on.
    fn capture_line(&mut self, after: &Xiangqi, m: Move, root: Root) -> Vec<Move> {
        let mut line = vec![m];
        if root == Root::InsufficientRoot
            && let Some(retake) = takings(after, m.to).next()
        {
            line.push(retake);
            line.extend(takings(&after.after(retake), m.to).next());
        }
        line
    }

    /// The men that are won at the end of two or three captures of ours, between which the opponent may
    /// only retake where we have taken last (XQ-29.1). The man that is taken last is the one that is won.
    pub(super) fn by_exchange(&mut self, view: &View, known: &Gains) -> Result<Gains, GivenUp> {
        let mut gains = Gains::new();
        for m in captures(&view.ours) {
            if !self.is_attacker(m.role) {
                continue;
            }
            self.mates.spend()?;
            let after = view.ours.after(m);
            // Taking a partner in an exchange that cannot retake is a bare offer (XQ-28.5).
            if view.is_mutual(m) && takings(&after, m.to).next().is_none() {
                continue;
            }
            let Some(won) = self.exchange(&view.ours, m, &after, Ledger::default(), 1)? else { continue };
            if won.line.len() > 1 {
                let theirs = view.ours.board.of_side(view.us().opponent());
                self.add(&mut gains, Means::Exchange, view, known, won.squares & theirs, &won.line);
            }
        }
        Ok(gains)
    }

    /// What our capture `m` wins in the end whatever the opponent retakes; nothing when some retaking
    /// spoils it. `after` is the position after it, with the opponent to move.
    fn exchange(
        &mut self,
        before: &Xiangqi,
        m: Move,
        after: &Xiangqi,
        ledger: Ledger,
        captures_made: u8,
    ) -> Result<Option<Won>, GivenUp> {
        let Some((role, worth)) = captured(before, m) else { return Ok(None) };
        let ledger = ledger.with_won(role, worth);
        // The opponent may let it stand.
        if !ledger.is_gain() || self.is_punished(after)? {
            return Ok(None);
        }
        let us = before.side_to_move();
        let lost = ledger.with_lost(m.role, value(us, m.role, m.to));
        let mut all = Won { squares: Bitboard::EMPTY, line: vec![m] };
        for retake in takings(after, m.to) {
            self.mates.spend()?;
            let retaken = after.after(retake);
            if lost.is_gain() || self.is_punished(&retaken)? {
                continue;
            }
            let Some(rest) = self.exchange_goes_on(&retaken, lost, captures_made)? else { return Ok(None) };
            all.add(&[m, retake], rest);
        }
        if all.squares.is_empty() {
            all.squares = Bitboard::of(m.to);
        }
        Ok(Some(all))
    }

    /// What our side, to move after a retaking, wins by one more capture.
    fn exchange_goes_on(
        &mut self,
        retaken: &Xiangqi,
        ledger: Ledger,
        captures_made: u8,
    ) -> Result<Option<Won>, GivenUp> {
        if captures_made >= self.code.captures_of_exchange {
            return Ok(None);
        }
        let mut all = Won::default();
        for m in captures(retaken) {
            self.mates.spend()?;
            let after = retaken.after(m);
            if let Some(won) = self.exchange(retaken, m, &after, ledger, captures_made + 1)? {
                all.add(&[], won);
            }
        }
        Ok(all.squares.any().then_some(all))
    }

    /// Adds men that are won, but for those that are known to be won more simply.
    fn add(
        &self,
        gains: &mut Gains,
        means: Means,
        view: &View,
        known: &Gains,
        squares: Bitboard,
        line: &[Move],
    ) {
        for square in squares.into_iter().filter(|square| !known.contains_key(square)) {
            let root = self.apparent_root(view, square);
            gains.entry(square).or_insert_with(|| Gain { means, root, line: line.to_vec() });
        }
    }

    /// How a man is protected, as far as can be seen without taking it.
    fn apparent_root(&self, view: &View, square: Square) -> Root {
        let them = view.us().opponent();
        if view.ours.board.takers_of(square, them).is_empty() {
            Root::Rootless
        } else {
            Root::InsufficientRoot
        }
    }

    /// The men that are won after one, two or three checks, whatever is replied (XQ-29.1). Men that can be
    /// taken at once are not looked at: they are known.
    pub(super) fn by_checks(&mut self, view: &View, known: &Gains) -> Result<Gains, GivenUp> {
        let mut gains = Gains::new();
        let mut hunt = Hunt { known, moved: Vec::new(), ledger: Ledger::default(), is_thorough: false };
        for &m in &view.ours.likely_checks() {
            let Some(after) = after_check(&view.ours, m) else { continue };
            // Most checks win nothing: whether one does is found out first, and then what.
            hunt.is_thorough = false;
            if self.check(&view.ours, m, &after, &hunt, self.code.checks_before_gain)?.is_none() {
                continue;
            }
            hunt.is_thorough = true;
            if let Some(won) = self.check(&view.ours, m, &after, &hunt, self.code.checks_before_gain)?
                && won.squares.any()
            {
                self.add(&mut gains, Means::Checks, view, known, won.squares, &won.line);
            }
        }
        Ok(gains)
    }

    /// What the check `m` wins, whatever is replied to it; nothing when some reply saves everything. A reply
    /// after which more checks mate saves nothing, and loses no man either.
    fn check(
        &mut self,
        before: &Xiangqi,
        m: Move,
        after: &Xiangqi,
        hunt: &Hunt<'_>,
        checks: u8,
    ) -> Result<Option<Won>, GivenUp> {
        self.mates.spend()?;
        let mut all = Won { squares: Bitboard::EMPTY, line: vec![m] };
        for &reply in &after.legal_moves() {
            self.mates.spend()?;
            let hunt = hunt.after(before, m, after, reply);
            let Some(won) = self.catch(&after.after(reply), &hunt, checks - 1)? else { return Ok(None) };
            all.add(&[m, reply], won);
        }
        Ok(Some(all))
    }

    /// What our side, to move, can take with gain now, or else after more checks. A thorough hunt looks for
    /// all of it: which man is found must not hang on the order of the moves.
    fn catch(&mut self, position: &Xiangqi, hunt: &Hunt<'_>, checks: u8) -> Result<Option<Won>, GivenUp> {
        let mut all = Won::default();
        for m in captures(position) {
            let Some((role, worth)) = captured(position, m) else { continue };
            let square = hunt.origin(m.to);
            if worth == 0 || !self.is_attacker(m.role) || hunt.known.contains_key(&square) {
                continue;
            }
            self.mates.spend()?;
            let after = position.after(m);
            let ledger = hunt.ledger.with_won(role, worth);
            if self.keeps_gain(&after, m.to, ledger, true)? && !self.is_punished(&after)? {
                all.add(&[], Won { squares: Bitboard::of(square), line: vec![m] });
                if !hunt.is_thorough {
                    return Ok(Some(all));
                }
            }
        }
        if all.squares.any() {
            return Ok(Some(all));
        }
        let mut is_caught = false;
        if checks > 0 {
            for &m in &position.likely_checks() {
                let Some(after) = after_check(position, m) else { continue };
                if let Some(won) = self.check(position, m, &after, hunt, checks)? {
                    all.add(&[], won);
                    is_caught = true;
                    if !hunt.is_thorough {
                        break;
                    }
                }
            }
        }
        Ok(is_caught.then_some(all))
    }

    /// Those men that could not be taken before the move as well: the attack on them is new (XQ-29.2). That
    /// they could be won before by more than a capture is something else, and does not count.
    pub(super) fn newly_taken(&mut self, mut gains: Gains, before: &View) -> Result<Gains, GivenUp> {
        let known = self.known_before(&gains, before)?;
        gains.retain(|square, _| !known.contains(square));
        Ok(gains)
    }

    /// Those men, won by more than a capture, that could not be won before the move in any way.
    pub(super) fn newly_won(&mut self, gains: Gains, before: &View) -> Result<Gains, GivenUp> {
        let mut new = self.newly_taken(gains, before)?;
        if new.is_empty() || before.ours.checkers.any() {
            return Ok(new);
        }
        let taken = self.by_capture(before)?;
        let exchanged = self.by_exchange(before, &taken)?;
        new.retain(|square, _| !exchanged.contains_key(square));
        if !new.is_empty() {
            let checked = self.by_checks(before, &taken)?;
            new.retain(|square, _| !checked.contains_key(square));
        }
        Ok(new)
    }

    /// Those of some men that can be taken with gain in a position.
    fn known_before(&mut self, gains: &Gains, before: &View) -> Result<Vec<Square>, GivenUp> {
        let mut known = Vec::new();
        for &square in gains.keys() {
            if self.is_taken_with_gain(before, square)? {
                known.push(square);
            }
        }
        Ok(known)
    }

    /// Whether the man on `square` can be taken with gain. In check, an attack that merely waits for the
    /// check to be answered is there, too.
    fn is_taken_with_gain(&mut self, view: &View, square: Square) -> Result<bool, GivenUp> {
        let strict = view.ours.checkers.is_empty();
        for m in takings_by(&view.ours, square, strict) {
            if self.capture(view, m, strict)?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// What a series of checks has done so far.
struct Hunt<'a> {
    /// The men that can be taken without a check.
    known: &'a Gains,
    /// Men of the opponent that have moved: where from, and where they are.
    moved: Vec<(Square, Square)>,
    ledger: Ledger,
    /// All that is caught is looked for, not only whether anything is.
    is_thorough: bool,
}

impl Hunt<'_> {
    /// The hunt after a check and a reply to it.
    fn after(&self, before: &Xiangqi, check: Move, after: &Xiangqi, reply: Move) -> Self {
        let mut ledger = self.ledger;
        if let Some((role, worth)) = captured(before, check) {
            ledger = ledger.with_won(role, worth);
        }
        if let Some((role, worth)) = captured(after, reply) {
            ledger = ledger.with_lost(role, worth);
        }
        let mut moved = self.moved.clone();
        match moved.iter_mut().find(|(_, now)| *now == reply.from) {
            Some((_, now)) => *now = reply.to,
            None => moved.push((reply.from, reply.to)),
        }
        Self { moved, ledger, ..*self }
    }

    /// Where the man that is on `square` now stood before the checks.
    fn origin(&self, square: Square) -> Square {
        self.moved.iter().find(|(_, now)| *now == square).map_or(square, |&(origin, _)| origin)
    }
}

/// What is won, by the points where it stood at first, and the longest line to it.
#[derive(Default)]
struct Won {
    squares: Bitboard,
    line: Vec<Move>,
}

impl Won {
    /// Adds what is won after some moves.
    fn add(&mut self, moves: &[Move], won: Won) {
        self.squares |= won.squares;
        if moves.len() + won.line.len() > self.line.len() {
            self.line = moves.iter().copied().chain(won.line).collect();
        }
    }
}

/// The legal captures of a position.
pub(super) fn captures(position: &Xiangqi) -> impl Iterator<Item = Move> {
    let mut captures = MoveList::new();
    position.append_noisy_moves(&mut captures);
    captures.into_iter()
}

/// What would attack the own general after a move that the man can make.
pub(super) fn attackers_after(position: &Xiangqi, m: Move) -> Bitboard {
    let general = if m.role == Role::General { m.to } else { position.general(position.side_to_move()) };
    position.attackers_after(general, m.from, m.to)
}

/// The legal moves of the side to move that take on `square`, the man worth least first.
pub(super) fn takings(position: &Xiangqi, square: Square) -> impl Iterator<Item = Move> {
    takings_by(position, square, true)
}

/// The moves of the side to move that take on `square`; legal ones only when `strict`.
pub(super) fn takings_by(position: &Xiangqi, square: Square, strict: bool) -> impl Iterator<Item = Move> {
    let takers = position.board.takers_of(square, position.side_to_move());
    Role::ALL.into_iter().flat_map(move |role| {
        (takers & position.board.of_role(role)).into_iter().filter_map(move |from| {
            let m = Move { from, to: square, role };
            (!strict || attackers_after(position, m).is_empty()).then_some(m)
        })
    })
}
