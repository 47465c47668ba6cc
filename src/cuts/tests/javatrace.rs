//! Java's stacks under a failing test: the reader's frames stay, those of the runner go.

use crate::cut::{Rank, Verdict};
use crate::cuts::seen::Seen;

const LIBRARY: &str = "library frames";
/// Own frames of an exception that explain; further ones are detail.
const FRAMES: u16 = 4;

/// Packages that are nobody's own code.
const FOREIGN: &[&[u8]] = &[
    b"java.",
    b"javax.",
    b"jakarta.",
    b"jdk.",
    b"sun.",
    b"com.sun.",
    b"junit.",
    b"org.junit.",
    b"org.testng.",
    b"org.opentest4j.",
    b"org.hamcrest.",
    b"org.assertj.",
    b"org.mockito.",
    b"org.apache.",
    b"org.gradle.",
    b"worker.org.gradle.",
    b"org.codehaus.",
    b"org.springframework.",
    b"org.hibernate.",
    b"net.bytebuddy.",
    b"io.netty.",
    b"reactor.",
    b"kotlin.",
    b"kotlinx.",
    b"scala.",
    b"groovy.",
    b"io.kotest.",
    b"com.google.common.",
    b"com.fasterxml.",
];

/// Reads the frames of one exception after the other.
#[derive(Default)]
pub struct Trace {
    /// The first two parts of the failing test's package, with the dot: `com.example.`
    root: Vec<u8>,
    frames: u16,
    seen: Seen,
}

impl Trace {
    /// A failing test's trace begins; `class` is its name with its package, if known.
    pub fn begin(&mut self, class: &[u8]) {
        self.frames = 0;
        self.root.clear();
        let mut dots = class.iter().enumerate().filter(|(_, b)| **b == b'.').map(|(i, _)| i);
        let (first, second) = (dots.next(), dots.next());
        if let Some(end) = second.or(first) {
            self.root.extend_from_slice(&class[..=end]);
        }
    }

    /// A `Caused by:` or `Suppressed:` begins the next exception.
    pub fn cause(&mut self) {
        self.frames = 0;
    }

    /// The verdict on a frame, none when the text is not one. `at ` may be missing.
    pub fn frame(&mut self, told: &[u8]) -> Option<Verdict> {
        let call = told.strip_prefix(b"at ").unwrap_or(told);
        // ... 23 more, [...]
        if told == b"[...]" || told.starts_with(b"... ") && (told.ends_with(b" more") || told.ends_with(b" common frames omitted")) {
            return Some(Verdict::Drop(LIBRARY));
        }
        let open = memchr::memchr(b'(', call)?;
        let place = call[open..].strip_prefix(b"(")?;
        let place = place.strip_suffix(b")").or_else(|| memchr::memchr(b')', place).map(|i| &place[..i]))?;
        let known = matches!(place, b"Native Method" | b"Unknown Source" | b"<generated>")
            || [b".java".as_slice(), b".kt", b".scala", b".groovy"].iter().any(|e| crate::line::find(place, e).is_some());
        let name = &call[..open];
        if !known || name.contains(&b' ') || !name.contains(&b'.') {
            return None;
        }
        // java.base@17.0.15/java.lang.Thread.sleep, app//com.example.A.b
        let name = name.rsplit(|b| *b == b'/').next().unwrap_or(name);
        let own = if self.root.is_empty() { !FOREIGN.iter().any(|f| name.starts_with(f)) } else { name.starts_with(&self.root) };
        if !own || place == b"<generated>" {
            return Some(Verdict::Drop(LIBRARY));
        }
        let met = self.seen.same(call);
        self.frames += 1;
        Some(match self.frames {
            1 if met <= 2 => Verdict::Keep(Rank::Top),
            n if n <= FRAMES && met <= 2 => Verdict::Keep(Rank::Body),
            _ if met > 3 => Verdict::Drop("repeated frames"),
            _ => Verdict::Keep(Rank::Detail),
        })
    }
}

/// `java.lang.AssertionError: total of 7 lines`, `com.example.BadRow`: an exception's line.
pub fn is_exception(told: &[u8]) -> bool {
    let name = told.split(|b| matches!(b, b':' | b' ')).next().unwrap_or_default();
    name.contains(&b'.')
        && name.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'$' | b'_'))
        && name.rsplit(|b| *b == b'.').next().is_some_and(|n| n.first().is_some_and(u8::is_ascii_uppercase))
}
