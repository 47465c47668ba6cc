//! Perl: `confess` and `cluck`. What goes: frames of installed modules, frames met again.

use super::begins;
use super::trail::Trail;
use crate::cut::{Cut, Opens, Shape, Verdict};
use crate::cuts::place;
use crate::line::Line;

/// The row.
pub const SHAPE: Shape = Shape {
    name: "stacktrace",
    dialect: "perl",
    about: "Perl's confess and cluck",
    sniff: |_, lines| begins(lines, opens),
    opens: Opens::first(b"\t", opens),
    cut: |_| Box::new(Perl::default()),
};

fn opens(line: &Line<'_>) -> bool {
    line.starts("\t") && called(line.text).is_some()
}

#[derive(Default)]
struct Perl {
    inside: bool,
    trail: Trail,
}

impl Cut for Perl {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        let Some(at) = called(line.text).filter(|_| line.starts("\t")) else {
            self.inside = false;
            return self.trail.pass(line);
        };
        // What is called with which values differs where it stands does not.
        let own = !place::is_foreign(at) && crate::line::find(at, b"/perl5/").is_none();
        if std::mem::replace(&mut self.inside, true) {
            return self.trail.frame(at, own);
        }
        let verdict = self.trail.begin_at_frame();
        self.trail.frame(at, own);
        verdict
    }

    fn is_amid(&self) -> bool {
        true
    }
}

/// `	Ledger::add("acc-19", "12,40") called at post.pl line 12`: the place.
fn called(text: &[u8]) -> Option<&[u8]> {
    let at = memchr::memmem::rfind(text, b" called at ")? + 11;
    let line = memchr::memmem::rfind(&text[at..], b" line ")?;
    text[at + line + 6..].first().is_some_and(u8::is_ascii_digit).then(|| &text[at..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn frames_follow_their_message() {
        let text =
            "step\nbad amount at lib/L.pm line 18.\n\tL::add(\"a\") called at p.pl line 12\n\tmain::day(4) called at p.pl line 18\nstep";
        assert_eq!(marks(&SHAPE, text), "??BBB");
        assert!(sniffs(&SHAPE, text) && !sniffs(&SHAPE, "he called at noon, line 4\n"));
    }
}
