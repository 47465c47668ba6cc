//! `cargo --message-format=json`: an object a line, with the human text of each diagnostic
//! inside it, among the human lines of cargo itself.

use super::cargo::Cargo;
use super::repeats::Repeats;
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::line::Line;
use Rank::{Body, Detail, Edge, Top, Total};
use Verdict::{Around, Drop};

/// cargo's messages for machines.
pub const SHAPE: Shape = Shape {
    name: "build",
    dialect: "cargo json",
    about: "cargo --message-format=json: the rendered errors, warnings by kind, whether it finished",
    sniff: |_, lines| lines.iter().any(opens),
    opens: Opens::first(b"{", opens),
    cut: |hint| Box::new(CargoJson { human: Cargo::new(hint), repeats: Repeats::default(), quiet: hint.exit_code.is_some_and(|n| n != 0) }),
};

/// What is shown of a rendered diagnostic in a line that is too long.
const RENDERED: usize = 700;

fn opens(line: &Line<'_>) -> bool {
    line.starts("{\"reason\":\"compiler-") || line.starts("{\"reason\":\"build-script-executed\"")
}

struct CargoJson {
    human: Cargo,
    repeats: Repeats,
    quiet: bool,
}

impl Cut for CargoJson {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        let Some(reason) = line.after("{\"reason\":\"").or_else(|| line.after("\"reason\":\"")) else {
            // A long object comes in pieces: `"rendered":"error[E0308]: ..."` is one of them.
            return match line.text.first() {
                Some(b'"') if line.starts("\"rendered\":\"") => self.rendered(line, 12),
                Some(b'{' | b'}' | b'[' | b']' | b'"') => Drop("parts of messages"),
                _ => self.human.line(line),
            };
        };
        if reason.starts_with(b"compiler-artifact\"") {
            return Drop("artifacts");
        }
        if reason.starts_with(b"build-script-executed\"") {
            return Drop("build scripts");
        }
        if reason.starts_with(b"build-finished\"") {
            return Verdict::Keep(Total);
        }
        // `..."message":{"rendered":"error[E0308]: mismatched types\n --> src/main.rs:3:23\n ...`
        match crate::line::find(line.text, b"\"rendered\":\"") {
            Some(at) => self.rendered(line, at + 12),
            None => Verdict::Keep(Edge),
        }
    }
}

impl CargoJson {
    /// The human text of a diagnostic, from byte `from` on.
    fn rendered(&mut self, line: &Line<'_>, from: usize) -> Verdict {
        let said = &line.text[from..];
        let headline = &said[..crate::line::find(said, b"\\n").unwrap_or(said.len())];
        let to = line.text.len().min(from + RENDERED);
        let error = headline.starts_with(b"error");
        let met = if error { self.repeats.same(headline) } else { self.repeats.kind(headline) };
        self.quiet |= error;
        match (error, met) {
            (true, 1..=3) => Around { rank: Top, from, to },
            (true, _) => Around { rank: Edge, from, to },
            (false, 1) if !self.quiet => Around { rank: Body, from, to },
            (false, 2..=3) if !self.quiet => Around { rank: Detail, from, to },
            _ => Verdict::Fold { rank: Edge, from, to: from + headline.len() },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn errors_stay_and_artifacts_go() {
        let text = "{\"reason\":\"compiler-artifact\",\"x\":1}\n   Compiling a v1.0.0\n{\"reason\":\"compiler-message\",\"message\":{\"rendered\":\"error[E0308]: mismatched\\n --> a.rs\"}}\n{\"reason\":\"compiler-message\",\"message\":{\"rendered\":\"warning: unused\\n\"}}\n{\"reason\":\"build-finished\",\"success\":false}";
        assert!(sniffs(&SHAPE, text));
        assert_eq!(marks(&SHAPE, text), "..T+!");
    }

    #[test]
    fn other_reasons_are_not_cargos() {
        assert!(!sniffs(&SHAPE, "{\"reason\":\"compiled\"}\n{\"level\":\"error\"}"));
    }
}
