//! What the search has found out about positions, kept by key
//! (<https://www.chessprogramming.org/Transposition_Table>).
//!
//! An entry is 16 bytes: the key's low 48 bits and the epoch in one word, the finding in the other. A
//! new epoch makes every entry as if it were not there, so that a used table equals an empty one and
//! nothing has to be cleared. Four entries share a bucket.

use crate::score::Bound;

/// Entries in a bucket.
const BUCKET: usize = 4;
const BYTES_OF_BUCKET: usize = 16 * BUCKET;
/// The bits of the key that an entry keeps; the bucket stands for the others.
const KEY_BITS: u32 = 48;
const KEY_MASK: u64 = (1 << KEY_BITS) - 1;
/// Searches after which an age begins anew. Only what is replaced first depends on it.
const AGES: u8 = 32;

/// What was found out about a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Finding {
    /// The best move as [`Tactics::encode`](game::tactics::Tactics::encode) packs it, or 0.
    pub(crate) code: u16,
    /// The score, mates counted from the position.
    pub(crate) score: i16,
    /// The evaluation, or [`Finding::NO_EVALUATION`].
    pub(crate) evaluation: i16,
    /// How deep was searched, in plies; 0 for quiescence.
    pub(crate) depth: u8,
    /// What the score tells; nothing when it does not hold where it was looked up.
    pub(crate) bound: Option<Bound>,
    /// The position was once on the principal variation.
    pub(crate) was_pv: bool,
}

impl Finding {
    /// There is no evaluation: the side to move is in check.
    pub(crate) const NO_EVALUATION: i16 = i16::MIN;
}

/// The table.
#[derive(Debug)]
pub struct Table {
    buckets: Vec<[[u64; 2]; BUCKET]>,
    /// Counts the uses of the table that may know nothing of each other; never 0.
    epoch: u16,
    /// Counts the searches of this epoch.
    age: u8,
}

impl Table {
    /// An empty table of at most so many MiB, and at least one bucket.
    #[must_use]
    pub fn new(mebibytes: usize) -> Self {
        let buckets = (mebibytes.saturating_mul(1 << 20) / BYTES_OF_BUCKET).max(1);
        // Zeroed pages come from the system only when they are touched.
        Self { buckets: vec![[[0; 2]; BUCKET]; buckets], epoch: 1, age: 0 }
    }

    /// Makes the table as if it were new.
    pub fn forget(&mut self) {
        self.age = 0;
        self.epoch = self.epoch.wrapping_add(1);
        if self.epoch == 0 {
            self.buckets.fill([[0; 2]; BUCKET]);
            self.epoch = 1;
        }
    }

    /// Notes that another search begins which may know of what is in the table.
    pub(crate) fn grow_older(&mut self) {
        self.age = (self.age + 1) % AGES;
    }

    /// How full the table is, in per mille of the entries that were looked at.
    #[must_use]
    pub fn used_permille(&self) -> u32 {
        let entries = self.buckets.iter().take(250).flatten();
        let (used, all) = entries.fold((0, 0), |(used, all), entry| {
            (used + u32::from(entry[0] >> KEY_BITS == u64::from(self.epoch)), all + 1)
        });
        used * 1000 / all
    }

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "the product's high half is below the length")]
    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize
    }

    /// The key's part that is kept, and the epoch.
    #[inline]
    fn tag(&self, key: u64) -> u64 {
        key & KEY_MASK | u64::from(self.epoch) << KEY_BITS
    }

    /// What is known of a position.
    #[inline]
    pub(crate) fn probe(&self, key: u64) -> Option<Finding> {
        let tag = self.tag(key);
        let entry = self.buckets[self.index(key)].iter().find(|entry| entry[0] == tag)?;
        Some(unpack(entry[1]))
    }

    /// Keeps a finding, unless the bucket has better ones. A finding without a move keeps the move that
    /// was known.
    pub(crate) fn store(&mut self, key: u64, mut finding: Finding) {
        let tag = self.tag(key);
        let (epoch, age) = (u64::from(self.epoch), self.age);
        let index = self.index(key);
        let bucket = &mut self.buckets[index];
        let slot = bucket.iter().position(|entry| entry[0] == tag);
        if let Some(slot) = slot {
            let old = unpack(bucket[slot][1]);
            if finding.code == 0 {
                finding.code = old.code;
            }
            let is_better = finding.bound == Some(Bound::Exact)
                || finding.depth + 4 > old.depth
                || age_of(bucket[slot][1]) != age;
            if is_better {
                bucket[slot][1] = pack(&finding, age);
            } else if old.code != finding.code {
                bucket[slot][1] = pack(&Finding { code: finding.code, ..old }, age);
            }
            return;
        }
        let worth = |entry: &[u64; 2]| {
            if entry[0] >> KEY_BITS != epoch {
                return -1000;
            }
            let older = (age + AGES - age_of(entry[1])) % AGES;
            i32::from(unpack(entry[1]).depth) - 8 * i32::from(older)
        };
        if let Some(slot) = bucket.iter_mut().min_by_key(|entry| worth(entry)) {
            *slot = [tag, pack(&finding, age)];
        }
    }
}

#[inline]
fn pack(finding: &Finding, age: u8) -> u64 {
    let flags = finding.bound.map_or(0, |bound| bound as u8) | u8::from(finding.was_pv) << 2 | age << 3;
    u64::from(finding.code)
        | u64::from(finding.score.cast_unsigned()) << 16
        | u64::from(finding.evaluation.cast_unsigned()) << 32
        | u64::from(finding.depth) << 48
        | u64::from(flags) << 56
}

#[inline]
fn unpack(word: u64) -> Finding {
    let [code_low, code_high, score_low, score_high, evaluation_low, evaluation_high, depth, flags] =
        word.to_le_bytes();
    Finding {
        code: u16::from_le_bytes([code_low, code_high]),
        score: i16::from_le_bytes([score_low, score_high]),
        evaluation: i16::from_le_bytes([evaluation_low, evaluation_high]),
        depth,
        bound: match flags & 3 {
            1 => Some(Bound::Lower),
            2 => Some(Bound::Upper),
            3 => Some(Bound::Exact),
            _ => None,
        },
        was_pv: flags & 4 != 0,
    }
}

#[inline]
fn age_of(word: u64) -> u8 {
    word.to_le_bytes()[7] >> 3
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(code: u16, depth: u8) -> Finding {
        Finding { code, score: -31, evaluation: 12, depth, bound: Some(Bound::Lower), was_pv: true }
    }

    #[test]
    fn what_is_stored_is_found() {
        let mut table = Table::new(1);
        table.store(99, finding(7, 3));
        assert_eq!(table.probe(99), Some(finding(7, 3)));
        assert_eq!(table.probe(98), None);
    }

    #[test]
    fn a_finding_without_a_move_keeps_the_move() {
        let mut table = Table::new(1);
        table.store(99, finding(7, 3));
        table.store(99, finding(0, 5));
        assert_eq!(table.probe(99), Some(finding(7, 5)));
    }

    #[test]
    fn a_forgotten_table_is_like_a_new_one() {
        let (mut used, mut new) = (Table::new(0), Table::new(0));
        for key in 0..9 {
            used.store(key, finding(7, 50));
        }
        used.forget();
        for table in [&mut used, &mut new] {
            assert_eq!(table.used_permille(), 0);
            for key in 0..6 {
                table.store(key, finding(1, 6 - u8::try_from(key).unwrap()));
            }
        }
        for key in 0..9 {
            assert_eq!(used.probe(key), new.probe(key), "{key}");
        }
        for _ in 0..=u16::MAX {
            used.forget();
        }
        assert_eq!(used.probe(0), None);
    }
}
