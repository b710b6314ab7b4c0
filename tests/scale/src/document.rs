//! What the document for operators tells to write: tests take it from there.

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/operations.md");

/// The block of code in this language that has this text in it.
///
/// # Panics
/// There is none, or there are several.
#[must_use]
pub fn block(language: &str, text: &str) -> String {
    let document = std::fs::read_to_string(PATH).expect("the document");
    let fence = format!("```{language}\n");
    let blocks = document.split(&fence).skip(1).filter_map(|rest| rest.split("```").next());
    let mut blocks = blocks.filter(|block| block.contains(text));
    let block = blocks.next().unwrap_or_else(|| panic!("no {language} with {text:?} in {PATH}"));
    assert!(blocks.next().is_none(), "several blocks of {language} with {text:?} in {PATH}");
    block.to_owned()
}
