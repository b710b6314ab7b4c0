//! The men of both sides without their squares, written as `KRBKR`. Only chess has move limits by
//! material.

use game::side::Side;

use crate::board::Board;
use crate::role::Role;

/// The men of two sides, by role. Which side has which men does not matter: `KRBKR` is also `KRKRB`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Material([[u8; 6]; 2]);

impl Material {
    /// The men on a board.
    #[must_use]
    pub fn of(board: &Board) -> Self {
        let count = |side, role| u8::try_from(board.of(side, role).len()).unwrap_or(u8::MAX);
        Self::sorted(Side::ALL.map(|side| Role::ALL.map(|role| count(side, role))))
    }

    /// Reads a signature: the letters of one side's men, then those of the other's, each starting with
    /// its king.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut sides = [[0_u8; 6]; 2];
        let mut kings = 0_usize;
        for byte in text.bytes() {
            let role = Role::from_letter(byte).filter(|_| byte.is_ascii_uppercase())?;
            kings += usize::from(role == Role::King);
            let count = &mut sides.get_mut(kings.checked_sub(1)?)?[role.index()];
            *count = count.checked_add(1)?;
        }
        (kings == 2).then(|| Self::sorted(sides))
    }

    fn sorted(mut sides: [[u8; 6]; 2]) -> Self {
        sides.sort_unstable();
        Self(sides)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fen;
    use crate::position::CastlingStyle;

    #[test]
    fn signatures() {
        let position = fen::parse("4k3/4r3/8/8/8/8/4R3/3BK3 w - -", CastlingStyle::Standard).unwrap();
        let material = Material::of(position.board());
        assert_eq!(Material::parse("KRBKR"), Some(material));
        assert_eq!(Material::parse("KRKRB"), Some(material));
        assert_ne!(Material::parse("KRKB"), Some(material));
        for wrong in ["", "K", "RK", "KRB", "KKK", "KxK", "krkb", "車"] {
            assert_eq!(Material::parse(wrong), None, "{wrong}");
        }
    }
}
