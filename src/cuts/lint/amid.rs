//! Findings of few lines amid other output, of tools whose runs are for declared filters: what
//! an OCaml compiler says, a leak that gitleaks found.

use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::line::Line;
use Verdict::{Keep, Pass};

/// The row.
pub const SHAPE: Shape = Shape {
    name: "lint",
    dialect: "amid",
    about: "OCaml and gitleaks amid other output: each finding with its place",
    sniff: |_, _| false,
    opens: Opens::first(b"F", |line| opens(line).is_some()),
    cut: |_| Box::new(Amid::default()),
};

/// Findings that are held dearest; of more, the places.
const DEAR: u32 = 30;
/// Lines that explain one at most.
const LINES: u32 = 40;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Tool {
    Ocaml,
    Gitleaks,
}

#[derive(Default)]
struct Amid {
    tool: Option<Tool>,
    findings: u32,
    lines: u32,
}

fn opens(line: &Line<'_>) -> Option<Tool> {
    let text = line.text;
    if text.starts_with(b"Finding:  ") {
        return Some(Tool::Gitleaks);
    }
    // File "src/ledger.ml", line 88, characters 12-17:
    let rest = text.strip_prefix(b"File \"")?;
    let end = crate::line::find(rest, b"\", line")?;
    let is_source =
        [b".ml".as_slice(), b".mli", b".mll", b".mly", b".re", b".rei", b"dune", b"dune-project"].iter().any(|e| rest[..end].ends_with(e));
    (is_source && text.ends_with(b":")).then_some(Tool::Ocaml)
}

impl Cut for Amid {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        if let Some(tool) = opens(line) {
            (self.tool, self.lines) = (Some(tool), 0);
            self.findings += 1;
            return Keep(if tool == Tool::Gitleaks { Rank::Body } else { Rank::Top });
        }
        self.lines += 1;
        let dear = if self.findings > DEAR { Rank::Body } else { Rank::Top };
        let has = |parts: &[&str]| parts.iter().any(|p| line.starts(p));
        let verdict = match self.tool.filter(|_| self.lines <= LINES) {
            Some(Tool::Ocaml) if has(&["Error", "Alert "]) => Keep(dear),
            Some(Tool::Ocaml) if has(&["Warning "]) => Keep(Rank::Body),
            // The code, with its line's number, and what goes on below a message.
            Some(Tool::Ocaml) if line.indent() > 0 || line.text.first().is_some_and(u8::is_ascii_digit) => Keep(Rank::Body),
            Some(Tool::Gitleaks) if has(&["RuleID: ", "File: ", "Line: ", "Commit: "]) => Keep(Rank::Top),
            Some(Tool::Gitleaks)
                if has(&["Secret: ", "Entropy: ", "Author: ", "Email: ", "Date: ", "Fingerprint: ", "Tags: ", "Link: "]) =>
            {
                Keep(Rank::Detail)
            }
            Some(Tool::Gitleaks) if line.is_blank() => Keep(Rank::Edge),
            // 9:00AM WRN leaks found: 1
            Some(Tool::Gitleaks) if crate::line::find(line.text, b" leaks found: ").is_some() => Keep(Rank::Total),
            Some(Tool::Gitleaks) if crate::line::find(line.text, b"M INF ").is_some() => Keep(Rank::Body),
            _ => Pass,
        };
        if verdict == Pass {
            self.tool = None;
        }
        verdict
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
    fn what_the_compiler_says_keeps_its_place() {
        let text = "ok\nFile \"src/a.ml\", line 88, characters 12-17:\n88 |   close acc\n               ^^\nError: This expression has type int\n         Cents.t\nnpm warn x\n  File \"a.py\", line 3, in f";
        assert_eq!(marks(&SHAPE, text), "?TBBTB??");
    }

    #[test]
    fn a_leak_keeps_rule_and_file() {
        let text = "Finding:     x = REDACTED\nSecret:      REDACTED\nRuleID:      key\nFile:        a.tf\nLine:        12\nCommit:      4f1c\n\n9:00AM INF 812 commits scanned.\n9:00AM WRN leaks found: 1\nok";
        assert_eq!(marks(&SHAPE, text), "BDTTTTEB!?");
    }
}
