//! Fitting to the budget: thinning while lines arrive, the exact fit at the end.

use super::gap::{Gap, Tally};
use super::{Item, Ledger, State};
use crate::budget::Budget;
use crate::cut::Rank;
use crate::ledger::tags::Tags;
use crate::line::{Line, Signs};
use crate::marker;
use std::ops::Range;

pub(super) use crate::clean::floor_char;

/// An island between two gaps that tells less than this is not worth its marker, in bytes.
const ISLAND: usize = 40;
/// What may be shown of output that is only the setting of findings, in bytes, when the
/// budget is tight: its head and its end. A hundredth of the input comes on top of it, up
/// to twice as much.
const SETTING: usize = 180;
/// What a marker takes, more or less, that names little.
const MARKER: usize = 50;
/// What a hole's marker takes at most, in bytes.
const HOLE: usize = 40;

/// Appends a line, cut down to `cap` bytes when it is longer; returns how many of its
/// bytes are shown. Both ends stay, and what `focus` points at.
#[inline]
pub(super) fn capped(out: &mut Vec<u8>, line: &Line<'_>, cap: usize, focus: Option<(usize, usize)>) -> u64 {
    let text = line.whole();
    if text.len() <= cap && line.hole.is_none() {
        out.extend_from_slice(text);
        return text.len() as u64;
    }
    shortened(out, line, cap, focus)
}

#[inline(never)]
fn shortened(out: &mut Vec<u8>, line: &Line<'_>, cap: usize, focus: Option<(usize, usize)>) -> u64 {
    let text = line.whole();
    let room = cap.saturating_sub(HOLE).max(16);
    let hole = line.hole.map_or(0, |h| h.bytes);
    let hole_at = line.hole.map_or(text.len(), |h| h.at + line.prefix());
    let focus = focus.map(|(from, to)| (from + line.prefix(), to + line.prefix()));
    // The parts that stay, in order: head, around the focus, tail.
    let mut parts: Vec<(usize, usize)> = match focus {
        Some((from, to)) if to > from && to <= text.len() && to - from < room => {
            let side = (room - (to - from)) / 4;
            let head = floor_char(text, side.min(from));
            let start = floor_char(text, from.saturating_sub(side)).max(head);
            let end = ceil_char(text, to + side);
            vec![(0, head), (start, end), (ceil_char(text, text.len().saturating_sub(side)).max(end), text.len())]
        }
        _ => {
            let head = floor_char(text, room * 2 / 3).min(hole_at);
            let tail = ceil_char(text, text.len().saturating_sub(room / 3)).max(hole_at).max(head);
            vec![(0, head), (tail, text.len())]
        }
    };
    if let Some(i) = parts.iter().position(|p| p.0 < hole_at && hole_at < p.1) {
        let (from, to) = parts[i];
        parts.splice(i..=i, [(from, hole_at), (hole_at, to)]);
    }
    let (mut shown, mut last, mut hole) = (0, 0, hole);
    for (from, to) in parts.into_iter().filter(|p| p.0 < p.1).chain([(text.len(), text.len())]) {
        let mut gone = (from - last) as u64;
        if hole_at <= from {
            gone += std::mem::take(&mut hole);
        }
        if gone > 0 {
            marker::hole(out, gone);
        }
        out.extend_from_slice(&text[from..to]);
        shown += (to - from) as u64;
        last = to;
    }
    shown
}

fn ceil_char(text: &[u8], at: usize) -> usize {
    let mut at = at.min(text.len());
    let from = at;
    while at < text.len() && text[at] & 0xc0 == 0x80 && at - from < 4 {
        at += 1;
    }
    at
}

impl Ledger {
    /// Sheds the lowest ranks from the middle until half of what may be held is left.
    #[cold]
    pub(super) fn thin(&mut self) {
        let target = self.hold / 2;
        // Each kept line may bring a gap: half of the items may be lines, half of those stay.
        let most = self.hold_items / 4;
        // What is held, by rank. Parked lines have a bound of their own: no kept one goes to
        // make room for them.
        let mut held = [(0, 0); Rank::ALL.len()];
        let mut bytes = 0;
        for item in &self.items {
            match item.state {
                State::Kept(rank) => {
                    let (bytes, lines) = &mut held[rank as usize];
                    *bytes += item.len + 1;
                    *lines += 1;
                }
                State::Parked | State::Pending => bytes += item.len + 1,
                State::Dropped | State::Gap => {}
            }
        }
        bytes += held.iter().map(|h| h.0).sum::<usize>();
        let mut lines = held.iter().map(|h| h.1).sum::<usize>();
        for (rank, (rank_bytes, rank_lines)) in Rank::ALL.into_iter().zip(held) {
            let fits = bytes <= target && lines <= most;
            if fits || rank_lines == 0 {
                continue;
            }
            if bytes - rank_bytes > target || lines - rank_lines > most {
                // All of the rank goes, in whatever order.
                (bytes, lines) = (bytes - rank_bytes, lines - rank_lines);
                for i in 0..self.items.len() {
                    if self.items[i].state == State::Kept(rank) {
                        self.drop_line(i);
                    }
                }
                continue;
            }
            let head = head_end(&self.items, rank, &self.budget, target / 2, most / 2);
            for i in victims(head, self.items.len()) {
                if bytes <= target && lines <= most {
                    break;
                }
                if self.items[i].state == State::Kept(rank) {
                    bytes -= self.items[i].len + 1;
                    lines -= 1;
                    self.drop_line(i);
                }
            }
        }
        self.rebuild();
    }

    /// Sheds a line; one that has an error sign is counted by name.
    fn drop_line(&mut self, i: usize) {
        self.items[i].state = State::Dropped;
        if self.items[i].tag == Tags::NONE && self.items[i].signs.has(Signs::ERROR) {
            self.items[i].tag = self.tags.noun("error lines");
        }
    }

    /// Moves items and text up in place; what is omitted becomes gaps.
    fn rebuild(&mut self) {
        let Ledger { items, text, gaps, parked, pending, .. } = self;
        // Gaps stand in the order of their items.
        let mut old = std::mem::take(gaps).into_iter();
        let mut tally = Tally::default();
        parked.clear();
        pending.clear();
        self.ghosts = 0;
        let head = self.head.take();
        let mut to = 0;
        // Text that stays in one piece, and the place that it goes to.
        let (mut piece, mut place) = (0..0, 0);
        for from in 0..items.len() {
            let item = &mut items[from];
            let stays = match item.state {
                State::Gap | State::Dropped => {
                    let opens = tally.is_empty();
                    match item.state {
                        State::Gap => tally.take_in(old.next().unwrap_or_default()),
                        _ => tally.line(item),
                    }
                    if opens {
                        *item = Item::gap(gaps.len());
                    }
                    opens
                }
                State::Kept(_) | State::Parked | State::Pending => {
                    gaps.extend(tally.close());
                    match item.state {
                        State::Parked => parked.push_back(to),
                        State::Pending => pending.push(to),
                        _ => {}
                    }
                    if head == Some(from) {
                        self.head = Some(to);
                    }
                    if item.start != piece.end {
                        place = moved(text, &piece, place);
                        piece = item.start..item.start;
                    }
                    piece.end += item.len;
                    item.start = place + (item.start - piece.start);
                    true
                }
            };
            if stays {
                items[to] = *item;
                to += 1;
            }
        }
        items.truncate(to);
        gaps.extend(tally.close());
        let end = moved(text, &piece, place);
        text.truncate(end);
    }

    /// The exact fit, markers included. What is left: kept items and gaps, in order.
    pub(super) fn fit(&mut self) -> (Vec<Item>, Vec<Gap>) {
        let mut scratch = Scratch::default();
        self.shed(true, &mut scratch);
        self.tidy();
        self.give_back(&mut scratch);
        // Merged gaps may have longer numbers: a few bytes that the budget may not have. What
        // was given back costs less than its markers, so the ladder has nothing to say.
        self.shed(false, &mut scratch);
        let mut items: Vec<Item> = Vec::new();
        let mut gaps: Vec<Gap> = Vec::new();
        let mut tally = Tally::default();
        self.runs(|ledger, from, to, gap| {
            let run = &ledger.items[from..to];
            if !gap {
                return items.extend_from_slice(run);
            }
            run.iter().for_each(|item| tally.item(item, &ledger.gaps));
            if let Some(gap) = tally.close() {
                items.push(Item::gap(gaps.len()));
                gaps.push(gap);
            }
        });
        (items, gaps)
    }

    /// Sheds rank by rank until what is left is under the rank's ceiling, or the budget.
    fn shed(&mut self, by_ladder: bool, scratch: &mut Scratch) {
        for rank in Rank::ALL {
            let mut ceiling = if by_ladder { self.budget.ceiling(rank, self.seen_bytes) } else { self.budget.bytes };
            let mut room = ceiling;
            if by_ladder && rank == Rank::Edge && self.narrow && self.budget.omit_unknown {
                room = SETTING + usize::try_from(self.seen_bytes / 100).unwrap_or(SETTING).min(2 * SETTING);
                ceiling = ceiling.min(self.above(rank) + room);
            }
            let head = head_end(&self.items, rank, &self.budget, room, self.budget.lines);
            let order = victims(head, self.items.len()).filter(|i| self.items[*i].state == State::Kept(rank)).collect();
            let order = if rank == Rank::Edge { order } else { self.by_part(order) };
            let mut next = 0;
            loop {
                // What goes takes a marker with it when it stood between two gaps, and leaves
                // one when it stood between two lines: reckoned here, measured each round. Two
                // markers made one name fewer, a new one names little.
                let (bytes, lines, marker) = self.measure(scratch);
                if bytes <= ceiling && lines <= self.budget.lines || next == order.len() {
                    break;
                }
                let mut over = (bytes as i64 - ceiling as i64).max(0);
                if marker > 2 * MARKER && over > ceiling as i64 / 20 {
                    // Markers that are full of names lose them when they are made one.
                    over /= 3;
                }
                let mut over_lines = (lines as i64 - self.budget.lines as i64).max(0);
                while next < order.len() && (over > 0 || over_lines > 0) {
                    let i = order[next];
                    next += 1;
                    self.drop_line(i);
                    let gap = |i: Option<usize>| i.and_then(|i| self.items.get(i)).is_some_and(|i| !matches!(i.state, State::Kept(_)));
                    let gaps = i64::from(gap(i.checked_sub(1))) + i64::from(gap(Some(i + 1))) - 1;
                    let marker = if gaps > 0 { marker } else { MARKER };
                    over -= self.items[i].len as i64 + 1 + gaps * marker as i64;
                    over_lines -= 1 + gaps;
                }
            }
        }
    }

    /// Bytes of the lines held dearer than `rank`, with a marker for every gap between them.
    fn above(&self, rank: Rank) -> usize {
        let dearer = |i: &Item| matches!(i.state, State::Kept(r) if r > rank);
        let (mut bytes, mut was) = (0, true);
        for item in &self.items {
            let is = dearer(item);
            bytes += if is { item.len + 1 } else { usize::from(was) * MARKER };
            was = is;
        }
        bytes
    }

    /// Bytes and lines that the output would have now, and the bytes of a marker on average.
    fn measure(&self, scratch: &mut Scratch) -> (usize, usize, usize) {
        let (mut bytes, mut lines) = (0, 0);
        let (mut markers, mut gaps) = (0, 0);
        self.runs(|ledger, from, to, gap| {
            if gap {
                markers += ledger.marker_len(from, to, scratch) + 1;
                gaps += 1;
            } else {
                bytes += ledger.items[from..to].iter().map(|i| i.len + 1).sum::<usize>();
                lines += to - from;
            }
        });
        (bytes + markers, lines + gaps, markers.checked_div(gaps).unwrap_or(MARKER))
    }

    /// Calls back with each run of kept items, and of omitted ones.
    fn runs(&self, mut each: impl FnMut(&Ledger, usize, usize, bool)) {
        let kept = |i: &Item| matches!(i.state, State::Kept(_));
        let mut from = 0;
        while from < self.items.len() {
            let is = kept(&self.items[from]);
            let to = self.items[from..].iter().position(|i| kept(i) != is).map_or(self.items.len(), |n| from + n);
            each(self, from, to, !is);
            from = to;
        }
    }

    /// Length of the marker for a run, without its line end.
    fn marker_len(&self, from: usize, to: usize, scratch: &mut Scratch) -> usize {
        let Scratch { tally, text, known } = scratch;
        known.resize(self.items.len(), (0, 0));
        if known[from].0 == to {
            return known[from].1;
        }
        self.items[from..to].iter().for_each(|item| tally.item(item, &self.gaps));
        text.clear();
        let gap = tally.close().unwrap_or_default();
        marker::gap(text, gap.lines, gap.bytes, &self.reasons(&gap));
        known[from] = (to, text.len());
        text.len()
    }

    /// Islands that cost more than they tell, and blank lines beside a gap, go.
    fn tidy(&mut self) {
        let mut gone = Vec::new();
        let mut islands = Vec::new();
        let (mut kept, count) = (0, self.items.len());
        self.runs(|ledger, from, to, gap| {
            if gap {
                return;
            }
            let items = &ledger.items;
            kept += to - from;
            let low = items[from..to].iter().all(|i| i.state == State::Kept(Rank::Edge) && !i.signs.has(Signs::ERROR));
            let bytes: usize = items[from..to].iter().map(|i| i.len + 1).sum();
            if low && bytes < ISLAND && from > 0 && to < count {
                return islands.extend(from..to);
            }
            let blank = |i: &usize| ledger.is_blank(&items[*i]);
            if from > 0 {
                gone.extend((from..to).take_while(blank));
            }
            if to < count {
                gone.extend((from..to).rev().take_while(blank));
            }
        });
        // Where most of what is kept are islands, they are what there is to tell.
        if islands.len() * 2 <= kept {
            gone.append(&mut islands);
        }
        for i in gone {
            self.items[i].state = State::Dropped;
        }
    }

    /// A gap whose lines are still held and take no more than its marker is no gap.
    fn give_back(&mut self, scratch: &mut Scratch) {
        let mut back = Vec::new();
        let (_, mut lines, _) = self.measure(scratch);
        self.runs(|ledger, from, to, gap| {
            if !gap || ledger.items[from..to].iter().any(|i| i.state == State::Gap) {
                return;
            }
            let held: usize = ledger.items[from..to].iter().map(|i| i.len + 1).sum();
            if held <= ledger.marker_len(from, to, scratch) + 1 && lines + (to - from) - 1 <= ledger.budget.lines {
                lines += to - from - 1;
                back.push((from, to));
            }
        });
        for (from, to) in back {
            // Held as dearly as the line beside it: what was given back is not shed again
            // before that, for a marker that costs more.
            let beside = [from.checked_sub(1), Some(to)].into_iter().flatten().filter_map(|i| self.items.get(i));
            let rank = beside.filter_map(|i| if let State::Kept(rank) = i.state { Some(rank) } else { None }).max();
            for item in &mut self.items[from..to] {
                item.state = State::Kept(rank.unwrap_or(Rank::Edge));
            }
        }
    }
}

/// Moves a piece of text up to a place; returns where it ends there.
fn moved(text: &mut [u8], piece: &Range<usize>, place: usize) -> usize {
    if piece.start != place {
        text.copy_within(piece.clone(), place);
    }
    place + piece.len()
}

/// What markers are measured with.
#[derive(Default)]
struct Scratch {
    tally: Tally,
    text: Vec<u8>,
    /// By the first item of a run: its end, and the length of its marker. What is omitted from
    /// one kept line to another is always the same.
    known: Vec<(usize, usize)>,
}

/// Where the head's share of a rank ends: the number of the first item beyond it.
fn head_end(items: &[Item], rank: Rank, budget: &Budget, bytes: usize, lines: usize) -> usize {
    // Findings: the first ones matter most. Totals: the last.
    let head = match rank {
        Rank::Edge => budget.head,
        Rank::Detail | Rank::Body | Rank::Top => budget.head.max(8),
        Rank::Total => 3,
    };
    let (mut bytes, mut lines) = (bytes.saturating_mul(head) / 12, lines.saturating_mul(head) / 12);
    if head >= 12 {
        (bytes, lines) = (usize::MAX, usize::MAX);
    }
    let mut next = 0;
    for (i, item) in items.iter().enumerate().filter(|(_, item)| item.state == State::Kept(rank)) {
        if item.len >= bytes || lines == 0 {
            return i;
        }
        // What stands apart brings a marker along.
        let apart = usize::from(i > next);
        next = i + 1;
        bytes = bytes.saturating_sub(item.len + 1 + apart * MARKER);
        lines = lines.saturating_sub(1 + apart);
    }
    items.len()
}

/// Items in the order in which those of a rank go: from behind the head's share on towards
/// the end, then the head itself, last line first.
fn victims(head: usize, count: usize) -> impl Iterator<Item = usize> {
    (head..count).chain((0..head).rev())
}
