//! Maven with Surefire or Failsafe: failing tests with their traces, Results, the verdict.
//!
//! What fails is said three times: at the class, at the test with its trace, and under
//! Results, there cut to the width. The trace has the whole message, Results the list.

use super::javatrace::{is_exception, Trace};
use super::stray::Strays;
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::cuts::seen::Seen;
use crate::hint::Hint;
use crate::line::Line;

/// `mvn test`, `mvn verify`.
pub const SHAPE: Shape = Shape {
    name: "tests",
    dialect: "surefire",
    about: "Maven Surefire: failing tests with message, causes and own frames, Results, modules",
    sniff,
    opens: Opens::first(b"[", opens).or_indented(b"T"),
    cut: |hint| Box::new(Surefire { strays: Strays::of(hint), ..Surefire::default() }),
};

/// Lines of an exception's message that are its explanation.
const MESSAGE: u16 = 8;
/// Lines that a failing class printed and that are lifted with it.
const LIFTED: u16 = 8;

#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum State {
    /// Maven's own lines.
    #[default]
    Maven,
    /// A test class runs; it may print.
    Running,
    /// Under a failing test: its exception.
    Trace,
    /// Under `Results:`.
    Results,
    /// After `Failed to execute goal`.
    Closing,
}

#[derive(Default)]
struct Surefire {
    state: State,
    trace: Trace,
    seen: Seen,
    warnings: Seen,
    /// Lines parked since the class began.
    parked: u16,
    lines: u16,
    failed: u16,
    results: bool,
    strays: Strays,
}

impl Cut for Surefire {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        let verdict = self.verdict(line);
        if let Verdict::Park(_) = verdict {
            self.parked = self.parked.saturating_add(1);
        }
        verdict
    }

    fn end(&mut self) -> (u16, Rank) {
        // The fork died: what it said last.
        (if self.results { 0 } else { self.parked.min(LIFTED) }, Rank::Body)
    }
}

impl Surefire {
    fn verdict(&mut self, line: &Line<'_>) -> Verdict {
        if let Some(said) = line.after("[INFO] ").or(line.after("[INFO]")) {
            return self.info(said);
        }
        if let Some(said) = line.after("[ERROR] ").or(line.after("[ERROR]")) {
            return self.error(said);
        }
        if let Some(said) = line.after("[WARNING] ").or(line.after("[WARNING]")) {
            return self.warning(said);
        }
        let told = line.trimmed();
        if told.is_empty() {
            return Verdict::Drop("blank");
        }
        // Surefire before 2.20 writes its own lines without a prefix.
        if told.starts_with(b"Failed tests: ") || told == b"Tests in error:" {
            self.state = State::Results;
            return Verdict::Keep(Rank::Top);
        }
        if told.ends_with(b"<<< ERROR!") || told.ends_with(b"<<< FAILURE!") {
            return if told.starts_with(b"Tests run: ") { self.totals(told) } else { self.failing(told) };
        }
        if line.starts("Running ") || line.starts("Tests run: ") || line.text == b"Results :" || line.starts("----") {
            return self.info(line.text);
        }
        match self.state {
            State::Trace => self.traced(told, line.indent() > 0),
            State::Results => Verdict::Keep(Rank::Body),
            State::Running if self.strays.is_one(line) => Verdict::Keep(Rank::Detail),
            State::Running => Verdict::Park("lines of test output"),
            _ if line.starts("Downloading from ") || line.starts("Downloaded from ") => Verdict::Drop("downloads"),
            _ => Verdict::Pass,
        }
    }

    fn info(&mut self, said: &[u8]) -> Verdict {
        let told = said.trim_ascii();
        if told.is_empty() || told.starts_with(b"---") {
            return Verdict::Drop("maven steps");
        }
        // Running com.example.billing.DunningTest
        if let Some(class) = told.strip_prefix(b"Running ") {
            if !class.contains(&b' ') {
                (self.state, self.parked) = (State::Running, 0);
                return Verdict::Park("test classes");
            }
        }
        // Tests run: 15, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.211 s - in pkg.DunningTest
        if told.starts_with(b"Tests run: ") {
            self.parked = 0;
            return self.totals(told);
        }
        if told == b"Results:" || told == b"Results :" {
            (self.state, self.results) = (State::Results, true);
            return Verdict::Drop("headings");
        }
        if matches!(told, b"BUILD SUCCESS" | b"BUILD FAILURE") {
            self.state = State::Closing;
            return Verdict::Keep(Rank::Total);
        }
        // core ..... SUCCESS [ 13.230 s], billing … FAILURE, web … SKIPPED
        if has(told, b" ..") || has(told, b".. ") {
            if has(told, b" FAILURE") {
                return Verdict::Keep(Rank::Top);
            }
            if has(told, b" SUCCESS") || has(told, b" SKIPPED") {
                return Verdict::Keep(Rank::Detail);
            }
        }
        if told.starts_with(b"Reactor Summary") || told.starts_with(b"Building ") {
            return Verdict::Keep(Rank::Edge);
        }
        if matches!(self.state, State::Trace | State::Results) {
            self.state = State::Maven;
        }
        Verdict::Drop("maven steps")
    }

    fn error(&mut self, said: &[u8]) -> Verdict {
        let told = said.trim_ascii();
        if told.is_empty() {
            return Verdict::Drop("hints");
        }
        if told.starts_with(b"Tests run: ") {
            return self.totals(told);
        }
        // settlesInTime(com.example.PayoutTest)  Time elapsed: 0.219 s  <<< ERROR!
        // com.example.PayoutTest.settlesInTime -- Time elapsed: 0.219 s <<< ERROR!
        if told.ends_with(b"<<< ERROR!") || told.ends_with(b"<<< FAILURE!") {
            return self.failing(told);
        }
        if matches!(told, b"Failures:" | b"Errors:" | b"Failed tests:" | b"Tests in error:") {
            self.state = State::Results;
            return Verdict::Keep(Rank::Detail);
        }
        if self.state == State::Results && said.starts_with(b"  ") {
            return Verdict::Keep(Rank::Top);
        }
        if is_help(told) {
            return Verdict::Drop("hints");
        }
        if told.starts_with(b"mvn ") || told.starts_with(b"  mvn ") {
            return Verdict::Keep(Rank::Detail);
        }
        if told.starts_with(b"Failed to execute goal ") {
            self.state = State::Closing;
        }
        // Compile errors stand twice, the second time after `Failed to execute goal`.
        match self.seen.same(told) {
            1 => Verdict::Keep(Rank::Top),
            _ => Verdict::Drop("repeated errors"),
        }
    }

    fn warning(&mut self, said: &[u8]) -> Verdict {
        let told = said.trim_ascii();
        if told.is_empty() {
            return Verdict::Drop("maven steps");
        }
        if told.starts_with(b"Tests run: ") {
            self.parked = 0;
            return self.totals(told);
        }
        if self.state == State::Results && said.starts_with(b"  ") {
            return Verdict::Keep(Rank::Detail);
        }
        Verdict::Keep(if self.warnings.alike(told) <= 2 { Rank::Detail } else { Rank::Edge })
    }

    /// The counts of a class, or of a module: these have no time.
    fn totals(&mut self, told: &[u8]) -> Verdict {
        if !has(told, b"Time elapsed: ") {
            self.state = State::Maven;
            return Verdict::Keep(Rank::Total);
        }
        self.state = State::Running;
        if !has(told, b"<<< ") {
            return Verdict::Drop("passing test classes");
        }
        self.failed += 1;
        let lines = std::mem::take(&mut self.parked).min(LIFTED);
        Verdict::KeepWith { rank: if self.failed <= 6 { Rank::Top } else { Rank::Detail }, lines, with: Rank::Detail }
    }

    fn failing(&mut self, told: &[u8]) -> Verdict {
        (self.state, self.lines) = (State::Trace, 0);
        let name = told.split(|b| *b == b' ').next().unwrap_or_default();
        // settlesInTime(com.example.PayoutTest), com.example.PayoutTest.settlesInTime
        let class = match memchr::memchr(b'(', name) {
            Some(open) if name[open..].contains(&b'.') => &name[open + 1..],
            _ => name,
        };
        self.trace.begin(class);
        Verdict::Keep(Rank::Top)
    }

    /// The exception of a failing test, its causes and frames.
    fn traced(&mut self, told: &[u8], indented: bool) -> Verdict {
        if told.starts_with(b"Caused by: ") || told.starts_with(b"Suppressed: ") {
            self.trace.cause();
            self.lines = 0;
            return Verdict::Keep(Rank::Top);
        }
        if indented || told.starts_with(b"at ") {
            if let Some(verdict) = self.trace.frame(told) {
                return verdict;
            }
        }
        self.lines += 1;
        match self.lines {
            1 => Verdict::Keep(Rank::Top),
            n if n <= MESSAGE || is_exception(told) => Verdict::Keep(Rank::Body),
            _ => Verdict::Keep(Rank::Edge),
        }
    }
}

fn has(text: &[u8], part: &[u8]) -> bool {
    crate::line::find(text, part).is_some()
}

/// The last lines of every failed build.
fn is_help(told: &[u8]) -> bool {
    [
        b"Please refer to ".as_slice(),
        b"-> [Help ",
        b"[Help ",
        b"To see the full stack trace",
        b"Re-run Maven",
        b"For more information about the errors",
        b"After correcting the problems",
        b"See dump files",
        b"There are test failures",
    ]
    .iter()
    .any(|h| told.starts_with(h))
}

fn opens(line: &Line<'_>) -> bool {
    line.text == b"[INFO]  T E S T S" || line.text == b" T E S T S" || line.starts("[INFO] Running ") && line.has("Test")
}

/// Tests run, by the heading or by their counts.
fn sniff(_: &Hint, lines: &[Line<'_>]) -> bool {
    let counts = |l: &Line<'_>| l.starts("[") && l.has("] Tests run: ") && l.has(", Failures: ");
    lines.iter().any(|l| l.text == b"[INFO]  T E S T S" || counts(l))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    const RUN: &str = "[INFO]  T E S T S\n[INFO] Running com.example.ATest\n[INFO] Tests run: 15, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.211 s - in com.example.ATest\n[INFO] Running com.example.BTest\nopening\n[ERROR] Tests run: 2, Failures: 0, Errors: 1, Skipped: 0, Time elapsed: 0.1 s <<< FAILURE! - in com.example.BTest\n[ERROR] loads(com.example.BTest)  Time elapsed: 0 s  <<< ERROR!\njava.lang.IllegalStateException: could not load\n\tat com.example.B.load(B.java:37)\n\tat java.base/java.lang.reflect.Method.invoke(Method.java:569)\nCaused by: java.io.IOException: bad row\n\t... 29 more\n\n[INFO] Results:\n[INFO] \n[ERROR] Errors: \n[ERROR]   BTest.loads:105 » IllegalState could not load\n[ERROR] Tests run: 17, Failures: 0, Errors: 1, Skipped: 0\n[INFO] BUILD FAILURE\n[ERROR] -> [Help 1]";

    #[test]
    fn traces_are_cut_to_own_frames_and_causes() {
        assert_eq!(marks(&SHAPE, RUN), ".p.ppTTTT.T....DT!!.");
    }

    #[test]
    fn old_surefire_has_no_prefix() {
        let run = "Running com.example.BTest\nTests run: 2, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.1 sec <<< FAILURE!\nloads(com.example.BTest)  Time elapsed: 0 sec  <<< FAILURE!\njava.lang.AssertionError: x\n\tat com.example.BTest.loads(BTest.java:5)\n\nResults :\n\nFailed tests:   loads(com.example.BTest): x\n\nTests run: 2, Failures: 1, Errors: 0, Skipped: 0";
        assert_eq!(marks(&SHAPE, run), "pTTTT...T.!");
    }

    #[test]
    fn a_build_without_tests_is_not_mine() {
        assert!(sniffs(&SHAPE, RUN));
        assert!(!sniffs(&SHAPE, "[INFO] Scanning for projects...\n[INFO] BUILD SUCCESS\nTests run: 3"));
    }
}
