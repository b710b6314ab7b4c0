//! The kinds of chess pieces.

use game::fen::Letters;
use game::role::AnyRole;
use game::side::Side;

/// The kind of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Role {
    /// Pawn.
    Pawn = 0,
    /// Knight.
    Knight = 1,
    /// Bishop.
    Bishop = 2,
    /// Rook.
    Rook = 3,
    /// Queen.
    Queen = 4,
    /// King.
    King = 5,
}

impl Role {
    /// All roles.
    pub const ALL: [Role; 6] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];

    /// The role's place in [`Role::ALL`].
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The capital letter that FEN and SAN use; SAN leaves the pawn's out.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Role::Pawn => 'P',
            Role::Knight => 'N',
            Role::Bishop => 'B',
            Role::Rook => 'R',
            Role::Queen => 'Q',
            Role::King => 'K',
        }
    }

    /// The role of a capital or small letter.
    #[must_use]
    pub const fn from_letter(letter: u8) -> Option<Role> {
        match letter.to_ascii_uppercase() {
            b'P' => Some(Role::Pawn),
            b'N' => Some(Role::Knight),
            b'B' => Some(Role::Bishop),
            b'R' => Some(Role::Rook),
            b'Q' => Some(Role::Queen),
            b'K' => Some(Role::King),
            _ => None,
        }
    }
}

impl From<Role> for AnyRole {
    fn from(role: Role) -> AnyRole {
        match role {
            Role::Pawn => AnyRole::Pawn,
            Role::Knight => AnyRole::Knight,
            Role::Bishop => AnyRole::Bishop,
            Role::Rook => AnyRole::Rook,
            Role::Queen => AnyRole::Queen,
            Role::King => AnyRole::King,
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

    /// The FEN letter: capital for White.
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
