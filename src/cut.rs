//! What a cut is: one line in, one opinion out.
//!
//! A cut never holds or writes text. It is asked once a line, the driver applies the
//! answer to that line, and the ledger keeps the account; so nothing can be reworded,
//! reordered or claimed by a cut. All a cut can do wrong is to call a good line noise.

use crate::hint::Hint;
use crate::line::{Line, Teller};

/// What a dropped line was, in the plural, as the marker words it: `passing tests`.
pub type Noun = &'static str;

/// How dearly a line is held: shed first .. shed last when the budget is too small.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// Plain data, and whatever is unknown.
    Edge,
    /// What explains an explanation: captured output, further frames, warnings' code.
    Detail,
    /// The explanation of a failure: message, values, code frame, own-code frames.
    Body,
    /// The finding itself: the failing test's name, the error and its place.
    Top,
    /// The closing totals, the tool's own verdict.
    Total,
}

impl Rank {
    /// All ranks, shed first to shed last.
    pub const ALL: [Rank; 5] = [Rank::Edge, Rank::Detail, Rank::Body, Rank::Top, Rank::Total];
}

/// A cut's opinion of one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Mine, worth its bytes.
    Keep(Rank),
    /// Mine, worth its bytes; and up to `lines` of the parked (or lower ranked) lines
    /// before it are kept at `with`.
    KeepWith {
        /// The rank of this line.
        rank: Rank,
        /// How many earlier lines it lifts, nearest first.
        lines: u16,
        /// The rank they are lifted to.
        with: Rank,
    },
    /// Mine, and long: the part from byte `from` to byte `to` is what matters in it
    /// when the line is over the line cap.
    Around {
        /// The rank of this line.
        rank: Rank,
        /// First byte of what matters.
        from: usize,
        /// The byte after it.
        to: usize,
    },
    /// Mine, noise; the noun goes into the marker. Needs a positive pattern.
    Drop(Noun),
    /// Mine, one of many alike, counted under the bytes `from..to` of the line: the
    /// first three of a key are kept at `rank`, later ones at `Edge`, counted by key.
    Fold {
        /// The rank of the first ones.
        rank: Rank,
        /// First byte of the key.
        from: usize,
        /// The byte after it.
        to: usize,
    },
    /// Mine, undecided: noise unless a `KeepWith` or the end reaches it. At most 16 KiB
    /// are parked; beyond that the oldest becomes an omission.
    Park(Noun),
    /// Mine, a heading (the file that the lines below belong to): held as dearly as the
    /// dearest line below it, up to the next heading.
    Head,
    /// Mine, plain data of which enough is shown: conservative keeps it at `Edge`,
    /// aggressive parks it under the noun, to be lifted or counted.
    Spare(Noun),
    /// Not mine. Conservative keeps it at `Edge`, aggressive omits it, counted; a line
    /// with an error sign is kept by both.
    Pass,
}

impl Verdict {
    /// Is the line not the cut's?
    #[must_use]
    pub fn passes(&self) -> bool {
        matches!(self, Verdict::Pass)
    }
}

/// The opinion of one kind of output on its lines.
pub trait Cut: Send {
    /// One line in, one opinion out. No text leaves a cut.
    fn line(&mut self, line: &Line<'_>) -> Verdict;
    /// Is the text somebody's work (a diff, commits, names), so that a word like `error` in
    /// a line that the cut claims is no sign?
    fn quotes(&self) -> bool {
        false
    }
    /// How many of the parked lines survive the end of the input, and at which rank.
    fn end(&mut self) -> (u16, Rank) {
        (0, Rank::Body)
    }
    /// Has the tool said its last line before this one, which is another's? Then the driver
    /// looks at what follows afresh.
    fn ends_before(&self, _: &Line<'_>) -> bool {
        false
    }
    /// Does any line that opens another shape end its part, even one that it would keep?
    /// So it is with cuts that know nothing of what the text means.
    fn yields(&self) -> bool {
        false
    }
    /// Are its findings single events amid other output? Then it proves nothing that it
    /// passes on much; and where the budget is tight, that output is only their setting.
    fn is_amid(&self) -> bool {
        false
    }
    /// How it tells the kind of a line, if it asks for that of nearly every one: the lines of a
    /// long input are told ahead then, on another thread. See [`Line::told`].
    fn teller(&self) -> Option<Teller> {
        None
    }
    /// Does the tool run others inside of its own output, and does the cut know their echoes?
    fn nests(&self) -> bool {
        false
    }
}

/// A row of the registry: what a kind of output looks like and who cuts it.
pub struct Shape {
    /// The shape, as DESIGN's table and `--only` name it. Rows may share a name: each
    /// is then a dialect of that shape.
    pub name: &'static str,
    /// The tool or format within the shape: `pytest`.
    pub dialect: &'static str,
    /// One line for README, man page and listings.
    pub about: &'static str,
    /// Is the window (at most 200 lines or 64 KiB) this shape, beyond doubt?
    pub sniff: fn(&Hint, &[Line<'_>]) -> bool,
    /// Which lines alone open the shape, beyond doubt, wherever they stand?
    pub opens: Opens,
    /// A new cut, at the shape's first line.
    pub cut: fn(&Hint) -> Box<dyn Cut>,
}

/// Which lines alone open a shape, wherever they stand.
///
/// Each line of a text that nobody knows is offered to each shape. So a row says what bytes
/// such a line begins or ends with, or that it holds a colon; it is asked of no other lines.
#[derive(Clone, Copy)]
pub struct Opens {
    pub(crate) ask: Option<fn(&Line<'_>) -> bool>,
    pub(crate) first: &'static [u8],
    pub(crate) indented: &'static [u8],
    pub(crate) last: &'static [u8],
    pub(crate) colon: bool,
    pub(crate) flush_colon: bool,
    pub(crate) any: bool,
}

impl Opens {
    /// For shapes that no single line opens.
    pub const NEVER: Opens = Opens { ask: None, first: b"", indented: b"", last: b"", colon: false, flush_colon: false, any: false };

    /// Lines that begin with one of these bytes.
    #[must_use]
    pub const fn first(first: &'static [u8], ask: fn(&Line<'_>) -> bool) -> Opens {
        Opens { ask: Some(ask), first, ..Opens::NEVER }
    }

    /// Lines that begin with blanks, and then one of these bytes.
    #[must_use]
    pub const fn indented(indented: &'static [u8], ask: fn(&Line<'_>) -> bool) -> Opens {
        Opens { ask: Some(ask), indented, ..Opens::NEVER }
    }

    /// Lines that end with one of these bytes.
    #[must_use]
    pub const fn last(last: &'static [u8], ask: fn(&Line<'_>) -> bool) -> Opens {
        Opens { ask: Some(ask), last, ..Opens::NEVER }
    }

    /// Lines with a colon anywhere.
    #[must_use]
    pub const fn colon(ask: fn(&Line<'_>) -> bool) -> Opens {
        Opens { ask: Some(ask), colon: true, ..Opens::NEVER }
    }

    /// Lines with a colon anywhere and no blank in front.
    #[must_use]
    pub const fn flush_colon(ask: fn(&Line<'_>) -> bool) -> Opens {
        Opens { ask: Some(ask), flush_colon: true, ..Opens::NEVER }
    }

    /// Any line: to be cheap where it is not the shape's.
    #[must_use]
    pub const fn any(ask: fn(&Line<'_>) -> bool) -> Opens {
        Opens { ask: Some(ask), any: true, ..Opens::NEVER }
    }

    /// And those that begin with blanks, and then one of these bytes.
    #[must_use]
    pub const fn or_indented(self, indented: &'static [u8]) -> Opens {
        Opens { indented, ..self }
    }

    /// And those that end with one of these bytes.
    #[must_use]
    pub const fn or_last(self, last: &'static [u8]) -> Opens {
        Opens { last, ..self }
    }

    /// And those with a colon and no blank in front.
    #[must_use]
    pub const fn or_flush_colon(self) -> Opens {
        Opens { flush_colon: true, ..self }
    }

    /// Does this line alone open the shape, beyond doubt?
    #[must_use]
    pub fn by(&self, line: &Line<'_>) -> bool {
        self.ask.is_some_and(|ask| ask(line))
    }
}
