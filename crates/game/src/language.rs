//! The languages that messages are written in.

/// A language for messages to people. Codes, squares and ids are the same in all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Language {
    /// English.
    #[default]
    En,
    /// Simplified Chinese.
    Zh,
}
