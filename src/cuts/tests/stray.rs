//! Errors that somebody else printed while tests passed: a helper that crashed, a server
//! that refused. Where the run is known to have failed, the first few of them stay.

use crate::cuts::seen::Seen;
use crate::hint::Hint;
use crate::line::Line;

/// Kinds of such lines that stay.
const KINDS: u8 = 6;

/// Tells the first of a kind from what tests print on purpose.
#[derive(Default)]
pub(super) struct Strays {
    failed: bool,
    seen: Seen,
    kinds: u8,
}

impl Strays {
    /// Looks for them where the command's status says that it failed.
    pub fn of(hint: &Hint) -> Strays {
        Strays { failed: hint.exit_code.is_some_and(|code| code != 0), ..Strays::default() }
    }

    /// Is this the first of a kind, at the left margin as other programs print?
    pub fn is_one(&mut self, line: &Line<'_>) -> bool {
        if !self.failed || self.kinds >= KINDS || line.indent() > 0 || !line.is_error() || self.seen.alike(line.text) > 1 {
            return false;
        }
        self.kinds += 1;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_failed_run_has_strays_and_each_kind_once() {
        let line = |text: &'static str| Line::new(text.as_bytes(), 1);
        let mut strays = Strays::of(&Hint { exit_code: Some(1), ..Hint::default() });
        assert!(strays.is_one(&line("psql:seed.sql:14: ERROR:  no table")) && !strays.is_one(&line("psql:seed.sql:15: ERROR:  no table")));
        assert!(!strays.is_one(&line("listening")) && !Strays::default().is_one(&line("Segmentation fault")));
    }
}
