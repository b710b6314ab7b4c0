//! Rulings by the Asian rules beside those of Fairy-Stockfish: the same rules, read by other authors.
//! docs/repetition.md says why the two differ where they do.

mod rulings;

use game::rule_set::RuleSet;
use rulings::{Repetition, Span};

/// Where `AXF` and the peer differ. A step of the general that frees a pinned man attacks with it in
/// cdb8-1, and a root that is pinned by the very man that takes may retake in the game.
const DIFFERENCES: [&str; 4] = [
    "cdb8-1: red_loses draw",
    "ccpd-0234, ply 91: draw red_loses",
    "ccpd-0234, ply 92: draw red_loses",
    "ccpd-0234, ply 93: draw red_loses",
];

/// Where the peer, told of the whole game, says draw and not that a side loses: it asks for a chase of the
/// move that led to the cycle, too.
const LED: [&str; 7] = [
    "masters-0960, ply 84",
    "masters-1038, ply 84",
    "masters-2143, ply 120",
    "ccpd-0234, ply 91",
    "ccpd-0588, ply 59",
    "ccpd-0824, ply 48",
    "ccpd-1453, ply 96",
];

#[test]
fn the_peer_rules_all_but_a_few_repetitions_alike() {
    let mut repetitions: Vec<Repetition> =
        ["AXF", "CXA", "disputed"].into_iter().flat_map(rulings::cases).collect();
    repetitions.extend(rulings::games());
    assert!(repetitions.len() >= 1183, "only {} repetitions", repetitions.len());
    let theirs = rulings::peer_words(&repetitions, Span::Cycle);
    assert!(theirs.iter().all(|word| word != "none"), "the peer rules every repetition");
    let differences: Vec<_> = repetitions
        .iter()
        .zip(&theirs)
        .filter_map(|(repetition, theirs)| {
            let ours = repetition.word(RuleSet::Axf);
            (ours != *theirs).then(|| format!("{}: {ours} {theirs}", repetition.name))
        })
        .collect();
    assert_eq!(differences, DIFFERENCES);
    let whole = rulings::peer_words(&repetitions, Span::Whole);
    let led = repetitions.iter().zip(theirs.iter().zip(&whole)).filter(|(_, (cycle, whole))| cycle != whole);
    assert_eq!(led.map(|(repetition, _)| &repetition.name).collect::<Vec<_>>(), LED);
}
