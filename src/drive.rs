//! Window, choice, seams, veto: which cut looks at which line.

use crate::budget::Budget;
use crate::cut::{Cut, Rank, Shape, Verdict};
use crate::cuts::size;
use crate::declared::{self, Chooser, Filter};
use crate::facts::{Collector, Facts};
use crate::hint::Hint;
use crate::joint::{self, Joint, Joints, Sureness};
use crate::lane::{Lanes, Seek};
use crate::ledger::{Ledger, Stats};
use crate::line::{Frame, Line};
use crate::prefix::Carrier;
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
/// Lines that tell a cut that they are its own, at least, where another has passed on them.
const TAKEN: usize = 5;
/// Parts that are told apart by name.
const PARTS: usize = 4_096;
/// The shape whose cut knows what runs inside of its output.
const NESTS: &str = "docker";
/// The dialect that takes what nobody knows in a job's steps.
const JOB: &str = "ci";

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
        self.text.extend_from_slice(line.whole());
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
    filters: Chooser,
    /// A filter of the user's own is at work on the only command: no other shape takes over.
    firm: bool,
    lanes: Lanes,
    /// The lane of the present line.
    at: usize,
    /// What stands before the lines, once the first window has told.
    carrier: Option<Carrier>,
    joints: Joints,
    /// The last shape that took a whole output, and not only findings amid it.
    solid: Option<&'static Shape>,
    /// Times that a tool had ended, and the line that came next at the last of them.
    endings: u32,
    foreign: u64,
    parts: Vec<Part>,
    /// Lines in a row that the present cut passed on: they wait for one that knows them.
    held: Window,
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
        let always = options.is_whole(hint);
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
            filters: Chooser::new(&options.filters, &hint.command),
            firm: false,
            lanes: Lanes::new(hint),
            at: 0,
            carrier: None,
            joints: Joints::default(),
            solid: None,
            endings: 0,
            foreign: 0,
            parts: Vec::new(),
            held: Window::default(),
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
        if let Some(window) = &mut self.window {
            window.push(line);
            if window.is_full() {
                self.choose(false);
            }
            return;
        }
        let line = self.bare(line);
        let taken = self.find_lane(&line) && self.cut_line(&line);
        if !taken || self.lanes.any_seeks() {
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
        match self.lanes.of(name(line, self.carrier)) {
            Some(at) => self.at = at,
            None => return false,
        }
        true
    }

    /// Asks each shape about the window, or about its lines up to where another output
    /// begins, and lets the lines go through the choice. `last`: no more lines will come.
    fn choose(&mut self, last: bool) {
        let Some(window) = self.window.take() else { return };
        let mut lines = window.lines();
        if self.carrier.is_none() && self.parts.is_empty() && !self.hint.reads_file() {
            self.carrier = Carrier::of(&lines).filter(|c| self.may_carry(*c, &lines));
        }
        if self.carrier.is_some() {
            lines = lines.iter().map(|l| self.bare(l)).collect();
        }
        let mut at = 0;
        while at < lines.len() {
            let to = at + self.first_output(&lines[at..]);
            if to == lines.len() && at > 0 && !last {
                // More may come that tells what this is.
                let window = self.window.insert(Window::default());
                lines[at..].iter().for_each(|l| window.push(l));
                return;
            }
            self.settle(&lines[at..to]);
            while let Some(line) = lines.get(at).filter(|_| !self.lanes.any_seeks()) {
                if !self.find_lane(line) {
                    let new = self.lanes.take(name(line, self.carrier), &self.hint);
                    self.lanes.0[new].seek = Seek::Lost;
                    break;
                }
                at += usize::from(self.cut_line(line));
            }
        }
        // While nothing is recognised, the driver keeps looking, a window at a time.
        for lane in &mut self.lanes.0 {
            if lane.is_size() || lane.current.dialect == JOB && self.joints.is_work() {
                lane.seek = Seek::Lost;
            }
        }
        if self.lanes.any_seeks() {
            self.window = Some(Window::default());
        }
    }

    /// A runner's names are taken off where a tool is recognised behind them, and nowhere else.
    fn may_carry(&self, carrier: Carrier, lines: &[Line<'_>]) -> bool {
        if carrier.is_job() {
            return self.shapes.iter().any(|s| s.dialect == JOB);
        }
        let mut names: Vec<&[u8]> = Vec::new();
        for line in lines {
            let Some(prefix) = carrier.prefix(line.text) else { continue };
            if !names.contains(&&line.text[..prefix.name]) {
                names.push(&line.text[..prefix.name]);
            }
        }
        names.iter().any(|name| {
            let of_name = |l: &&Line<'_>| carrier.prefix(l.text).is_some_and(|p| &l.text[..p.name] == *name);
            let own: Vec<_> = lines.iter().filter(of_name).map(|l| l.behind(carrier.prefix(l.text).map_or(0, |p| p.len))).collect();
            let shape = self.shapes.iter().find(|s| (s.sniff)(&self.hint, &own));
            shape.is_some_and(|s| matches!(s.name, "tests" | "build" | "lint" | "install"))
        })
    }

    /// How many of the lines belong to the output that the first of them begins.
    fn first_output(&self, lines: &[Line<'_>]) -> usize {
        let job = self.joints.is_job(self.carrier);
        let is_joint = |l: &Line<'_>| joint::parts(l.text, job) >= Some(Sureness::Sure);
        // Joints in front are its headings.
        let from = lines.iter().position(|l| !is_joint(l) && !l.is_blank()).unwrap_or(lines.len());
        lines[from..].iter().position(is_joint).map_or(lines.len(), |n| from + n)
    }

    /// Makes the choice for each lane that seeks one, from these lines of an output.
    fn settle(&mut self, lines: &[Line<'_>]) {
        let names = matches!(self.carrier, Some(Carrier::Named(_)));
        for line in lines.iter().filter(|_| names) {
            self.lanes.take(name(line, self.carrier), &self.hint);
        }
        let job = self.joints.is_job(self.carrier);
        for at in 0..self.lanes.0.len() {
            let seek = std::mem::replace(&mut self.lanes.0[at].seek, Seek::No);
            if seek == Seek::No {
                continue;
            }
            let own: Vec<Line<'_>>;
            let mut said = lines;
            if names {
                own = lines.iter().filter(|l| self.lanes.of(name(l, self.carrier)) == Some(at)).map(|l| self.bare(l)).collect();
                said = &own;
            }
            let Some(first) = said.first() else {
                self.lanes.0[at].seek = if self.lanes.0[at].part.is_none() && at > 0 { Seek::Lost } else { Seek::No };
                continue;
            };
            // Echoed commands in front tell nothing of where the output ends.
            let from = said.iter().position(|l| joint::parts(l.text, job).is_none() && !l.is_blank()).unwrap_or(0);
            let likely = said[from..].iter().position(|l| joint::parts(l.text, job).is_some()).map_or(said.len(), |n| from + n);
            let may = !job || self.joints.is_work();
            let mut choice = if may { self.find(&said[..likely]) } else { None };
            if choice.is_none() && may && likely < said.len() {
                // Where a banner seems to end the output, its lines did not suffice.
                choice = self.find(said);
            }
            let fallback = self.shapes.iter().copied().find(|s| job && s.dialect == JOB).unwrap_or(&size::SHAPE);
            self.at = at;
            match choice {
                // Where a tool ended and goes on after all, its cut still knows what it has seen.
                Some((shape, _)) if first.number == self.foreign && std::ptr::eq(shape, self.lanes.0[at].current) => {}
                Some((shape, filter)) => self.turn_to(shape, filter.as_ref(), first.number),
                None if seek == Seek::Seam && self.lanes.0[at].part.is_some() => {}
                None if std::ptr::eq(fallback, self.lanes.0[at].current) && self.lanes.0[at].part.is_some() => {}
                None => self.turn_to(fallback, None, first.number),
            }
        }
    }

    /// The first shape that takes these lines, in registry order; a filter of the user's own
    /// that names the command comes before all of them.
    fn find(&mut self, lines: &[Line<'_>]) -> Option<(&'static Shape, Option<Arc<Filter>>)> {
        let is_declared = |s: &&&'static Shape| s.name == declared::NAME;
        self.firm = false;
        if let Some(place) = self.shapes.iter().find(is_declared) {
            if let Some(filter) = self.filters.own(lines) {
                self.firm = self.filters.is_sole();
                return Some((place, Some(filter)));
            }
        }
        for i in 0..self.shapes.len() {
            let shape = self.shapes[i];
            if shape.name == declared::NAME {
                if let Some(filter) = self.filters.find(shape, lines) {
                    return Some((shape, Some(filter)));
                }
            } else if (shape.sniff)(&self.hint, lines) {
                return Some((shape, None));
            }
        }
        None
    }

    fn turn_to(&mut self, shape: &'static Shape, filter: Option<&Arc<Filter>>, at: u64) {
        let lane = &self.lanes.0[self.at];
        if let Some(last) = lane.part.and_then(|p| self.parts.get_mut(p)) {
            last.to = at.saturating_sub(1);
            if last.shape == size::SHAPE.name && shape.name == size::SHAPE.name {
                return;
            }
        }
        self.flush();
        self.end_cut();
        let cut = filter.map_or_else(|| (shape.cut)(&self.hint), |f| f.cut());
        let is_size = shape.name == size::SHAPE.name;
        if !is_size && !cut.is_amid() {
            let other = self.solid.is_some_and(|s| !std::ptr::eq(s, shape));
            if other && self.carrier.is_none() && !self.joints.is_job(None) {
                self.begin_part(false);
            }
            self.solid = Some(shape);
        }
        // A part that held no line was none.
        if self.parts.last().is_some_and(|p| p.from == at) && self.lanes.0.len() == 1 {
            self.parts.pop();
        }
        if self.parts.len() < PARTS {
            let dialect = filter.map_or(shape.dialect, |f| f.name());
            self.parts.push(Part { shape: shape.name, dialect, from: at, to: at });
        }
        let lane = &mut self.lanes.0[self.at];
        (lane.current, lane.cut, lane.passed) = (shape, cut, 0);
        lane.part = Some(self.parts.len() - 1);
        self.setting = is_size && self.setting || self.lanes.0[self.at].cut.is_amid() && self.only_setting();
    }

    fn begin_part(&mut self, step: bool) {
        self.plain.begin_part(step);
        if let Some(ledger) = &mut self.ledger {
            ledger.begin_part(step);
        }
    }

    /// Was nothing before the present part but plain output and findings amid it?
    fn only_setting(&self) -> bool {
        let mut before = self.parts.iter().rev().skip(1);
        self.setting || before.all(|p| p.shape == size::SHAPE.name)
    }

    fn end_cut(&mut self) {
        if let Some(ledger) = &mut self.ledger {
            let cut = &mut self.lanes.0[self.at].cut;
            let (lines, with) = catch_unwind(AssertUnwindSafe(|| cut.end())).unwrap_or((0, Rank::Body));
            ledger.lane = lane_number(self.at);
            ledger.end_cut(lines, with);
            ledger.opening = true;
        }
    }

    /// Lets a line through joints and the cut of its lane. False if a choice has to be made
    /// before.
    fn cut_line(&mut self, line: &Line<'_>) -> bool {
        let is_text = self.hint.reads_file() && self.hint.reads_data() != Some("log");
        match if is_text { None } else { self.joints.read(line, self.carrier) } {
            None => return self.ask_and_book(line),
            Some(Joint::Said(verdict)) => self.book(line, verdict, verdict),
            Some(Joint::Seam(verdict)) => self.seam(line, verdict),
            Some(Joint::Step(verdict)) => self.step(line, verdict),
            Some(Joint::Failed) => {
                let part = self.plain.part();
                self.fail_part(part);
                if self.lanes.0[self.at].current.dialect == JOB {
                    return self.ask_and_book(line);
                }
                self.book(line, Verdict::Keep(Rank::Top), Verdict::Keep(Rank::Top));
            }
            Some(Joint::JobFailed) => {
                let part = self.joints.script.unwrap_or_else(|| self.plain.part());
                self.fail_part(part);
                self.book(line, Verdict::Keep(Rank::Total), Verdict::Keep(Rank::Total));
            }
        }
        true
    }

    fn fail_part(&mut self, part: u16) {
        self.plain.part_failed(part);
        if let Some(ledger) = &mut self.ledger {
            ledger.part_failed(part);
        }
    }

    /// Another output may begin behind this line.
    fn seam(&mut self, line: &Line<'_>, verdict: Verdict) {
        self.take_up();
        self.release();
        self.lanes.0[self.at].seek = Seek::Seam;
        if self.joints.is_job(self.carrier) {
            // A step is judged as a whole.
            return self.book(line, verdict, verdict);
        }
        if self.carrier.is_none() {
            self.begin_part(false);
        }
        self.head(line, verdict);
    }

    /// A step of a job begins with this line.
    fn step(&mut self, line: &Line<'_>, verdict: Verdict) {
        self.begin_part(true);
        if self.joints.is_script() {
            self.joints.script = Some(self.plain.part());
        }
        if let Some(shape) = self.shapes.iter().copied().find(|s| s.dialect == JOB) {
            self.turn_to(shape, None, line.number);
        }
        self.lanes.0[self.at].seek = if self.joints.is_work() { Seek::Lost } else { Seek::No };
        self.head(line, verdict);
    }

    /// Books a line that is the heading of its part.
    fn head(&mut self, line: &Line<'_>, verdict: Verdict) {
        self.plain.joint = true;
        if let Some(ledger) = &mut self.ledger {
            ledger.joint = true;
        }
        self.book(line, verdict, verdict);
        self.plain.joint = false;
        if let Some(ledger) = &mut self.ledger {
            ledger.joint = false;
        }
    }

    fn ask_and_book(&mut self, line: &Line<'_>) -> bool {
        if self.has_ended(line) {
            self.flush();
            self.release();
            (self.endings, self.foreign) = (self.endings + 1, line.number);
            self.lanes.0[self.at].seek = Seek::Lost;
            return false;
        }
        let lane = &self.lanes.0[self.at];
        if !lane.cut.quotes() && lane.current.name != NESTS && !self.firm {
            if let Some(Joint::Seam(verdict)) = joint::script(line.text) {
                self.seam(line, verdict);
                return true;
            }
        }
        let plain = self.plain_cut.line(line);
        let lane = &self.lanes.0[self.at];
        let open = self.is_size() || lane.current.dialect == JOB;
        let weak = open || lane.cut.yields();
        let mut opened = weak && self.opened(line);
        let mut verdict = self.ask(line, plain);
        if verdict == Verdict::Pass && !weak && self.opened(line) {
            opened = true;
            verdict = self.ask(line, plain);
        }
        if !opened && !self.firm && (open || verdict == Verdict::Pass) {
            match joint::shell(line.text) {
                Some(Joint::Seam(verdict)) => {
                    self.seam(line, if open { plain } else { verdict });
                    return true;
                }
                Some(Joint::Said(said)) if !open => verdict = said,
                _ => {}
            }
        }
        self.book(line, verdict, plain);
        if self.ledger.is_none() {
            return true;
        }
        if verdict != Verdict::Pass {
            self.lanes.0[self.at].passed = 0;
            return true;
        }
        let lane = &mut self.lanes.0[self.at];
        let amid = lane.cut.is_amid();
        self.passes += u64::from(!amid);
        lane.passed += 1;
        if lane.passed == PATIENCE || self.held.text.len() > WINDOW_BYTES {
            let passed = u64::from(std::mem::take(&mut lane.passed));
            if !amid {
                self.passes = self.passes.saturating_sub(passed);
            }
            if self.take_up() {
                return true;
            }
            self.lanes.0[self.at].seek = Seek::Lost;
            self.release();
        }
        true
    }

    /// Does the present cut say that this line is another's? Asked once a line.
    fn has_ended(&self, line: &Line<'_>) -> bool {
        let again = self.endings < ENDINGS && line.number != self.foreign && !self.is_size();
        let cut = &self.lanes.0[self.at].cut;
        again && catch_unwind(AssertUnwindSafe(|| cut.ends_before(line))).unwrap_or(false)
    }

    /// Lets a cut that knows them take the lines on which the present one passed. False if
    /// there is none: then they are booked as passed on.
    fn take_up(&mut self) -> bool {
        let held = std::mem::take(&mut self.held);
        let lines: Vec<_> = held.lines().iter().map(|l| self.bare(l)).collect();
        let current = self.lanes.0[self.at].current;
        let found = if lines.len() >= TAKEN && !self.firm { self.find(&lines) } else { None };
        let found = found.filter(|(shape, _)| !std::ptr::eq(*shape, current));
        if let (Some((shape, filter)), Some(first)) = (&found, lines.first()) {
            self.turn_to(shape, filter.as_ref(), first.number);
        }
        for line in &lines {
            let verdict = if found.is_some() { self.ask(line, Verdict::Keep(Rank::Edge)) } else { Verdict::Pass };
            self.enter(line, verdict);
        }
        found.is_some()
    }

    /// Books what the present cut passed on.
    fn flush(&mut self) {
        let held = std::mem::take(&mut self.held);
        for line in held.lines() {
            self.enter(&self.bare(&line), Verdict::Pass);
        }
    }

    /// What the present cut passed on before stays as data: it does not know its way any more.
    fn release(&mut self) {
        if let Some(ledger) = &mut self.ledger {
            ledger.release_pending();
        }
    }

    /// Books a line in the cuts' ledger.
    fn enter(&mut self, line: &Line<'_>, verdict: Verdict) {
        if let Some(collector) = &mut self.collector {
            let lane = &self.lanes.0[self.at];
            collector.line(lane.current, line, verdict, lane.cut.quotes());
        }
        let Some(ledger) = &mut self.ledger else { return };
        ledger.lane = lane_number(self.at);
        ledger.quotes = self.lanes.0[self.at].cut.quotes();
        ledger.watch = self.hint.exit_code != Some(0);
        ledger.book(line, verdict);
    }

    /// Books a line in both ledgers.
    fn book(&mut self, line: &Line<'_>, verdict: Verdict, plain: Verdict) {
        if self.ledger.is_none() && !self.is_size() {
            self.ledger = Some(self.plain.clone());
        }
        self.plain.book(line, plain);
        let lanes = &self.lanes.0;
        if verdict == Verdict::Pass && lanes.len() == 1 && !lanes[0].cut.is_amid() && self.ledger.is_some() {
            return self.held.push(line);
        }
        self.flush();
        self.enter(line, verdict);
    }

    /// Turns to another shape where a line opens it beyond doubt.
    fn opened(&mut self, line: &Line<'_>) -> bool {
        if self.firm {
            return false;
        }
        let current = self.lanes.0[self.at].current;
        let Some(shape) = self.shapes.iter().copied().find(|s| !std::ptr::eq(*s, current) && (s.opens)(line)) else { return false };
        self.flush();
        self.release();
        self.turn_to(shape, None, line.number);
        true
    }

    fn is_size(&self) -> bool {
        self.lanes.0[self.at].is_size()
    }

    /// The present cut's verdict; `plain` where that is `size`. A cut that panics is put
    /// aside: its text goes through the plain ledger.
    fn ask(&mut self, line: &Line<'_>, plain: Verdict) -> Verdict {
        if self.is_size() {
            return plain;
        }
        let cut = &mut self.lanes.0[self.at].cut;
        if let Ok(verdict) = catch_unwind(AssertUnwindSafe(|| cut.line(line))) {
            return verdict;
        }
        self.broken = true;
        self.lanes.0[self.at].current = &size::SHAPE;
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
        let (lines, with) = self.plain_cut.end();
        self.plain.end_cut(lines, with);
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

/// How its writer's name stands before a line; nothing where there is one writer.
fn name<'t>(line: &Line<'t>, carrier: Option<Carrier>) -> &'t [u8] {
    match carrier {
        Some(Carrier::Named(_)) if line.prefix() > 0 => {
            carrier.and_then(|c| c.prefix(line.whole())).map_or(b"", |p| &line.whole()[..p.name])
        }
        _ => b"",
    }
}

fn lane_number(at: usize) -> u8 {
    u8::try_from(at).unwrap_or_default()
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
