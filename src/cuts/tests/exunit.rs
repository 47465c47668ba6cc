//! ExUnit amid other output: the numbered failures and the counts. A run of its own is for the
//! declared filter.

use super::explain::Explain;
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::line::Line;
use Verdict::{Keep, Pass};

/// The row of ExUnit.
pub const SHAPE: Shape = Shape {
    name: "tests",
    dialect: "ExUnit",
    about: "ExUnit amid other output: failing tests with values and places, the counts",
    sniff: |_, _| false,
    opens: Opens::indented(b"0123456789", opens),
    cut: |_| Box::new(ExUnit::default()),
};

#[derive(Default)]
struct ExUnit {
    inside: bool,
    explain: Explain,
}

/// `  1) test keeps cents (Acme.LedgerTest)`
fn opens(line: &Line<'_>) -> bool {
    let Some(said) = line.text.strip_prefix(b"  ") else { return false };
    let digits = said.iter().take_while(|b| b.is_ascii_digit()).count();
    let Some(title) = said[digits..].strip_prefix(b") ").filter(|_| digits > 0) else { return false };
    let named = [b"test ".as_slice(), b"doctest ", b"property "].iter().any(|kind| title.starts_with(kind));
    let module = memchr::memrchr(b'(', title).and_then(|at| title[at + 1..].strip_suffix(b")"));
    named && module.is_some_and(|m| m.first().is_some_and(u8::is_ascii_uppercase) && !m.contains(&b' '))
}

/// `3241 tests, 1 failure`, `1 doctest, 3 tests, 0 failures (2 excluded)`
fn is_count(text: &[u8]) -> bool {
    let has = |part: &[u8]| crate::line::find(text, part).is_some();
    text.first().is_some_and(u8::is_ascii_digit) && (has(b" test") || has(b" doctest") || has(b" propert")) && has(b" failure")
}

impl Cut for ExUnit {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        if opens(line) {
            self.inside = true;
            return Keep(self.explain.open());
        }
        if is_count(line.text) {
            return Keep(Rank::Total);
        }
        if self.inside && (line.is_blank() || line.indent() >= 5) {
            let said = line.trimmed();
            // `test/ledger_test.exs:33: (test)`, and where the test stands
            let value = [b"code: ".as_slice(), b"left: ", b"right: "].iter().any(|name| said.starts_with(name));
            let own = line.indent() < 8 && !said.starts_with(b"(") && crate::line::find(said, b".exs:").is_some();
            return if own || value { Keep(self.explain.most()) } else { self.explain.line(line.text) };
        }
        self.inside = false;
        if !line.text.is_empty() && line.text.iter().all(|b| matches!(b, b'.' | b'*' | b'?')) {
            return Verdict::Drop("passing tests");
        }
        Pass
    }

    fn is_amid(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::marks;

    #[test]
    fn a_failure_keeps_its_values_and_its_frame() {
        let text = "ok\n  1) test keeps cents (Acme.LedgerTest)\n     test/a_test.exs:31\n     Assertion with == failed\n     code:  assert f(1) == 2\n     left:  1098\n     right: 1099\n     stacktrace:\n       test/a_test.exs:33: (test)\n\n.....\n3 tests, 1 failure\nnpm warn x";
        let met = marks(&SHAPE, text);
        assert!(met.starts_with("?TT") && &met[5..7] == "TT" && met.ends_with("TE.!?"), "{met}");
    }
}
