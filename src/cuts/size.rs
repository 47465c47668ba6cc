//! What no other cut knows: head and tail by budget, and the errors of the middle.

use super::seen::Seen;
use crate::cut::{never_opens, Cut, Rank, Shape, Verdict};
use crate::line::{Line, Signs};

/// The registry's last row: it takes everything.
pub const SHAPE: Shape = Shape {
    name: "size",
    dialect: "size",
    about: "anything else: head, tail, and the lines of the middle that look like errors",
    sniff: |_, _| true,
    opens: never_opens,
    cut: |_| Box::new(Size::default()),
};

#[derive(Default)]
pub(crate) struct Size {
    /// How often each kind of signed line was met.
    seen: Seen,
    /// Lines after an error that may still belong to it.
    after: u8,
}

impl Cut for Size {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        let signs = line.signs();
        if signs.has(Signs::ERROR) {
            let met = self.seen.alike(line.text);
            self.after = if met <= 2 { 3 } else { 0 };
            return match met {
                1..=2 => Verdict::KeepWith { rank: Rank::Top, lines: 2, with: Rank::Detail },
                3..=5 => Verdict::Keep(Rank::Detail),
                _ => Verdict::Keep(Rank::Edge),
            };
        }
        if self.after > 0 && !line.is_blank() {
            self.after -= 1;
            return Verdict::Keep(Rank::Detail);
        }
        self.after = 0;
        if signs.has(Signs::WARNING) && self.seen.alike(line.text) <= 2 {
            return Verdict::Keep(Rank::Detail);
        }
        Verdict::Keep(Rank::Edge)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn it_takes_everything() {
        assert!(sniffs(&SHAPE, "anything"));
    }

    #[test]
    fn errors_of_the_middle_outrank_the_rest() {
        assert_eq!(marks(&SHAPE, "a\nerror: disk 1\nat x\n\nb\nerror: disk 2\nerror: disk 3\nwarning: y"), "ETDEETDD");
    }
}
