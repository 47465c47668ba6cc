//! Listings (find, glob, ls, tree, du): the structure, a few entries of each directory,
//! hidden ones and rare kinds; crowds are counted under their directory.
//!
//! Nothing of a listing is noise. New directories outrank further entries, and what a tool
//! says about a directory that it could not read outranks both.

mod branches;
mod groups;
mod listing;
mod paths;
mod sizes;

use crate::cut::{Rank, Shape, Verdict};
use crate::cuts::mix::Mix;
use crate::line::Line;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher as _};

/// The rows, most certain first.
pub const SHAPES: &[&Shape] = &[&branches::SHAPE, &sizes::SHAPE, &listing::SHAPE, &paths::SHAPE];

/// Directories that are told apart; beyond that each is taken for one met before.
const PLACES: usize = 4096;

/// Bytes of the end of a file's name.
const EXTENSION: usize = 8;

/// Counts places (directories, kinds) by hash.
#[derive(Default)]
struct Places {
    counts: HashMap<u64, u32, BuildHasherDefault<Mix>>,
}

impl Places {
    /// How often this place was met, this time included; at the bound, often.
    fn count(&mut self, place: &[u8]) -> u32 {
        let mut hasher = Mix::default();
        hasher.write(place);
        let hash = hasher.finish();
        if let Some(count) = self.counts.get_mut(&hash) {
            *count += 1;
            return *count;
        }
        if self.counts.len() >= PLACES {
            return u32::MAX;
        }
        self.counts.insert(hash, 1);
        1
    }
}

/// The verdict on such a report: all that say the same are counted under what they say.
fn report(line: &Line<'_>) -> Option<Verdict> {
    let from = || memchr::memmem::rfind(line.text, b": ").map_or(0, |at| at + 2);
    is_report(line).then(|| Verdict::Fold { rank: Rank::Total, from: from(), to: line.text.len() })
}

/// What a tool says about a place that it could not list.
///
/// ```text
/// find: ‘./vol123’: Permission denied
/// ls: cannot open directory 'x': Permission denied
/// du: cannot read directory './y': Permission denied
/// tree: x [error opening dir]
/// ```
fn is_report(line: &Line<'_>) -> bool {
    let named = match line.text.first() {
        Some(b'f') => line.starts("find: ") || line.starts("fd: ") || line.starts("[fd error]"),
        Some(b'l') => line.starts("ls: "),
        Some(b'd') => line.starts("du: "),
        Some(b't') => line.starts("tree: ") || line.starts("tar: "),
        Some(b'g') => line.starts("grep: "),
        Some(b'r') => line.starts("rg: "),
        Some(b'[') => line.starts("[fd error]"),
        _ => false,
    };
    named || line.text.last() == Some(&b']') && line.ends("[error opening dir]")
}

/// The end of a file's name, if it is one: `rs` of `a.rs`.
fn extension(name: &[u8]) -> Option<&[u8]> {
    // Names are short: they are walked.
    let len = name.iter().rev().take(EXTENSION + 1).take_while(|b| b.is_ascii_alphanumeric()).count();
    let (head, end) = name.split_at(name.len() - len);
    ((1..=EXTENSION).contains(&len) && head.len() > 1 && head.ends_with(b".")).then_some(end)
}
