//! Window, choice, seams, veto: which cut looks at which line.

use crate::budget::Budget;
use crate::cut::{Cut, Rank, Shape, Verdict};
use crate::cuts::size;
use crate::declared::{self, Chooser, Filter};
use crate::facts::{Collector, Facts};
use crate::hint::Hint;
use crate::ledger::{Ledger, Stats};
use crate::line::{Frame, Line};
use crate::{marker, Options};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::Arc;

/// The window ends at so many lines,
const WINDOW_LINES: usize = 200;
/// or bytes, whichever comes first.
const WINDOW_BYTES: usize = 64 * 1024;
/// Lines in a row that a cut may pass on before the driver chooses again.
const PATIENCE: u32 = 60;
/// Times that the driver chooses again because a cut says that its tool has ended.
const ENDINGS: u32 = 64;

/// Lines of other text that may stand beside data.
const BESIDE: u64 = 20;

/// Shapes that tell how something ended: when it failed, they have to tell that it did.
const JUDGES: &[&str] = &["tests", "build", "lint", "install", "docker"];

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

/// Text that is held for now, line by line.
#[derive(Default)]
struct Window {
    text: Vec<u8>,
    lines: Vec<(usize, usize, Frame)>,
}

impl Window {
    fn push(&mut self, line: &Line<'_>) {
        let start = self.text.len();
        self.text.extend_from_slice(line.text);
        self.lines.push((start, self.text.len(), line.frame()));
    }

    fn is_full(&self) -> bool {
        self.lines.len() >= WINDOW_LINES || self.text.len() >= WINDOW_BYTES
    }

    fn lines(&self) -> Vec<Line<'_>> {
        self.lines.iter().map(|&(from, to, frame)| Line::framed(&self.text[from..to], frame)).collect()
    }
}

/// One input on its way through the cuts.
pub struct Driver {
    hint: Hint,
    shapes: Vec<&'static Shape>,
    window: Option<Window>,
    current: &'static Shape,
    filters: Chooser,
    /// A filter of the user's own is at work on the only command: no other shape takes over.
    firm: bool,
    cut: Box<dyn Cut>,
    passed: u32,
    /// Times that a tool had ended, and the line that came next at the last of them.
    endings: u32,
    foreign: u64,
    parts: Vec<Part>,
    /// The cuts' ledger; none while only `size` has spoken, whose ledger is the plain one.
    ledger: Option<Ledger>,
    plain: Ledger,
    plain_cut: size::Size,
    whole: Whole,
    lines: u64,
    passes: u64,
    /// All that is not plain are findings amid plain output.
    setting: bool,
    broken: bool,
    /// Reads the facts, if somebody wants them.
    collector: Option<Collector>,
}

/// The cleaned text as it is, for as long as it fits the budget.
struct Whole {
    text: Option<Vec<u8>>,
    bytes: u64,
    lines: usize,
    at_start: bool,
    marked: bool,
    budget: Budget,
    always: bool,
}

impl Whole {
    fn add(&mut self, line: &Line<'_>) {
        self.bytes += line.bytes();
        // Pieces of one line of JSON count as the line that they are.
        self.lines += usize::from(self.at_start);
        self.at_start = line.ended;
        let Some(text) = &mut self.text else { return };
        self.marked |= marker::is_marked(line.text);
        text.extend_from_slice(line.text);
        if line.ended {
            text.push(b'\n');
        }
        if line.hole.is_some() || text.len() > self.budget.bytes {
            self.text = None;
        }
    }

    fn why(&self) -> Option<&'static str> {
        let text = self.text.as_ref().filter(|_| self.lines <= self.budget.lines)?;
        if self.always {
            return Some("a tool error is not cut");
        }
        if text.len() < self.budget.floor {
            return Some("under the floor");
        }
        self.marked.then_some("cut before, and within the budget")
    }
}

impl Driver {
    pub fn new(hint: &Hint, options: &Options) -> Self {
        let budget = options.budget(hint);
        let always = hint.is_error && !options.is_limited();
        let mut roomy = budget.clone();
        if always {
            // A tool error is only cleaned: nothing is over a budget without limits.
            (roomy.bytes, roomy.lines) = (usize::MAX, usize::MAX);
        }
        let mut shapes = options.shapes();
        if hint.reads_file() {
            // A file's text is never cut by what it seems to mean; data is cut as its name says.
            shapes.retain(|s| hint.reads_data() == Some(s.name));
        }
        Driver {
            hint: hint.clone(),
            window: Some(Window::default()),
            current: &size::SHAPE,
            filters: Chooser::new(&options.filters, &hint.command),
            firm: false,
            cut: (size::SHAPE.cut)(hint),
            passed: 0,
            endings: 0,
            foreign: 0,
            parts: Vec::new(),
            ledger: None,
            plain: Ledger::new(budget),
            plain_cut: size::Size::default(),
            whole: Whole { text: Some(Vec::new()), bytes: 0, lines: 0, at_start: true, marked: false, budget: roomy, always },
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

    /// Takes the next cleaned line.
    pub fn line(&mut self, line: &Line<'_>) {
        self.lines = line.number;
        self.whole.add(line);
        match &mut self.window {
            Some(window) => {
                window.push(line);
                if window.is_full() {
                    self.choose();
                }
            }
            None => self.cut_line(line),
        }
    }

    /// Asks each shape about the window, then lets its lines go through the choice.
    fn choose(&mut self) {
        let Some(window) = self.window.take() else { return };
        let lines = window.lines();
        let (choice, filter) = self.find(&lines);
        if let Some(first) = lines.first() {
            // Where a tool ended and goes on after all, its cut still knows what it has seen.
            if first.number != self.foreign || !std::ptr::eq(choice, self.current) {
                self.turn_to(choice, filter.as_ref(), first.number);
            }
        }
        for line in &lines {
            match &mut self.window {
                Some(window) => window.push(line),
                None => self.cut_line(line),
            }
        }
        // While nothing is recognised, the driver keeps looking, a window at a time.
        if self.is_size() && self.window.is_none() {
            self.window = Some(Window::default());
        }
    }

    /// The first shape that takes these lines, in registry order; a filter of the user's own
    /// that names the command comes before all of them.
    fn find(&mut self, lines: &[Line<'_>]) -> (&'static Shape, Option<Arc<Filter>>) {
        let is_declared = |s: &&&'static Shape| s.name == declared::NAME;
        self.firm = false;
        if let Some(place) = self.shapes.iter().find(is_declared) {
            if let Some(filter) = self.filters.own(lines) {
                self.firm = self.filters.is_sole();
                return (place, Some(filter));
            }
        }
        for i in 0..self.shapes.len() {
            let shape = self.shapes[i];
            if shape.name == declared::NAME {
                if let Some(filter) = self.filters.find(shape, lines) {
                    return (shape, Some(filter));
                }
            } else if (shape.sniff)(&self.hint, lines) {
                return (shape, None);
            }
        }
        (&size::SHAPE, None)
    }

    fn turn_to(&mut self, shape: &'static Shape, filter: Option<&Arc<Filter>>, at: u64) {
        if let Some(last) = self.parts.last_mut() {
            last.to = at.saturating_sub(1);
            if last.shape == size::SHAPE.name && shape.name == size::SHAPE.name {
                return;
            }
        }
        self.end_cut();
        let dialect = filter.map_or(shape.dialect, |f| f.name());
        self.parts.push(Part { shape: shape.name, dialect, from: at, to: at });
        self.current = shape;
        self.cut = filter.map_or_else(|| (shape.cut)(&self.hint), |f| f.cut());
        self.setting = shape.name == size::SHAPE.name && self.setting || self.cut.is_amid() && self.only_setting();
        self.passed = 0;
    }

    /// Was nothing before the present part but plain output and findings amid it?
    fn only_setting(&self) -> bool {
        let mut before = self.parts.iter().rev().skip(1);
        self.setting || before.all(|p| p.shape == size::SHAPE.name)
    }

    fn end_cut(&mut self) {
        if let Some(ledger) = &mut self.ledger {
            let (lines, with) = catch_unwind(AssertUnwindSafe(|| self.cut.end())).unwrap_or((0, Rank::Body));
            ledger.end_cut(lines, with);
            ledger.opening = true;
        }
    }

    fn cut_line(&mut self, line: &Line<'_>) {
        if self.has_ended(line) {
            if let Some(ledger) = &mut self.ledger {
                ledger.release_pending();
            }
            (self.endings, self.foreign) = (self.endings + 1, line.number);
            let mut window = Window::default();
            window.push(line);
            self.window = Some(window);
            return;
        }
        let plain = self.plain_cut.line(line);
        let weak = self.is_size() || self.cut.yields();
        if weak {
            self.seam(line);
        }
        let mut verdict = self.ask(line, plain);
        if verdict == Verdict::Pass && !weak && self.seam(line) {
            verdict = self.ask(line, plain);
        }
        if self.ledger.is_none() && !self.is_size() {
            self.ledger = Some(self.plain.clone());
        }
        if let Some(collector) = &mut self.collector {
            collector.line(self.current, line, verdict, self.cut.quotes());
        }
        self.plain.book(line, plain);
        let Some(ledger) = &mut self.ledger else { return };
        ledger.quotes = self.cut.quotes();
        ledger.watch = self.hint.exit_code != Some(0);
        ledger.book(line, verdict);
        if verdict != Verdict::Pass {
            self.passed = 0;
            return;
        }
        let amid = self.cut.is_amid();
        self.passes += u64::from(!amid);
        self.passed += 1;
        if self.passed == PATIENCE {
            ledger.release_pending();
            self.passed = 0;
            if !amid {
                self.passes = self.passes.saturating_sub(u64::from(PATIENCE));
            }
            self.window = Some(Window::default());
        }
    }

    /// Does the present cut say that this line is another's? Asked once a line.
    fn has_ended(&self, line: &Line<'_>) -> bool {
        let again = self.endings < ENDINGS && line.number != self.foreign && !self.is_size();
        again && catch_unwind(AssertUnwindSafe(|| self.cut.ends_before(line))).unwrap_or(false)
    }

    /// Turns to another shape where a line opens it beyond doubt.
    fn seam(&mut self, line: &Line<'_>) -> bool {
        if self.firm {
            return false;
        }
        let current = self.current;
        let Some(shape) = self.shapes.iter().copied().find(|s| !std::ptr::eq(*s, current) && (s.opens)(line)) else { return false };
        if let Some(ledger) = &mut self.ledger {
            ledger.release_pending();
        }
        self.turn_to(shape, None, line.number);
        true
    }

    fn is_size(&self) -> bool {
        self.current.name == size::SHAPE.name
    }

    /// The present cut's verdict; `plain` where that is `size`. A cut that panics is put
    /// aside: its text goes through the plain ledger.
    fn ask(&mut self, line: &Line<'_>, plain: Verdict) -> Verdict {
        if self.is_size() {
            return plain;
        }
        if let Ok(verdict) = catch_unwind(AssertUnwindSafe(|| self.cut.line(line))) {
            return verdict;
        }
        self.broken = true;
        self.current = &size::SHAPE;
        self.shapes.clear();
        plain
    }

    /// The input has ended. What is omitted is to be told in `note` bytes and one more line;
    /// `early` says that more input was to come.
    pub fn finish(mut self, note: usize, early: bool) -> Outcome {
        if self.whole.bytes < self.whole.budget.floor as u64 {
            // It comes back whole: no filter need be compiled for that.
            self.shapes.retain(|s| s.name != declared::NAME);
        }
        // A cut may have lost its way in the last window: the rest waits in a new one.
        while self.window.as_ref().is_some_and(|w| !w.lines.is_empty()) {
            self.choose();
        }
        self.end_cut();
        let (lines, with) = self.plain_cut.end();
        self.plain.end_cut(lines, with);
        if let Some(last) = self.parts.last_mut() {
            last.to = self.lines;
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
        let is_data = self.hint.reads_file() || self.is_data();
        if is_data && self.whole.text.is_some() && self.whole.lines <= self.whole.budget.lines {
            return self.into_whole(Some("data within the budget"), &last);
        }
        let veto = self.ledger.as_ref().and_then(|ledger| self.veto(ledger));
        if let Some(ledger) = self.ledger.as_mut().filter(|_| self.setting) {
            ledger.narrow();
        }
        let mut content = Vec::new();
        // Where nothing was recognised, half has to go before the risk is worth it.
        let least = if self.ledger.is_none() { 2 } else { 1 };
        let cut = self.ledger.take().filter(|_| veto.is_none());
        let plain = std::mem::replace(&mut self.plain, Ledger::new(self.whole.budget.clone()));
        let stats = cut.unwrap_or(plain).finish(&mut content, last.len() + note);
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

    /// Is it data, but for a few lines beside it?
    fn is_data(&self) -> bool {
        let beside = |p: &Part| p.shape == size::SHAPE.name && p.to.saturating_sub(p.from) < BESIDE;
        self.parts.first().is_none_or(|p| p.shape == "json") && self.parts.iter().all(|p| p.shape == "json" || beside(p))
    }

    /// Is the cuts' work not to be trusted?
    fn veto(&self, ledger: &Ledger) -> Option<&'static str> {
        if self.broken {
            return Some("a cut panicked");
        }
        if !ledger.keeps_any() {
            return Some("nothing was kept");
        }
        if self.passes * 2 > self.lines {
            return Some("the cut recognised too little");
        }
        let unsaid = ledger.noise_errors() > 0 && !ledger.keeps_finding();
        match self.hint.exit_code {
            Some(0) => None,
            // The status is known to be bad: a closing line that says all is well proves nothing.
            Some(_) => {
                let judged = self.parts.iter().any(|p| JUDGES.contains(&p.shape));
                let found = ledger.keeps_finding();
                (unsaid || judged && !found).then_some("it failed, and the cut kept no failure")
            }
            // Tests without totals were killed, or are somebody else's.
            None => {
                let tests = self.parts.iter().any(|p| p.shape == "tests");
                ((unsaid || tests && !ledger.keeps_finding()) && !ledger.keeps_total()).then_some("the cut kept no failure and no totals")
            }
        }
    }
}

/// What was collected; of cuts that are put aside (`trusted` is false) nothing is believed.
fn facts(collector: Option<Collector>, trusted: bool) -> Facts {
    collector.map(|c| c.finish(trusted)).unwrap_or_default()
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
    use crate::cut::never_opens;

    struct Faulty;

    impl Cut for Faulty {
        fn line(&mut self, line: &Line<'_>) -> Verdict {
            assert!(!line.starts("row 700 "), "a fault");
            Verdict::Drop("rows")
        }
    }

    static FAULTY: Shape =
        Shape { name: "faulty", dialect: "faulty", about: "", sniff: |_, _| true, opens: never_opens, cut: |_| Box::new(Faulty) };

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
    fn a_cut_that_keeps_nothing_is_put_aside() {
        let outcome = driven(600);
        assert_eq!(outcome.veto, Some("nothing was kept"));
        assert!(outcome.content.starts_with(b"row 1 of"));
    }
}
