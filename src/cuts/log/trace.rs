//! Stack traces inside logs: causes and the reader's own frames, not the runtime's.

use crate::cut::{Rank, Verdict};
use crate::cuts::place;
use crate::cuts::seen::Seen;
use crate::line::Line;

/// Own frames shown of each part of a trace.
const OWN: u32 = 4;

/// The trace that is being read.
#[derive(Default)]
pub struct Trace {
    messages: Seen,
    places: Seen,
    /// Frames of the present part (until the next cause).
    frames: u32,
    own: u32,
    /// A frame outside the language's own packages was shown.
    reached: bool,
    /// What became of the last frame: its code line shares it.
    last: Option<Verdict>,
    inside: bool,
}

/// Packages of runtimes and frameworks, by the start of a Java frame.
const PACKAGES: &[&[u8]] = &[
    b"java.",
    b"javax.",
    b"jakarta.",
    b"jdk.",
    b"sun.",
    b"com.sun.",
    b"kotlin.",
    b"kotlinx.",
    b"scala.",
    b"groovy.",
    b"clojure.",
    b"org.apache.",
    b"org.springframework.",
    b"org.hibernate.",
    b"org.eclipse.",
    b"org.junit.",
    b"org.jboss.",
    b"io.netty.",
    b"io.undertow.",
    b"reactor.",
    b"akka.",
    b"com.google.",
    b"com.zaxxer.",
    b"com.fasterxml.",
    b"android.",
    b"androidx.",
    b"com.android.",
    b"dalvik.",
];

/// Could this line, which has no head, belong to a trace or a record's details?
#[must_use]
pub fn belongs(text: &[u8]) -> bool {
    matches!(text.first(), Some(b' ' | b'\t' | b'}' | b']' | b')') | None)
        || text.starts_with("│".as_bytes())
        || text.starts_with("╭".as_bytes())
        || text.starts_with("╰".as_bytes())
        || [
            b"Caused by: ".as_slice(),
            b"Traceback (most",
            b"goroutine ",
            b"During handling",
            b"The above exception",
            b"panic: ",
            b"created by ",
            b"main.",
        ]
        .iter()
        .any(|p| text.starts_with(p))
        || is_exception(text)
}

/// `java.io.IOException: x`, `ValueError: x`, `app.errors.NotFound`.
fn is_exception(text: &[u8]) -> bool {
    let len = text.iter().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'$')).count();
    let name = &text[..len];
    let ends = [b"Exception".as_slice(), b"Error", b"Throwable", b"Warning", b"Exit", b"Interrupt"].iter().any(|e| name.ends_with(e));
    let dotted = memchr::memchr(b'.', name).is_some() && name.last() != Some(&b'.');
    matches!(text.get(len), None | Some(b':')) && len > 4 && (ends || dotted && text.get(len + 1) == Some(&b' '))
}

/// The part of a headed line's message that may be a line of a trace.
#[must_use]
pub fn stripped(body: &[u8]) -> Option<&[u8]> {
    // 03-17 16:13:38.157  6120  6120 E AndroidRuntime: \tat com.example.Cart.show(Cart.kt:88)
    let near = &body[..body.len().min(60)];
    let from = memchr::memchr_iter(b':', near).find(|at| near.get(at + 1) == Some(&b' ')).map_or(0, |at| at + 2);
    traced(&body[from..]).or_else(|| traced(body))
}

/// The text without the blanks before it, if it is a frame, a cause, or says how many are left out.
fn traced(text: &[u8]) -> Option<&[u8]> {
    let said = text.trim_ascii_start();
    let is_so = match said.first()? {
        b'a' => said.starts_with(b"at ") && said.ends_with(b")"),
        b'C' => said.starts_with(b"Caused by: "),
        b'.' => is_more(said),
        _ => false,
    };
    is_so.then_some(said)
}

/// `... 18 more`
fn is_more(text: &[u8]) -> bool {
    text.strip_prefix(b"... ").is_some_and(|r| r.ends_with(b" more") || r.ends_with(b" common frames omitted"))
}

impl Trace {
    /// A new record begins; what was said before stays known.
    pub fn leave(&mut self) {
        self.part();
        self.inside = false;
    }

    /// The verdict on a line of a trace, if it is one. `brief`: the record itself went.
    pub fn line(&mut self, text: &[u8], line: &Line<'_>, brief: bool) -> Option<Verdict> {
        let said = text.trim_ascii();
        if is_more(said) {
            return Some(Verdict::Drop("runtime frames"));
        }
        let first = said.first().copied().unwrap_or_default();
        if let Some(frame) = said.strip_prefix(b"at ") {
            let foreign = PACKAGES.iter().any(|p| frame.starts_with(p)) || place::is_foreign(frame);
            let basic =
                place::is_foreign(frame) || [b"java.".as_slice(), b"jdk.", b"sun.", b"kotlin."].iter().any(|p| frame.starts_with(p));
            let brief = brief || self.places.same(said) > 2;
            return Some(self.frame(foreign, basic, brief));
        }
        if said.starts_with(b"File \"") || said.starts_with(b"> File \"") {
            let foreign = place::is_foreign(said) || crate::line::find(said, b"File \"<").is_some();
            let brief = brief || self.places.same(said) > 2;
            return Some(self.frame(foreign, foreign, brief));
        }
        if said.starts_with(b"Caused by: ") || said.starts_with(b"Suppressed: ") || is_exception(text) {
            self.part();
            let met = self.messages.alike(said);
            return Some(match met {
                1 => Verdict::Keep(Rank::Top),
                2 if !brief => Verdict::Keep(Rank::Body),
                _ if brief => Verdict::Spare("repeated details"),
                _ => Verdict::Keep(Rank::Edge),
            });
        }
        if said.starts_with(b"Traceback (most recent call last)") {
            self.part();
            return Some(if brief { Verdict::Spare("repeated details") } else { Verdict::Keep(Rank::Detail) });
        }
        if self.inside && (text.starts_with("│".as_bytes()) || text.starts_with("╭".as_bytes())) {
            let points = crate::line::find(text, "❱".as_bytes()).is_some();
            return Some(if points && !brief { Verdict::Keep(Rank::Body) } else { Verdict::Spare("details") });
        }
        // The code under a Python frame, and its marks.
        if let Some(last) = self.last {
            if self.inside && matches!(text.first(), Some(b' ' | b'\t')) && first != b'{' && !line.is_error() {
                return Some(if said.iter().all(|b| matches!(b, b'^' | b'~')) { Verdict::Spare("marks") } else { last });
            }
        }
        None
    }

    /// A part begins: the frames under one message.
    fn part(&mut self) {
        (self.frames, self.own, self.reached, self.inside, self.last) = (0, 0, false, true, None);
    }

    fn frame(&mut self, foreign: bool, basic: bool, brief: bool) -> Verdict {
        self.inside = true;
        self.frames += 1;
        self.own += u32::from(!foreign);
        let verdict = match (foreign, brief) {
            (_, true) => Verdict::Spare("repeated details"),
            (false, _) if self.own <= OWN => Verdict::Keep(Rank::Body),
            (false, _) => Verdict::Spare("further frames"),
            (true, _) if self.frames == 1 || !basic && !self.reached => Verdict::Keep(Rank::Body),
            (true, _) => Verdict::Drop("runtime frames"),
        };
        self.reached |= !basic;
        self.last = Some(verdict);
        verdict
    }
}
