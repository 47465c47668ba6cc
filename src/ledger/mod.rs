//! The only keeper of text: kept lines, parked lines, gaps.
//!
//! Lines come in with a verdict and stay, in order, as long as the budget lets them. What
//! goes becomes a gap that counts it. While lines arrive, the lowest ranks are thinned from
//! the middle whenever more is held than twice the budget (`hold`); the exact fit, markers
//! included, is made once at the end (`fit`). There is no second cut of a cut text.

mod fit;
mod gap;
mod parts;
mod tags;

use crate::budget::Budget;
use crate::cut::{Rank, Verdict};
use crate::cuts::seen::Seen;
use crate::failure;
use crate::line::{Line, Signs};
use crate::marker;
use bstr::ByteSlice as _;
use gap::{Gap, Tally};
use parts::Parts;
use std::collections::VecDeque;
use tags::{Tag, Tags};

/// Bytes that may be parked, beyond that the oldest becomes an omission;
const PARKED: usize = 16 * 1024;
/// and so many lines.
const PARKED_LINES: usize = 800;
/// A run of omitted lines keeps its text up to here: it may be cheaper than its marker.
const GHOSTS: usize = 160;
/// Lines of the ending that stay when plain data is only a setting.
const LAST: usize = 3;
/// How many held lines back a lift looks for those that it lifts.
const REACH: usize = 4_000;
/// Keys of `Verdict::Fold` that a marker names: one for so many bytes of the budget.
const KEY_SHARE: usize = 250;
/// Stated failures of a kind that nobody claims and that are held as dearly as any finding.
const STATED: u32 = 3;
/// Lines that nobody claims before a cut's first own one, when the command may have failed,
const FIRST: usize = 6;
/// and of so many bytes each,
const FIRST_BYTES: usize = 200;
/// and in the whole input.
const FIRSTS: usize = 24;
/// Lines that a cut claims behind its totals before it may be at another run,
const TRAILER: u8 = 3;
/// Lines that nobody claims at the very end, and that stay.
const ENDING: usize = 5;
/// Lines of a key of `Verdict::Fold` that are kept at the cut's rank.
const SAMPLES: u32 = 3;

/// What became of an input, in numbers. Bytes are those of cleaned lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Lines of the input that the output holds.
    pub kept_lines: u64,
    /// Their bytes, without what a hole left out.
    pub kept_bytes: u64,
    /// Lines that are not in the output.
    pub omitted_lines: u64,
    /// Bytes that are not in the output, those in holes included.
    pub omitted_bytes: u64,
    /// What was omitted, by the noun in the markers.
    pub omitted: Vec<(String, u64)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Kept(Rank),
    /// Passed on by the cut; kept or not when the cut has spoken again.
    Pending,
    Parked,
    Dropped,
    /// Many omitted lines; `start` is their place in `gaps`.
    Gap,
}

#[derive(Clone, Copy, Debug)]
struct Item {
    start: usize,
    len: usize,
    /// Bytes of the cleaned line, line end and hole included.
    orig: u64,
    /// Bytes of it that are shown verbatim, line end included.
    shown: u64,
    state: State,
    tag: Tag,
    signs: Signs,
    /// Bytes of a carrier's prefix.
    prefix: u16,
    /// Whose line it is, where a text has several writers.
    lane: u8,
    /// The part of the text that it stands in.
    part: u16,
    /// It is the heading of its part.
    joint: bool,
}

impl Item {
    /// Stands for the gap of that number.
    fn gap(number: usize) -> Item {
        Item {
            start: number,
            len: 0,
            orig: 0,
            shown: 0,
            state: State::Gap,
            tag: Tags::NONE,
            signs: Signs::default(),
            prefix: 0,
            lane: 0,
            part: 0,
            joint: false,
        }
    }
}

/// The bytes of a held line behind its carrier's prefix.
fn said<'t>(text: &'t [u8], item: &Item) -> &'t [u8] {
    &text[item.start + usize::from(item.prefix).min(item.len)..item.start + item.len]
}

/// Where a line stands besides its number: what the driver knows of it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Place {
    /// Whose line it is, where a text has several writers: parked lines are lifted and
    /// settled by their own.
    pub lane: u8,
    /// It is the heading of a part.
    pub joint: bool,
    /// The words of claimed lines are no signs: they are somebody's text.
    pub quotes: bool,
    /// The command may have failed: no first statement of a failure is noise.
    pub watch: bool,
}

impl Default for Place {
    fn default() -> Self {
        Place { lane: 0, joint: false, quotes: false, watch: true }
    }
}

/// Keeps the account of one input.
#[derive(Clone)]
pub struct Ledger {
    budget: Budget,
    /// Bytes of text that may be held,
    hold: usize,
    /// and items.
    hold_items: usize,
    text: Vec<u8>,
    items: Vec<Item>,
    gaps: Vec<Gap>,
    tags: Tags,
    parked: VecDeque<usize>,
    parked_bytes: usize,
    pending: Vec<usize>,
    /// The last heading, for as long as lines may raise it.
    head: Option<usize>,
    /// Pass lines that still belong to an error-signed one before them.
    afterglow: u8,
    /// Bytes of omitted lines at the end of `items` whose text is still held.
    ghosts: usize,
    /// Lines with an error sign that a cut called noise.
    noise_errors: u64,
    seen_bytes: u64,
    seen_lines: u64,
    unended: bool,
    /// Plain data is only the setting of the findings.
    narrow: bool,
    /// Stated failures so far, by kind.
    told: Seen,
    /// A cut has begun and claimed nothing yet.
    opening: bool,
    /// Lines claimed since the last total.
    since_total: u8,
    /// Lines kept that stood before a cut's first own one.
    firsts: usize,
    /// Where the present line stands,
    place: Place,
    /// and are its words somebody's.
    quoted: bool,
    parts: Parts,
}

impl Ledger {
    /// An empty ledger that will fit into `budget`.
    #[must_use]
    pub fn new(budget: Budget) -> Self {
        Ledger {
            hold: budget.bytes.saturating_mul(2).saturating_add(64 * 1024),
            hold_items: budget.lines.saturating_mul(4).clamp(4_000, 40_000),
            budget,
            text: Vec::new(),
            items: Vec::new(),
            gaps: Vec::new(),
            tags: Tags::default(),
            parked: VecDeque::new(),
            parked_bytes: 0,
            pending: Vec::new(),
            head: None,
            afterglow: 0,
            ghosts: 0,
            noise_errors: 0,
            seen_bytes: 0,
            seen_lines: 0,
            unended: false,
            narrow: false,
            told: Seen::default(),
            opening: true,
            since_total: u8::MAX,
            firsts: 0,
            place: Place::default(),
            quoted: false,
            parts: Parts::default(),
        }
    }

    /// Another output begins here; `step`: of a job that tells which of its steps failed.
    pub fn begin_part(&mut self, step: bool) {
        self.parts.begin(step);
    }

    /// The part that lines are now booked in.
    #[must_use]
    pub fn part(&self) -> u16 {
        self.parts.now()
    }

    /// A carrier says that this part failed.
    pub fn part_failed(&mut self, part: u16) {
        self.parts.failed(part);
    }

    fn is_blank(&self, item: &Item) -> bool {
        said(&self.text, item).trim_ascii().is_empty()
    }

    /// Books a line under a verdict.
    pub fn book(&mut self, line: &Line<'_>, verdict: Verdict, place: Place) {
        self.place = place;
        self.seen_bytes += line.bytes();
        self.seen_lines += 1;
        self.unended = !line.ended;
        self.quoted = place.quotes && !verdict.passes();
        let verdict = self.heed(line, verdict);
        if let Verdict::KeepWith { lines, with, .. } = verdict {
            // Before what was passed on is settled: it may be among the lines that are lifted.
            self.lift(lines, with);
        }
        if !verdict.passes() {
            self.settle_pending();
            let total = matches!(verdict, Verdict::Keep(Rank::Total) | Verdict::KeepWith { rank: Rank::Total, .. });
            self.since_total = if total { 0 } else { self.since_total.saturating_add(1) };
        }
        match verdict {
            Verdict::Keep(rank) => self.keep(line, rank, Tags::NONE, None),
            Verdict::Around { rank, from, to } => self.keep(line, rank, Tags::NONE, Some((from, to))),
            Verdict::KeepWith { rank, .. } => self.keep(line, rank, Tags::NONE, None),
            Verdict::Fold { rank, from, to } => {
                let (tag, count) = self.tags.key(line.text.get(from..to).unwrap_or_default());
                let rank = if count <= SAMPLES { rank } else { Rank::Edge };
                self.keep(line, rank, tag, None);
            }
            Verdict::Drop(noun) => {
                self.noise_errors += u64::from(!self.quoted && line.is_error());
                let tag = self.tags.noun(noun);
                self.omit(line, tag);
            }
            Verdict::Park(noun) => self.park(line, noun),
            Verdict::Spare(noun) if self.budget.omit_unknown => self.park(line, noun),
            Verdict::Spare(noun) => {
                let tag = self.tags.noun(noun);
                self.keep(line, Rank::Edge, tag, None);
            }
            Verdict::Head => {
                self.head = None;
                self.keep(line, Rank::Edge, Tags::NONE, None);
                self.head = self.items.len().checked_sub(1);
            }
            Verdict::Pass => self.pass(line),
        }
        if self.text.len() > self.hold || self.items.len() > self.hold_items {
            self.thin();
        }
    }

    fn park(&mut self, line: &Line<'_>, noun: &'static str) {
        let tag = self.tags.noun(noun);
        self.parked.push_back(self.items.len());
        self.parked_bytes += line.whole().len();
        self.add(line, State::Parked, tag, None);
        while self.parked_bytes > PARKED || self.parked.len() > PARKED_LINES {
            let Some(oldest) = self.parked.pop_front() else { break };
            self.parked_bytes -= self.items[oldest].len.min(self.parked_bytes);
            self.items[oldest].state = State::Dropped;
        }
    }

    /// The first of a kind of stated failures is no noise, whatever a cut takes it for.
    fn heed(&mut self, line: &Line<'_>, verdict: Verdict) -> Verdict {
        if !self.place.watch || self.quoted || verdict.passes() || !failure::is_stated(line) {
            return verdict;
        }
        let first = self.told.alike(line.trimmed()) == 1;
        match verdict {
            Verdict::Drop(_) | Verdict::Park(_) | Verdict::Spare(_) if first => Verdict::Keep(Rank::Body),
            other => other,
        }
    }

    /// A line that nobody claims: error-signed ones stay, with the lines around them.
    fn pass(&mut self, line: &Line<'_>) {
        let stated = failure::is_stated(line);
        if stated || line.is_error() {
            let dear = self.place.watch && stated && self.told.alike(line.trimmed()) <= STATED;
            let near = self.pending.split_off(self.pending.len().saturating_sub(2));
            for i in near {
                self.items[i].state = State::Kept(Rank::Detail);
            }
            // The tool has not begun for all that.
            let opening = self.opening;
            self.settle_pending();
            self.opening = opening;
            self.afterglow = 3;
            self.keep(line, if dear { Rank::Top } else { Rank::Body }, Tags::NONE, None);
            if let Some(item) = self.items.last_mut().filter(|_| dear) {
                // Its words may be no signs; it is an error for all that.
                item.signs = Signs::ERROR;
                self.parts.found();
            }
            return;
        }
        if self.afterglow > 0 && !line.is_blank() || line.signs().has(Signs::WARNING) {
            self.afterglow = self.afterglow.saturating_sub(1);
            return self.keep(line, Rank::Detail, Tags::NONE, None);
        }
        self.afterglow = 0;
        self.pending.push(self.items.len());
        self.add(line, State::Pending, Tags::NONE, None);
    }

    /// The cut knows its way again: what it passed on before goes as the level says.
    #[inline(always)]
    fn settle_pending(&mut self) {
        if self.pending.is_empty() {
            (self.opening, self.afterglow) = (false, 0);
        } else {
            self.settle_all();
        }
    }

    #[inline(never)]
    fn settle_all(&mut self) {
        let first = std::mem::take(&mut self.opening) || self.since_total <= TRAILER;
        let mut left = FIRST;
        let state = if self.budget.omit_unknown { State::Dropped } else { State::Kept(Rank::Edge) };
        for i in std::mem::take(&mut self.pending) {
            let item = &mut self.items[i];
            if item.lane != self.place.lane {
                self.pending.push(i);
                continue;
            }
            item.state = state;
            // What stands before a tool's output, or behind it, may say why the command failed.
            if first && self.place.watch && left > 0 && self.firsts < FIRSTS && (1..=FIRST_BYTES).contains(&item.len) {
                item.state = State::Kept(Rank::Detail);
                (left, self.firsts) = (left - 1, self.firsts + 1);
            }
        }
        self.afterglow = 0;
    }

    /// The cut does not know its way any more: what it passed on stays as data.
    pub fn release_pending(&mut self) {
        for i in self.pending.drain(..) {
            self.items[i].state = State::Kept(Rank::Edge);
        }
    }

    /// The last lines of a text that nobody claims may say what came of it.
    fn raise_ending(&mut self) {
        let mut left = if self.place.watch { ENDING } else { 0 };
        for i in (0..self.pending.len()).rev() {
            let item = self.items[self.pending[i]];
            if left > 0 && item.len <= FIRST_BYTES && !self.is_blank(&item) {
                self.items[self.pending[i]].state = State::Kept(Rank::Top);
                left -= 1;
            }
        }
        let items = &self.items;
        self.pending.retain(|i| items[*i].state == State::Pending);
    }

    /// The present cut ends: the last `lines` parked ones survive at `with`.
    pub fn end_cut(&mut self, lines: u16, with: Rank, lane: u8) {
        self.place.lane = lane;
        self.lift(lines, with);
        self.head = None;
        self.opening = true;
        let items = &mut self.items;
        self.parked.retain(|i| {
            let own = items[*i].lane == lane;
            if own {
                items[*i].state = State::Dropped;
            }
            !own
        });
        self.parked_bytes = self.parked.iter().map(|i| self.items[*i].len).sum();
    }

    /// Lifts up to `lines` parked, passed-on or lower ranked lines before the present one.
    fn lift(&mut self, lines: u16, with: Rank) {
        let mut left = lines;
        for item in self.items.iter_mut().rev().take(REACH) {
            if left == 0 {
                break;
            }
            // Not what another writer said, nor a joint, of which the cut does not know.
            if item.lane != self.place.lane || item.joint {
                continue;
            }
            match item.state {
                State::Parked | State::Pending => {}
                State::Kept(rank) if rank < with => {}
                State::Kept(_) | State::Dropped | State::Gap => continue,
            }
            item.state = State::Kept(with);
            left -= 1;
        }
        if lines > 0 {
            let items = &self.items;
            self.pending.retain(|i| items[*i].state == State::Pending);
            self.parked.retain(|i| items[*i].state == State::Parked);
            self.parked_bytes = self.parked.iter().map(|i| items[*i].len).sum();
        }
    }

    fn keep(&mut self, line: &Line<'_>, rank: Rank, tag: Tag, focus: Option<(usize, usize)>) {
        if let Some(Item { state: State::Kept(held), .. }) = self.head.and_then(|i| self.items.get_mut(i)) {
            *held = rank.max(*held).min(Rank::Top);
        }
        if rank >= Rank::Top && !self.quoted && line.is_error() {
            self.parts.found();
        }
        self.add(line, State::Kept(rank), tag, focus);
    }

    fn add(&mut self, line: &Line<'_>, state: State, tag: Tag, focus: Option<(usize, usize)>) {
        self.ghosts = 0;
        let start = self.text.len();
        let shown = fit::capped(&mut self.text, line, self.budget.line_bytes, focus);
        let len = self.text.len() - start;
        let signs = if self.quoted { Signs::default() } else { line.signs() };
        let prefix = u16::try_from(line.prefix()).unwrap_or_default();
        let shown = shown + u64::from(line.ended);
        let (lane, part, joint) = (self.place.lane, self.parts.now(), self.place.joint);
        self.items.push(Item { start, len, orig: line.bytes(), shown, state, tag, signs, prefix, lane, part, joint });
    }

    /// Books an omission; short runs keep their text for a while.
    fn omit(&mut self, line: &Line<'_>, tag: Tag) {
        let bytes = line.bytes();
        if let Some(Item { state: State::Gap, start, .. }) = self.items.last() {
            return self.gaps[*start].line(tag, bytes);
        }
        if self.ghosts + line.whole().len() <= GHOSTS && line.hole.is_none() {
            let ghosts = self.ghosts + line.whole().len() + 1;
            self.add(line, State::Dropped, tag, None);
            self.ghosts = ghosts;
            return;
        }
        // The run is told by one gap from here on: its first lines, last one first, and this one.
        let mut gap = Gap::default();
        while let Some(last) = self.items.last().filter(|i| i.state == State::Dropped && self.ghosts > 0) {
            gap.line(last.tag, last.orig);
            self.text.truncate(last.start);
            self.ghosts = self.ghosts.saturating_sub(last.len + 1);
            self.items.pop();
        }
        gap.line(tag, bytes);
        self.ghosts = 0;
        self.push_gap(gap);
    }

    /// Books lines that nobody need look at again, as one omission.
    pub fn omit_run(&mut self, lines: u64, bytes: u64) {
        if lines == 0 {
            return;
        }
        self.seen_lines += lines;
        self.seen_bytes += bytes;
        self.unended = false;
        self.ghosts = 0;
        if let Some(Item { state: State::Gap, start, .. }) = self.items.last() {
            let gap = &mut self.gaps[*start];
            gap.lines += lines;
            gap.bytes += bytes;
        } else {
            self.push_gap(Gap { lines, bytes, reasons: Vec::new() });
        }
    }

    /// Is so much held that lines of the middle have begun to go?
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.seen_bytes > self.hold as u64
    }

    fn push_gap(&mut self, gap: Gap) {
        self.items.push(Item::gap(self.gaps.len()));
        self.gaps.push(gap);
    }

    /// What is plain here is only the setting of the findings: little of it need be shown,
    /// and of that the last lines first.
    pub fn narrow(&mut self) {
        self.narrow = self.keeps_finding();
        if !self.narrow {
            return;
        }
        self.release_pending();
        let text = &self.text;
        let said = |i: &&mut Item| matches!(i.state, State::Kept(_)) && !said(text, i).trim_ascii().is_empty();
        for item in self.items.iter_mut().rev().filter(said).take(LAST) {
            if item.state == State::Kept(Rank::Edge) {
                item.state = State::Kept(Rank::Top);
            }
        }
    }

    /// Did any line with an error, or one that a cut ranks as a finding, stay?
    #[must_use]
    pub fn keeps_finding(&self) -> bool {
        self.items.iter().any(|i| matches!(i.state, State::Kept(r) if r == Rank::Top || r > Rank::Edge && i.signs.has(Signs::ERROR)))
    }

    /// Did the tool's own closing totals stay?
    #[must_use]
    pub fn keeps_total(&self) -> bool {
        self.items.iter().any(|i| i.state == State::Kept(Rank::Total))
    }

    /// Does anything stay?
    #[must_use]
    pub fn keeps_any(&self) -> bool {
        self.items.iter().any(|i| matches!(i.state, State::Kept(_) | State::Pending))
    }

    /// Error-signed lines that a cut called noise.
    #[must_use]
    pub fn noise_errors(&self) -> u64 {
        self.noise_errors
    }

    /// Fits what is held into the budget and writes it, markers included. `reserved` bytes
    /// of the budget, and a line, are for notes that follow.
    pub fn finish(mut self, out: &mut Vec<u8>, reserved: usize) -> Stats {
        self.budget.reserve(reserved);
        self.raise_ending();
        self.release_pending();
        for i in std::mem::take(&mut self.parked) {
            self.items[i].state = State::Dropped;
        }
        self.rank_totals();
        self.weigh();
        let (items, gaps) = self.fit();
        let mut stats = Stats::default();
        let mut total = Tally::default();
        for (i, item) in items.iter().enumerate() {
            if item.state == State::Gap {
                let gap = &gaps[item.start];
                marker::gap(out, gap.lines, gap.bytes, &self.reasons(gap));
                out.push(b'\n');
                total.gap(gap);
            } else {
                out.extend_from_slice(&self.text[item.start..item.start + item.len]);
                if i + 1 < items.len() || !self.unended {
                    out.push(b'\n');
                }
                stats.kept_lines += 1;
                stats.kept_bytes += item.shown;
                stats.omitted_bytes += item.orig - item.shown;
            }
        }
        let total = total.close().unwrap_or_default();
        stats.omitted_lines = total.lines;
        stats.omitted_bytes += total.bytes;
        stats.omitted = total.reasons.iter().map(|(tag, n)| (self.tags.word(*tag).to_str_lossy().into_owned(), *n)).collect();
        debug_assert_eq!(stats.kept_lines + stats.omitted_lines, self.seen_lines);
        debug_assert_eq!(stats.kept_bytes + stats.omitted_bytes, self.seen_bytes);
        stats
    }

    /// The reasons that a marker names: the three most counted, of folded keys (files, rules)
    /// up to 40 when the budget is tight; none in a tiny one.
    fn reasons(&self, gap: &Gap) -> Vec<(u64, &[u8], bool)> {
        if self.budget.bytes < 1_000 {
            return Vec::new();
        }
        let mut reasons: Vec<_> = gap.reasons.iter().map(|(tag, n)| (*n, self.tags.word(*tag), self.tags.is_key(*tag))).collect();
        reasons.sort_by_key(|r| std::cmp::Reverse(r.0));
        let keys = reasons.iter().filter(|r| r.2).count();
        reasons.truncate(if keys > 3 { (self.budget.bytes / KEY_SHARE).clamp(6, 120) } else { 3 });
        reasons
    }
}
