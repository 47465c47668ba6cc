//! Omitted lines, counted by reason.

use super::tags::{Tag, Tags};
use super::{Item, State};

/// A run of omitted lines.
#[derive(Clone, Debug, Default)]
pub(super) struct Gap {
    pub lines: u64,
    pub bytes: u64,
    /// In the order in which they were met.
    pub reasons: Vec<(Tag, u64)>,
}

impl Gap {
    /// One more line. Looks through the reasons: a `Tally` is for many.
    pub fn line(&mut self, tag: Tag, bytes: u64) {
        self.lines += 1;
        self.bytes += bytes;
        if tag == Tags::NONE {
            return;
        }
        match self.reasons.iter_mut().find(|r| r.0 == tag) {
            Some(r) => r.1 += 1,
            None => self.reasons.push((tag, 1)),
        }
    }
}

/// Fills one gap after another, however many reasons it has.
#[derive(Debug, Default)]
pub(super) struct Tally {
    gap: Gap,
    /// Where a tag's reason stands in the gap. What was noted for an earlier gap is at
    /// another reason's place now, or at none.
    places: Vec<usize>,
    /// The gap was taken in, and its reasons' places are not noted yet: nothing may follow it.
    unplaced: bool,
}

impl Tally {
    fn count(&mut self, tag: Tag, lines: u64) {
        if tag == Tags::NONE {
            return;
        }
        let reasons = &mut self.gap.reasons;
        if std::mem::take(&mut self.unplaced) {
            for (i, (tag, _)) in reasons.iter().enumerate() {
                *place(&mut self.places, *tag) = i;
            }
        }
        let place = place(&mut self.places, tag);
        match reasons.get_mut(*place) {
            Some(r) if r.0 == tag => r.1 += lines,
            _ => {
                *place = reasons.len();
                reasons.push((tag, lines));
            }
        }
    }

    /// Counts an omitted line.
    pub fn line(&mut self, item: &Item) {
        self.gap.lines += 1;
        self.gap.bytes += item.orig;
        self.count(item.tag, 1);
    }

    /// Counts all of a gap.
    pub fn gap(&mut self, gap: &Gap) {
        self.gap.lines += gap.lines;
        self.gap.bytes += gap.bytes;
        for (tag, lines) in &gap.reasons {
            self.count(*tag, *lines);
        }
    }

    /// Counts all of a gap, which need not be copied if it is the first to be counted.
    pub fn take_in(&mut self, gap: Gap) {
        if !self.is_empty() {
            return self.gap(&gap);
        }
        (self.gap, self.unplaced) = (gap, true);
    }

    /// Counts an omitted item: a line or one of these gaps.
    pub fn item(&mut self, item: &Item, gaps: &[Gap]) {
        if item.state == State::Gap {
            self.gap(&gaps[item.start]);
        } else {
            self.line(item);
        }
    }

    /// Was nothing counted yet?
    pub fn is_empty(&self) -> bool {
        self.gap.lines == 0
    }

    /// What was counted, if anything was; the next one begins.
    pub fn close(&mut self) -> Option<Gap> {
        self.unplaced = false;
        (!self.is_empty()).then(|| std::mem::take(&mut self.gap))
    }
}

fn place(places: &mut Vec<usize>, tag: Tag) -> &mut usize {
    let tag = usize::from(tag);
    if places.len() <= tag {
        places.resize(tag + 1, 0);
    }
    &mut places[tag]
}
