//! JSON: one value, several, or one a line; pretty or re-lined, with text before and after.
//!
//! What stays: the structure, the fields beside long lists (totals, cursors, states), the
//! first records of each list, and the records unlike the others: other keys, a new value
//! of a field with few, `null` where others have data, an error. Alike records go, counted.

mod fields;
mod walk;

use super::log::is_record;
use super::seen::Seen;
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::cuts::mix::Mix;
use crate::hint::Hint;
use crate::line::Line;
use fields::{Fields, TRUTH};
use std::hash::Hasher as _;
use walk::{Step, Walk};

/// The rows of this shape.
pub const SHAPES: &[&Shape] = &[&JSON];

const JSON: Shape = Shape {
    name: "json",
    dialect: "json",
    about: "JSON values and JSON Lines: structure, first records of a list, totals, records unlike the others",
    sniff: sniffs_json,
    opens: Opens::NEVER,
    cut: |_| Box::new(Json::default()),
};

/// Lines of other text that may stand before the value.
const BEFORE: usize = 20;
/// Records of a list that are shown.
const SAMPLES: u32 = 3;
/// Lines of a sample that are shown.
const SAMPLE_LINES: u32 = 24;
/// Lines of an odd record that are lifted with what is odd in it.
const CONTEXT: u16 = 16;
/// Lines after what is odd that are kept with it.
const FOLLOW: u8 = 10;
/// Named children of an object from which on their names are data.
const NAMED: u32 = 4;
/// Below this depth a container is known by its name and its parent's alone.
const DEEP: usize = 5;
/// Elements of a list of plain values that are shown.
const ELEMENTS: u32 = 5;
/// Fields beside a list that are held dearly, before it and after it.
const BESIDE: u8 = 14;

fn sniffs_json(_: &Hint, lines: &[Line<'_>]) -> bool {
    let begins = |l: &Line<'_>| l.starts("{") || l.starts("[") || l.starts("\u{feff}");
    let Some(first) = lines.iter().take(BEFORE).position(begins) else { return false };
    let mut walk = Walk::default();
    let (mut inside, mut other, mut records, mut containers) = (0_usize, 0_usize, 0_usize, 0_usize);
    for line in lines[first..].iter().filter(|l| !l.is_blank()) {
        let outside = walk.is_outside();
        let text = line.text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line.text);
        if outside && !matches!(text.first(), Some(b'{' | b'[')) {
            other += 1;
            continue;
        }
        if !walk.line(text, &mut |s| containers += usize::from(matches!(s, Step::Open { .. }))) {
            // A value cut off at the end of the text is still one.
            if line.ended && line.hole.is_none() {
                return false;
            }
            walk = Walk::default();
        }
        inside += 1;
        records += usize::from(outside && walk.is_outside() && line.ended && is_report(text));
    }
    containers > 0 && inside > other && records * 2 <= inside
}

/// A line of JSON that a log or a test runner wrote: not data, a report.
fn is_report(text: &[u8]) -> bool {
    let has = |part: &[u8]| crate::line::find(&text[..text.len().min(1024)], part).is_some();
    is_record(text)
        || has(b"\"Action\":\"") && (has(b"\"Package\":\"") || has(b"\"ImportPath\":\""))
        || has(b"\"reason\":\"compiler-")
        || has(b"\"reason\":\"build-")
        || has(b"\"type\": \"suite\"")
        || has(b"\"type\": \"test\"")
}

/// An open container.
#[derive(Clone, Copy)]
struct Frame {
    object: bool,
    path: u64,
    /// Which one of its path it is, from 1.
    nth: u32,
    /// One of several: an element of a list, or a further one of its path.
    record: bool,
    /// It and all around it are among the first of their kind.
    shown: bool,
    containers: u32,
    scalars: u32,
    keys: u128,
    lines: u32,
    /// The name that it stands under.
    name: u64,
    /// Something in it is unlike others, and what follows in it may explain that.
    odd: bool,
}

/// What a line holds.
#[derive(Default)]
struct Met {
    odd: bool,
    error: Option<u32>,
    opens: bool,
    closes: bool,
    scalars: u32,
    /// The outermost container that both begins and ends here.
    whole: Option<(bool, u32)>,
    /// The outermost container of an earlier line that ends here.
    ended: Option<Frame>,
}

#[derive(Default)]
struct Json {
    walk: Walk,
    frames: Vec<Frame>,
    fields: Fields,
    counts: Seen,
    errors: Seen,
    oddities: Seen,
    beside: u8,
    odd_records: u32,
    /// Lines of the present record that were spared and may be lifted.
    spared: u16,
    /// Lines that may still explain what is odd.
    follow: u8,
    texts: u32,
    /// A line was no JSON where JSON was due.
    broken: bool,
    /// Values that have ended, while no line has been broken: a damaged text has no end.
    ended: u32,
    damaged: bool,
}

impl Cut for Json {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        let text = line.text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line.text);
        if self.walk.is_outside() || self.broken {
            if !matches!(text.first(), Some(b'{' | b'[')) {
                return self.beside_values(line);
            }
            (self.broken, self.walk) = (false, Walk::default());
            self.frames.clear();
        }
        if line.is_blank() {
            return Verdict::Spare("blank");
        }
        let before = self.frames.len();
        let mut met = Met::default();
        self.walk_line(text, &mut met);
        self.ended += u32::from(met.closes && self.walk.is_outside());
        if self.broken {
            self.damaged = true;
            return if line.is_error() { Verdict::Keep(Rank::Body) } else { Verdict::Pass };
        }
        self.verdict(line, &met, before)
    }

    fn ends_before(&self, line: &Line<'_>) -> bool {
        let starts = matches!(line.text.first(), Some(b'{' | b'['));
        self.ended > 0 && self.walk.is_outside() && !self.damaged && !starts && !line.is_blank()
    }

    fn end(&mut self) -> (u16, Rank) {
        (2, Rank::Edge)
    }
}

impl Json {
    /// Text before, between and after values.
    fn beside_values(&mut self, line: &Line<'_>) -> Verdict {
        self.texts += 1;
        match self.texts {
            _ if line.is_error() => Verdict::Keep(Rank::Top),
            _ if line.is_blank() => Verdict::Spare("blank"),
            0..=40 => Verdict::Keep(Rank::Detail),
            _ => Verdict::Pass,
        }
    }

    fn walk_line(&mut self, text: &[u8], met: &mut Met) {
        let mut walk = std::mem::take(&mut self.walk);
        let mut base = self.frames.len();
        let good = walk.line(text, &mut |step| match step {
            Step::Open { object, key } => {
                met.opens = true;
                let top = self.frames.len() == base;
                self.open(object, key, met);
                if top {
                    let frame = self.frames[self.frames.len() - 1];
                    met.whole = Some((frame.shown, frame.nth));
                }
            }
            Step::Close => {
                met.closes = true;
                let earlier = self.frames.len() <= base;
                let frame = self.close(met);
                if earlier {
                    base = base.saturating_sub(1);
                    met.ended = frame;
                }
            }
            Step::Scalar { key, value } => {
                met.scalars += 1;
                self.scalar(key, value, met);
            }
        });
        if self.frames.len() > base {
            met.whole = None;
        }
        self.walk = walk;
        self.broken = !good;
    }

    fn open(&mut self, object: bool, key: Option<&[u8]>, met: &mut Met) {
        let (mut path, mut name, mut shown, mut record) = (1, 1, true, false);
        let depth = self.frames.len();
        if let Some(parent) = self.frames.last_mut() {
            parent.containers += 1;
            // Names of many children are data: what they are like is asked across names.
            name = if parent.object && parent.containers > NAMED { 3 } else { key.map_or(2, name_of) };
            if let Some(key) = key.filter(|_| parent.object) {
                parent.keys |= 1 << (name_of(key) % 128);
            }
            // Deep in a tree it matters little where exactly it is.
            let around = if depth > DEEP { parent.name } else { parent.path };
            (path, shown, record) = (mix(around, name), parent.shown, parent.record || !parent.object);
        }
        let nth = self.counts.kind(path);
        record |= nth > 1;
        if shown && nth > SAMPLES {
            (shown, self.spared) = (false, 0);
        }
        self.frames.push(Frame { object, path, name, nth, record, shown, containers: 0, scalars: 0, keys: 0, lines: 0, odd: false });
        if let Some(key) = key.filter(|k| is_error_key(k)) {
            met.error = Some(self.errors.alike(key));
        }
    }

    fn close(&mut self, met: &mut Met) -> Option<Frame> {
        let frame = self.frames.pop()?;
        let empty = frame.containers + frame.scalars == 0;
        if empty && met.error.is_some() {
            met.error = None;
        }
        if !self.frames.is_empty() {
            // Empty or not, and which keys: fields like any other.
            let kind = if empty { 1 << 8 } else { 1 << 9 };
            met.odd |= self.fields.learn(frame.path, kind, || 0, 0);
        }
        if frame.object && frame.scalars > 0 {
            let keys = (frame.keys as u64) ^ (frame.keys >> 64) as u64;
            met.odd |= self.fields.learn(mix(frame.path, 4), 1, || mix(keys, 0), 0);
        }
        Some(frame)
    }

    fn scalar(&mut self, key: Option<&[u8]>, value: &[u8], met: &mut Met) {
        let Some(frame) = self.frames.last_mut() else { return };
        frame.scalars += 1;
        let wide = frame.object && frame.scalars > 40;
        let name = match key {
            Some(key) if !wide => name_of(key),
            Some(_) => 3,
            None => 2,
        };
        if key.is_some() {
            frame.keys |= 1 << (name % 128);
        }
        let (kind, digits) = kind_of(value);
        let odd = self.fields.learn(mix(frame.path, name), kind, || hash(value), digits) && !wide;
        // The same oddity in many places is none.
        met.odd |= odd && self.oddities.kind(mix(name, hash(value))) <= SAMPLES;
        if key.is_some_and(is_error_key) && says_something(value) {
            met.error = Some(self.errors.alike(value));
        }
    }

    fn verdict(&mut self, line: &Line<'_>, met: &Met, before: usize) -> Verdict {
        for frame in &mut self.frames {
            frame.lines += 1;
        }
        // The container whose line this is: the one it ends, opens, or stands in.
        let own = if met.opens { self.frames.last() } else { met.ended.as_ref().or(self.frames.last()) };
        let (shown, record, nth, lines) = match (met.whole, own) {
            (Some((shown, nth)), own) => (shown, nth > 1 || own.is_some_and(|f| f.record || !f.object), nth, 1),
            (None, Some(f)) => (f.shown, f.record, f.nth, f.lines),
            (None, None) => (true, false, 1, 1),
        };
        if let Some(count) = met.error {
            self.mark_odd();
            let rank = if count <= 3 { Rank::Top } else { Rank::Detail };
            return self.lifted(rank, shown || met.whole.is_some());
        }
        if !shown {
            if met.odd {
                self.mark_odd();
                self.odd_records += 1;
                let rank = if self.odd_records <= 30 { Rank::Top } else { Rank::Detail };
                return self.lifted(rank, shown || met.whole.is_some());
            }
            if self.follow > 0 && self.frames.iter().rev().take(3).any(|f| f.odd && !f.shown) {
                self.follow -= 1;
                return Verdict::Keep(Rank::Detail);
            }
            self.spared = self.spared.saturating_add(1);
            return Verdict::Spare(if met.whole.is_some() { "alike records" } else { "alike record lines" });
        }
        if own.is_some_and(|f| !f.object && f.scalars > ELEMENTS && !met.opens && !met.closes) {
            return if met.odd { Verdict::Keep(Rank::Body) } else { Verdict::Spare("value lines") };
        }
        if record {
            return match (nth, lines) {
                _ if lines > SAMPLE_LINES => Verdict::Spare("alike record lines"),
                (1, 0..=12) if self.frames.len() < DEEP => Verdict::Keep(Rank::Body),
                (1, _) if self.frames.len() < DEEP => Verdict::Keep(Rank::Detail),
                _ => Verdict::Keep(Rank::Edge),
            };
        }
        self.structure(line, met, self.frames.len().max(before))
    }

    /// A line of the document's own frame.
    fn structure(&mut self, line: &Line<'_>, met: &Met, depth: usize) -> Verdict {
        if met.closes && met.scalars == 0 && met.whole.is_none() {
            // After a list come the fields that sum it up.
            self.beside = 0;
            return Verdict::Keep(Rank::Edge);
        }
        if depth <= 3 && (met.scalars > 0 || met.opens) && line.text.len() <= 512 {
            self.beside = self.beside.saturating_add(1);
            if self.beside <= BESIDE {
                return Verdict::Keep(if depth <= 2 { Rank::Top } else { Rank::Body });
            }
        }
        Verdict::Keep(if met.opens && depth <= 4 { Rank::Detail } else { Rank::Edge })
    }

    fn mark_odd(&mut self) {
        self.follow = FOLLOW;
        if let Some(frame) = self.frames.last_mut().filter(|f| f.record) {
            frame.odd = true;
        }
    }

    /// A line that is odd, with what its record said before it.
    fn lifted(&mut self, rank: Rank, shown: bool) -> Verdict {
        let lines = std::mem::take(&mut self.spared).min(CONTEXT);
        if shown || lines == 0 {
            return Verdict::Keep(rank);
        }
        Verdict::KeepWith { rank, lines, with: Rank::Detail }
    }
}

fn hash(text: &[u8]) -> u64 {
    let mut hasher = Mix::default();
    hasher.write(text);
    hasher.finish()
}

fn mix(a: u64, b: u64) -> u64 {
    let mut hasher = Mix::default();
    hasher.pair(a, b);
    hasher.finish()
}

/// A key's name, blind to numbers: `zone0` and `zone1` are alike.
fn name_of(key: &[u8]) -> u64 {
    let key = &key[..key.len().min(128)];
    if !key.iter().any(u8::is_ascii_digit) {
        return hash(key);
    }
    let mut hasher = Mix::default();
    let mut digits = false;
    for byte in key {
        if !byte.is_ascii_digit() {
            hasher.write_u8(*byte);
        } else if !digits {
            hasher.write_u8(b'0');
        }
        digits = byte.is_ascii_digit();
    }
    hasher.finish()
}

/// What kind of value it is, and how many digits a number has before its point.
fn kind_of(value: &[u8]) -> (u16, u8) {
    let digits = |text: &[u8]| u8::try_from(text.iter().take_while(|b| b.is_ascii_digit()).count()).unwrap_or(u8::MAX);
    match value {
        b"null" | b"NaN" => (1, 0),
        b"true" | b"false" => (TRUTH, 0),
        b"\"\"" => (1 << 2, 0),
        [b'"', ..] => (1 << 3, 0),
        [b'-', rest @ ..] => (1 << 4, digits(rest)),
        _ => (1 << 5, digits(value)),
    }
}

fn is_error_key(key: &[u8]) -> bool {
    let may = key.len() > 2 && matches!(key[0] | 0x20, b'e' | b'f' | b'l');
    may && [
        b"error".as_slice(),
        b"errors",
        b"err",
        b"exception",
        b"failure",
        b"failures",
        b"errormessage",
        b"error_message",
        b"lasterror",
        b"last_error",
    ]
    .iter()
    .any(|k| k.eq_ignore_ascii_case(key))
}

fn says_something(value: &[u8]) -> bool {
    !matches!(value, b"null" | b"false" | b"0" | b"\"\"" | b"\"none\"" | b"\"None\"")
}

#[cfg(test)]
mod tests;
