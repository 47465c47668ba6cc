//! Logs: lines that begin with a time, a level or both, and what stands between them.
//!
//! What stays: errors and warnings with the lines that led to them, the first lines of each
//! kind (a kind is a line's words, blind to numbers and ids), most of all a kind that turns
//! up late, causes and own frames of traces, the ending. Routine lines and repeats of an
//! error go, counted.

mod ci;
mod head;
mod record;
mod trace;

use super::kind;
use super::mix::Mix;
use super::novel::Novel;
use super::seen::Seen;
use super::stacktrace::Inlay;
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::hint::Hint;
use crate::line::{Line, Signs, Teller};
use head::{Head, Level};
use record::Record;
use std::collections::HashSet;
use std::hash::BuildHasherDefault;

/// The rows of this shape.
pub const SHAPES: &[&Shape] = &[&CI, &LOG];

/// What nobody knows in the steps of a job. The driver reads jobs by their prefixes and turns
/// to it.
const CI: Shape = Shape {
    name: "log",
    dialect: "ci",
    about: "CI job logs: the failing step's words, errors with the lines before them",
    sniff: |_, _| false,
    opens: Opens::NEVER,
    cut: |_| Box::new(ci::Ci::default()),
};

/// Everything else with times or levels at the line's start.
const LOG: Shape = Shape {
    name: "log",
    dialect: "log",
    about: "time-stamped and levelled logs, JSON logs, logfmt, access logs, dmesg, logcat: errors, first of each kind, the ending",
    sniff: sniffs_log,
    opens: Opens::NEVER,
    cut: |_| Box::new(Log::default()),
};

/// Lines of a text that must have a head before it is a log.
const LEAST: usize = 5;

fn sniffs_log(_: &Hint, lines: &[Line<'_>]) -> bool {
    let (mut heads, mut timed, mut other) = (0, 0, 0);
    let mut within = false;
    for line in lines.iter().filter(|l| !l.is_blank()) {
        if let Some(head) = head::read(line.text) {
            heads += 1;
            timed += usize::from(head.timed);
            within = true;
        } else if !within || !trace::belongs(line.text) {
            other += 1;
            if other * 2 >= lines.len() {
                return false;
            }
        }
    }
    heads >= LEAST && heads > other && (timed * 2 >= heads || timed == 0 && other * 10 <= heads)
}

/// Is the text one record of a log that is written as JSON?
pub(crate) fn is_record(text: &[u8]) -> bool {
    text.first() == Some(&b'{') && head::read(text).is_some()
}

/// Does it say in a record of JSON, behind a name or not, that something went wrong?
pub(crate) fn is_bad_record(text: &[u8]) -> bool {
    if text.last() != Some(&b'}') {
        return false;
    }
    let from = memchr::memchr(b'{', &text[..text.len().min(64)]);
    from.and_then(|at| head::read(&text[at..])).is_some_and(|head| head.level == Level::Bad)
}

/// How much of the present record is shown.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Shown {
    /// It went, and so do its details.
    #[default]
    No,
    /// It is plain, its details are data.
    Plain,
    /// It is a finding.
    Full,
}

/// Writers whose records are told apart where a carrier names them; those beyond share one.
const WRITERS: usize = 24;
/// Kinds that are remembered for the trouble they tell of.
const TROUBLES: usize = 1024;
/// Lines that say something else than all before, held dear.
const NEW: u32 = 24;

/// The record of one writer that is being read.
#[derive(Default)]
struct Writer {
    name: Vec<u8>,
    trace: trace::Trace,
    /// Traces as their language prints them.
    inlay: Inlay,
    shown: Shown,
    /// It is a finding that was shown before.
    again: bool,
    /// Lines since the record's head.
    since: u32,
}

#[derive(Default)]
struct Log {
    kinds: Seen,
    stems: Seen,
    /// Kinds that tell of the kernel's trouble.
    troubles: HashSet<u64, BuildHasherDefault<Mix>>,
    /// Headed lines so far.
    lines: u64,
    /// How many of the last lines or so were of a new kind, times 1024.
    fresh: u32,
    novel: Novel,
    news: u32,
    /// All writers, the one without a name first, and the present one.
    writers: Vec<Writer>,
    at: usize,
}

impl Cut for Log {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        let head = head::read(line.text);
        self.turn_to(&line.text[..head.as_ref().map_or(0, |h| if h.ci { 0 } else { h.carried })]);
        let Some(head) = head else { return self.continued(line) };
        let body = line.text.get(head.body..).unwrap_or_default();
        let writer = &mut self.writers[self.at];
        // What a carrier alone stands before may belong to a trace of its writer.
        if head.carried > 0 && head.body == head.carried && !head.timed {
            let bare = line.behind(line.prefix() + head.carried);
            let inlaid = if writer.again { None } else { writer.inlay.line(&bare) };
            if let Some(verdict) = inlaid {
                writer.since = 1;
                return shifted(verdict, head.carried);
            }
        } else {
            writer.inlay.past(line);
        }
        // Some writers repeat the head on each line of a trace.
        if let Some(verdict) = trace::stripped(body).and_then(|b| writer.trace.line(b, line, writer.shown != Shown::Full)) {
            writer.since = 0;
            return verdict;
        }
        writer.since = 0;
        writer.trace.leave();
        self.lines += 1;
        let (kind, stem) = line.told(tell).unwrap_or_else(|| kind_of(&head, body));
        let (met, stems) = (self.kinds.kind(kind), self.stems.kind(!stem));
        self.fresh = self.fresh - self.fresh / 64 + if met == 1 { 16 } else { 0 };
        // A new kind after a long run of known ones.
        let late = met == 1 && self.lines > 60 && self.fresh < 200;
        let level = grade(&head, line, body, head.level == Level::Unsaid && self.is_trouble(kind, met, body));
        // Where kinds do not come back, words do.
        let new = if met == 1 && self.news < NEW {
            self.novel.is_new(body)
        } else {
            self.novel.known();
            false
        };
        let new = new && !late && head.status == 0;
        self.news += u32::from(new);
        let (verdict, shown) = match level {
            Level::Bad => bad(met, stems),
            Level::Warn => match met {
                1 if late || stems <= 3 => (Verdict::Keep(Rank::Body), Shown::Full),
                1 => (Verdict::Keep(Rank::Detail), Shown::Full),
                2 if stems < 6 => (Verdict::Keep(Rank::Edge), Shown::Plain),
                _ => (Verdict::Spare("routine lines"), Shown::No),
            },
            _ if new || late && stems <= 3 => (Verdict::KeepWith { rank: Rank::Body, lines: 1, with: Rank::Edge }, Shown::Plain),
            _ => match met {
                1 if late || stems <= 2 => (Verdict::Keep(Rank::Detail), Shown::Plain),
                1 if stems <= 8 => (Verdict::Keep(Rank::Edge), Shown::Plain),
                2 if stems <= 4 => (Verdict::Keep(Rank::Edge), Shown::Plain),
                _ => (Verdict::Spare("routine lines"), Shown::No),
            },
        };
        let writer = &mut self.writers[self.at];
        writer.shown = shown;
        writer.again = shown == Shown::No && matches!(level, Level::Bad | Level::Warn);
        verdict
    }

    fn end(&mut self) -> (u16, Rank) {
        (3, Rank::Detail)
    }

    fn teller(&self) -> Option<Teller> {
        Some(tell)
    }
}

/// The verdict on a line without what its carrier put before it, for the whole of it.
fn shifted(verdict: Verdict, by: usize) -> Verdict {
    match verdict {
        Verdict::Fold { rank, from, to } => Verdict::Fold { rank, from: from + by, to: to + by },
        Verdict::Around { rank, from, to } => Verdict::Around { rank, from: from + by, to: to + by },
        // What stands right above may be another's.
        Verdict::KeepWith { rank, .. } => Verdict::Keep(rank),
        Verdict::Park(noun) => Verdict::Spare(noun),
        other => other,
    }
}

impl Log {
    /// The next line is this writer's.
    fn turn_to(&mut self, name: &[u8]) {
        let same = |w: &Writer| w.name.len() == name.len() && (name.is_empty() || w.name == name);
        if self.writers.get(self.at).is_some_and(same) {
            return;
        }
        if self.writers.is_empty() {
            self.writers.push(Writer::default());
        }
        self.at = self.writers.iter().position(|w| w.name == name).unwrap_or_else(|| {
            if self.writers.len() >= WRITERS {
                return 0;
            }
            self.writers.push(Writer { name: name.to_vec(), ..Writer::default() });
            self.writers.len() - 1
        });
    }

    /// Does the kernel tell of trouble? The first line of a kind says so for all of them, but
    /// for records of JSON, whose kind is told by their message alone.
    fn is_trouble(&mut self, kind: u64, met: u32, body: &[u8]) -> bool {
        if body.starts_with(b"{\"") {
            return is_kernel_trouble(body);
        }
        if met == 1 && self.troubles.len() < TROUBLES && is_kernel_trouble(body) {
            self.troubles.insert(kind);
        }
        !self.troubles.is_empty() && self.troubles.contains(&kind)
    }

    /// A line without a head belongs to the record before it.
    fn continued(&mut self, line: &Line<'_>) -> Verdict {
        // --------- beginning of crash
        if line.starts("--------- beginning of ") {
            return Verdict::Keep(Rank::Detail);
        }
        let writer = &mut self.writers[self.at];
        writer.since += 1;
        // A trace behind a routine line is none of its own.
        if !writer.again {
            if let Some(verdict) = writer.inlay.line(line) {
                writer.since = 1;
                return verdict;
            }
        }
        if self.lines == 0 || writer.since > 40 && !trace::belongs(line.text) {
            return Verdict::Pass;
        }
        if let Some(verdict) = writer.trace.line(line.text, line, writer.shown == Shown::No) {
            return verdict;
        }
        // ==12390==ERROR: AddressSanitizer: another tool speaks up between the records.
        if line.is_error() && !trace::belongs(line.text) && self.kinds.kind(kind::of(line.text, 2).0) <= 2 {
            (writer.shown, writer.since) = (Shown::Full, 0);
            return Verdict::Pass;
        }
        match writer.shown {
            _ if line.is_blank() => Verdict::Spare("blank"),
            Shown::No if line.is_error() && self.kinds.kind(kind::of(line.trimmed(), 1).0) <= 2 => Verdict::Keep(Rank::Body),
            Shown::No => Verdict::Spare("repeated details"),
            Shown::Plain if writer.since <= 3 => Verdict::Keep(Rank::Edge),
            Shown::Full if writer.since <= 8 => Verdict::Keep(if line.is_error() { Rank::Top } else { Rank::Detail }),
            _ => Verdict::Spare("details"),
        }
    }
}

fn bad(met: u32, stems: u32) -> (Verdict, Shown) {
    match met {
        1..=2 if stems <= 8 => (Verdict::KeepWith { rank: Rank::Top, lines: 2, with: Rank::Detail }, Shown::Full),
        1..=5 if stems <= 24 => (Verdict::Keep(Rank::Body), Shown::No),
        1..=5 => (Verdict::Keep(Rank::Edge), Shown::No),
        _ => (Verdict::Spare("repeated errors"), Shown::No),
    }
}

/// What a line is to the reader: its level, corrected by its words. `trouble`: its kind is
/// one of the kernel's.
fn grade(head: &Head, line: &Line<'_>, body: &[u8], trouble: bool) -> Level {
    // What the line does not say, its body does not.
    let says = |text: &[u8]| if line.signs() == Signs::default() { Signs::default() } else { Line::new(text, line.number).signs() };
    match head.level {
        Level::Unsaid => {
            let signs = says(body);
            if signs.has(Signs::ERROR) || trouble {
                Level::Bad
            } else if signs.has(Signs::WARNING) {
                Level::Warn
            } else {
                Level::Unsaid
            }
        }
        Level::Low if head.status == 0 && says(body).has(Signs::ERROR) => Level::Warn,
        level => level,
    }
}

/// The kernel's words for trouble that are no error words.
fn is_kernel_trouble(body: &[u8]) -> bool {
    const WORDS: [&[u8]; 9] =
        [b"oom", b"OOM", b"Call Trace:", b"BUG: ", b"Oops", b"failcnt", b"soft lockup", b"blocked for more than", b"Hardware Error"];
    let may_start = |start: &[u8]| matches!(start, b"oom" | b"OOM" | b"Cal" | b"BUG" | b"Oop" | b"fai" | b"sof" | b"blo" | b"Har");
    let mut starts = body.windows(3).enumerate().filter(|(_, start)| may_start(start));
    starts.any(|(at, _)| WORDS.iter().any(|w| body[at..].starts_with(w)))
}

/// The kind and stem of a line that has a head.
fn tell(line: &Line<'_>) -> (u64, u64) {
    head::read(line.text).map(|head| kind_of(&head, line.text.get(head.body..).unwrap_or_default())).unwrap_or_default()
}

/// The kind and stem of a line: of what it says, not of when or where.
fn kind_of(head: &Head, body: &[u8]) -> (u64, u64) {
    let salt = u64::from(head.status) << 8 | head.level as u64;
    if body.starts_with(b"{\"") {
        let record = head.record.unwrap_or_else(|| Record::read(body));
        if let Some(said) = record.message(body) {
            return kind::of(said, salt | record.status(body) << 32);
        }
        return kind::of(body, salt);
    }
    if head.status > 0 {
        // The request alone: who sent it and how much it got makes no kind.
        return kind::of(&body[..memchr::memchr(b'"', body).unwrap_or(body.len())], salt);
    }
    // ts=2026-03-04T07:00:00Z level=info ...
    let timed = body.starts_with(b"ts=") || body.starts_with(b"time=") || body.starts_with(b"timestamp=");
    let from = if timed { memchr::memchr(b' ', body).unwrap_or(0) } else { 0 };
    kind::of(&body[from..], salt)
}

#[cfg(test)]
mod tests;
