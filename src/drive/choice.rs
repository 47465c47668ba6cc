//! Which cut looks at which lines: the choice from a window, and turning to it.

use super::window::Window;
use super::{name, Driver, Part};
use crate::cut::{Rank, Shape, Verdict};
use crate::cuts::size;
use crate::declared::{self, Filter};
use crate::joint::{self, Sureness};
use crate::lane::{self, Seek};
use crate::line::Line;
use crate::prefix::Carrier;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::Arc;

/// Lines that must tell a cut that they are its own, at least, where another has passed on them.
const TAKEN: usize = 5;
/// Windows in which nothing was recognised before the driver looks less often: prose of
/// megabytes is asked of each shape only now and then.
const VAIN: usize = 16;
/// Windows in vain after which a line that speaks of an error is no reason to look sooner.
const ALARMS: usize = 400;
/// Lines that wait while the driver does not look, at least.
const HELD: usize = 100;
/// Lines between two looks, at most.
const REST: usize = 3_000;
/// Parts that are told apart by name.
const PARTS: usize = 4_096;

impl Driver {
    /// Asks each shape about the window, or about its lines up to where another output
    /// begins, and lets the lines go through the choice. `last`: no more lines will come.
    pub(super) fn choose(&mut self, last: bool) {
        if self.rest > 0 && !last {
            return self.skim(HELD);
        }
        self.wake_up();
        let Some(window) = self.window.take() else { return };
        let mut lines = window.lines();
        if self.carrier.is_none() && self.parts.is_empty() && !self.is_file {
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
        self.rest = if self.seek_on() { self.tired() } else { 0 };
        if self.lanes.any_seeks() || self.rest > 0 {
            self.window = Some(Window::default());
        }
    }

    /// Lets the lines of the window through without a look at them, but for the last `held`:
    /// when the input ends, they are to be looked at.
    pub(super) fn skim(&mut self, held: usize) {
        let Some(mut window) = self.window.take() else { return };
        // Half of them at least: a few wide lines fill a window, too.
        let (all, mut at) = (window.len().saturating_sub(held).max(window.len().div_ceil(2)), 0);
        while at < all {
            let line = self.bare(&window.line(at));
            if !self.find_lane(&line) || !self.cut_line(&line) {
                break;
            }
            at += 1;
            if self.lanes.any_seeks() || !self.lanes.are_unknown() {
                break;
            }
        }
        let unknown = self.lanes.are_unknown();
        if at == all && self.rest > at {
            self.rest -= at;
        } else if unknown {
            self.wake_up();
        }
        self.rest *= usize::from(unknown);
        window.drop_first(at);
        if self.rest == 0 && !self.lanes.any_seeks() {
            return window.lines().iter().for_each(|l| self.take(l));
        }
        let full = window.is_full();
        self.window = Some(window);
        if full {
            self.choose(false);
        }
    }

    /// From here on the driver looks at each window again.
    pub(super) fn wake_up(&mut self) {
        if std::mem::take(&mut self.rest) > 0 && self.seek_on() && self.window.is_none() {
            self.window = Some(Window::default());
        }
    }

    /// Lets lanes seek that nobody knows. False if there are none.
    pub(super) fn seek_on(&mut self) -> bool {
        let work = self.joints.is_work();
        let unknown = self.lanes.0.iter_mut().filter(|l| l.is_size || l.is_job && work);
        unknown.map(|lane| lane.seek = Seek::Lost).count() > 0
    }

    /// Does a line say that something failed? Then who says so is worth a look, as long as not
    /// all of the text talks like that.
    pub(super) fn is_worth_a_look(&self, line: &Line<'_>) -> bool {
        self.vain < ALARMS && line.is_error()
    }

    /// For how many lines the driver does not look after one more window in vain: then only
    /// lines that open a shape beyond doubt are heeded.
    fn tired(&mut self) -> usize {
        if !self.lanes.are_unknown() {
            self.vain = 0;
            return 0;
        }
        self.vain += 1;
        let rest = if self.vain > VAIN { REST.min(self.vain * 25) } else { 0 };
        if rest > 0 {
            self.lanes.0.iter_mut().for_each(|l| l.seek = Seek::No);
        }
        rest
    }

    /// A runner's names are taken off where a tool is recognised behind them, and nowhere else.
    fn may_carry(&self, carrier: Carrier, lines: &[Line<'_>]) -> bool {
        if carrier.is_job() {
            return self.shapes.iter().any(|s| s.dialect == lane::JOB);
        }
        let mut names: Vec<&[u8]> = Vec::new();
        for line in lines {
            let Some(prefix) = carrier.prefix(line.text) else { continue };
            if !names.contains(&prefix.who(line.text)) {
                names.push(prefix.who(line.text));
            }
        }
        names.iter().any(|name| {
            let of_name = |l: &&Line<'_>| carrier.prefix(l.text).is_some_and(|p| p.who(l.text) == *name);
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
            let fallback = self.shapes.iter().copied().find(|s| job && s.dialect == lane::JOB).unwrap_or(&size::SHAPE);
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

    pub(super) fn turn_to(&mut self, shape: &'static Shape, filter: Option<&Arc<Filter>>, at: u64) {
        let is_size = std::ptr::eq(shape, &size::SHAPE);
        self.vain *= usize::from(is_size || shape.dialect == lane::JOB);
        if let Some(last) = self.lanes.0[self.at].part.and_then(|p| self.parts.get_mut(p)) {
            last.to = at.saturating_sub(1);
            if last.shape == size::SHAPE.name && is_size {
                return;
            }
        }
        self.flush();
        self.end_cut();
        let cut = filter.map_or_else(|| (shape.cut)(&self.hint), |f| f.cut());
        if !is_size && !cut.is_amid() {
            let other = self.solid.is_some_and(|s| !std::ptr::eq(s, shape));
            if other && self.carrier.is_none() && !self.joints.is_job(None) {
                self.books.begin_part(false);
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
        lane.turn(shape, cut);
        lane.part = Some(self.parts.len() - 1);
        self.setting = is_size && self.setting || self.lanes.0[self.at].is_amid && self.only_setting();
    }

    /// Was nothing before the present part but plain output and findings amid it?
    fn only_setting(&self) -> bool {
        let mut before = self.parts.iter().rev().skip(1);
        self.setting || before.all(|p| p.shape == size::SHAPE.name)
    }

    /// The present lane's cut ends.
    pub(super) fn end_cut(&mut self) {
        let lane = self.lane_number();
        if let Some(ledger) = &mut self.books.cuts {
            let cut = &mut self.lanes.0[self.at].cut;
            let (lines, with) = catch_unwind(AssertUnwindSafe(|| cut.end())).unwrap_or((0, Rank::Body));
            ledger.end_cut(lines, with, lane);
        }
    }

    /// Lets a cut that knows them take the lines on which the present one passed. False if
    /// there is none: then they are booked as passed on.
    pub(super) fn take_up(&mut self) -> bool {
        let held = std::mem::take(&mut self.held);
        let lines: Vec<_> = held.lines().iter().map(|l| self.bare(l)).collect();
        let current = self.lanes.0[self.at].current;
        let found = if lines.len() >= TAKEN && !self.firm { self.find(&lines) } else { None };
        let found = found.filter(|(shape, _)| !std::ptr::eq(*shape, current));
        if let (Some((shape, filter)), Some(first)) = (&found, lines.first()) {
            self.turn_to(shape, filter.as_ref(), first.number);
        }
        for line in &lines {
            let verdict = if found.is_some() { self.ask(line) } else { Verdict::Pass };
            self.enter(line, verdict);
        }
        found.is_some()
    }

    /// Turns to another shape where a line opens it beyond doubt; `bits`: those it may be.
    pub(super) fn opened(&mut self, line: &Line<'_>, bits: u128) -> bool {
        if self.firm {
            return false;
        }
        let Some(shape) = self.openers.find(bits, line, self.lanes.0[self.at].current) else { return false };
        self.flush();
        self.release();
        self.turn_to(shape, None, line.number);
        true
    }
}
