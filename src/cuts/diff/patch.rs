//! The body of a diff: file heads, hunk heads, changed lines and what surrounds them.

use super::file::{is_written_by_a_tool, new_path};
use super::hunk::{Hunk, Mark};
use super::word;
use crate::cut::{Rank, Verdict};
use crate::cuts::mix::Mix;
use crate::cuts::seen::Seen;
use crate::line::Line;
use std::collections::VecDeque;
use std::hash::Hasher as _;

/// Changed lines of a hunk, and of a file, that are held as dearly as the first.
const HUNK_FIRST: u32 = 12;
const FILE_FIRST: u32 = 40;
/// Beyond these a file's lines are plain data.
const FILE_SECOND: u32 = 120;
/// Files whose `diff` line stays; then `+++` alone names a file, in half the bytes.
const FILES_FULL: u32 = 6;
/// Files whose names are held above all changes.
const FILES_FIRST: u32 = 100;
/// Bytes of changed lines that are held as findings; what was changed is the finding of a diff.
const FINDINGS: usize = 4_000;
/// Of these, after so many bytes a file has so many lines: the first files are read whole, and
/// of as many others as possible one sees what was done to them.
const FEWER: [(usize, u32); 2] = [(2_400, 2), (1_200, 6)];
/// Changed lines of a later file that are held as dearly as the first ones'.
const CROWD_FIRST: u32 = 8;
/// A longer changed line of a file that a tool wrote is no text for a reader.
const MINIFIED: usize = 2_000;
/// Removed lines of a run whose added twins are looked for.
const TWINS: usize = 512;
/// Context lines after a hunk's head or a change that are plain data; git shows as many between
/// two changes of a hunk by itself, and more only when told to.
const NEAR: u32 = 6;
/// Lines in a hunk that fit no sign column, before the hunk is taken for torn.
const STRAYS: u8 = 3;

/// Where the next line is looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Between files.
    Out,
    /// After a file's head, before its first hunk.
    Head,
    /// The data of `GIT binary patch`.
    Binary,
    /// After `Submodule x 1..2:`.
    Submodule,
}

/// Reads a diff line by line.
pub(crate) struct Patch {
    place: Place,
    hunk: Option<Hunk>,
    /// The present file has a `diff` line, so that `---` and `+++` repeat it.
    has_diff_line: bool,
    /// The line that names the present file is one that stays.
    named: bool,
    /// What its head says of a rename stands in a line that stays.
    repeats: bool,
    /// Lines since the file's `diff` line.
    since_head: u16,
    hunks_here: u32,
    found: usize,
    written: bool,
    new_file: bool,
    gone_file: bool,
    files: u32,
    changed: u32,
    changed_here: u32,
    /// The last line was context, and not kept as such.
    context_before: bool,
    /// The last line was a change.
    context_after: bool,
    /// Context lines since the hunk's head or the last change.
    far: u32,
    /// Removed lines of the present run, by hash.
    twins: VecDeque<u64>,
    twin_count: u32,
    words: word::Words,
    kinds: Seen,
    strays: u8,
    listed: u32,
    /// Ranks are one lower: older commits of a log.
    pub lower: bool,
    /// Names of files may go into the markers: each file stands once.
    pub names: bool,
}

impl Patch {
    pub fn new(words: bool) -> Patch {
        Patch {
            place: Place::Out,
            hunk: None,
            has_diff_line: false,
            named: false,
            repeats: false,
            since_head: 0,
            hunks_here: 0,
            found: 0,
            written: false,
            new_file: false,
            gone_file: false,
            files: 0,
            changed: 0,
            changed_here: 0,
            context_before: false,
            context_after: false,
            far: 0,
            twins: VecDeque::new(),
            twin_count: 0,
            words: word::Words::new(words),
            kinds: Seen::default(),
            strays: 0,
            listed: 0,
            lower: false,
            names: false,
        }
    }

    /// Is the next line inside a hunk, as far as the counts say?
    pub fn in_hunk(&self) -> bool {
        self.hunk.is_some()
    }

    /// Files met so far.
    pub fn files(&self) -> u32 {
        self.files
    }

    /// The opinion on a line, `None` when it is no part of a diff.
    pub fn line(&mut self, line: &Line<'_>) -> Option<Verdict> {
        if self.hunk.is_some() {
            if let Some(verdict) = self.inside(line) {
                return Some(verdict);
            }
            self.hunk = None;
        }
        self.outside(line)
    }

    fn inside(&mut self, line: &Line<'_>) -> Option<Verdict> {
        let text = line.text;
        let hunk = self.hunk.as_mut()?;
        if self.words.look(text) {
            if text.starts_with(b"diff --") || text.starts_with(b"@@ -") {
                return None;
            }
            let mark = self.words.take(text, hunk);
            if hunk.is_done() && !self.words.porcelain {
                self.hunk = None;
            }
            return Some(match mark {
                Some(key) => {
                    let rank = if self.kinds.same(&key) > 6 { Rank::Edge } else { self.change_rank(text) };
                    self.changed_line(rank)
                }
                None => self.context(line),
            });
        }
        let (adds, removes) = (hunk.only_adds(), hunk.only_removes());
        let mark = hunk.take(text);
        if hunk.is_done() {
            // What may still follow is `\ No newline at end of file`.
            self.hunk = None;
        }
        match mark {
            Some(Mark::Note) => Some(Verdict::Keep(if self.changed_here <= HUNK_FIRST { self.rank(Rank::Detail) } else { Rank::Edge })),
            Some(Mark::Context) => Some(self.context(line)),
            Some(Mark::Changed { whole }) => {
                self.gone_file |= removes && self.changed == 0;
                self.new_file |= adds && self.changed == 0;
                if self.written && text.len() > MINIFIED {
                    return Some(Verdict::Drop("minified lines"));
                }
                let mut rank = self.change_rank(text);
                if !whole {
                    rank = rank.min(Rank::Detail);
                }
                if self.is_twin(text) {
                    rank = rank.min(if self.twin_count > 2 { Rank::Edge } else { Rank::Detail });
                }
                Some(self.changed_line(rank))
            }
            None if self.hunk.is_some() && self.strays < STRAYS && !looks_like_head(text) => {
                self.strays += 1;
                if says_git(text) {
                    // The stream broke, and this says why.
                    return Some(Verdict::Keep(Rank::Top));
                }
                if let Some(hunk) = &mut self.hunk {
                    hunk.take_words(true, true);
                }
                Some(Verdict::Keep(Rank::Edge))
            }
            None => None,
        }
    }

    /// Is the added line one that was just removed, but for its line end?
    fn is_twin(&mut self, text: &[u8]) -> bool {
        let Some((sign, rest)) = text.split_first() else { return false };
        let mut hasher = Mix::default();
        hasher.write(rest);
        let hash = hasher.finish();
        match sign {
            b'-' | b'<' => {
                if self.twins.len() < TWINS {
                    self.twins.push_back(hash);
                }
                false
            }
            _ => {
                let is = self.twins.pop_front() == Some(hash);
                self.twin_count += u32::from(is);
                is
            }
        }
    }

    fn context(&mut self, line: &Line<'_>) -> Verdict {
        self.twins.clear();
        let near = self.context_after && !self.written && !line.is_blank();
        self.context_after = false;
        self.context_before = !near && !self.written && !line.is_blank();
        self.far += 1;
        if self.far > NEAR {
            return Verdict::Spare("context lines");
        }
        Verdict::Keep(if near { self.rank(Rank::Detail) } else { Rank::Edge })
    }

    fn changed_line(&mut self, rank: Rank) -> Verdict {
        self.context_after = rank > Rank::Edge;
        self.far = 0;
        let lift = std::mem::take(&mut self.context_before) && rank > Rank::Detail;
        if lift {
            return Verdict::KeepWith { rank, lines: 1, with: Rank::Detail };
        }
        Verdict::Keep(rank)
    }

    fn change_rank(&mut self, text: &[u8]) -> Rank {
        self.changed += 1;
        self.changed_here += 1;
        if text.len() < 2 || text[1..].trim_ascii().is_empty() {
            return Rank::Edge;
        }
        let first = self.changed_here <= HUNK_FIRST || self.changed <= FILE_FIRST;
        let rank = match self.changed {
            n if self.written => [Rank::Edge, Rank::Detail][usize::from(n <= 2)],
            n if self.gone_file => [Rank::Edge, Rank::Detail][usize::from(n <= 3)],
            n if self.files > 12 && n > CROWD_FIRST => [Rank::Edge, Rank::Detail][usize::from(n <= FILE_FIRST)],
            n if self.new_file && n > FILE_FIRST / 2 => [Rank::Edge, Rank::Detail][usize::from(n <= FILE_FIRST)],
            n if first && self.found < FINDINGS && (!self.names || n <= self.allowed()) => {
                self.found += text.len() + 1;
                Rank::Top
            }
            _ if first => Rank::Body,
            n => [Rank::Edge, Rank::Detail][usize::from(n <= FILE_SECOND)],
        };
        self.rank(rank)
    }

    /// Changed lines of a file that are findings.
    fn allowed(&self) -> u32 {
        FEWER.iter().find(|(found, _)| self.found >= *found).map_or(u32::MAX, |(_, lines)| *lines)
    }

    fn rank(&self, rank: Rank) -> Rank {
        match rank {
            Rank::Top | Rank::Total if self.lower => Rank::Detail,
            _ if self.lower => Rank::Edge,
            rank => rank,
        }
    }

    /// A new file, named at `at` in the present line.
    fn open(&mut self, path: &[u8], at: (usize, usize)) -> Verdict {
        self.files += 1;
        self.place = Place::Head;
        self.written = is_written_by_a_tool(path);
        (self.new_file, self.gone_file, self.strays) = (false, false, 0);
        (self.changed, self.changed_here, self.hunks_here, self.since_head) = (0, 0, 0, 0);
        self.named = !self.has_diff_line || self.files <= FILES_FULL;
        self.repeats = self.named;
        if self.named {
            self.name(at)
        } else {
            Verdict::Keep(Rank::Edge)
        }
    }

    /// The line that names the present file: when it has to go, the marker names it.
    fn name(&mut self, (from, to): (usize, usize)) -> Verdict {
        self.named = true;
        // Never below its changes.
        let rank = self.rank(match self.files {
            0..=FILES_FIRST if self.names => Rank::Total,
            0..=FILES_FIRST => Rank::Top,
            _ if self.found < FINDINGS => Rank::Top,
            _ => Rank::Body,
        });
        if self.names {
            return Verdict::Fold { rank, from, to };
        }
        Verdict::Keep(rank)
    }

    /// A line that says what became of a file: the `diff` line that names it stays as well.
    fn with_name(&mut self, rank: Rank) -> Verdict {
        let rank = self.rank(rank);
        if std::mem::replace(&mut self.named, true) {
            return Verdict::Keep(rank);
        }
        Verdict::KeepWith { rank, lines: self.since_head, with: rank }
    }

    /// One of a list: the first ones are findings, then it is a crowd.
    fn listed(&mut self) -> Verdict {
        self.listed += 1;
        Verdict::Keep(self.rank(if self.listed <= 60 { Rank::Top } else { Rank::Edge }))
    }

    fn outside(&mut self, line: &Line<'_>) -> Option<Verdict> {
        let text = line.text;
        if self.place != Place::Binary && (text.starts_with(b"@@") || text.first().is_some_and(u8::is_ascii_digit)) {
            if let Some(hunk) = Hunk::open(text) {
                self.hunk = (!hunk.is_done()).then_some(hunk);
                self.place = Place::Out;
                self.changed_here = 0;
                self.hunks_here += 1;
                (self.context_before, self.context_after, self.far) = (false, false, 0);
                self.twins.clear();
                let later = self.hunks_here > 1 && self.files > FILES_FULL;
                let rank = [Rank::Body, Rank::Detail, Rank::Edge][usize::from(later).max(2 * usize::from(self.written))];
                return Some(Verdict::Keep(self.rank(rank)));
            }
        }
        if text.starts_with(b"diff -") {
            if let Some((from, to)) = new_path(text) {
                self.has_diff_line = true;
                return Some(self.open(&text[from..to], (from, to)));
            }
        }
        if text == b"\\ No newline at end of file" {
            return Some(Verdict::Keep(Rank::Edge));
        }
        match self.place {
            Place::Binary => {
                if line.is_blank() || text.starts_with(b"literal ") || text.starts_with(b"delta ") {
                    return Some(Verdict::Keep(Rank::Edge));
                }
                if !text.contains(&b' ') {
                    return Some(Verdict::Drop("binary patch lines"));
                }
                self.place = Place::Out;
            }
            Place::Submodule => {
                if text.starts_with(b"  > ") || text.starts_with(b"  < ") {
                    self.changed += 1;
                    let rank = [Rank::Edge, Rank::Body, Rank::Top][usize::from(self.changed <= 15) + usize::from(self.changed <= 8)];
                    return Some(Verdict::Keep(self.rank(rank)));
                }
                self.place = Place::Out;
            }
            Place::Head => {
                if let Some(verdict) = self.in_head(line) {
                    return Some(verdict);
                }
            }
            Place::Out => {}
        }
        self.between(line)
    }

    /// The lines between a file's head and its first hunk.
    fn in_head(&mut self, line: &Line<'_>) -> Option<Verdict> {
        let text = line.text;
        let starts = |heads: &[&str]| heads.iter().any(|h| line.starts(h));
        self.since_head = self.since_head.saturating_add(1);
        if starts(&["index ", "similarity index ", "dissimilarity index "]) {
            return Some(Verdict::Keep(Rank::Edge));
        }
        if starts(&["rename from ", "rename to ", "copy from ", "copy to "]) {
            // They name both files themselves, as the `diff` line does.
            self.named = true;
            return Some(Verdict::Keep(if self.repeats { Rank::Edge } else { self.rank(Rank::Top) }));
        }
        if line.starts("new file mode ") {
            self.new_file = true;
            return Some(self.with_name(Rank::Body));
        }
        if starts(&["old mode ", "new mode ", "deleted file mode ", "mode "]) {
            self.gone_file |= line.starts("deleted");
            return Some(self.with_name(Rank::Top));
        }
        if text == b"GIT binary patch" {
            self.place = Place::Binary;
            return Some(self.with_name(Rank::Top));
        }
        if line.starts("Binary files ") || line.starts("Files ") && line.ends(" differ") {
            return Some(Verdict::Keep(self.rank(Rank::Top)));
        }
        if line.starts("--- ") {
            return Some(Verdict::Keep(if self.has_diff_line { Rank::Edge } else { self.rank(Rank::Detail) }));
        }
        if let Some(path) = line.after("+++ ") {
            let name = &path[..memchr::memchr(b'\t', path).unwrap_or(path.len())];
            self.written |= is_written_by_a_tool(name);
            return Some(if self.named { Verdict::Keep(Rank::Edge) } else { self.name((4, 4 + name.len())) });
        }
        None
    }

    /// Lines that stand between files.
    fn between(&mut self, line: &Line<'_>) -> Option<Verdict> {
        if let Some(path) = line.after("--- ") {
            if is_name(path) {
                self.has_diff_line = false;
                self.open(path, (4, line.text.len()));
                self.named = false;
                return Some(Verdict::Keep(self.rank(Rank::Detail)));
            }
        }
        // `Submodule vendor/rates 3cf1b5d..76d5fcf:`
        if line.starts("Submodule ") && (line.ends(":") || line.ends(")")) {
            self.place = Place::Submodule;
            self.changed = 0;
            return Some(self.listed());
        }
        // `Only in b/dir: name`, `Binary files a/x and b/x differ`, `* Unmerged path x`
        let differs = (line.starts("Binary files ") || line.starts("Files ")) && line.ends(" differ");
        if differs || line.starts("Only in ") && line.has(": ") || line.starts("* Unmerged path ") {
            return Some(self.listed());
        }
        // `Index: x` and its ruler, as svn and patch series print it
        if line.starts("Index: ") || line.text.len() == 67 && line.text.iter().all(|b| *b == b'=') {
            return Some(Verdict::Keep(Rank::Edge));
        }
        if line.starts("Common subdirectories: ") {
            return Some(Verdict::Keep(Rank::Edge));
        }
        if self.words.is_sure() && word::changes(line.text) {
            let rank = self.change_rank(line.text);
            return Some(Verdict::Keep(rank));
        }
        None
    }
}

/// Is what follows `--- ` a file, and not a sentence or a test's verdict (`--- FAIL: x`)?
fn is_name(path: &[u8]) -> bool {
    path.starts_with(b"a/")
        || path.starts_with(b"\"")
        || path == b"/dev/null"
        || memchr::memchr(b'\t', path).is_some()
        || !path.is_empty() && memchr::memchr(b' ', path).is_none()
}

/// `fatal: bad revision 'x'`: git's own last word.
pub(crate) fn says_git(text: &[u8]) -> bool {
    text.starts_with(b"fatal: ") || text.starts_with(b"error: ")
}

/// Does a head start here, so that the hunk before it is over whatever its counts say?
fn looks_like_head(text: &[u8]) -> bool {
    [b"diff -".as_slice(), b"@@ -", b"@@@ -", b"commit ", b"From ", b"Index: ", b"Only in "].iter().any(|h| text.starts_with(h))
}
