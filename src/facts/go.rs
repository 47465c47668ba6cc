//! go test: counts by test and by package.

use super::{Facts, Reader};
use crate::cut::Verdict;
use crate::line::Line;

/// The plain and the verbose output.
pub(super) struct Go;

impl Reader for Go {
    fn line(&mut self, line: &Line<'_>, _: Verdict, facts: &mut Facts) {
        let text = line.text.trim_ascii_start();
        if text.starts_with(b"--- FAIL: ") {
            facts.add("failed", 1);
            facts.refer("failed", line);
        } else if text.starts_with(b"--- PASS: ") {
            facts.add("passed", 1);
        } else if text.starts_with(b"--- SKIP: ") {
            facts.add("skipped", 1);
        } else if line.starts("ok  \t") {
            facts.add("packages_passed", 1);
        } else if line.starts("FAIL\t") {
            facts.add("packages_failed", 1);
        }
    }
}

/// A JSON event a line.
pub(super) struct Json;

impl Reader for Json {
    fn line(&mut self, line: &Line<'_>, _: Verdict, facts: &mut Facts) {
        let of_test = line.has("\"Test\":");
        for (action, test, package) in [
            ("\"Action\":\"pass\"", "passed", "packages_passed"),
            ("\"Action\":\"fail\"", "failed", "packages_failed"),
            ("\"Action\":\"skip\"", "skipped", "packages_skipped"),
        ] {
            if line.has(action) {
                facts.add(if of_test { test } else { package }, 1);
                if of_test && test == "failed" {
                    facts.refer(test, line);
                }
            }
        }
    }
}
