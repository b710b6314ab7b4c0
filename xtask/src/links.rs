//! Links of the Markdown pages at the root to files beside them.

use crate::command::{Failure, root};

/// The pages whose links are followed.
const PAGES: [&str; 3] = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"];

/// Follows every relative link and names each one that leads nowhere.
pub(crate) fn check() -> Result<(), Failure> {
    let mut broken = Vec::new();
    for page in PAGES {
        let text = std::fs::read_to_string(root().join(page))?;
        let dead = relative_links(&text).into_iter().filter(|(_, target)| !root().join(target).exists());
        broken.extend(dead.map(|(line, target)| format!("{page}:{line} links to {target}")));
    }
    if broken.is_empty() {
        return Ok(());
    }
    Err(Failure(format!("{}; expected links to files that exist", broken.join(", "))))
}

/// The targets of all links that are neither addresses nor places on the same page, without the place on
/// their page; each with its line, counted from 1.
fn relative_links(markdown: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut is_code = false;
    for (line, text) in (1..).zip(markdown.lines()) {
        if text.starts_with("```") {
            is_code = !is_code;
        }
        let after = text.split("](").skip(1).filter(|_| !is_code);
        let targets = after.filter_map(|rest| rest.split_once(')')).map(|(target, _)| target);
        let files = targets.filter(|target| !target.contains("://"));
        let paths = files.filter_map(|target| target.split('#').next()).filter(|path| !path.is_empty());
        found.extend(paths.map(|path| (line, path)));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_links_are_found() {
        let text = "[a](a.md) and [`b`](b/c.rs#L7), [x](https://x.org/a)\n[y](#place)\n\n```sh\n[z](z)\n```\n[d](d/)";
        assert_eq!(relative_links(text), [(1, "a.md"), (1, "b/c.rs"), (7, "d/")]);
    }
}
