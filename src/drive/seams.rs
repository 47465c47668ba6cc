//! Where one output ends and another begins: joints, foreign lines, steps of a job.

use super::Driver;
use crate::cut::{Rank, Verdict};
use crate::joint::{self, Joint};
use crate::lane::{self, Seek};
use crate::line::Line;
use std::panic::{catch_unwind, AssertUnwindSafe};

/// Lines in a row that a cut may pass on before the driver chooses again.
const PATIENCE: u32 = 60;
/// Times that the driver chooses again because a cut says that its tool has ended.
const ENDINGS: u32 = 64;

/// So few shapes are asked about a line sooner than its kind is told.
const FEW: u32 = 8;

impl Driver {
    /// Lets a line through joints and the cut of its lane. False if a choice has to be made
    /// before.
    pub(super) fn cut_line(&mut self, line: &Line<'_>) -> bool {
        match if self.is_text { None } else { self.joints.read(line, self.carrier) } {
            None => return self.ask_and_book(line),
            Some(Joint::Said(verdict)) => self.book(line, verdict, Some(verdict)),
            Some(Joint::Seam(verdict)) => self.seam(line, verdict),
            Some(Joint::Step(verdict)) => self.step(line, verdict),
            Some(Joint::Failed) => {
                self.books.part_failed(self.books.part());
                if self.lanes.0[self.at].is_job {
                    return self.ask_and_book(line);
                }
                self.book(line, Verdict::Keep(Rank::Top), Some(Verdict::Keep(Rank::Top)));
            }
            Some(Joint::JobFailed) => {
                self.books.part_failed(self.joints.script.unwrap_or_else(|| self.books.part()));
                self.book(line, Verdict::Keep(Rank::Total), Some(Verdict::Keep(Rank::Total)));
            }
        }
        true
    }

    /// Another output may begin behind this line.
    fn seam(&mut self, line: &Line<'_>, verdict: Verdict) {
        self.take_up();
        self.release();
        self.lanes.0[self.at].seek = Seek::Seam;
        if self.joints.is_job(self.carrier) {
            // A step is judged as a whole.
            return self.book(line, verdict, Some(verdict));
        }
        if self.carrier.is_none() {
            self.books.begin_part(false);
        }
        self.head(line, verdict);
    }

    /// A step of a job begins with this line.
    fn step(&mut self, line: &Line<'_>, verdict: Verdict) {
        self.books.begin_part(true);
        if self.joints.is_script() {
            self.joints.script = Some(self.books.part());
        }
        if let Some(shape) = self.shapes.iter().copied().find(|s| s.dialect == lane::JOB) {
            self.turn_to(shape, None, line.number);
        }
        self.lanes.0[self.at].seek = if self.joints.is_work() { Seek::Lost } else { Seek::No };
        self.head(line, verdict);
    }

    /// Books a line that is the heading of its part.
    fn head(&mut self, line: &Line<'_>, verdict: Verdict) {
        self.joint = true;
        self.book(line, verdict, Some(verdict));
        self.joint = false;
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
        let open = lane.is_unknown();
        let weak = open || lane.yields;
        if !lane.quotes && !lane.nests && !self.firm {
            if let Some(Joint::Seam(verdict)) = joint::script(line.text) {
                self.seam(line, verdict);
                return true;
            }
        }
        // What a cut claims need be looked at for the plain account only now and then.
        let plain = open.then(|| self.books.size(line));
        let mut opened = weak && self.opened_anew(line, open);
        let mut verdict = self.ask_or(line, plain);
        if verdict.passes() && !weak && self.opened(line, self.openers.of(line.text)) {
            opened = true;
            verdict = self.ask_or(line, plain);
        }
        if !opened && !self.firm && (open || verdict.passes()) {
            match joint::shell(line.text) {
                Some(Joint::Seam(said)) => {
                    self.seam(line, plain.unwrap_or(said));
                    return true;
                }
                Some(Joint::Said(said)) if !open => verdict = said,
                _ => {}
            }
        }
        self.book(line, verdict, plain);
        if !verdict.passes() {
            self.lanes.0[self.at].passed = 0;
        } else if self.books.has_cuts() {
            self.passed_on();
        }
        true
    }

    /// Turns to another shape where a line opens it, unless its kind has opened none before.
    /// `read`: the plain cut has just told the kind.
    fn opened_anew(&mut self, line: &Line<'_>, read: bool) -> bool {
        let bits = self.openers.of(line.text);
        if bits.count_ones() <= FEW {
            return self.opened(line, bits);
        }
        if self.refused.is_known(line.text, read.then(|| self.books.kind())) {
            return false;
        }
        let opened = self.opened(line, bits);
        if !opened {
            self.refused.add();
        }
        opened
    }

    /// A cut has passed on a line: if it does so for long, another one is looked for.
    fn passed_on(&mut self) {
        let lane = &mut self.lanes.0[self.at];
        let is_amid = lane.is_amid;
        self.passes += u64::from(!is_amid);
        lane.passed += 1;
        if lane.passed < PATIENCE && !self.held.is_wide() {
            return;
        }
        let passed = u64::from(std::mem::take(&mut lane.passed));
        if !is_amid {
            self.passes = self.passes.saturating_sub(passed);
        }
        if !self.take_up() {
            self.lanes.0[self.at].seek = Seek::Lost;
            self.release();
        }
    }

    /// Does the present cut say that this line is another's? Asked once a line.
    fn has_ended(&self, line: &Line<'_>) -> bool {
        let lane = &self.lanes.0[self.at];
        let again = !lane.is_size && self.endings < ENDINGS && line.number != self.foreign;
        again && catch_unwind(AssertUnwindSafe(|| lane.cut.ends_before(line))).unwrap_or(false)
    }

    /// The present cut's verdict; `plain` where that is `size`.
    #[inline]
    fn ask_or(&mut self, line: &Line<'_>, plain: Option<Verdict>) -> Verdict {
        match plain {
            Some(verdict) if self.lanes.0[self.at].is_size => verdict,
            _ => self.ask(line),
        }
    }
}
