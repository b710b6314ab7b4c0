//! Examples in a Markdown text: commands, and what they print.
//!
//! An example stands in a block marked `console`. A line that begins with `$ ` is a command, continued on
//! the next line after a backslash; what follows is what it prints. A line of three dots stands for any
//! lines.

/// A command and what it prints.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Example {
    /// The line of the text where the command stands, counted from 1.
    pub(crate) line: usize,
    pub(crate) command: String,
    pub(crate) output: Vec<String>,
}

/// Finds the examples of a text.
pub(crate) fn examples(markdown: &str) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    let mut is_console = false;
    let mut lines = markdown.lines().zip(1..);
    while let Some((text, line)) = lines.next() {
        if text.starts_with("```") {
            is_console = !is_console && text == "```console";
        } else if !is_console {
        } else if let Some(first) = text.strip_prefix("$ ") {
            let mut command = first.to_owned();
            while command.ends_with('\\') {
                let Some((next, _)) = lines.next() else { break };
                command.push('\n');
                command.push_str(next);
            }
            examples.push(Example { line, command, output: Vec::new() });
        } else if let Some(example) = examples.last_mut() {
            example.output.push(text.to_owned());
        }
    }
    examples
}

impl Example {
    /// Whether a text is what the example says.
    pub(crate) fn prints(&self, actual: &str) -> bool {
        let expected: Vec<_> = trimmed(self.output.iter().map(String::as_str));
        let actual: Vec<_> = trimmed(actual.lines());
        matches(&expected, &actual)
    }
}

/// Lines without blanks at their ends and without empty lines at the end.
fn trimmed<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut lines: Vec<_> = lines.map(str::trim_end).collect();
    while lines.last().is_some_and(|line| line.is_empty()) {
        lines.pop();
    }
    lines
}

fn matches(expected: &[&str], actual: &[&str]) -> bool {
    match expected {
        [] => actual.is_empty(),
        [dots, rest @ ..] if dots.trim() == "..." => {
            (0..=actual.len()).any(|skip| matches(rest, &actual[skip..]))
        }
        [line, rest @ ..] => actual.first() == Some(line) && matches(rest, &actual[1..]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_found() {
        let text = "# a\n```sh\n$ no\n```\n\n```console\n$ one \\\n  two\nx\n\ny\n$ three\n```\n$ no\n```console\n$ four\n```";
        let found: Vec<_> = examples(text)
            .into_iter()
            .map(|example| (example.line, example.command, example.output.join("|")))
            .collect();
        let expected = [(7, "one \\\n  two", "x||y"), (12, "three", ""), (16, "four", "")];
        assert_eq!(
            found,
            expected.map(|(line, command, output)| (line, command.to_owned(), output.to_owned()))
        );
    }

    #[test]
    fn dots_stand_for_any_lines() {
        for (expected, actual, is_match) in [
            ("", "", true),
            ("", "\n", true),
            ("", "x", false),
            ("a", "a \n", true),
            ("a\n...\nb", "a\nb", true),
            ("a\n  ...\nb", "a\nx\ny\nb", true),
            ("a\n...\nb", "a\nb\nc", false),
            ("a\n...", "a\nb\nc", true),
            ("...\nb\n...\nd", "a\nb\nc\nb\nd", true),
            ("a\nb", "a", false),
        ] {
            let output = expected.lines().map(str::to_owned).collect();
            let example = Example { line: 1, command: String::new(), output };
            assert_eq!(example.prints(actual), is_match, "{expected:?} {actual:?}");
        }
    }
}
