//! `dotnet test` with VSTest, xUnit and NUnit: failing tests with message, values and own
//! frames, the totals of each assembly; passing tests and restore lines go.

use super::explain::Explain;
use super::{beside, ending};
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::cuts::seen::Seen;
use crate::hint::Hint;
use crate::line::Line;
use Rank::{Body, Detail, Edge, Top, Total};
use Verdict::{Drop, Keep};

/// The row of dotnet test.
pub const SHAPE: Shape = Shape {
    name: "tests",
    dialect: "dotnet",
    about: "dotnet test: failing tests with message, values and place, the totals",
    sniff,
    opens: Opens::first(b"TSFP[", opens),
    cut: |_| Box::new(Dotnet::default()),
};

#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
enum Part {
    #[default]
    Between,
    Failure,
    /// `Standard Output Messages:` of a failing test.
    Printed,
}

#[derive(Default)]
struct Dotnet {
    part: Part,
    explain: Explain,
    seen: Seen,
    printed: u32,
}

fn sniff(_: &Hint, lines: &[Line<'_>]) -> bool {
    lines.iter().any(opens)
}

fn opens(line: &Line<'_>) -> bool {
    // `Test run for /home/dev/app/bin/Debug/net8.0/Shop.Tests.dll (.NETCoreApp,Version=v8.0)`
    line.starts("Test run for ") && line.has(".dll (.NET")
        || line.starts("Starting test execution, please wait...")
        || is_summary(line.text)
        || line.starts("[xUnit.net ")
}

/// `Failed!  - Failed:     1, Passed:   120, Skipped:     0, Total:   121, Duration: 51 ms - Shop.Tests.dll (net8.0)`
fn is_summary(text: &[u8]) -> bool {
    let Some(rest) = text.strip_prefix(b"Failed!  - ").or(text.strip_prefix(b"Passed!  - ")) else {
        return text.starts_with(b"Test summary: total: ");
    };
    rest.starts_with(b"Failed: ")
}

/// `  Failed Shop.Tests.Price.Rounds(net: 10) [5 ms]`: its verdict.
fn verdict(text: &[u8]) -> Option<&'static str> {
    let said = text.trim_ascii_start();
    let indent = text.len() - said.len();
    let word = ["Passed", "Failed", "Skipped", "passed", "failed", "skipped"]
        .into_iter()
        .find(|w| said.strip_prefix(w.as_bytes()).is_some_and(|r| r.starts_with(b" ")))?;
    let timed = said.ends_with(b"]") && memchr::memmem::rfind(said, b" [").is_some() || said.ends_with(b"ms)") || said.ends_with(b"s)");
    ((1..=4).contains(&indent) && timed).then_some(word)
}

impl Cut for Dotnet {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        let text = line.text;
        let said = line.trimmed();
        if said.is_empty() {
            return Keep(Edge);
        }
        if let Some(word) = verdict(text) {
            return match word {
                "Passed" | "passed" => {
                    self.part = Part::Between;
                    Drop("passing tests")
                }
                "Skipped" | "skipped" => {
                    self.part = Part::Between;
                    Drop("skipped tests")
                }
                _ => {
                    self.part = Part::Failure;
                    Keep(self.explain.open())
                }
            };
        }
        let counted = |word: &str| said.strip_prefix(word.as_bytes()).is_some_and(|r| r.trim_ascii().iter().all(u8::is_ascii_digit));
        if is_summary(text)
            || said == b"Test Run Failed."
            || said == b"Test Run Successful."
            || said == b"Test Run Aborted."
            || line.starts("Test Run Aborted")
            || counted("Total tests:")
            || counted("Passed:")
            || counted("Failed:")
            || counted("Skipped:")
        {
            self.part = Part::Between;
            return Keep(Total);
        }
        if line.starts("The active test run was aborted. ")
            || line.has(": error TESTERROR")
            || line.starts("No test is available in ")
            || line.starts("No test matches ")
        {
            return Keep(Top);
        }
        // `[xUnit.net 00:00:00.53]     Shop.Tests.Price.Rounds [FAIL]`: told again below.
        if line.starts("[xUnit.net ") {
            return Keep(if line.ends(" [FAIL]") { Detail } else { Edge });
        }
        if ending::is_death(line.text) {
            return Keep(Total);
        }
        match self.part {
            Part::Failure if matches!(said, b"Error Message:" | b"Stack Trace:" | b"Expected" | b"----- Inner Stack Trace -----") => {
                Keep(Edge)
            }
            Part::Failure | Part::Printed
                if matches!(
                    said,
                    b"Standard Output Messages:" | b"Standard Error Messages:" | b"Debug Traces:" | b"TestContext Messages:"
                ) =>
            {
                (self.part, self.printed) = (Part::Printed, 0);
                Keep(Detail)
            }
            Part::Failure if line.indent() > 0 || said.starts_with(b"Expected") || said.starts_with(b"Actual") => self.explain.line(text),
            Part::Printed if line.indent() > 0 => {
                self.printed += 1;
                Keep(if self.printed <= 6 && self.seen.alike(text) <= 2 { Detail } else { Edge })
            }
            _ => self.between(line, said),
        }
    }
}

impl Dotnet {
    /// Restore, build, and what VSTest says of itself.
    fn between(&mut self, line: &Line<'_>, said: &[u8]) -> Verdict {
        const CHORES: &[&str] = &[
            "Determining projects to restore...",
            "All projects are up-to-date for restore.",
            "Restored /",
            "Test run for ",
            "VSTest version ",
            "Microsoft (R) Test Execution",
            "Copyright (c) Microsoft",
            "Starting test execution, please wait...",
            "A total of ",
            "Results File: ",
        ];
        if CHORES.iter().any(|c| said.starts_with(c.as_bytes())) || line.indent() > 0 && line.has(" -> ") && line.ends(".dll") {
            return Drop("header lines");
        }
        // `/home/dev/app/Price.cs(12,5): error CS1002: ; expected [/home/dev/app/Shop.csproj]`
        if line.has("): error ") {
            return Keep(if self.seen.same(said) == 1 { Top } else { Edge });
        }
        if line.has("): warning ") {
            return Keep(if self.seen.same(said) == 1 { Body.min(Detail) } else { Edge });
        }
        beside(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn failures_and_totals_stay() {
        let text = "  Determining projects to restore...\n  Shop -> /a/bin/Shop.dll\nTest run for /a/Shop.Tests.dll (.NETCoreApp,Version=v8.0)\nStarting test execution, please wait...\n  Passed Shop.Error [1 ms]\n  Failed Shop.Rounds [5 ms]\n  Error Message:\n   Assert.Equal() Failure: Values differ\nExpected: 10\nActual:   9\n  Stack Trace:\n     at Shop.Tests.Price.Rounds() in /a/Price.cs:line 12\n   at System.RuntimeMethodHandle.InvokeMethod(Object target)\n\nFailed!  - Failed:     1, Passed:   120, Skipped:     0, Total:   121";
        assert!(sniffs(&SHAPE, text) && !sniffs(&SHAPE, "Failed to start\nPassed!"));
        assert_eq!(marks(&SHAPE, text), ".....TETTTETDE!");
    }
}
