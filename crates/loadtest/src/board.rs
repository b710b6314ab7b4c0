//! What stands where, as far as a FEN says so without any rule: enough to know moves that are certainly not
//! legal.

/// The men on a board.
#[derive(Debug)]
pub(crate) struct Board {
    /// For each square, its name and what stands there. Capitals are the first side's.
    squares: Vec<(String, Option<char>)>,
    first_to_move: bool,
}

impl Board {
    /// Reads the board and the side to move of a FEN that is known to be one.
    pub(crate) fn of(fen: &str) -> Board {
        let mut fields = fen.split_whitespace();
        let rows: Vec<_> = fields.next().unwrap_or_default().split('/').collect();
        let first_to_move = fields.next() != Some("b");
        // Chess counts ranks from 1, xiangqi from 0.
        let lowest = usize::from(rows.len() != 10);
        let mut squares = Vec::new();
        for (row, text) in rows.iter().enumerate() {
            let rank = rows.len() - 1 - row + lowest;
            let mut file = b'a';
            let mut put = |man| {
                squares.push((format!("{}{rank}", char::from(file)), man));
                file = file.saturating_add(1);
            };
            for letter in text.chars() {
                match letter.to_digit(10) {
                    Some(empty) => (0..empty).for_each(|_| put(None)),
                    None => put(Some(letter)),
                }
            }
        }
        Board { squares, first_to_move }
    }

    /// The empty squares.
    pub(crate) fn empty(&self) -> Vec<&str> {
        self.named(|man| man.is_none())
    }

    /// The squares with men of the side that is not to move.
    pub(crate) fn theirs(&self) -> Vec<&str> {
        self.named(|man| man.is_some_and(|man| man.is_uppercase() != self.first_to_move))
    }

    /// The squares with men of the side to move.
    pub(crate) fn ours(&self) -> Vec<&str> {
        self.named(|man| man.is_some_and(|man| man.is_uppercase() == self.first_to_move))
    }

    /// The squares with men of the side to move, but for its king or general: a king that goes to its own
    /// rook castles.
    pub(crate) fn ours_without_king(&self) -> Vec<&str> {
        self.named(|man| {
            man.is_some_and(|man| man.is_uppercase() == self.first_to_move && !man.eq_ignore_ascii_case(&'k'))
        })
    }

    fn named(&self, wanted: impl Fn(Option<char>) -> bool) -> Vec<&str> {
        self.squares.iter().filter(|(_, man)| wanted(*man)).map(|(name, _)| name.as_str()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chess_has_64_squares_from_rank_1() {
        let board = Board::of("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
        assert_eq!(board.squares.len(), 64);
        assert!(board.empty().contains(&"e2") && board.empty().len() == 32);
        assert!(board.theirs().contains(&"e4") && board.ours().contains(&"e8"));
        assert!(!board.ours_without_king().contains(&"e8") && board.ours_without_king().len() == 15);
    }

    #[test]
    fn xiangqi_has_90_squares_from_rank_0() {
        let board = Board::of("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1");
        assert_eq!(board.squares.len(), 90);
        assert!(
            board.ours().contains(&"h2") && board.theirs().contains(&"i9") && board.empty().contains(&"e1")
        );
    }
}
