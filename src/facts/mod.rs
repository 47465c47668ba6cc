//! What a text tells in numbers: counts, and the lines that they come from.
//!
//! Read beside the cuts, from the lines and the verdicts on them, and only when somebody
//! asks. A fact is a count or a reference to a part of a line, so nothing can be worded
//! here; the words of a reference are those of its line.

mod cargo;
mod diff;
mod git;
mod go;
mod rows;
mod sums;
mod words;

use crate::cut::{Rank, Shape, Verdict};
use crate::line::Line;

/// Line numbers of a kind that are held; more are only counted.
pub(crate) const LINES: usize = 100;
/// Of so many of them the words are held, too,
const WORDED: usize = 20;
/// up to so many bytes of each.
const WORDS: usize = 160;

/// A part of a line of the cleaned input.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// Number of the line, from 1.
    pub line: u64,
    /// The part itself, as it stands there; empty beyond the first twenty of a kind.
    pub words: Vec<u8>,
}

/// Counts and line references, by name, in the order in which they were first met.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Facts {
    /// `passed`, `failed`, `errors`, `warnings`, `files`, `hunks`, ...
    pub counts: Vec<(&'static str, u64)>,
    /// Where they stand: `findings`, `totals`, `failed`, `codes`, `branch`, ... At most a
    /// hundred lines of a kind are named.
    pub lines: Vec<(&'static str, Vec<Place>)>,
}

impl Facts {
    /// The count of a name, if it was met.
    #[must_use]
    pub fn count(&self, name: &str) -> Option<u64> {
        self.counts.iter().find(|c| c.0 == name).map(|c| c.1)
    }

    /// The places of a name.
    #[must_use]
    pub fn places(&self, name: &str) -> &[Place] {
        self.lines.iter().find(|l| l.0 == name).map_or(&[], |l| &l.1)
    }

    /// Adds to a count; adding 0 says that there is none.
    fn add(&mut self, name: &'static str, n: u64) {
        match self.counts.iter_mut().find(|c| c.0 == name) {
            Some(count) => count.1 = count.1.saturating_add(n),
            None => self.counts.push((name, n)),
        }
    }

    /// Sets a count that the tool itself states.
    fn set(&mut self, name: &'static str, n: u64) {
        match self.counts.iter_mut().find(|c| c.0 == name) {
            Some(count) => count.1 = n,
            None => self.counts.push((name, n)),
        }
    }

    /// Refers to a whole line.
    fn refer(&mut self, name: &'static str, line: &Line<'_>) {
        self.refer_to(name, line, 0, line.text.len());
    }

    /// Refers to the bytes `from..to` of a line.
    fn refer_to(&mut self, name: &'static str, line: &Line<'_>, from: usize, to: usize) {
        let at = match self.lines.iter().position(|l| l.0 == name) {
            Some(at) => at,
            None => {
                self.lines.push((name, Vec::new()));
                self.lines.len() - 1
            }
        };
        let places = &mut self.lines[at].1;
        if places.len() >= LINES {
            return;
        }
        let words = line.text.get(from..to).filter(|_| places.len() < WORDED).unwrap_or_default();
        let words = words[..crate::clean::floor_char(words, WORDS)].to_vec();
        places.push(Place { line: line.number, words });
    }

    /// Is this part of the line named already?
    fn refers_to(&self, name: &str, words: &[u8]) -> bool {
        self.places(name).iter().any(|p| p.words == words)
    }

    /// Takes in the facts of a further part of the same input.
    fn join(&mut self, other: Facts) {
        for (name, n) in other.counts {
            self.add(name, n);
        }
        for (name, places) in other.lines {
            match self.lines.iter_mut().find(|l| l.0 == name) {
                Some((_, held)) => held.extend(places.into_iter().take(LINES.saturating_sub(held.len()))),
                None => self.lines.push((name, places)),
            }
        }
    }
}

/// Reads the facts of one part of an input.
trait Reader: Send {
    /// A line, and what the part's cut says of it.
    fn line(&mut self, line: &Line<'_>, verdict: Verdict, facts: &mut Facts);
    /// The part ends.
    fn end(&mut self, _facts: &mut Facts) {}
}

/// The reader for a shape: its own, or one that reads the closing totals.
fn reader(shape: &Shape) -> Box<dyn Reader> {
    match (shape.name, shape.dialect) {
        ("tests", "cargo test" | "cargo nextest") | ("build", "cargo") | ("lint", "clippy") => Box::new(cargo::Cargo::default()),
        ("tests", "go test") => Box::new(go::Go),
        ("tests", "go test -json") => Box::new(go::Json),
        ("tests", dialect) => Box::new(sums::Sums::of_tests(dialect)),
        ("build" | "lint", _) => Box::new(words::Words::default()),
        ("diff", "list") => Box::new(diff::List),
        ("diff", dialect) => Box::new(diff::Patch::new(dialect)),
        ("gitlog", dialect) => Box::new(git::Log::new(dialect)),
        ("gitstatus", "sync") => Box::new(sums::Sums::default()),
        ("gitstatus", dialect) => Box::new(git::Status::new(dialect)),
        ("search", dialect) => Box::new(rows::Matches::new(dialect)),
        ("log", _) => Box::new(rows::Levels),
        ("size", _) => Box::new(rows::Nothing),
        _ => Box::new(sums::Sums::default()),
    }
}

/// Follows the driver from part to part.
pub(crate) struct Collector {
    facts: Facts,
    part: Facts,
    signs: Facts,
    reader: Box<dyn Reader>,
    shape: Option<&'static Shape>,
}

impl Collector {
    pub(crate) fn new() -> Self {
        Collector { facts: Facts::default(), part: Facts::default(), signs: Facts::default(), reader: Box::new(rows::Nothing), shape: None }
    }

    /// A line under the present shape. `quotes`: the words of claimed lines are no signs.
    pub(crate) fn line(&mut self, shape: &'static Shape, line: &Line<'_>, verdict: Verdict, quotes: bool) {
        if self.shape.is_none_or(|s| !std::ptr::eq(s, shape)) {
            self.turn();
            self.reader = reader(shape);
            self.shape = Some(shape);
        }
        let rank = rank_of(verdict);
        if line.is_error() && (!quotes || verdict == Verdict::Pass) && !matches!(verdict, Verdict::Drop(_)) {
            self.signs.refer("error_signs", line);
        }
        match rank {
            Some(Rank::Top) => self.part.refer("findings", line),
            Some(Rank::Total) => self.part.refer("totals", line),
            _ => {}
        }
        self.reader.line(line, verdict, &mut self.part);
    }

    fn turn(&mut self) {
        self.reader.end(&mut self.part);
        self.facts.join(std::mem::take(&mut self.part));
    }

    /// All that was read; of what a cut mistook (`trusted` is false) only the lines with an
    /// error sign.
    pub(crate) fn finish(mut self, trusted: bool) -> Facts {
        self.turn();
        let mut facts = if trusted { self.facts } else { Facts::default() };
        facts.join(self.signs);
        facts
    }
}

/// The rank that a verdict holds a line at.
fn rank_of(verdict: Verdict) -> Option<Rank> {
    match verdict {
        Verdict::Keep(rank) | Verdict::KeepWith { rank, .. } | Verdict::Around { rank, .. } | Verdict::Fold { rank, .. } => Some(rank),
        _ => None,
    }
}
