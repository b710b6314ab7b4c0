//! Sentences for people that are the same in both games, in English and simplified Chinese.

use crate::language::Language;

/// A text that is no move, and one that would be.
#[must_use]
pub fn unreadable(text: &str, example: &str, language: Language) -> String {
    match language {
        Language::En => format!("{text:?} is not a move; expected one such as {example}"),
        Language::Zh => format!("无法识别着法{text:?}，正确的写法如 {example}"),
    }
}

/// A text that fits several legal moves.
#[must_use]
pub fn ambiguous(text: &str, candidates: &[String], language: Language) -> String {
    let candidates = candidates.join(", ");
    match language {
        Language::En => format!("{text:?} fits several moves: {candidates}"),
        Language::Zh => format!("{text:?}可指多步棋：{candidates}"),
    }
}
