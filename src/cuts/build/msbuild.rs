//! dotnet build and MSBuild: errors once with their place, warnings by code, the totals.

use super::repeats::Repeats;
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::hint::Hint;
use crate::line::Line;
use Rank::{Body, Detail, Edge, Top, Total};
use Verdict::{Drop, Fold, Keep, Pass};

/// MSBuild, dotnet build, csc, cl under Visual Studio.
pub const SHAPE: Shape = Shape {
    name: "build",
    dialect: "msbuild",
    about: "dotnet build and MSBuild: errors once with their place, warnings by code, totals",
    sniff: |_, lines| lines.iter().any(opens),
    opens: Opens::first(b"BM", opens).or_last(b"]"),
    cut: |hint| Box::new(Msbuild { repeats: Repeats::default(), failed: hint_failed(hint), errors: 0 }),
};

fn hint_failed(hint: &Hint) -> bool {
    hint.exit_code.is_some_and(|n| n != 0)
}

fn opens(line: &Line<'_>) -> bool {
    line.text == b"Build FAILED."
        || line.text == b"Build succeeded."
        || line.starts("MSBuild version ")
        || line.starts("Microsoft (R) Build Engine version ")
        || line.ends("proj]") && diagnostic(line.text).is_some_and(|d| !d.code.is_empty())
}

struct Diagnostic<'a> {
    error: bool,
    code: &'a [u8],
    /// The message from the code on, without the project in brackets.
    text: &'a [u8],
    from: usize,
}

/// `Program.cs(12,5): error CS0103: The name 'x' does not exist [/home/dev/app/App.csproj]`,
/// `CSC : warning CS1591: ...`, `MSBUILD : error MSB1009: ...`
fn diagnostic(line: &[u8]) -> Option<Diagnostic<'_>> {
    let (at, error) = match (crate::line::find(line, b": error "), crate::line::find(line, b": warning ")) {
        (Some(e), Some(w)) if w < e => (w, false),
        (Some(e), _) => (e, true),
        (None, w) => (w?, false),
    };
    let head = line[..at].trim_ascii_end();
    let placed = head.ends_with(b")") && memchr::memchr(b'(', head).is_some() || head.ends_with(b"proj") || head.ends_with(b".targets");
    let tool = matches!(head.trim_ascii(), b"CSC" | b"MSBUILD" | b"LINK" | b"VBC" | b"FSC" | b"NETSDK");
    let from = at + if error { 8 } else { 10 };
    let rest = line.get(from..)?;
    let colon = memchr::memchr(b':', &rest[..rest.len().min(16)])?;
    let code = &rest[..colon];
    let is = code.len() >= 4 && code[0].is_ascii_uppercase() && code.iter().all(u8::is_ascii_alphanumeric);
    let numbered = code.last().is_some_and(u8::is_ascii_digit) && !code.starts_with(b"TS");
    if !(is && numbered && (placed || tool)) {
        return None;
    }
    let text = match memchr::memmem::rfind(rest, b" [") {
        Some(end) if rest.ends_with(b"]") => &rest[..end],
        _ => rest,
    };
    Some(Diagnostic { error, code, text, from })
}

struct Msbuild {
    repeats: Repeats,
    failed: bool,
    errors: u32,
}

impl Msbuild {
    fn found(&mut self, line: &Line<'_>, d: &Diagnostic<'_>) -> Verdict {
        // Each is printed as it comes and again before the totals; and once a target framework.
        let place = line.text.get(..d.from + d.text.len()).unwrap_or(line.text).trim_ascii_start();
        if self.repeats.same(place) > 1 {
            return Drop("repeated errors");
        }
        let fold = Fold { rank: Edge, from: d.from, to: d.from + d.code.len() };
        if d.error {
            self.errors += 1;
            let met = self.repeats.same(d.text);
            return match met {
                1..=3 => Keep(Top),
                _ => fold,
            };
        }
        let met = self.repeats.same(d.code);
        match met {
            _ if self.failed || self.errors > 0 => fold,
            1 => Keep(Body),
            2 | 3 => Keep(Detail),
            _ => fold,
        }
    }
}

impl Cut for Msbuild {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        if let Some(d) = diagnostic(line.text) {
            return self.found(line, &d);
        }
        let text = line.trimmed();
        let starts = |s: &[u8]| text.starts_with(s);
        let ends = |s: &[u8]| text.ends_with(s);
        match () {
            () if starts(b"Build FAILED") || starts(b"Build succeeded") => Keep(Total),
            () if (ends(b" Warning(s)") || ends(b" Error(s)")) && text[0].is_ascii_digit() => Keep(Total),
            () if starts(b"Time Elapsed ") => Keep(Detail),
            () if starts(b"Determining projects to restore") || starts(b"All projects are up-to-date") || starts(b"Restored ") => {
                Drop("restored projects")
            }
            () if starts(b"MSBuild version ") || starts(b"Microsoft (R) ") || starts(b"Copyright (C) Microsoft") => Drop("banner lines"),
            // `  App -> /home/dev/app/bin/Debug/net8.0/App.dll`
            () if crate::line::find(text, b" -> ").is_some() && (ends(b".dll") || ends(b".exe")) => Keep(Detail),
            () if text.is_empty() => Keep(Edge),
            () => Pass,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn an_error_is_said_once() {
        let error = "/home/dev/app/Program.cs(12,5): error CS0103: The name 'x' does not exist [/home/dev/app/App.csproj]";
        let text = format!("  Determining projects to restore...\n{error}\n\nBuild FAILED.\n\n{error}\n    0 Warning(s)\n    1 Error(s)");
        assert!(sniffs(&SHAPE, &text));
        assert_eq!(marks(&SHAPE, &text), ".TE!E.!!");
    }

    #[test]
    fn other_compilers_are_not_it() {
        assert!(!sniffs(&SHAPE, "src/a.ts(1,2): error TS2304: Cannot find name 'y'.\nlog(x): error E1: y"));
    }
}
