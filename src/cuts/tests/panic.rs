//! A failing Rust test's own words: captured output, panic, values, backtrace.
//!
//! Failures come in groups: the same assertion at the same place with the same values.
//! The first of a group is told in full; of the others only what differs. What a line is
//! worth is only known when its message is: until then the head lines are data.

use crate::cut::{Rank, Verdict};
use crate::cuts::place;
use crate::cuts::seen::Seen;

/// Lines of a message that are its explanation; further ones are detail, then data.
const MESSAGE: u16 = 10;
/// Captured lines of a test that are kept as detail; further ones are data.
const CAPTURED: u16 = 12;
/// Lines of an error's chain, and of the place that follows it.
const CHAIN: u8 = 12;
/// Changed lines of a diff that are as good as a message, and those that explain.
const CHANGED: u16 = 16;
/// Captured lines that tell why a test ended without a panic.
const LAST_WORDS: u16 = 3;
/// Failures of a place that differ in digits only and are still told in full.
const ALIKE: u32 = 3;
/// Own frames of a backtrace that explain: the first, where it is not the panic's place,
/// tells most.
const FRAMES: u16 = 3;
/// Failures that are told with values and explanation at full rank,
const IN_FULL: u16 = 6;
/// with their head line,
const WITH_HEAD: u16 = 10;
/// and with their place and message.
const IN_SHORT: u16 = 25;

const REPEATED: &str = "repeated failures";

#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum State {
    /// Before a panic: what the test printed.
    #[default]
    Captured,
    /// After the panic's place: its message is next.
    Place,
    /// In the message.
    Message,
    /// In a backtrace.
    Trace,
}

/// How much of the present failure was not said before.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Novelty {
    /// Its words.
    #[default]
    Words,
    /// Only numbers in them.
    Digits,
}

/// Reads the text of one failing test after the other.
#[derive(Default)]
pub struct Report {
    state: State,
    /// Where the present panic is, and what it said first.
    key: Vec<u8>,
    same: Seen,
    alike: Seen,
    /// The present test, and those that were told at full rank.
    name: Vec<u8>,
    named: Seen,
    /// Tests met, for runners that try again; is the present one met again?
    tried: Seen,
    again: bool,
    /// Something new was said since the panic's place.
    new: bool,
    /// Failures told so far, of this target and of all.
    told: u16,
    all: u16,
    /// The rank of what is new in the present failure.
    rank: Novelty,
    /// Low lines since the last one that said something new: the head, the panic's place.
    held: u16,
    /// How many of them are the head and the blank line under it.
    lead: u16,
    lines: u16,
    frames: u16,
    /// A frame's name is parked and waits for its place.
    framed: bool,
    /// Lines that may still be of an error's chain.
    chain: u8,
    /// Changed lines of a diff so far.
    changed: u16,
    /// The next place line belongs to a compiler's error.
    points: bool,
    /// And so does the next label under its code.
    marks: bool,
}

impl Report {
    /// A new test's text begins; its head line is data until the test says something new.
    pub fn head(&mut self, name: &[u8]) -> Verdict {
        self.begin();
        self.name.clear();
        self.name.extend_from_slice(name);
        (self.held, self.lead) = (1, 1);
        Verdict::Keep(Rank::Edge)
    }

    /// A new test's text begins under a head line that says more than its panic does.
    pub fn named_head(&mut self, name: &[u8]) -> Verdict {
        let verdict = self.head(name);
        self.lead = 0;
        // Counts this time too, so it is told from the second time on.
        self.again = self.tried.same(name) > 1;
        verdict
    }

    /// The runner says how the test ended.
    pub fn ends(&mut self) -> Verdict {
        if self.again {
            return Verdict::Keep(Rank::Edge);
        }
        let last = if self.state == State::Captured { self.lines.min(LAST_WORDS) } else { 0 };
        self.state = State::Captured;
        match self.lift(Rank::Top) {
            Verdict::KeepWith { rank, lines, with } => Verdict::KeepWith { rank, lines: lines + last, with },
            _ => Verdict::KeepWith { rank: Rank::Top, lines: last, with: Rank::Top },
        }
    }

    /// A new test's text begins, its head line was kept.
    pub fn begin(&mut self) {
        self.again = false;
        self.state = State::Captured;
        (self.held, self.lead, self.lines, self.frames) = (0, 0, 0, 0);
        (self.framed, self.points, self.marks) = (false, false, false);
        (self.chain, self.changed) = (0, 0);
        self.key.clear();
    }

    /// Was this test told at full rank?
    pub fn has_told(&mut self, name: &[u8]) -> bool {
        self.named.same(name) > 1
    }

    /// A new test's text may follow, its head line was kept and names it.
    pub fn begin_as(&mut self, name: &[u8]) {
        self.begin();
        self.name.clear();
        self.name.extend_from_slice(name);
    }

    /// Another target's failures begin: the first few of them are told in full again,
    /// all of them while there were few.
    pub fn target(&mut self) {
        self.begin();
        self.told = if self.all < 3 * IN_FULL { 0 } else { self.told.min(IN_FULL - 2) };
    }

    /// A line of the runner: it ends a message, but tests run beside each other, and a
    /// backtrace may go on after it.
    pub fn interrupted(&mut self) {
        if self.state != State::Trace {
            self.begin();
        }
    }

    /// Has a panic been met whose text may still go on?
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.state != State::Captured
    }

    /// A line of the text, without the indent that the runner gave it.
    pub fn line(&mut self, text: &[u8]) -> Verdict {
        let told = text.trim_ascii();
        if told.is_empty() {
            if self.state == State::Captured && self.held == 1 && self.lead == 1 {
                (self.held, self.lead) = (2, 2);
                return Verdict::Keep(Rank::Edge);
            }
            return Verdict::Drop("blank");
        }
        if text.starts_with(b"thread '") {
            if let Some(verdict) = self.thread(text) {
                return verdict;
            }
        }
        if is_hint(told) {
            return Verdict::Drop("hints");
        }
        // stack backtrace:, anyhow's Stack backtrace:, ━━━ BACKTRACE ━━━
        if told.eq_ignore_ascii_case(b"stack backtrace:") || is_banner(told) {
            self.state = State::Trace;
            return Verdict::Drop("runtime frames");
        }
        match self.state {
            State::Trace => self.frame(told),
            State::Place | State::Message => self.message(text),
            State::Captured => self.captured(text),
        }
    }

    /// `thread 'money::tests::split' (5102) panicked at src/money.rs:96:5:`
    /// `thread 'a' panicked at 'index out of bounds', src/a.rs:9:3` before Rust 1.73
    /// `thread 'tree::tests::deep' (17162) has overflowed its stack`
    fn thread(&mut self, text: &[u8]) -> Option<Verdict> {
        if text.ends_with(b" has overflowed its stack") {
            return Some(self.lift(Rank::Top));
        }
        let at = crate::line::find(text, b" panicked at ")? + b" panicked at ".len();
        let said = &text[at..];
        (self.lines, self.frames, self.framed, self.new) = (0, 0, false, false);
        (self.chain, self.changed) = (0, 0);
        // thread '<unnamed>', thread 'main': then only the head names the test.
        if crate::line::find(text, &self.name).is_none() {
            self.lead = 0;
        }
        self.key.clear();
        if said.starts_with(b"'") || said.starts_with(b"\"") {
            self.state = State::Message;
            let new = self.is_new(said);
            self.key.extend_from_slice(said);
            return Some(if new { self.lift(self.of(Rank::Top, IN_SHORT)) } else { self.park() });
        }
        // A place's numbers tell places apart, whatever is alike in their messages.
        self.key.extend(said.iter().map(|b| masked(*b)));
        self.state = State::Place;
        let lines = if self.same.same(&self.key) == 1 { self.held } else { 0 };
        self.held += 1;
        Some(Verdict::KeepWith { rank: Rank::Edge, lines, with: Rank::Detail })
    }

    fn message(&mut self, text: &[u8]) -> Verdict {
        let first = self.state == State::Place;
        self.state = State::Message;
        let new = self.is_new(text);
        if first {
            let end = text.len().min(80);
            self.key.extend_from_slice(&text[..end]);
        }
        if !new && !self.new {
            return self.park();
        }
        // From its first new line on, a failure is told in one piece.
        self.new = true;
        let told = text.trim_ascii();
        // It says no more than the values under it do.
        if told == b"assertion `left == right` failed" {
            return self.lift(self.of(Rank::Body, IN_SHORT));
        }
        if first || ends_old_panic(told) {
            return self.lift(self.of(Rank::Top, IN_SHORT));
        }
        if is_value(told) {
            return self.lift(self.of(Rank::Top, IN_FULL));
        }
        if !first && is_changed(text) {
            return self.change();
        }
        self.lines += 1;
        self.lift(match self.lines {
            n if n <= MESSAGE => self.of(Rank::Body, IN_FULL),
            n if n <= 4 * MESSAGE => Rank::Detail,
            _ => Rank::Edge,
        })
    }

    /// A line of a diff that differs: it outranks those that are equal.
    fn change(&mut self) -> Verdict {
        self.changed = self.changed.saturating_add(1);
        self.lift(match self.changed {
            n if n <= CHANGED => self.of(Rank::Top, IN_FULL),
            n if n <= 4 * CHANGED => self.of(Rank::Body, IN_FULL),
            _ => Rank::Detail,
        })
    }

    /// The rank one lower for what differs in numbers only, and after many failures.
    fn of(&self, rank: Rank, full: u16) -> Rank {
        match rank {
            Rank::Top if self.rank == Novelty::Digits || self.told > full => Rank::Body,
            Rank::Body if self.rank == Novelty::Digits || self.told > full => Rank::Detail,
            rank => rank,
        }
    }

    fn captured(&mut self, text: &[u8]) -> Verdict {
        let told = text.trim_ascii();
        if self.again {
            self.held += u16::from(self.held > 0);
            return Verdict::Keep(Rank::Edge);
        }
        // note: test did not panic as expected at src/money.rs:102:8
        // note: panic did not contain expected string
        if is_verdict(told) || is_value(told) {
            self.chain = if told.starts_with(b"Error:") { CHAIN } else { self.chain };
            return self.lift(Rank::Top);
        }
        //    1: checksum mismatch, Caused by:, Location:
        if self.chain > 0 && (text.starts_with(b" ") || told == b"Caused by:" || told == b"Location:") {
            self.chain -= 1;
            return self.lift(Rank::Top);
        }
        self.chain = 0;
        if is_changed_row(told) {
            return self.change();
        }
        if told.starts_with(b"Snapshot: ") || told.starts_with(b"Snapshot file: ") {
            return self.lift(Rank::Top);
        }
        // error[E0599]: no method named `x` found for struct `Queue`
        if text.starts_with(b"error") && (text.starts_with(b"error: ") || text.starts_with(b"error[E")) {
            (self.points, self.marks, self.lines) = (true, true, 0);
            return self.lift(Rank::Top);
        }
        if told.starts_with(b"--> ") && std::mem::take(&mut self.points) {
            return self.lift(Rank::Top);
        }
        if text == b"stderr:" || text == b"stdout:" || told == b"Couldn't compile the test." {
            return Verdict::Drop("headings");
        }
        // ` 70 |     queue.push(3);` and `    |                ^ expected `String`, found integer`
        if is_label(told) && std::mem::take(&mut self.marks) {
            return self.lift(Rank::Top);
        }
        self.lines += 1;
        let rank = if self.lines <= CAPTURED { Rank::Detail } else { Rank::Edge };
        self.lift(if is_code(text) && rank == Rank::Detail { Rank::Body } else { rank })
    }

    /// `   4: gibi_minus` and, on the next line, `             at ./src/size.rs:88:21`
    fn frame(&mut self, told: &[u8]) -> Verdict {
        // ⋮ 4 frames hidden ⋮
        if told.starts_with("⋮ ".as_bytes()) && told.ends_with(" hidden ⋮".as_bytes()) {
            return Verdict::Drop("runtime frames");
        }
        let digits = told.iter().take_while(|b| b.is_ascii_digit()).count();
        if digits > 0 && told.get(digits) == Some(&b':') {
            self.framed = true;
            return Verdict::Park("runtime frames");
        }
        if let Some(place) = told.strip_prefix(b"at ") {
            let named = std::mem::take(&mut self.framed);
            if place::is_foreign(place) || place.starts_with(b"./nptl/") || self.held > 0 {
                return Verdict::Drop("runtime frames");
            }
            // at ./src/size.rs:88:21, and the panic was not at src/size.rs:88
            // A place has a column, or has none.
            let column = memchr::memrchr(b':', place).filter(|i| place[..*i].contains(&b':'));
            let line = &place[..column.map_or(place.len(), |i| i + 1)];
            let line: Vec<u8> = line.iter().skip_while(|b| matches!(b, b'.' | b'/')).map(|b| masked(*b)).collect();
            if !line.is_empty() && self.key.starts_with(&line) {
                return Verdict::Keep(Rank::Edge);
            }
            self.frames += 1;
            return match self.frames {
                1 => Verdict::KeepWith { rank: self.of(Rank::Top, IN_FULL), lines: u16::from(named), with: Rank::Detail },
                n if n <= FRAMES => Verdict::KeepWith { rank: Rank::Detail, lines: u16::from(named), with: Rank::Detail },
                _ => Verdict::Keep(Rank::Edge),
            };
        }
        self.state = State::Captured;
        self.captured(told)
    }

    /// Is this the first time that this place says this (or hardly anything else)?
    fn is_new(&mut self, text: &[u8]) -> bool {
        let len = self.key.len();
        self.key.extend_from_slice(text);
        let new = self.same.same(&self.key) == 1;
        let alike = if new { self.alike.alike(&self.key) } else { 1 };
        self.key.truncate(len);
        self.rank = if alike > 1 { Novelty::Digits } else { Novelty::Words };
        new && alike <= ALIKE
    }

    fn park(&mut self) -> Verdict {
        self.held += 1;
        Verdict::Park(REPEATED)
    }

    /// Keeps the line, and with it the head lines that were parked.
    fn lift(&mut self, rank: Rank) -> Verdict {
        match std::mem::take(&mut self.held) {
            0 => Verdict::Keep(rank),
            lines => {
                self.told = self.told.saturating_add(1);
                self.all = self.all.saturating_add(1);
                // `thread 'x' panicked at` names the test as well as the head does.
                let lead = std::mem::take(&mut self.lead);
                let lines = if lines > lead && self.told > WITH_HEAD { lines - lead } else { lines };
                if self.told <= IN_SHORT && self.rank == Novelty::Words {
                    self.named.same(&self.name);
                }
                Verdict::KeepWith { rank, lines, with: self.of(Rank::Top, IN_SHORT) }
            }
        }
    }
}

/// A place's digit as a letter, so that it counts when digits do not.
fn masked(b: u8) -> u8 {
    if b.is_ascii_digit() {
        b | 0x80
    } else {
        b
    }
}

/// `note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace`
fn is_hint(told: &[u8]) -> bool {
    told.starts_with(b"note: run with `RUST_BACKTRACE")
        || told.starts_with(b"note: Some details are omitted")
        || told.starts_with(b"For more information about ")
        || told.starts_with(b"Some errors have detailed explanations")
        || told.starts_with(b"error: aborting due to ")
        || told.starts_with(b"Run with RUST_BACKTRACE=")
        || told.starts_with(b"Run with COLORBT_SHOW_HIDDEN=")
        || told.starts_with(b"Backtrace omitted. Run with ")
}

/// color-eyre's `━━━━ BACKTRACE ━━━━`
fn is_banner(told: &[u8]) -> bool {
    told.starts_with("━━".as_bytes()) && crate::line::find(told, b" BACKTRACE ").is_some()
}

/// A changed line of a diff in a message: `<left` and `>right`, `-old` and `+new`.
fn is_changed(text: &[u8]) -> bool {
    matches!(text.first(), Some(b'<' | b'>' | b'-' | b'+')) && text.len() > 1
}

/// A changed row of a snapshot's diff: `    2       │-line two`
fn is_changed_row(told: &[u8]) -> bool {
    let from = told.iter().take_while(|b| b.is_ascii_digit() || **b == b' ').count();
    told[from..].strip_prefix("│".as_bytes()).is_some_and(is_changed)
}

/// The two sides of a comparison, whoever compares.
fn is_value(told: &[u8]) -> bool {
    [b"left: ".as_slice(), b"right: ", b"expected: ", b"actual: ", b"expected substring: ", b"panic message: ", b"got: ", b"want: "]
        .iter()
        .any(|p| told.starts_with(p))
}

fn is_verdict(told: &[u8]) -> bool {
    told.starts_with(b"note: test did not panic")
        || told.starts_with(b"note: panic did not contain")
        || told.starts_with(b"Error: ")
        || told == b"Error:"
        || told.starts_with(b"Test executable failed")
        || told.starts_with(b"fatal runtime error: ")
}

/// ` right: `2`', src/a.rs:1:2` closes a message of Rust before 1.73.
fn ends_old_panic(told: &[u8]) -> bool {
    crate::line::find(told, b"', ").is_some_and(|i| place::split(&told[i + 3..]).is_some_and(|(_, rest)| rest.is_empty()))
}

/// `    |                ^ expected `String`, found integer`
fn is_label(told: &[u8]) -> bool {
    told.strip_prefix(b"|").map(<[u8]>::trim_ascii_start).is_some_and(|mark| {
        let marks = mark.iter().take_while(|b| matches!(b, b'^' | b'-' | b'_' | b'|' | b' ')).count();
        mark.contains(&b'^') && marks < mark.len()
    })
}

/// ` 53 | let q = Queue::with_limit(3);` and the marks under it.
fn is_code(text: &[u8]) -> bool {
    let told = text.trim_ascii_start();
    let digits = told.iter().take_while(|b| b.is_ascii_digit()).count();
    told[digits..].trim_ascii_start().starts_with(b"| ") || told.starts_with(b"help: ")
}
