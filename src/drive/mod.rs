//! From cleaned lines to an output: window, choice, seams, veto.
//!
//! The driver asks, the cuts answer, the ledgers keep. `choice` says which cut looks at which
//! lines, `seams` where outputs end, `books` keeps the accounts, `veto` judges the cuts.

mod books;
mod choice;
mod openers;
mod quiet;
mod refused;
mod seams;
mod veto;
mod whole;
mod window;

use crate::cut::{Rank, Shape, Verdict};
use crate::cuts::size;
use crate::declared::{self, Chooser};
use crate::facts::{Collector, Facts};
use crate::hint::Hint;
use crate::joint::Joints;
use crate::lane::Lanes;
use crate::ledger::{Place, Stats};
use crate::line::{Line, Teller};
use crate::prefix::Carrier;
use crate::{marker, Options};
use books::Books;
use openers::Openers;
use refused::Refused;
use std::panic::{catch_unwind, AssertUnwindSafe};
use whole::Whole;
use window::Window;

/// A stretch of the input under one cut.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Part {
    /// The shape's name.
    pub shape: &'static str,
    /// Its dialect.
    pub dialect: &'static str,
    /// First line, counted in the cleaned input from 1.
    pub from: u64,
    /// Last line.
    pub to: u64,
}

/// What the driver comes to at the end.
pub struct Outcome {
    pub content: Vec<u8>,
    pub stats: Stats,
    pub parts: Vec<Part>,
    /// Why the cuts' work was put aside, if it was.
    pub veto: Option<&'static str>,
    /// Nothing was cut, and why.
    pub whole: Option<&'static str>,
    /// What the text tells in numbers, if that was asked for.
    pub facts: Facts,
}

/// Lines before one that speaks of an error which may belong to it.
const NEAR: usize = 5;

/// One input on its way through the cuts.
pub struct Driver {
    hint: Hint,
    /// A file is read, as the hint says,
    is_file: bool,
    /// and its text is nobody's report: it has no joints.
    is_text: bool,
    shapes: Vec<&'static Shape>,
    /// Those of them that a line alone may open.
    openers: Openers,
    /// Kinds of lines that opened none of them.
    refused: Refused,
    window: Option<Window>,
    filters: Chooser,
    /// A filter of the user's own is at work on the only command: no other shape takes over.
    firm: bool,
    lanes: Lanes,
    /// The lane of the present line.
    at: usize,
    /// What stands before the lines, once the first window has told.
    carrier: Option<Carrier>,
    joints: Joints,
    /// The present line is the heading of a part.
    joint: bool,
    /// The last shape that took a whole output, and not only findings amid it.
    solid: Option<&'static Shape>,
    /// Windows in a row in which nothing was recognised,
    vain: usize,
    /// and lines for which nobody looks after them.
    rest: usize,
    /// Times that a tool had ended, and the line that came next at the last of them.
    endings: u32,
    foreign: u64,
    parts: Vec<Part>,
    /// Lines in a row that the present cut passed on: they wait for one that knows them.
    held: Window,
    books: Books,
    whole: Whole,
    lines: u64,
    passes: u64,
    /// All that is not plain are findings amid plain output.
    setting: bool,
    broken: bool,
    /// Reads the facts, if somebody wants them.
    collector: Option<Collector>,
}

impl Driver {
    pub fn new(hint: &Hint, options: &Options) -> Self {
        let budget = options.budget(hint);
        let (is_file, data) = (hint.reads_file(), hint.reads_data());
        let mut shapes = options.shapes();
        if is_file {
            // A file's text is never cut by what it seems to mean; data is cut as its name says.
            shapes.retain(|s| data == Some(s.name));
        }
        Driver {
            refused: Refused::default(),
            openers: Openers::new(shapes.iter().copied()),
            hint: hint.clone(),
            is_file,
            is_text: is_file && data != Some("log"),
            window: Some(Window::default()),
            filters: Chooser::new(&options.filters, &hint.command),
            firm: false,
            lanes: Lanes::new(hint),
            at: 0,
            carrier: None,
            joints: Joints::default(),
            joint: false,
            solid: None,
            vain: 0,
            rest: 0,
            endings: 0,
            foreign: 0,
            parts: Vec::new(),
            held: Window::default(),
            // A tool error is only cleaned: nothing is over a budget without limits.
            whole: Whole::new(budget.clone(), options.is_whole(hint)),
            books: Books::new(budget),
            lines: 0,
            passes: 0,
            setting: false,
            broken: false,
            collector: None,
            shapes,
        }
    }

    /// The command's status is known now.
    pub fn exited(&mut self, status: i32) {
        self.hint.exit_code = Some(status);
    }

    /// Facts are wanted.
    pub fn collect(&mut self) {
        self.collector = Some(Collector::new());
    }

    /// How the kinds of the next lines will be told, where they are all of one writer.
    pub fn teller(&self) -> Option<Teller> {
        let lane = self.lanes.0.first().filter(|_| self.carrier.is_none() && self.lanes.0.len() == 1);
        lane.and_then(|l| l.cut.teller())
    }

    /// Takes the next cleaned line.
    pub fn line(&mut self, line: &Line<'_>) {
        self.lines = line.number;
        self.whole.add(line);
        if self.rest > 0 && self.is_worth_a_look(line) {
            self.skim(NEAR);
            self.wake_up();
        }
        self.take(line);
    }

    /// Lets a line into the window, or through the cut of its lane.
    #[inline]
    fn take(&mut self, line: &Line<'_>) {
        if let Some(window) = &mut self.window {
            window.push(line);
            if window.is_full() {
                self.choose(false);
            }
            return;
        }
        let taken = match self.carrier {
            None => self.cut_line(line),
            Some(carrier) => {
                let prefix = carrier.prefix(line.whole());
                let line = line.behind(prefix.map_or(0, |p| p.len));
                self.find_lane(&line) && self.cut_line(&line)
            }
        };
        if !taken || self.lanes.any_seeks() {
            let line = self.bare(line);
            let window = self.window.insert(Window::default());
            if !taken {
                window.push(&line);
            }
        }
    }

    /// The line behind its carrier's prefix.
    fn bare<'t>(&self, line: &Line<'t>) -> Line<'t> {
        line.behind(self.carrier.and_then(|c| c.prefix(line.whole())).map_or(0, |p| p.len))
    }

    /// Turns to the lane of a line; false if its writer is a new one.
    fn find_lane(&mut self, line: &Line<'_>) -> bool {
        if !matches!(self.carrier, Some(Carrier::Named(_))) {
            return true;
        }
        match self.lanes.of(name(line, self.carrier)) {
            Some(at) => self.at = at,
            None => return false,
        }
        true
    }

    /// Books what the present cut passed on.
    #[inline]
    fn flush(&mut self) {
        if !self.held.is_empty() {
            self.flush_held();
        }
    }

    #[cold]
    fn flush_held(&mut self) {
        let held = std::mem::take(&mut self.held);
        for line in held.lines() {
            self.enter(&self.bare(&line), Verdict::Pass);
        }
    }

    /// What the present cut passed on before stays as data: it does not know its way any more.
    fn release(&mut self) {
        if let Some(ledger) = &mut self.books.cuts {
            ledger.release_pending();
        }
    }

    fn lane_number(&self) -> u8 {
        u8::try_from(self.at).unwrap_or_default()
    }

    /// Books a line in the cuts' ledger.
    #[inline(always)]
    fn enter(&mut self, line: &Line<'_>, verdict: Verdict) {
        let lane = &self.lanes.0[self.at];
        if let Some(collector) = &mut self.collector {
            collector.line(lane.current, line, verdict, lane.quotes);
        }
        let watch = self.hint.exit_code != Some(0);
        let place = Place { lane: self.lane_number(), joint: self.joint, quotes: lane.quotes, watch };
        if let Some(ledger) = &mut self.books.cuts {
            ledger.book(line, verdict, place);
        }
    }

    /// Books a line in both accounts; `plain`: what it is without the cuts, if somebody has
    /// looked.
    fn book(&mut self, line: &Line<'_>, verdict: Verdict, plain: Option<Verdict>) {
        let lane = &self.lanes.0[self.at];
        let waits = verdict.passes() && !lane.is_amid && self.lanes.0.len() == 1;
        if !lane.is_size {
            self.books.open_cuts();
        }
        match plain {
            Some(plain) => self.books.book_plain(line, plain, self.joint),
            None => self.books.follow(line, verdict),
        }
        if waits && self.books.has_cuts() {
            return self.held.push(line);
        }
        self.flush();
        self.enter(line, verdict);
    }

    /// The present cut's verdict. A cut that panics is put aside: its text goes through the
    /// plain ledger.
    #[inline]
    fn ask(&mut self, line: &Line<'_>) -> Verdict {
        let cut = &mut self.lanes.0[self.at].cut;
        if let Ok(verdict) = catch_unwind(AssertUnwindSafe(|| cut.line(line))) {
            return verdict;
        }
        self.put_aside()
    }

    #[cold]
    fn put_aside(&mut self) -> Verdict {
        self.broken = true;
        self.lanes.0[self.at].turn(&size::SHAPE, (size::SHAPE.cut)(&self.hint));
        self.shapes.clear();
        self.openers.clear();
        Verdict::Keep(Rank::Edge)
    }

    /// The input has ended. What is omitted is to be told in `note` bytes and one more line;
    /// `early` says that more input was to come.
    pub fn finish(mut self, note: usize, early: bool) -> Outcome {
        if self.whole.bytes < self.whole.budget.floor as u64 {
            // It comes back whole: no filter need be compiled for that.
            self.shapes.retain(|s| s.name != declared::NAME);
        }
        // A cut may have lost its way in the last window: the rest waits in a new one.
        while self.window.as_ref().is_some_and(|w| !w.is_empty()) {
            self.choose(true);
        }
        self.take_up();
        for at in 0..self.lanes.0.len() {
            self.at = at;
            self.end_cut();
            if let Some(last) = self.lanes.0[at].part.and_then(|p| self.parts.get_mut(p)) {
                last.to = self.lines;
            }
        }
        let mut last = Vec::new();
        if early {
            marker::early(&mut last);
            last.push(b'\n');
        }
        self.whole.budget.reserve(last.len());
        if let Some(why) = self.whole.why() {
            return self.into_whole(Some(why), &last);
        }
        if (self.is_file || self.is_data()) && self.whole.fits() {
            return self.into_whole(Some("data within the budget"), &last);
        }
        let veto = self.books.cuts.as_ref().and_then(|ledger| self.veto(ledger));
        // Where nothing was recognised, half has to go before the risk is worth it.
        let least = if self.books.has_cuts() { 1 } else { 2 };
        let books = std::mem::replace(&mut self.books, Books::new(self.whole.budget.clone()));
        let mut ledger = books.close(veto.is_none());
        if self.setting && veto.is_none() && least == 1 {
            ledger.narrow();
        }
        let mut content = Vec::new();
        let stats = ledger.finish(&mut content, last.len() + note);
        // A text that takes no more than its cut, markers and note included, is the better output.
        let note = if stats.omitted_bytes > 0 { note } else { 0 };
        if (content.len() + note) as u64 * least >= self.whole.bytes && self.whole.text.is_some() {
            return self.into_whole(None, &last);
        }
        end_line(&mut content, &last);
        Outcome { content, stats, parts: self.parts, veto, whole: None, facts: facts(self.collector, veto.is_none()) }
    }

    fn into_whole(self, why: Option<&'static str>, last: &[u8]) -> Outcome {
        let stats = Stats { kept_lines: self.lines, kept_bytes: self.whole.bytes, ..Stats::default() };
        let mut content = self.whole.text.unwrap_or_default();
        end_line(&mut content, last);
        let facts = facts(self.collector, !self.broken);
        Outcome { content, stats, parts: self.parts, veto: None, whole: why, facts }
    }
}

/// What was collected; of cuts that are put aside (`trusted` is false) nothing is believed.
fn facts(collector: Option<Collector>, trusted: bool) -> Facts {
    collector.map(|c| c.finish(trusted)).unwrap_or_default()
}

/// How its writer's name stands before a line; nothing where there is one writer.
fn name<'t>(line: &Line<'t>, carrier: Option<Carrier>) -> &'t [u8] {
    match carrier {
        Some(Carrier::Named(_)) if line.prefix() > 0 => carrier.and_then(|c| c.prefix(line.whole())).map_or(b"", |p| p.who(line.whole())),
        _ => b"",
    }
}

/// Appends a line of our own, on a line of its own.
fn end_line(content: &mut Vec<u8>, last: &[u8]) {
    if !last.is_empty() && content.last().is_some_and(|b| *b != b'\n') {
        content.push(b'\n');
    }
    content.extend_from_slice(last);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cut::{Cut, Opens};

    struct Faulty;

    impl Cut for Faulty {
        fn line(&mut self, line: &Line<'_>) -> Verdict {
            assert!(!line.starts("row 700 "), "a fault");
            Verdict::Drop("rows")
        }
    }

    static FAULTY: Shape =
        Shape { name: "faulty", dialect: "faulty", about: "", sniff: |_, _| true, opens: Opens::NEVER, cut: |_| Box::new(Faulty) };

    fn driven(rows: u64) -> Outcome {
        let options = Options { level: crate::Level::Aggressive, ..Options::default() };
        let mut driver = Driver::new(&Hint::default(), &options);
        driver.shapes = vec![&FAULTY];
        for i in 1..=rows {
            driver.line(&Line::new(format!("row {i} of a long text that nobody would cut").as_bytes(), i));
        }
        driver.finish(0, false)
    }

    #[test]
    fn a_cut_that_panics_is_put_aside() {
        let outcome = driven(2_000);
        let text = String::from_utf8_lossy(&outcome.content).into_owned();
        assert_eq!(outcome.veto, Some("a cut panicked"));
        assert!(text.contains("row 1 of") && text.contains("row 2000 of") && text.contains("omitted"), "{text}");
    }

    #[test]
    fn prose_is_skimmed_whatever_its_lines_are_long() {
        for (lines, width) in [(40_000, 40), (3_000, 5_000), (300, 60_000)] {
            let mut driver = Driver::new(&Hint::default(), &Options::default());
            for i in 1..=lines {
                let text: String = (0..width / 8).map(|w| format!("w{:x} ", w * i + i)).collect();
                driver.line(&Line::new(text.as_bytes(), i as u64));
            }
            let outcome = driver.finish(0, false);
            assert_eq!(outcome.stats.kept_lines + outcome.stats.omitted_lines, lines as u64);
        }
    }

    #[test]
    fn a_cut_that_keeps_nothing_is_put_aside() {
        let outcome = driven(600);
        assert_eq!(outcome.veto, Some("nothing was kept"));
        assert!(outcome.content.starts_with(b"row 1 of"));
    }
}
