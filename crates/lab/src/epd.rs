//! Positions with what is known of them, a line each
//! (<https://www.chessprogramming.org/Extended_Position_Description>).

/// A position and its operations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Epd {
    /// The FEN, with all six fields.
    pub fen: String,
    /// Operation codes and what follows them.
    operations: Vec<(String, String)>,
}

impl Epd {
    /// What follows an operation code; nothing when the position does not have it.
    #[must_use]
    pub fn get(&self, code: &str) -> Option<&str> {
        self.operations.iter().find(|(it, _)| it == code).map(|(_, operand)| operand.as_str())
    }
}

/// Reads a line; nothing when it does not begin with a position.
#[must_use]
pub fn parse(line: &str) -> Option<Epd> {
    let fields: Vec<_> = line.split_whitespace().take(6).collect();
    let [placement, side, third, fourth, ..] = fields[..] else { return None };
    if !placement.contains('/') || !matches!(side, "w" | "b" | "r") {
        return None;
    }
    let is_number = |field: Option<&&str>| field.is_some_and(|field| field.parse::<u32>().is_ok());
    let has_counters = is_number(fields.get(4)) && is_number(fields.get(5));
    let counters = if has_counters { [fields[4], fields[5]] } else { ["0", "1"] };
    let fen = [placement, side, third, fourth, counters[0], counters[1]].join(" ");
    let rest = skip_fields(line, if has_counters { 6 } else { 4 });
    let operation = |text: &str| {
        let text = text.trim();
        let (code, operand) = text.split_once(' ').unwrap_or((text, ""));
        (!code.is_empty()).then(|| (code.to_owned(), operand.trim().trim_matches('"').to_owned()))
    };
    Some(Epd { fen, operations: rest.split(';').filter_map(operation).collect() })
}

/// What is left of a line behind its first fields.
fn skip_fields(line: &str, count: usize) -> &str {
    let mut rest = line.trim_start();
    for _ in 0..count {
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        rest = rest[end..].trim_start();
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_may_be_left_out() {
        let epd = parse("8/8/8/8/8/8/8/K1k5 w - - bm Kb1 Ka2; id \"a b\";").unwrap();
        assert_eq!(epd.fen, "8/8/8/8/8/8/8/K1k5 w - - 0 1");
        assert_eq!((epd.get("bm"), epd.get("id"), epd.get("am")), (Some("Kb1 Ka2"), Some("a b"), None));
        let epd = parse("3ak4/9/9/9/9/9/9/9/9/3K5 b - - 3 34 ; bm e9e8; dm 4").unwrap();
        assert_eq!(epd.fen, "3ak4/9/9/9/9/9/9/9/9/3K5 b - - 3 34");
        assert_eq!((epd.get("bm"), epd.get("dm")), (Some("e9e8"), Some("4")));
        assert!(parse("g0e2 b9c7 g3g4 c6c5").is_none());
    }
}
