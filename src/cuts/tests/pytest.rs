//! pytest in all its forms: each failure's name, `E` lines and places stay, and the short
//! summary; passing tests, the frames of pytest itself and what passing tests logged go.

use super::explain::is_exception;
use super::{beside, ending, tox};
use crate::cut::{Cut, Noun, Rank, Shape, Verdict};
use crate::cuts::place;
use crate::cuts::seen::Seen;
use crate::hint::Hint;
use crate::line::Line;
use Rank::{Body, Detail, Edge, Top, Total};
use Verdict::{Drop, Fold, Keep, KeepWith, Park};

/// The row of pytest.
pub const SHAPE: Shape = Shape {
    name: "tests",
    dialect: "pytest",
    about: "pytest: failures with their E lines and places, the short summary, the totals",
    sniff,
    opens,
    cut: |_| Box::new(Pytest::default()),
};

/// Failures that are explained at the highest rank; the summary names the rest.
const EXPLAINED: u32 = 20;
/// Parameters of one test that are named one by one in the summary; more are counted.
const SIBLINGS: u32 = 12;
/// `E` lines of a failure that are worth more than plain data.
const E_LINES: u32 = 14;
/// Lines of captured output, a section, that outrank plain data.
const CAPTURED: u32 = 8;

const PASSING: Noun = "passing tests";

#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
enum Part {
    /// Header and progress.
    #[default]
    Progress,
    /// `=== FAILURES ===`, `=== ERRORS ===`
    Failures,
    /// A `--- Captured ... ---` section of a failure.
    Captured,
    /// `=== PASSES ===`, `=== XFAILURES ===`
    Passes,
    Warnings,
    /// `=== short test summary info ===`
    Summary,
    /// Coverage, slowest tests and what plugins add.
    Report,
    /// Behind the totals.
    After,
}

#[derive(Default)]
struct Pytest {
    part: Part,
    seen: Seen,
    /// Failures that were explained at the highest rank.
    told: u32,
    /// Is the present one to be; and is it one of many with the same name?
    full: bool,
    sibling: bool,
    /// Own places of the present failure so far: the first is where the test stands.
    places: u32,
    /// Is the present failure's explanation new, for all we know?
    repeated: bool,
    /// `E` lines of the present failure, and whether the last line was one.
    e_lines: u32,
    in_e: bool,
    /// The `E` line above announced this one: `Right contains 1 more item:`.
    announced: bool,
    /// Lines parked since the last place or header.
    parked: u16,
    /// The frame above is a dependency's.
    foreign: bool,
    /// The line above is a frame of the reader's own, with its source below it.
    own: bool,
    /// Lines of the present captured section, or of the present summary entry.
    count: u32,
    /// A test that has begun: what follows is its output, until a verdict.
    running: bool,
    /// Totals were seen.
    ended: bool,
}

fn sniff(hint: &Hint, lines: &[Line<'_>]) -> bool {
    let mut ids = 0;
    for line in lines {
        if opens(line) || is_progress(line.text) {
            return true;
        }
        ids += u32::from(verdict(line).is_some());
        if ids >= 3 || ids >= 1 && hint.names("pytest") {
            return true;
        }
    }
    // The end of a run alone: `pytest | tail -3`.
    lines.iter().rev().take(4).any(|l| section(l.text, b'=').is_some_and(is_totals)) || lines.iter().any(|l| l.starts("INTERNALERROR> "))
}

fn opens(line: &Line<'_>) -> bool {
    match line.text.first() {
        Some(b'=') => section(line.text, b'=').is_some_and(|title| {
            matches!(title, b"test session starts" | b"short test summary info" | b"FAILURES" | b"ERRORS" | b"PASSES" | b"warnings summary")
        }),
        Some(b'.' | b'F' | b'E' | b's' | b'x') => line.ends("%]") && is_progress(line.text),
        _ => false,
    }
}

/// The title of a line that is padded with `fill` on both sides: `==== FAILURES ====`.
fn section(text: &[u8], fill: u8) -> Option<&[u8]> {
    let text = text.trim_ascii_end();
    let head = text.iter().take_while(|b| **b == fill).count();
    let tail = text.iter().rev().take_while(|b| **b == fill).count();
    if head == 0 || tail == 0 || head + tail + 2 >= text.len() {
        return None;
    }
    text[head..text.len() - tail].strip_prefix(b" ")?.strip_suffix(b" ")
}

/// `8 failed, 1983 passed in 10.30s`, `no tests ran in 0.01s`, `22 errors in 4.23s (0:01:02)`
fn is_totals(title: &[u8]) -> bool {
    let Some(at) = memchr::memmem::rfind(title, b" in ") else { return false };
    let time = &title[at + 4..];
    let digits = time.iter().take_while(|b| b.is_ascii_digit() || **b == b'.').count();
    if digits == 0 || !matches!(time.get(digits), Some(b's' | b' ')) {
        return false;
    }
    let head = &title[..at];
    let counted = |part: &[u8]| {
        let part = part.trim_ascii();
        let digits = part.iter().take_while(|b| b.is_ascii_digit()).count();
        digits > 0 && part[digits..].starts_with(b" ") && part.len() < 30
    };
    head == b"no tests ran" || !head.is_empty() && head.split(|b| *b == b',').all(counted)
}

/// `....F..s [ 11%]`, `tests/test_x.py ....F.s      [ 11%]`, `.... [ 12/90]`
fn is_progress(text: &[u8]) -> bool {
    let Some(head) = before_percent(text) else { return false };
    let letters = head.rsplit(|b| *b == b' ').next().unwrap_or_default();
    let path = head[..head.len() - letters.len()].trim_ascii_end();
    !letters.is_empty()
        && letters.iter().all(|b| b".FEsSxXRuU,-".contains(b))
        && (path.is_empty() || path.ends_with(b".py") || path.ends_with(b".rst") || path.ends_with(b".md") || path.ends_with(b".txt"))
}

/// What stands before a closing `[ 11%]` or `[ 7/90]`, without the blanks between.
fn before_percent(text: &[u8]) -> Option<&[u8]> {
    let text = text.trim_ascii_end().strip_suffix(b"]")?;
    let open = memchr::memrchr(b'[', text)?;
    let inner = text[open + 1..].trim_ascii_start();
    let digits = inner.iter().take_while(|b| b.is_ascii_digit()).count();
    let rest = &inner[digits..];
    let is = digits > 0 && (rest == b"%" || rest.strip_prefix(b"/").is_some_and(|r| !r.is_empty() && r.iter().all(u8::is_ascii_digit)));
    is.then(|| text[..open].trim_ascii_end())
}

const WORDS: &[&[u8]] =
    &[b"PASSED", b"FAILED", b"ERROR", b"SKIPPED", b"XFAIL", b"XPASS", b"SUBPASSED", b"SUBFAILED", b"SUBSKIPPED", b"RERUN"];

/// The verdict of a verbose progress line, found from the right: an id may hold anything.
///
///     tests/test_x.py::test_named_states[error path] PASSED           [  0%]
///     tests/test_x.py::test_old SKIPPED (needs the ERROR queue ...)   [ 99%]
///     [gw0] [  0%] PASSED tests/test_x.py::test_a
fn verdict(line: &Line<'_>) -> Option<&'static [u8]> {
    if !line.has("::") {
        return None;
    }
    if let Some(rest) = line.after("[gw") {
        // The verdict is the word behind the brackets.
        let rest = &rest[memchr::memchr(b']', rest)? + 1..];
        let rest = rest.trim_ascii_start();
        let rest = match rest.first() {
            Some(b'[') => rest[memchr::memchr(b']', rest)? + 1..].trim_ascii_start(),
            _ => rest,
        };
        return WORDS.iter().find(|w| rest.strip_prefix(**w).is_some_and(|r| r.starts_with(b" ") || r.starts_with(b"("))).copied();
    }
    let head = before_percent(line.text).unwrap_or(line.text).trim_ascii_end();
    if let Some(word) = WORDS.iter().find(|w| head.strip_suffix(**w).is_some_and(|h| h.ends_with(b" "))) {
        return Some(word);
    }
    // With a reason in brackets; it may be cut with `...`.
    if !head.ends_with(b")") {
        return None;
    }
    WORDS.iter().filter_map(|w| Some((memchr::memmem::rfind(head, &[b" ", *w, b" ("].concat())?, *w))).max_by_key(|f| f.0).map(|f| f.1)
}

/// `FAILED id - message` and the like in the short summary.
fn in_summary(line: &Line<'_>) -> Option<Verdict> {
    let text = line.text;
    let word = text.iter().take_while(|b| b.is_ascii_uppercase()).count();
    if word == 0 || !matches!(text.get(word), Some(b' ' | b'(')) {
        return None;
    }
    Some(match &text[..word] {
        b"FAILED" | b"ERROR" | b"SUBFAILED" | b"SUBFAIL" => Keep(Top),
        b"XPASS" | b"RERUN" => Keep(Detail),
        b"PASSED" | b"SUBPASSED" => Drop(PASSING),
        b"SKIPPED" | b"XFAIL" | b"SUBSKIPPED" => Keep(Edge),
        _ => return None,
    })
}

impl Pytest {
    fn park(&mut self, noun: Noun) -> Verdict {
        self.parked = self.parked.saturating_add(1);
        Park(noun)
    }

    /// `=== title ===`
    fn title(&mut self, title: &[u8]) -> Verdict {
        self.count = 0;
        self.parked = 0;
        self.running = false;
        if is_totals(title) {
            (self.part, self.ended) = (Part::After, true);
            return Keep(Total);
        }
        let (part, verdict) = match title {
            b"test session starts" => {
                self.ended = false;
                (Part::Progress, Drop("header lines"))
            }
            b"FAILURES" | b"ERRORS" => {
                (self.full, self.sibling, self.e_lines) = (self.told < EXPLAINED, false, 0);
                (Part::Failures, Keep(Edge))
            }
            b"PASSES" => (Part::Passes, Keep(Edge)),
            b"XFAILURES" | b"XPASSES" => (Part::Passes, Keep(Edge)),
            b"short test summary info" => (Part::Summary, Keep(Detail)),
            _ if title.starts_with(b"warnings summary") => (Part::Warnings, Keep(Detail)),
            _ if title.starts_with(b"xdist: ") => (self.part, Keep(Top)),
            _ => (Part::Report, Keep(Detail)),
        };
        self.part = part;
        verdict
    }

    /// A line of `=== FAILURES ===`.
    fn failure(&mut self, line: &Line<'_>) -> Verdict {
        let text = line.text;
        let was_e = std::mem::take(&mut self.in_e);
        let was_own = std::mem::take(&mut self.own);
        match text.first() {
            None => return Keep(Edge),
            Some(b'E') if text.get(1).is_none_or(|b| *b == b' ') => {
                self.in_e = true;
                return self.e_line(line, was_e);
            }
            Some(b'>') if text.get(1).is_none_or(|b| *b == b' ') => {
                let listing = line.has(" available fixtures: ") || line.has(" use 'pytest --fixtures ");
                return Keep(if self.repeated || listing || self.seen.same(text) > 2 { Edge } else { Detail });
            }
            Some(b'_') => {
                if text.starts_with(b"_ _ _") {
                    return Keep(Edge);
                }
                if let Some(title) = section(text, b'_') {
                    return self.header(title);
                }
            }
            Some(b'-') => {
                if let Some(title) = section(text, b'-') {
                    if title.starts_with(b"Captured ") {
                        (self.part, self.count, self.parked) = (Part::Captured, 0, 0);
                        return Keep(if self.repeated || !self.full { Edge } else { Detail });
                    }
                }
            }
            Some(b'[') if text.starts_with(b"[gw") && line.has(" -- Python ") => return Drop("worker lines"),
            _ => {}
        }
        if let Some(verdict) = self.frame(line) {
            return verdict;
        }
        match text[0] {
            b' ' | b'\t' if text.trim_ascii().iter().all(|b| matches!(b, b'^' | b'~' | b' ')) => {
                if self.foreign {
                    Drop("runtime frames")
                } else {
                    Keep(Edge)
                }
            }
            // --tb=line and native: the message's further lines.
            b' ' if was_e && !is_group(text) => {
                self.in_e = true;
                self.e_lines += 1;
                let local = line.indent() == 8 && line.has(" = ");
                Keep(if self.e_lines <= E_LINES && !self.repeated && !local { Body } else { Edge })
            }
            // The source line of a frame, and with -l its variables.
            b' ' if was_own && !is_group(text) => {
                self.own = true;
                Keep(if line.indent() == 4 && !self.repeated { Detail } else { Edge })
            }
            b' ' if is_group(text) => self.group(line),
            b' ' | b'\t' if self.foreign => Drop("runtime frames"),
            // Source above the failing line: whose it is, the place below it tells.
            b' ' | b'\t' => self.park("source lines"),
            _ if text.starts_with(b"Traceback")
                || text.starts_with(b"Hint: make sure")
                || text.starts_with(b"ImportError while importing test") =>
            {
                Keep(Edge)
            }
            // `KeyError: 'LI'` at the end of a native traceback.
            _ if is_exception(text) => {
                self.in_e = true;
                self.e_line(line, false)
            }
            _ if line.starts("worker 'gw") => Keep(Top),
            _ if line.starts("The above exception was") || line.starts("During handling of") => Keep(Body),
            // `runner = <click.testing.CliRunner object at 0x7fcfa633ab40>`
            _ if memchr::memmem::find(text, b" = ").is_some() => Keep(Edge),
            _ => Keep(if self.repeated { Edge } else { Detail }),
        }
    }

    /// `____ test_price[3] ____`
    fn header(&mut self, title: &[u8]) -> Verdict {
        let alike = self.seen.same(base(title));
        (self.full, self.sibling) = (alike <= 4 && self.told < EXPLAINED, alike > SIBLINGS);
        (self.e_lines, self.parked, self.count, self.places) = (0, 0, 0, 0);
        (self.repeated, self.foreign) = (false, false);
        self.part = Part::Failures;
        Keep(match alike {
            0..=4 if self.full => Top,
            0..=SIBLINGS => Body,
            _ => Edge,
        })
    }

    /// A line of an exception group, behind its bars.
    ///
    ///       | ExceptionGroup: two (2 sub-exceptions)
    ///       +-+---------------- 1 ----------------
    ///         | ValueError: a
    fn group(&mut self, line: &Line<'_>) -> Verdict {
        let said = line.trimmed();
        let said = said.strip_prefix(b"|").unwrap_or(said);
        if said.trim_ascii_start().starts_with(b"File \"") {
            return self.python_frame(line);
        }
        if said.starts_with(b" ") && is_exception(&said[1..]) {
            self.foreign = false;
            return self.e_line(line, false);
        }
        if self.foreign {
            Drop("runtime frames")
        } else {
            Keep(Edge)
        }
    }

    fn e_line(&mut self, line: &Line<'_>, was_e: bool) -> Verdict {
        let said = line.text.strip_prefix(b"E ").unwrap_or(line.text).trim_ascii();
        if said.is_empty() || said == b"E" {
            return Keep(Edge);
        }
        self.foreign = false;
        self.e_lines += 1;
        if !was_e {
            let first = self.e_lines == 1;
            let met = self.seen.alike(said);
            self.repeated = met > 2 || met > 1 && self.repeated;
            // A name is said by header and summary; an equal message need not be said again.
            return match met {
                1 | 2 if self.full => {
                    self.told += u32::from(first);
                    self.e_lines = 1;
                    Keep(Top)
                }
                1 | 2 if !self.sibling => Keep(Body),
                _ if first && !self.sibling => Keep(Detail),
                _ => Keep(Edge),
            };
        }
        // `E   SyntaxError: invalid syntax` behind its source.
        if is_exception(said) && self.full && self.seen.same(said) <= 2 {
            return Keep(Top);
        }
        if self.repeated || self.sibling || self.e_lines > E_LINES {
            return Keep(Edge);
        }
        // What differs, in a line.
        let differs = [b"At index ".as_slice(), b"Right contains ", b"Left contains ", b"Differing items:", b"- ", b"+ "]
            .iter()
            .any(|w| said.starts_with(w))
            && !said.starts_with(b"+  ");
        let announced = std::mem::replace(&mut self.announced, said.ends_with(b":") && differs);
        if (differs || announced) && self.e_lines <= 10 && self.full {
            return Keep(Top);
        }
        // `?    ^^`: the marks below a differing line.
        if said.first() == Some(&b'?') {
            return Keep(Edge);
        }
        Keep(Body)
    }

    /// Places and frames, in all styles.
    ///
    ///     tests/test_x.py:276: AssertionError
    ///     tests/test_x.py:276: in test_x
    ///       File "/home/dev/app/tests/test_x.py", line 18, in test_x
    fn frame(&mut self, line: &Line<'_>) -> Option<Verdict> {
        let text = line.text;
        if let Some(rest) = text.trim_ascii_start().strip_prefix(b"File \"") {
            if line.indent() > 0 && memchr::memmem::find(rest, b"\", line ").is_some() {
                return Some(self.python_frame(line));
            }
        }
        if matches!(text[0], b' ' | b'\t') {
            return None;
        }
        let (path, rest) = place::split(text)?;
        let rest = if rest.is_empty() { b" Error" } else { rest.strip_prefix(b":")? };
        if !(rest.is_empty() || rest.starts_with(b" ")) || memchr::memmem::find(path, b"  ").is_some() {
            return None;
        }
        let short = rest.starts_with(b" in ");
        let lines = std::mem::take(&mut self.parked);
        self.foreign = place::is_foreign(path) || path.starts_with(b"<");
        if self.foreign {
            if short || rest.trim_ascii().is_empty() {
                return Some(Drop("runtime frames"));
            }
            // The last frame of a failure is told even where it is not the reader's.
            self.foreign = false;
            return Some(Keep(Detail));
        }
        let met = self.seen.same(text);
        self.places += 1;
        self.own = short;
        if short {
            return Some(Keep(match met {
                1 if self.full => Top,
                1 | 2 => Body,
                _ => Edge,
            }));
        }
        let rank = match met {
            _ if !self.full || rest.trim_ascii().is_empty() && self.places > 1 => Body,
            1 | 2 => Top,
            _ => Detail,
        };
        Some(if self.repeated { Keep(rank) } else { KeepWith { rank, lines, with: Edge } })
    }

    fn python_frame(&mut self, line: &Line<'_>) -> Verdict {
        self.foreign = place::is_foreign(line.text) || line.has("File \"<");
        self.own = !self.foreign;
        if self.foreign {
            return Drop("runtime frames");
        }
        match self.seen.same(line.text) {
            1 => Keep(Top),
            2 => Keep(Body),
            _ => Keep(Edge),
        }
    }

    fn captured(&mut self, line: &Line<'_>) -> Verdict {
        let text = line.text;
        match text.first() {
            Some(b'_') => {
                if let Some(title) = section(text, b'_') {
                    return self.header(title);
                }
            }
            Some(b'-') if section(text, b'-').is_some_and(|t| t.starts_with(b"Captured ")) => {
                self.count = 0;
                return Keep(if self.repeated || !self.full { Edge } else { Detail });
            }
            // --tb=line again: the next failure.
            Some(b'E') if text.starts_with(b"E   ") => {
                (self.full, self.sibling) = (self.told < EXPLAINED, false);
                (self.part, self.e_lines, self.in_e, self.parked) = (Part::Failures, 0, true, 0);
                return self.e_line(line, false);
            }
            // --tb=line puts the place behind the captured output.
            Some(b) if !b.is_ascii_whitespace() && is_raised(text) => {
                (self.part, self.e_lines) = (Part::Failures, 0);
                return Keep(Top);
            }
            _ => {}
        }
        self.count += 1;
        if line.is_blank() || self.repeated || !self.full {
            return Keep(Edge);
        }
        let met = self.seen.alike(text);
        Keep(if met <= 2 && (self.count <= CAPTURED || line.is_error()) { Detail } else { Edge })
    }

    /// Header and progress.
    fn progress(&mut self, line: &Line<'_>) -> Verdict {
        let text = line.text;
        if let Some(word) = verdict(line) {
            self.running = false;
            let lines = std::mem::take(&mut self.parked).min(30);
            return match word {
                b"FAILED" | b"ERROR" | b"SUBFAILED" if lines > 0 => KeepWith { rank: Body, lines, with: Detail },
                b"FAILED" | b"ERROR" | b"SUBFAILED" => {
                    // The summary names it again; parameters of one test are counted.
                    let name = base(line.text);
                    if !name.is_empty() && self.seen.same(name) > SIBLINGS {
                        Fold { rank: Detail, from: 0, to: name.len() }
                    } else {
                        Keep(Body)
                    }
                }
                b"XPASS" => Keep(Detail),
                b"SKIPPED" | b"XFAIL" | b"SUBSKIPPED" => Drop("skipped tests"),
                b"RERUN" => Keep(Edge),
                _ => Park(PASSING),
            };
        }
        if let Some(rest) = line.after("INTERNALERROR> ").or(line.after("INTERNALERROR>")) {
            return self.internal(line, rest);
        }
        if is_progress(text) || is_torn_progress(text) {
            self.running = false;
            return Park("progress lines");
        }
        if line.has("Fatal Python error: ") {
            self.running = false;
            let rank = if self.seen.same(b"Fatal Python error") <= 2 { Top } else { Edge };
            return KeepWith { rank, lines: 1, with: rank.min(Body) };
        }
        if line.starts("[gw") && line.has("] node down: ") {
            return Keep(Top);
        }
        if self.running {
            if let Some(word) = WORDS.iter().find(|w| text.starts_with(w)) {
                // -s: the verdict has a line of its own.
                let lines = std::mem::take(&mut self.parked).min(30);
                self.running = false;
                return match *word {
                    b"FAILED" | b"ERROR" => KeepWith { rank: Detail, lines, with: Detail },
                    _ => Drop(PASSING),
                };
            }
        }
        // The id of a test that has begun: xdist's own line, or one with output behind it.
        if is_id(line) {
            self.running = true;
            self.parked = 1;
            return Park(PASSING);
        }
        if self.running {
            return self.park("lines printed by tests");
        }
        if let Some(verdict) = self.session(line) {
            return verdict;
        }
        if line.starts("  File \"") && line.has("\", line ") {
            return self.python_frame(line);
        }
        if line.ends("(most recent call first):") {
            let current = line.starts("Current thread") && self.seen.same(b"Current thread") <= 2;
            return Keep(if current { Body } else { Edge });
        }
        if line.starts("ImportError while loading conftest") || line.starts("ERROR: ") || line.starts("E   ") {
            return Keep(Top);
        }
        beside(line)
    }

    /// Lines of the header.
    fn session(&mut self, line: &Line<'_>) -> Option<Verdict> {
        const HEADER: &[&str] = &[
            "platform ",
            "cachedir: ",
            "rootdir: ",
            "configfile: ",
            "testpaths: ",
            "plugins: ",
            "created: ",
            "scheduling tests via ",
            "hypothesis profile ",
            "asyncio: mode=",
            "metadata: ",
            "timeout: ",
            "timeout method: ",
            "timeout func_only: ",
            "bringing up nodes...",
            "gw0 [",
            "gw0 I",
            "Test session starts",
            "replacing crashed worker ",
        ];
        if HEADER.iter().any(|h| line.starts(h)) || line.has(" workers [") || line.starts("1 worker [") {
            return Some(Drop("header lines"));
        }
        if line.starts("collected ") || line.starts("collecting ... collected ") {
            return Some(Keep(if line.has(" error") { Body } else { Edge }));
        }
        if line.starts("Using --random") || line.starts("Random ") || line.is_blank() {
            return Some(Keep(Edge));
        }
        None
    }

    /// `INTERNALERROR> ...`: pytest itself, or a plugin or conftest in it, failed.
    fn internal(&mut self, line: &Line<'_>, said: &[u8]) -> Verdict {
        if said.trim_ascii().is_empty() {
            return Drop("runtime frames");
        }
        if said.starts_with(b"  File \"") {
            return self.python_frame(line);
        }
        if let Some((path, rest)) = place::split(said) {
            if rest.starts_with(b":") {
                self.foreign = place::is_foreign(path);
                return if self.foreign { Drop("runtime frames") } else { Keep(Top) };
            }
        }
        if said.starts_with(b"E  ") || !said.starts_with(b" ") && is_exception(said) {
            return Keep(Top);
        }
        if said.starts_with(b" ") || said.starts_with(b">") {
            return if self.foreign { Drop("runtime frames") } else { Keep(Body) };
        }
        Keep(Detail)
    }

    fn warning(&mut self, line: &Line<'_>) -> Verdict {
        if line.starts("-- Docs: ") {
            return Drop("hints");
        }
        // `  path:line: Category: text`
        if line.starts("  ") && !line.starts("   ") {
            let text = &line.text[2..];
            let said = place::split(text).map_or(text, |s| s.1);
            return match self.seen.alike(said) {
                1 => KeepWith { rank: Detail, lines: 1, with: Detail },
                2 => Keep(Detail),
                _ => Keep(Edge),
            };
        }
        Keep(Edge)
    }

    fn report(&mut self, line: &Line<'_>) -> Verdict {
        // `FAIL Required test coverage of 80% not reached. Total coverage: 71.00%`
        if line.starts("FAIL ") || line.starts("ERROR: ") {
            return Keep(Top);
        }
        if line.starts("TOTAL ") || line.starts("Coverage failure") {
            return Keep(Body);
        }
        // `src/a.py      12      0   100%`
        if line.ends(" 100%") {
            return Drop("fully covered files");
        }
        Keep(Edge)
    }
}

/// `/home/dev/app/ledger/money.py:16: KeyError: 'GBP'`
fn is_raised(text: &[u8]) -> bool {
    place::split(text).is_some_and(|(path, rest)| path.ends_with(b".py") && rest.strip_prefix(b": ").is_some_and(is_exception))
}

/// A test's name without its parameters: `test_price` of `test_price[3] - ValueError: x`.
fn base(name: &[u8]) -> &[u8] {
    let end = memchr::memchr(b'[', name).or_else(|| memchr::memmem::find(name, b" - "));
    &name[..end.unwrap_or(name.len())]
}

/// A progress line that ends without its percentage: the last one, or one that was torn.
fn is_torn_progress(text: &[u8]) -> bool {
    let letters = text.rsplit(|b| *b == b' ').next().unwrap_or_default();
    let path = text[..text.len() - letters.len()].trim_ascii_end();
    letters.len() >= 3 && letters.iter().all(|b| b".FEsSxXu".contains(b)) && (path.is_empty() || path.ends_with(b".py"))
}

/// Is it behind the bars of an exception group?
fn is_group(text: &[u8]) -> bool {
    let said = text.trim_ascii_start();
    said.starts_with(b"| ") || said.starts_with(b"+-") || said.starts_with(b"+ Exception Group Traceback")
}

/// `tests/test_x.py::test_name[a b] `, alone or with output glued to it.
fn is_id(line: &Line<'_>) -> bool {
    let Some(at) = memchr::memmem::find(line.text, b".py::") else { return false };
    !line.text[..at].iter().any(|b| matches!(b, b' ' | b'\t' | b'"' | b'\''))
}

impl Cut for Pytest {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        let text = line.text;
        match text.first() {
            Some(b'=') => {
                if let Some(title) = section(text, b'=') {
                    return self.title(title);
                }
            }
            Some(b'!') if section(text, b'!').is_some() => {
                self.part = Part::After;
                return Keep(Total);
            }
            Some(b'0'..=b'9') if is_totals(text.trim_ascii_end()) => {
                (self.part, self.ended) = (Part::After, true);
                return Keep(Total);
            }
            Some(b'n') if line.starts("no tests ran in ") => {
                (self.part, self.ended) = (Part::After, true);
                return Keep(Total);
            }
            _ => {}
        }
        if ending::is_death(line) {
            self.running = false;
            return if self.part == Part::Progress { KeepWith { rank: Total, lines: 1, with: Body } } else { Keep(Total) };
        }
        if let Some(verdict) = tox::line(line) {
            self.part = Part::Progress;
            self.running = false;
            return verdict;
        }
        match self.part {
            Part::Progress => self.progress(line),
            Part::Failures => self.failure(line),
            Part::Captured => self.captured(line),
            Part::Passes => Drop("lines of passing tests"),
            Part::Warnings => self.warning(line),
            Part::Summary => {
                if let Some(verdict) = in_summary(line) {
                    self.count = 0;
                    let name = base(text);
                    if verdict == Keep(Top) && self.seen.same(name) > SIBLINGS {
                        return Fold { rank: Body, from: 0, to: name.len() };
                    }
                    return verdict;
                }
                // -vv and CI print messages in full, over several lines.
                self.count += 1;
                Keep(if self.count <= 3 { Detail } else { Edge })
            }
            Part::Report => self.report(line),
            Part::After => {
                // `/home/dev/app/tests/test_slow.py:6: KeyboardInterrupt`
                if line.ends(": KeyboardInterrupt") {
                    return Keep(Top);
                }
                if line.starts("(to show a full traceback on") {
                    return Drop("hints");
                }
                if is_progress(text) {
                    // The next run of several.
                    self.part = Part::Progress;
                    return Park("progress lines");
                }
                beside(line)
            }
        }
    }

    fn end(&mut self) -> (u16, Rank) {
        // Without totals the last lines tell how far it came.
        (if self.ended { 0 } else { 2 }, Rank::Body)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn it_is_known_by_its_frame_or_its_dots() {
        assert!(sniffs(&SHAPE, "x\n=== test session starts ===") && sniffs(&SHAPE, "....F. [  3%]"));
        assert!(sniffs(&SHAPE, "t.py::a[error path] PASSED [ 1%]\nt.py::b PASSED [ 2%]\nt.py::c FAILED [ 3%]"));
        assert!(!sniffs(&SHAPE, "src/a.py:3:=== FAILURES ===\nprogress [ 3%]\ndone 50%]"));
    }

    #[test]
    fn verdicts_are_read_from_the_right() {
        let text = "t.py::a[FAILED state] PASSED [ 1%]\nt.py::b[x PASSED] FAILED [ 2%]\nt.py::c SKIPPED (says FAILED) [ 3%]\n[gw0] [  1%] PASSED t.py::d \n[gw1] [  2%] FAILED t.py::e ";
        assert_eq!(marks(&SHAPE, text), "pB.pB");
    }

    #[test]
    fn a_failure_keeps_name_message_and_place() {
        let text = "=== FAILURES ===\n___ test_a ___\n\n    def test_a():\n>       assert f() == 2\nE       assert 1 == 2\nE        +  where 1 = f()\n\nt.py:2: AssertionError\n=== short test summary info ===\nFAILED t.py::test_a - assert 1 == 2\n=== 1 failed, 3 passed in 0.1s ===";
        assert_eq!(marks(&SHAPE, text), "ETEpDTBETDT!");
    }

    #[test]
    fn passing_logs_and_internal_frames_go() {
        let text = "=== PASSES ===\n___ test_a ___\nERROR x\n=== 1 passed in 0.1s ===\n";
        assert_eq!(marks(&SHAPE, text), "E..!?");
        let text = "INTERNALERROR>   File \"/x/site-packages/p.py\", line 1, in f\nINTERNALERROR>     g()\nINTERNALERROR>   File \"/a/conftest.py\", line 6, in h\nINTERNALERROR> KeyError: 'o'";
        assert_eq!(marks(&SHAPE, text), "..TT");
    }
}
