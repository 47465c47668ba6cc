//! Window, choice, seams, veto: which cut looks at which line.

use crate::budget::Budget;
use crate::cut::{Cut, Rank, Shape, Verdict};
use crate::cuts::size;
use crate::hint::{Hint, Level};
use crate::ledger::{Ledger, Stats};
use crate::line::{Hole, Line};
use crate::{marker, Options};
use std::panic::{catch_unwind, AssertUnwindSafe};

/// The window ends at so many lines,
const WINDOW_LINES: usize = 200;
/// or bytes, whichever comes first.
const WINDOW_BYTES: usize = 64 * 1024;
/// Lines in a row that a cut may pass on before the driver chooses again.
const PATIENCE: u32 = 60;

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
}

/// Text that is held for now, line by line.
#[derive(Default)]
struct Window {
    text: Vec<u8>,
    lines: Vec<(usize, usize, Option<Hole>, bool, u64)>,
}

impl Window {
    fn push(&mut self, line: &Line<'_>) {
        let start = self.text.len();
        self.text.extend_from_slice(line.text);
        self.lines.push((start, self.text.len(), line.hole, line.ended, line.number));
    }

    fn is_full(&self) -> bool {
        self.lines.len() >= WINDOW_LINES || self.text.len() >= WINDOW_BYTES
    }

    fn lines(&self) -> Vec<Line<'_>> {
        let line = |&(from, to, hole, ended, number): &(usize, usize, Option<Hole>, bool, u64)| {
            let mut line = Line::new(&self.text[from..to], number);
            (line.hole, line.ended) = (hole, ended);
            line
        };
        self.lines.iter().map(line).collect()
    }
}

/// One input on its way through the cuts.
pub struct Driver<'h> {
    hint: &'h Hint,
    shapes: Vec<&'static Shape>,
    window: Option<Window>,
    current: &'static Shape,
    cut: Box<dyn Cut>,
    passed: u32,
    parts: Vec<Part>,
    ledger: Ledger,
    plain: Ledger,
    plain_cut: size::Size,
    whole: Whole,
    lines: u64,
    passes: u64,
    broken: bool,
    level: Level,
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
        self.marked |= marker::read_gap(line.text).is_some() || marker::read_hole(line.text).is_some();
        text.extend_from_slice(line.text);
        if line.ended {
            text.push(b'\n');
        }
        if line.hole.is_some() || text.len() > self.budget.bytes || self.lines > self.budget.lines {
            self.text = None;
        }
    }

    fn why(&self) -> Option<&'static str> {
        let text = self.text.as_ref()?;
        if self.always {
            return Some("a tool error is not cut");
        }
        if text.len() < self.budget.floor {
            return Some("under the floor");
        }
        self.marked.then_some("cut before, and within the budget")
    }
}

impl<'h> Driver<'h> {
    pub fn new(hint: &'h Hint, options: &Options) -> Self {
        let budget = options.budget(hint);
        let always = hint.is_error && !options.is_limited();
        let mut roomy = budget.clone();
        if always {
            // A tool error is only cleaned: nothing is over a budget without limits.
            (roomy.bytes, roomy.lines) = (usize::MAX, usize::MAX);
        }
        // What a file says is not taken for a report, but its data may be sampled.
        let mut shapes = options.shapes();
        shapes.retain(|s| s.name == "json" || !hint.reads_file());
        Driver {
            hint,
            window: Some(Window::default()),
            current: &size::SHAPE,
            cut: (size::SHAPE.cut)(hint),
            passed: 0,
            parts: Vec::new(),
            ledger: Ledger::new(budget.clone()),
            plain: Ledger::new(budget),
            plain_cut: size::Size::default(),
            whole: Whole { text: Some(Vec::new()), bytes: 0, lines: 0, at_start: true, marked: false, budget: roomy, always },
            lines: 0,
            passes: 0,
            broken: false,
            level: options.level,
            shapes,
        }
    }

    /// Takes the next cleaned line.
    pub fn line(&mut self, line: &Line<'_>) {
        self.lines = line.number;
        self.whole.add(line);
        let verdict = self.plain_cut.line(line);
        self.plain.book(line, verdict);
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
        let choice = self.shapes.iter().copied().find(|s| (s.sniff)(self.hint, &lines)).unwrap_or(&size::SHAPE);
        if let Some(first) = lines.first() {
            self.turn_to(choice, first.number);
        }
        for line in &lines {
            match &mut self.window {
                Some(window) => window.push(line),
                None => self.cut_line(line),
            }
        }
        // While nothing is recognised, the driver keeps looking, a window at a time.
        if self.current.name == size::SHAPE.name && self.window.is_none() {
            self.window = Some(Window::default());
        }
    }

    fn turn_to(&mut self, shape: &'static Shape, at: u64) {
        if let Some(last) = self.parts.last_mut() {
            last.to = at.saturating_sub(1);
            if last.shape == size::SHAPE.name && shape.name == size::SHAPE.name {
                return;
            }
        }
        self.end_cut();
        self.parts.push(Part { shape: shape.name, dialect: shape.dialect, from: at, to: at });
        self.current = shape;
        self.cut = (shape.cut)(self.hint);
        self.passed = 0;
    }

    fn end_cut(&mut self) {
        let (lines, with) = catch_unwind(AssertUnwindSafe(|| self.cut.end())).unwrap_or((0, Rank::Body));
        self.ledger.end_cut(lines, with);
    }

    fn cut_line(&mut self, line: &Line<'_>) {
        let mut verdict = self.ask(line);
        if verdict == Verdict::Pass || self.current.name == size::SHAPE.name {
            let current = self.current;
            if let Some(shape) = self.shapes.iter().copied().find(|s| !std::ptr::eq(*s, current) && (s.opens)(line)) {
                self.ledger.release_pending();
                self.turn_to(shape, line.number);
                verdict = self.ask(line);
            }
        }
        self.ledger.book(line, verdict);
        if verdict != Verdict::Pass {
            self.passed = 0;
            return;
        }
        self.passes += 1;
        self.passed += 1;
        if self.passed == PATIENCE {
            self.ledger.release_pending();
            self.passed = 0;
            self.passes = self.passes.saturating_sub(u64::from(PATIENCE));
            self.window = Some(Window::default());
        }
    }

    /// A cut that panics is put aside: its text goes through the plain ledger.
    fn ask(&mut self, line: &Line<'_>) -> Verdict {
        if let Ok(verdict) = catch_unwind(AssertUnwindSafe(|| self.cut.line(line))) {
            return verdict;
        }
        self.broken = true;
        self.current = &size::SHAPE;
        self.cut = (size::SHAPE.cut)(self.hint);
        self.shapes.clear();
        self.cut.line(line)
    }

    /// The input has ended.
    pub fn finish(mut self) -> Outcome {
        self.choose();
        self.end_cut();
        let (lines, with) = self.plain_cut.end();
        self.plain.end_cut(lines, with);
        if let Some(last) = self.parts.last_mut() {
            last.to = self.lines;
        }
        if let Some(why) = self.whole.why() {
            return self.into_whole(Some(why));
        }
        if self.whole.text.is_some() && self.parts.iter().all(|p| p.shape == "json") {
            return self.into_whole(Some("data within the budget"));
        }
        let only_size = self.parts.iter().all(|p| p.shape == size::SHAPE.name);
        let veto = if only_size { None } else { self.veto() };
        let mut content = Vec::new();
        let ledger = if veto.is_some() || only_size { &mut self.plain } else { &mut self.ledger };
        let ledger = std::mem::replace(ledger, Ledger::new(Budget::new(self.hint, self.level)));
        let stats = ledger.finish(&mut content);
        // Where nothing was recognised, half has to go before the risk is worth it.
        let least = if only_size { 2 } else { 1 };
        if content.len() as u64 * least >= self.whole.bytes && self.whole.text.is_some() {
            return self.into_whole(None);
        }
        Outcome { content, stats, parts: self.parts, veto, whole: None }
    }

    fn into_whole(self, why: Option<&'static str>) -> Outcome {
        let stats = Stats { kept_lines: self.lines, kept_bytes: self.whole.bytes, ..Stats::default() };
        Outcome { content: self.whole.text.unwrap_or_default(), stats, parts: self.parts, veto: None, whole: why }
    }

    /// Is the cuts' work not to be trusted?
    fn veto(&self) -> Option<&'static str> {
        if self.broken {
            return Some("a cut panicked");
        }
        if !self.ledger.keeps_any() {
            return Some("nothing was kept");
        }
        if self.passes * 2 > self.lines {
            return Some("the cut recognised too little");
        }
        let unsaid = self.ledger.noise_errors() > 0 && !self.ledger.keeps_finding();
        match self.hint.exit_code {
            Some(0) => None,
            // The status is known to be bad: a closing line that says all is well proves nothing.
            Some(_) => unsaid.then_some("it failed, and the cut kept no error"),
            None => (unsaid && !self.ledger.keeps_total()).then_some("the cut kept no error and no totals"),
        }
    }
}
