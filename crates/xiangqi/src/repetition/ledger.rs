//! What men are worth, and what a series of captures comes to (XQ-25.3).

use game::side::Side;

use crate::regions;
use crate::role::Role;
use crate::square::Square;

/// What a man is worth (XQ-25.3b): a chariot as much as two horses or cannons, an advisor as much as an
/// elephant; nothing for generals and for soldiers that have not crossed the river (XQ-25.3a). That a
/// horse is worth two advisors, and a crossed soldier as much as an advisor, is our reading.
pub(super) fn value(side: Side, role: Role, square: Square) -> u32 {
    match role {
        Role::Chariot => 8,
        Role::Horse | Role::Cannon => 4,
        Role::Advisor | Role::Elephant => 2,
        Role::Soldier if !regions::half(side).has(square) => 2,
        Role::Soldier | Role::General => 0,
    }
}

/// What one side has won and lost in a series of captures.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Ledger {
    won: Heap,
    lost: Heap,
}

#[derive(Debug, Clone, Copy, Default)]
struct Heap {
    value: u32,
    men: u32,
    soldiers: u32,
}

impl Heap {
    fn add(&mut self, role: Role, value: u32) {
        // A man that is worth nothing is no gain and no loss.
        if value > 0 {
            self.value += value;
            self.men += 1;
            self.soldiers += u32::from(role == Role::Soldier);
        }
    }

    fn is_soldiers(self) -> bool {
        self.men == self.soldiers
    }
}

impl Ledger {
    /// The ledger after one more man was won.
    pub(super) fn with_won(mut self, role: Role, value: u32) -> Self {
        self.won.add(role, value);
        self
    }

    /// The ledger after one more man was lost.
    pub(super) fn with_lost(mut self, role: Role, value: u32) -> Self {
        self.lost.add(role, value);
        self
    }

    /// Whether more was won than lost. The value of a crossed soldier floats: soldiers for other men, or
    /// other men for soldiers, are neither a gain nor a loss (XQ-25.3b, XQ-D10).
    pub(super) fn is_gain(self) -> bool {
        let Ledger { won, lost } = self;
        let is_exchange = won.men > 0 && lost.men > 0;
        if is_exchange && won.is_soldiers() != lost.is_soldiers() {
            return false;
        }
        won.value > lost.value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_horse_and_a_cannon_are_worth_a_chariot() {
        let even =
            Ledger::default().with_won(Role::Horse, 4).with_won(Role::Cannon, 4).with_lost(Role::Chariot, 8);
        assert!(!even.is_gain());
        assert!(even.with_won(Role::Advisor, 2).is_gain());
    }

    #[test]
    fn soldiers_and_other_men_are_no_gain_for_each_other() {
        let soldier_for_two = Ledger::default().with_won(Role::Horse, 4).with_won(Role::Advisor, 2);
        assert!(soldier_for_two.is_gain());
        assert!(!soldier_for_two.with_lost(Role::Soldier, 2).is_gain(), "XQ-D10");
        let two_soldiers = Ledger::default().with_won(Role::Soldier, 2).with_won(Role::Soldier, 2);
        assert!(two_soldiers.is_gain());
        assert!(!two_soldiers.with_lost(Role::Advisor, 2).is_gain(), "XQ-D10");
        assert!(two_soldiers.with_lost(Role::Soldier, 2).is_gain());
    }
}
