//! pytest in all its forms: each failure's name, `E` lines and places stay, and the short
//! summary; passing tests, the frames of pytest itself and what passing tests logged go.

use super::pytest_lines::{base, in_summary, is_id, is_progress, is_torn_progress, is_totals, section, verdict, PASSING, WORDS};
use super::{beside, ending, tox};
use crate::cut::{Cut, Noun, Opens, Rank, Shape, Verdict};
use crate::cuts::place;
use crate::cuts::seen::Seen;
use crate::hint::Hint;
use crate::line::Line;
use Rank::{Body, Detail, Edge, Top, Total};
use Verdict::{Drop, Fold, Keep, KeepWith, Park};

/// The row of pytest.
pub const SHAPE: Shape = Shape {
    name: "tests",
    dialect: "pytest",
    about: "pytest: failures with their E lines and places, the short summary, the totals",
    sniff,
    opens: Opens::first(b"=T", opens).or_last(b"]"),
    cut: |_| Box::new(Pytest::default()),
};

/// Failures that are explained at the highest rank; the summary names the rest.
pub(super) const EXPLAINED: u32 = 20;
/// Parameters of one test that are named one by one in the summary; more are counted.
pub(super) const SIBLINGS: u32 = 12;

#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// Header and progress.
    #[default]
    Progress,
    /// `=== FAILURES ===`, `=== ERRORS ===`
    Failures,
    /// A `--- Captured ... ---` section of a failure.
    Captured,
    /// `=== PASSES ===`, `=== XFAILURES ===`
    Passes,
    Warnings,
    /// `=== short test summary info ===`
    Summary,
    /// Coverage, slowest tests and what plugins add.
    Report,
    /// `Results (1.49s):`, as pytest-sugar closes.
    Sugar,
    /// Behind the totals.
    After,
}

#[derive(Default)]
pub(super) struct Pytest {
    pub(super) part: Part,
    pub(super) seen: Seen,
    /// Failures that were explained at the highest rank.
    pub(super) told: u32,
    /// Failures in a row that said what was said before: the next will, too.
    pub(super) streak: u32,
    /// Is the present one to be; and is it one of many with the same name?
    pub(super) full: bool,
    pub(super) sibling: bool,
    /// The line above named the failure.
    pub(super) fresh: bool,
    /// Own places of the present failure so far: the first is where the test stands.
    pub(super) places: u32,
    /// Is the present failure's explanation new, for all we know?
    pub(super) repeated: bool,
    /// `E` lines of the present failure, and whether the last line was one.
    pub(super) e_lines: u32,
    pub(super) in_e: bool,
    /// The `E` line above announced this one: `Right contains 1 more item:`.
    pub(super) announced: bool,
    /// Lines parked since the last place or header.
    pub(super) parked: u16,
    /// The frame above is a dependency's.
    pub(super) foreign: bool,
    /// The line above is a frame of the reader's own, with its source below it.
    pub(super) own: bool,
    /// Lines of the present captured section, or of the present summary entry.
    pub(super) count: u32,
    /// A test that has begun: what follows is its output, until a verdict.
    pub(super) running: bool,
    /// Totals were seen.
    pub(super) ended: bool,
}

fn sniff(hint: &Hint, lines: &[Line<'_>]) -> bool {
    let mut ids = 0;
    for line in lines {
        if opens(line) || is_progress(line.text) {
            return true;
        }
        ids += u32::from(verdict(line).is_some());
        if ids >= 3 || ids >= 1 && hint.names("pytest") {
            return true;
        }
    }
    // The end of a run alone: `pytest | tail -3`.
    lines.iter().rev().take(4).any(|l| section(l.text, b'=').is_some_and(is_totals)) || lines.iter().any(|l| l.starts("INTERNALERROR> "))
}

fn opens(line: &Line<'_>) -> bool {
    match line.text.first() {
        Some(b'=') => section(line.text, b'=').is_some_and(|title| {
            matches!(title, b"test session starts" | b"short test summary info" | b"FAILURES" | b"ERRORS" | b"PASSES" | b"warnings summary")
        }),
        // pytest-sugar
        Some(b'T') => line.starts("Test session starts (platform: ") && line.has(" pytest "),
        Some(b'.' | b'F' | b'E' | b's' | b'x') => line.ends("%]") && is_progress(line.text),
        _ => false,
    }
}

impl Pytest {
    pub(super) fn park(&mut self, noun: Noun) -> Verdict {
        self.parked = self.parked.saturating_add(1);
        Park(noun)
    }

    /// `=== title ===`
    fn title(&mut self, title: &[u8]) -> Verdict {
        self.count = 0;
        self.parked = 0;
        self.running = false;
        if is_totals(title) {
            (self.part, self.ended) = (Part::After, true);
            return Keep(Total);
        }
        let (part, verdict) = match title {
            b"test session starts" => {
                self.ended = false;
                (Part::Progress, Drop("header lines"))
            }
            b"FAILURES" | b"ERRORS" => {
                (self.full, self.sibling, self.e_lines) = (self.told < EXPLAINED, false, 0);
                (Part::Failures, Keep(Edge))
            }
            b"PASSES" => (Part::Passes, Keep(Edge)),
            b"XFAILURES" | b"XPASSES" => (Part::Passes, Keep(Edge)),
            b"short test summary info" => (Part::Summary, Keep(Detail)),
            _ if title.starts_with(b"warnings summary") => (Part::Warnings, Keep(Detail)),
            _ if title.starts_with(b"xdist: ") => (self.part, Keep(Top)),
            _ => (Part::Report, Keep(Detail)),
        };
        self.part = part;
        verdict
    }

    /// Header and progress.
    fn progress(&mut self, line: &Line<'_>) -> Verdict {
        let text = line.text;
        if let Some(word) = verdict(line) {
            self.running = false;
            let lines = std::mem::take(&mut self.parked).min(30);
            return match word {
                b"FAILED" | b"ERROR" | b"SUBFAILED" if lines > 0 => KeepWith { rank: Body, lines, with: Detail },
                b"FAILED" | b"ERROR" | b"SUBFAILED" => {
                    // The summary names it again; parameters of one test are counted.
                    let name = base(line.text);
                    if !name.is_empty() && self.seen.same(name) > SIBLINGS {
                        Fold { rank: Detail, from: 0, to: name.len() }
                    } else {
                        Keep(if line.starts("[gw") { Body } else { Detail })
                    }
                }
                b"XPASS" => Keep(Detail),
                b"SKIPPED" | b"XFAIL" | b"SUBSKIPPED" => Drop("skipped tests"),
                b"RERUN" => Keep(Edge),
                _ => Park(PASSING),
            };
        }
        if let Some(rest) = line.after("INTERNALERROR> ").or(line.after("INTERNALERROR>")) {
            return self.internal(line, rest);
        }
        if is_progress(text) || is_torn_progress(text) {
            self.running = false;
            return Park("progress lines");
        }
        if line.has("Fatal Python error: ") {
            self.running = false;
            let rank = if self.seen.same(b"Fatal Python error") <= 2 { Top } else { Edge };
            return KeepWith { rank, lines: 1, with: rank.min(Body) };
        }
        if line.starts("[gw") && line.has("] node down: ") {
            return Keep(if self.seen.alike(text) <= 2 { Top } else { Edge });
        }
        if self.running {
            if let Some(word) = WORDS.iter().find(|w| text.starts_with(w)) {
                // -s: the verdict has a line of its own.
                let lines = std::mem::take(&mut self.parked).min(30);
                self.running = false;
                return match *word {
                    b"FAILED" | b"ERROR" => KeepWith { rank: Detail, lines, with: Detail },
                    _ => Drop(PASSING),
                };
            }
        }
        // The id of a test that has begun: xdist's own line, or one with output behind it.
        if is_id(line) {
            self.running = true;
            self.parked = 1;
            return Park("test starts");
        }
        if self.running {
            return self.park("lines printed by tests");
        }
        if let Some(verdict) = self.session(line) {
            return verdict;
        }
        if line.starts("  File \"") && line.has("\", line ") {
            return self.python_frame(line);
        }
        if line.ends("(most recent call first):") {
            let current = line.starts("Current thread") && self.seen.same(b"Current thread") <= 2;
            return Keep(if current { Body } else { Edge });
        }
        if line.starts("ImportError while loading conftest") || line.starts("ERROR: ") || line.starts("E   ") {
            return Keep(Top);
        }
        beside(line)
    }

    /// Lines of the header.
    fn session(&mut self, line: &Line<'_>) -> Option<Verdict> {
        const HEADER: &[&str] = &[
            "platform ",
            "cachedir: ",
            "rootdir: ",
            "configfile: ",
            "testpaths: ",
            "plugins: ",
            "created: ",
            "scheduling tests via ",
            "hypothesis profile ",
            "asyncio: mode=",
            "metadata: ",
            "timeout: ",
            "timeout method: ",
            "timeout func_only: ",
            "bringing up nodes...",
            "gw0 [",
            "gw0 I",
            "Test session starts",
            "replacing crashed worker ",
        ];
        if HEADER.iter().any(|h| line.starts(h)) || line.has(" workers [") || line.starts("1 worker [") {
            return Some(Drop("header lines"));
        }
        if line.starts("collected ") || line.starts("collecting ... collected ") {
            return Some(Keep(if line.has(" error") { Body } else { Edge }));
        }
        if line.starts("Using --random") || line.starts("Random ") || line.is_blank() {
            return Some(Keep(Edge));
        }
        None
    }

    fn warning(&mut self, line: &Line<'_>) -> Verdict {
        if line.starts("-- Docs: ") {
            return Drop("hints");
        }
        // `  path:line: Category: text`
        if line.starts("  ") && !line.starts("   ") {
            let text = &line.text[2..];
            let said = place::split(text).map_or(text, |s| s.1);
            return match self.seen.alike(said) {
                1 => KeepWith { rank: Detail, lines: 1, with: Detail },
                2 => Keep(Detail),
                _ => Keep(Edge),
            };
        }
        Keep(Edge)
    }

    fn report(&mut self, line: &Line<'_>) -> Verdict {
        // `FAIL Required test coverage of 80% not reached. Total coverage: 71.00%`
        if line.starts("FAIL ") || line.starts("ERROR: ") {
            return Keep(Top);
        }
        if line.starts("TOTAL ") || line.starts("Coverage failure") {
            return Keep(Body);
        }
        // `src/a.py      12      0   100%`
        if line.ends(" 100%") {
            return Drop("fully covered files");
        }
        Keep(Edge)
    }
}

impl Cut for Pytest {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        let text = line.text;
        match text.first() {
            Some(b'=') => {
                if let Some(title) = section(text, b'=') {
                    return self.title(title);
                }
            }
            Some(b'!') if section(text, b'!').is_some() => {
                self.part = Part::After;
                return Keep(Total);
            }
            Some(b'0'..=b'9') if is_totals(text.trim_ascii_end()) => {
                (self.part, self.ended) = (Part::After, true);
                return Keep(Total);
            }
            // pytest-sugar tells of a failure when it happens, and sums up without rules.
            Some(0xe2) if self.part == Part::Progress && section(text, b'_').is_some() => {
                (self.full, self.sibling, self.e_lines) = (self.told < EXPLAINED, false, 0);
                self.part = Part::Failures;
            }
            // ` test_many.py::test_logs ⨯                          35% ███▌`
            Some(b' ') if line.has("% █") || line.has("% ▏") || line.has("% ▎") || line.has("% ▍") || line.has("% ▌") => {
                self.part = Part::Progress;
                return Drop(if line.has(" ✓ ") { PASSING } else { "progress lines" });
            }
            Some(b'R') if line.starts("Results (") && line.ends("s):") => {
                (self.part, self.ended) = (Part::Sugar, true);
                return Keep(Total);
            }
            Some(b'n') if line.starts("no tests ran in ") => {
                (self.part, self.ended) = (Part::After, true);
                return Keep(Total);
            }
            _ => {}
        }
        if ending::is_death(line.text) {
            self.running = false;
            return if self.part == Part::Progress { KeepWith { rank: Total, lines: 1, with: Body } } else { Keep(Total) };
        }
        if let Some(verdict) = tox::line(line) {
            self.part = Part::Progress;
            self.running = false;
            return verdict;
        }
        match self.part {
            Part::Progress => self.progress(line),
            Part::Failures => self.failure(line),
            Part::Captured => self.captured(line),
            Part::Passes => Drop("lines of passing tests"),
            Part::Warnings => self.warning(line),
            Part::Summary => {
                if let Some(verdict) = in_summary(line) {
                    self.count = 0;
                    let name = base(text);
                    if verdict == Keep(Top) && self.seen.same(name) > SIBLINGS {
                        return Fold { rank: Body, from: 0, to: name.len() };
                    }
                    return verdict;
                }
                // -vv and CI print messages in full, over several lines.
                self.count += 1;
                Keep(if self.count <= 3 { Detail } else { Edge })
            }
            Part::Report => self.report(line),
            // `       9 failed`, `         - tests/test_a.py:14 test_x`
            Part::Sugar => match line.trimmed() {
                [b'0'..=b'9', ..] => Keep(Total),
                [b'-', b' ', ..] => Keep(Top),
                _ => beside(line),
            },
            Part::After => {
                // `/home/dev/app/tests/test_slow.py:6: KeyboardInterrupt`
                if line.ends(": KeyboardInterrupt") {
                    return Keep(Top);
                }
                if line.starts("(to show a full traceback on") {
                    return Drop("hints");
                }
                if is_progress(text) {
                    // The next run of several.
                    self.part = Part::Progress;
                    return Park("progress lines");
                }
                beside(line)
            }
        }
    }

    fn end(&mut self) -> (u16, Rank) {
        // Without totals the last lines tell how far it came.
        (if self.ended { 0 } else { 2 }, Rank::Body)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn sugar_tells_of_failures_when_they_happen() {
        let text = "Test session starts (platform: linux, Python 3.11.7, pytest 9.2.0, pytest-sugar 1.1.1)\n――― test_a ―――\n\n>   assert 1 == 2\nE   assert 1 == 2\n\ntest_a.py:3: AssertionError\n test_a.py::test_b ✓      50% █████\nResults (1.49s):\n       1 failed\n         - test_a.py:3 test_a";
        assert!(sniffs(&SHAPE, text));
        assert_eq!(marks(&SHAPE, text), ".TEDTET.!!T");
    }

    #[test]
    fn it_is_known_by_its_frame_or_its_dots() {
        assert!(sniffs(&SHAPE, "x\n=== test session starts ===") && sniffs(&SHAPE, "....F. [  3%]"));
        assert!(sniffs(&SHAPE, "t.py::a[error path] PASSED [ 1%]\nt.py::b PASSED [ 2%]\nt.py::c FAILED [ 3%]"));
        assert!(!sniffs(&SHAPE, "src/a.py:3:=== FAILURES ===\nprogress [ 3%]\ndone 50%]"));
    }

    #[test]
    fn verdicts_are_read_from_the_right() {
        let text = "t.py::a[FAILED state] PASSED [ 1%]\nt.py::b[x PASSED] FAILED [ 2%]\nt.py::c SKIPPED (says FAILED) [ 3%]\n[gw0] [  1%] PASSED t.py::d \n[gw1] [  2%] FAILED t.py::e ";
        assert_eq!(marks(&SHAPE, text), "pD.pB");
    }

    #[test]
    fn a_test_that_begins_is_not_counted_as_one_that_passed() {
        let mut cut = (SHAPE.cut)(&Hint::default());
        assert_eq!(cut.line(&Line::new(b"t.py::d ", 1)), Park("test starts"));
        assert_eq!(cut.line(&Line::new(b"[gw0] [  1%] PASSED t.py::d ", 2)), Park(PASSING));
    }

    #[test]
    fn a_failure_keeps_name_message_and_place() {
        let text = "=== FAILURES ===\n___ test_a ___\n\n    def test_a():\n>       assert f() == 2\nE       assert 1 == 2\nE        +  where 1 = f()\n\nt.py:2: AssertionError\n=== short test summary info ===\nFAILED t.py::test_a - assert 1 == 2\n=== 1 failed, 3 passed in 0.1s ===";
        assert_eq!(marks(&SHAPE, text), "ETEpDTBETDT!");
    }

    #[test]
    fn passing_logs_and_internal_frames_go() {
        let text = "=== PASSES ===\n___ test_a ___\nERROR x\n=== 1 passed in 0.1s ===\n";
        assert_eq!(marks(&SHAPE, text), "E..!?");
        let text = "INTERNALERROR>   File \"/x/site-packages/p.py\", line 1, in f\nINTERNALERROR>     g()\nINTERNALERROR>   File \"/a/conftest.py\", line 6, in h\nINTERNALERROR> KeyError: 'o'";
        assert_eq!(marks(&SHAPE, text), "..TT");
    }
}
