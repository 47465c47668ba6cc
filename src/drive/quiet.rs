//! The ending of a text, held for the case that the cuts' work is put aside.
//!
//! While a cut is sure of its lines, the plain account of them is a head, the lines that carry
//! a sign, and an ending. So the rest need only be copied: two portions, of which the older
//! one becomes an omission when the younger one is full.

use crate::ledger::Ledger;
use crate::line::Line;

/// A portion holds so many bytes at least.
const LEAST: usize = 16 * 1024;

#[derive(Clone, Copy)]
struct Row {
    end: usize,
    prefix: usize,
}

#[derive(Default)]
struct Portion {
    text: Vec<u8>,
    rows: Vec<Row>,
}

impl Portion {
    fn clear(&mut self) {
        self.text.clear();
        self.rows.clear();
    }

    /// Its bytes, line ends included.
    fn bytes(&self) -> u64 {
        (self.text.len() + self.rows.len()) as u64
    }

    fn each(&self, from: usize, mut take: impl FnMut(&Line<'_>)) {
        let mut start = from.checked_sub(1).map_or(0, |i| self.rows[i].end);
        for row in &self.rows[from..] {
            // The number of a line is nothing to a ledger, and only lines without signs are held.
            let line = Line::looked_at(&self.text[start..row.end], 0, true).behind(row.prefix);
            take(&line);
            start = row.end;
        }
    }
}

/// Lines that no plain account was made of yet.
pub struct Quiet {
    old: Portion,
    new: Portion,
    room: usize,
}

impl Quiet {
    /// For an output of so many bytes.
    pub fn new(bytes: usize) -> Self {
        Quiet { old: Portion::default(), new: Portion::default(), room: bytes.clamp(LEAST, 4 * LEAST) }
    }

    pub fn is_empty(&self) -> bool {
        self.new.rows.is_empty()
    }

    /// Holds a whole line. What goes for it is booked as an omission.
    #[inline]
    pub fn push(&mut self, line: &Line<'_>, plain: &mut Ledger) {
        if self.new.text.len() >= self.room {
            self.turn(plain);
        }
        self.new.text.extend_from_slice(line.whole());
        self.new.rows.push(Row { end: self.new.text.len(), prefix: line.prefix() });
    }

    /// The older portion becomes an omission.
    #[cold]
    fn turn(&mut self, plain: &mut Ledger) {
        plain.omit_run(self.old.rows.len() as u64, self.old.bytes());
        std::mem::swap(&mut self.old, &mut self.new);
        self.new.clear();
    }

    /// Hands over the last `lines` lines; those before them are booked as omitted.
    pub fn wake(&mut self, lines: usize, plain: &mut Ledger, mut take: impl FnMut(&mut Ledger, &Line<'_>)) {
        let all = self.old.rows.len() + self.new.rows.len();
        let skip = all.saturating_sub(lines);
        let old = skip.min(self.old.rows.len());
        let new = skip - old;
        let bytes = |portion: &Portion, rows: usize| rows.checked_sub(1).map_or(0, |i| (portion.rows[i].end + rows) as u64);
        plain.omit_run(skip as u64, bytes(&self.old, old) + bytes(&self.new, new));
        self.old.each(old, |line| take(plain, line));
        self.new.each(new, |line| take(plain, line));
        self.old.clear();
        self.new.clear();
    }
}
