//! Which directories of a long list are told apart: those below what all paths share.

use super::Places;
use crate::cut::Rank;
use crate::cuts::spread::Spread;
use std::ops::Range;

/// Top directories up to this many: one looks at the level below them.
const FEW: usize = 12;
/// Bytes of a key.
const KEY: usize = 48;

/// Groups paths by their directory, as deep as the number of directories allows.
#[derive(Default)]
pub struct Groups {
    paths: u32,
    /// The directory that all paths share.
    shared: Vec<u8>,
    /// The first level below it, while there are few.
    firsts: Vec<Vec<u8>>,
    crowded: bool,
    met: Places,
    spread: Spread,
    /// What the last path began with that told its group, and the group: most come in a row.
    last: Vec<u8>,
    last_group: Range<usize>,
}

impl Groups {
    /// Groups where so many bytes are shown besides.
    pub fn after(bytes: usize) -> Groups {
        Groups { spread: Spread::after(bytes), ..Groups::default() }
    }

    /// The group of a path as bytes of it, empty for none, and how dear its line is as the
    /// one that names the group; `Edge` when another one did.
    pub fn group(&mut self, path: &[u8], line: usize) -> (Range<usize>, Rank) {
        if !self.last.is_empty() && path.starts_with(&self.last) {
            return (self.last_group.clone(), Rank::Edge);
        }
        self.paths += 1;
        self.share(path);
        let (top, sure) = self.top(path);
        // The marker stands among lines that begin with what all share.
        let shared = if self.shared.len() < top { self.shared.len() } else { 0 };
        let rank = if self.met.count(&path[..top]) == 1 { self.spread.rank(line, top - shared) } else { Rank::Edge };
        let mut from = top.saturating_sub(KEY).max(shared);
        if from > shared {
            // Whole names, or the beginning of the first.
            from = memchr::memchr(b'/', &path[from..top]).map_or(shared, |at| from + at + 1);
        }
        self.last.clear();
        if sure {
            self.last.extend_from_slice(&path[..=top]);
            self.last_group = from..top;
        }
        (from..top, rank)
    }

    /// Shrinks the shared directory to what this path shares too.
    fn share(&mut self, path: &[u8]) {
        let dir = memchr::memrchr(b'/', path).map_or(0, |at| at + 1);
        if self.paths == 1 {
            self.shared = path[..dir].to_vec();
            return;
        }
        if path.starts_with(&self.shared) {
            return;
        }
        let same = self.shared.iter().zip(path).take_while(|(a, b)| a == b).count();
        let cut = memchr::memrchr(b'/', &self.shared[..same]).map_or(0, |at| at + 1);
        self.shared.truncate(cut);
        // What was the first level is a deeper one now.
        self.firsts.clear();
        self.crowded = false;
    }

    /// Where the directory ends that this path is counted under, and whether that is so of any
    /// path that goes on like this one behind it.
    fn top(&mut self, path: &[u8]) -> (usize, bool) {
        let from = self.shared.len().min(path.len());
        let level = |from: usize| memchr::memchr(b'/', &path[from..]).map(|at| from + at);
        let Some(first) = level(from) else { return (from.saturating_sub(1), false) };
        if !self.crowded && !self.firsts.iter().any(|f| *f == path[from..first]) {
            if self.firsts.len() == FEW {
                self.crowded = true;
            } else {
                self.firsts.push(path[from..first].to_vec());
            }
        }
        // Few directories are two levels; so is a scope (`@babel/core`).
        if self.crowded && path[from] != b'@' {
            (first, true)
        } else {
            level(first + 1).map_or((first, false), |second| (second, true))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_directories_are_two_levels_and_many_one() {
        let mut groups = Groups::default();
        let mut key = |path: &str| path[groups.group(path.as_bytes(), 40).0].to_string();
        assert_eq!([key("./a/x/1"), key("./b/x/y/1"), key("./c/1")], ["./a/x", "b/x", "c"]);
        let last = (0..20).map(|i| key(&format!("./d{i}/x/1"))).last();
        assert_eq!((last.as_deref(), key("./@types/node/x.ts").as_str(), key("./1").as_str()), (Some("d19"), "@types/node", "."));
    }
}
