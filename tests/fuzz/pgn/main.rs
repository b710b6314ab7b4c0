//! Game records: any text is read to its end, games have their shape, and what was read can be written
//! and read again.

use bolero::check;
use fuzz::{TIME, texts};
use game::pgn::{Event, Reader};

const FRAGMENTS: &[&str] = &[
    "[",
    "]",
    "\"",
    "\\",
    "[A \"b\"]",
    "{",
    "}",
    "(",
    ")",
    ";",
    "%",
    "\n",
    "\r\n",
    " ",
    "$1",
    "1.",
    "1...",
    ".",
    "12",
    "e4",
    "Nf3",
    "0-0",
    "1-0",
    "1/2-1/2",
    "½-½",
    "*",
    "!?",
    "--",
    "e.p.",
    "=",
    "<",
    ">",
    "\u{feff}",
    "炮二平五",
    "é",
];

const SAMPLES: &[&str] = &[
    "[Event \"a\"]\n[FEN \"8/8 w - -\"]\n\n1. e4 {c} e5 (1... c5 (1... d5)) 2. Nf3 $1 Nc6 ; x\n1/2-1/2\n",
    "1. e4 1-0 1. d4 0-1\n\n[A \"b\"]\n\n*\n% x\n",
];

fn main() {
    check!().with_test_time(TIME).for_each(|input: &[u8]| {
        for text in texts(input, FRAGMENTS, SAMPLES) {
            let events = read(&text);
            assert_eq!(read(&write(&events)), events, "{text:?}");
        }
    });
}

/// Reads a text up to its end or its error. The lines are left out.
fn read(text: &str) -> Vec<Event<'_>> {
    let mut reader = Reader::new(text);
    let mut events: Vec<Event<'_>> = Vec::new();
    let mut last_line = 1;
    let lines = text.split(['\n', '\r']).count();
    loop {
        match reader.next() {
            None => {
                assert!(matches!(events.last(), None | Some(Event::End { .. })), "a game without an end");
                return events;
            }
            Some(Err(error)) => {
                assert!((1..=lines).contains(&error.line) && !error.message.is_empty(), "{error:?}");
                assert_eq!(reader.next(), None, "an event after an error");
                let whole = events.iter().rposition(|event| matches!(event, Event::End { .. }));
                events.truncate(whole.map_or(0, |end| end + 1));
                return events;
            }
            Some(Ok(Event::Move { text, line })) => {
                assert!((last_line..=lines).contains(&line) && !text.is_empty(), "{text:?} on line {line}");
                last_line = line;
                events.push(Event::Move { text, line: 0 });
            }
            Some(Ok(tag @ Event::Tag { .. })) => {
                assert!(!matches!(events.last(), Some(Event::Move { .. })), "a tag after a move");
                events.push(tag);
            }
            Some(Ok(end)) => events.push(end),
        }
    }
}

/// Writes events as a record. Every move has a number, so that none of its own characters is taken for one.
fn write(events: &[Event<'_>]) -> String {
    let write_one = |event: &Event<'_>| match event {
        Event::Tag { name, value } => {
            format!("[{name} \"{}\"]\n", value.replace('\\', "\\\\").replace('"', "\\\""))
        }
        Event::Move { text, .. } => format!("1.{text} "),
        Event::End { result } => format!("{result}\n"),
    };
    events.iter().map(write_one).collect()
}
