//! The kinds of xiangqi pieces.

use game::fen::Letters;
use game::role::AnyRole;
use game::side::Side;

/// The kind of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Role {
    /// Soldier (兵, 卒).
    Soldier = 0,
    /// Advisor (仕, 士).
    Advisor = 1,
    /// Elephant (相, 象).
    Elephant = 2,
    /// Horse (马).
    Horse = 3,
    /// Cannon (炮).
    Cannon = 4,
    /// Chariot (车).
    Chariot = 5,
    /// General (帅, 将).
    General = 6,
}

impl Role {
    /// All roles.
    pub const ALL: [Role; 7] = [
        Role::Soldier,
        Role::Advisor,
        Role::Elephant,
        Role::Horse,
        Role::Cannon,
        Role::Chariot,
        Role::General,
    ];

    /// The role's place in [`Role::ALL`].
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The capital letter that FEN uses, after the pieces' names in chess.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Role::Soldier => 'P',
            Role::Advisor => 'A',
            Role::Elephant => 'B',
            Role::Horse => 'N',
            Role::Cannon => 'C',
            Role::Chariot => 'R',
            Role::General => 'K',
        }
    }

    /// The role of a capital or small letter. Horse and elephant have two letters each: `N` or `H`, `B` or
    /// `E`.
    #[must_use]
    pub const fn from_letter(letter: u8) -> Option<Role> {
        match letter.to_ascii_uppercase() {
            b'P' => Some(Role::Soldier),
            b'A' => Some(Role::Advisor),
            b'B' | b'E' => Some(Role::Elephant),
            b'N' | b'H' => Some(Role::Horse),
            b'C' => Some(Role::Cannon),
            b'R' => Some(Role::Chariot),
            b'K' => Some(Role::General),
            _ => None,
        }
    }

    /// How many pieces of the role a side starts with.
    #[must_use]
    pub const fn original_count(self) -> u32 {
        match self {
            Role::Soldier => 5,
            Role::General => 1,
            _ => 2,
        }
    }

    /// Whether pieces of the role can cross the river.
    #[must_use]
    pub const fn can_attack(self) -> bool {
        matches!(self, Role::Soldier | Role::Horse | Role::Cannon | Role::Chariot)
    }
}

impl From<Role> for AnyRole {
    fn from(role: Role) -> AnyRole {
        match role {
            Role::Soldier => AnyRole::Soldier,
            Role::Advisor => AnyRole::Advisor,
            Role::Elephant => AnyRole::Elephant,
            Role::Horse => AnyRole::Horse,
            Role::Cannon => AnyRole::Cannon,
            Role::Chariot => AnyRole::Chariot,
            Role::General => AnyRole::General,
        }
    }
}

/// A piece: a role of one side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Piece {
    /// Whose piece it is.
    pub side: Side,
    /// Its kind.
    pub role: Role,
}

impl Piece {
    /// The piece of each byte that is a FEN letter.
    pub const OF_LETTERS: Letters<Piece> = of_letters();

    /// The FEN letter: capital for Red.
    #[must_use]
    pub const fn letter(self) -> char {
        match self.side {
            Side::First => self.role.letter(),
            Side::Second => self.role.letter().to_ascii_lowercase(),
        }
    }

    /// The piece of a FEN letter.
    #[must_use]
    pub const fn from_letter(letter: u8) -> Option<Piece> {
        let side = if letter.is_ascii_uppercase() { Side::First } else { Side::Second };
        match Role::from_letter(letter) {
            Some(role) => Some(Piece { side, role }),
            None => None,
        }
    }
}

const fn of_letters() -> Letters<Piece> {
    let mut pieces = [None; 256];
    let mut letter = 0;
    while letter < u8::MAX {
        pieces[letter as usize] = Piece::from_letter(letter);
        letter += 1;
    }
    pieces
}
