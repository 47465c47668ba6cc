//! go test: plain, -v, with subtests and parallel tests; panics, time-outs, data races.
//!
//! With -v a test's messages stand before its verdict, without -v after it. So they are
//! parked under their test's name until the verdict lifts them or lets them go. A panic
//! and a time-out end without any verdict: then the stacks are told, each once.

use super::gotrace::Trace;
use super::stray::Strays;
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::cuts::mix::Mix;
use crate::cuts::place;
use crate::cuts::seen::Seen;
use crate::hint::Hint;
use crate::line::Line;
use std::collections::HashMap;
use std::hash::Hasher as _;

/// Go's test runner as people see it.
pub const SHAPE: Shape = Shape {
    name: "tests",
    dialect: "go test",
    about: "go test: failing tests with their messages, build failures, panics, races, results by package",
    sniff,
    opens: Opens::first(b"=-oF?", opens),
    cut: |hint| Box::new(GoCut { go: Go::default(), strays: Strays::of(hint) }),
};

/// Messages of a failing test that are lifted with it at most.
const LIFTED: u64 = 80;
/// Lines before a verdict that are surely its test's last words.
const NEAR: u64 = 8;
/// Lines of a kind that a package prints before they are data.
const ALIKE: u32 = 3;
/// Tests whose first message is remembered.
const OWNERS: usize = 2048;
/// Lines after a verdict that are its explanation; further ones are detail, then data.
const EXPLAINED: u16 = 8;
/// Passing packages that count among the totals.
const PACKAGES: u16 = 3;

const PASSING: &str = "passing tests";
const OUTPUT: &str = "lines of test output";

struct GoCut {
    go: Go,
    strays: Strays,
}

impl Cut for GoCut {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        match self.go.line(line.text) {
            Verdict::Park(OUTPUT) if self.strays.is_one(line) => Verdict::Keep(Rank::Detail),
            verdict => verdict,
        }
    }

    fn end(&mut self) -> (u16, Rank) {
        self.go.end()
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum State {
    /// Between packages.
    #[default]
    Closed,
    /// Tests run and say so (-v).
    Running,
    /// Under a failing test's verdict.
    Failed,
    /// Under a failing example's verdict: got and want.
    Example,
    /// Under `# package`: what the compiler said.
    Build,
    /// In stacks.
    Trace,
}

/// The first line that a test printed, the first of its last stretch, and whether it
/// printed other than messages.
#[derive(Clone, Copy)]
struct Told {
    from: u64,
    last: u64,
    raw: bool,
}

/// Reads go test's text line by line; `-json` wraps the same text in events.
#[derive(Default)]
pub struct Go {
    state: State,
    trace: Trace,
    /// Low or parked lines so far: what a lift counts.
    low: u64,
    /// What each test has printed.
    told: HashMap<u64, Told>,
    /// The test that prints now, its root, and the one that printed last.
    owner: u64,
    root: u64,
    before: u64,
    /// Messages in a row up to now, without other output between.
    tail: u64,
    /// What a failed test printed from here on is still to be lifted.
    rest: Option<u64>,
    /// Tests say when they begin (-v).
    verbose: bool,
    /// The present package's failed tests, and explained lines of the last one.
    failed: u16,
    lines: u16,
    packages: u16,
    seen: Seen,
    /// The last line was `PASS`, and is parked.
    passed: bool,
    /// A test has begun and has no verdict yet; its first line's number in `low`.
    begun: Option<u64>,
    /// Where the lines behind the last verdict, or behind `PASS`, begin in `low`.
    closed: u64,
    /// An error of the build was given; continuation lines are its own.
    after_error: bool,
}

impl Go {
    /// A line of text.
    pub fn line(&mut self, text: &[u8]) -> Verdict {
        let verdict = self.verdict(text);
        let verdict = self.late(verdict);
        if let Verdict::Park(_) | Verdict::Keep(Rank::Edge | Rank::Detail) = verdict {
            self.low += 1;
        }
        self.passed = text == b"PASS" && matches!(verdict, Verdict::Park(_));
        verdict
    }

    /// A line of text that a test is known to have printed.
    pub fn line_of(&mut self, text: &[u8], test: &[u8]) -> Verdict {
        if !test.is_empty() {
            (self.owner, self.root) = (key(test), key(root(test)));
        }
        self.line(text)
    }

    /// What a run that broke off was doing.
    pub fn end(&mut self) -> (u16, Rank) {
        match (self.state, self.begun) {
            (State::Running, Some(from)) => (count(self.low - from, 12).max(1), Rank::Body),
            // After the last test, and no package's line: what was said there.
            (State::Running, None) => (count(self.low - self.closed, 12), Rank::Body),
            // The last package's line says that the run came to its end.
            (State::Closed, None) if self.packages > PACKAGES => (1, Rank::Total),
            _ => (0, Rank::Body),
        }
    }

    /// What a failed test printed long before its verdict comes along with the next line.
    fn late(&mut self, verdict: Verdict) -> Verdict {
        let Some(from) = self.rest else { return verdict };
        let rank = match verdict {
            Verdict::Keep(rank) => rank,
            Verdict::Park(_) => Rank::Edge,
            _ => return verdict,
        };
        self.rest = None;
        Verdict::KeepWith { rank, lines: count(self.low - from, LIFTED), with: Rank::Detail }
    }

    fn verdict(&mut self, text: &[u8]) -> Verdict {
        let told = text.trim_ascii_start();
        let indent = text.len() - told.len();
        if let Some(verdict) = self.frame(text, told, indent) {
            return verdict;
        }
        if let Some(verdict) = self.joined(text) {
            return verdict;
        }
        if told.is_empty() {
            return Verdict::Drop("blank");
        }
        if let Some(verdict) = self.breaks(text) {
            return verdict;
        }
        match self.state {
            State::Trace => match self.trace.line(text) {
                Some(verdict) => verdict,
                None => {
                    self.state = if self.verbose { State::Running } else { State::Closed };
                    self.verdict(text)
                }
            },
            State::Build => self.build(text, indent),
            State::Failed if indent > 0 => self.explain(told),
            State::Failed if matches!(text, b"got:" | b"want:") => {
                self.state = State::Example;
                Verdict::Keep(Rank::Body)
            }
            State::Example => self.explain(text),
            State::Running => self.output(text),
            State::Failed | State::Closed if is_bench(text) => Verdict::Keep(Rank::Edge),
            // What a failing package printed: without -v nobody knows which test did.
            State::Failed | State::Closed if self.seen.alike(text) > ALIKE => Verdict::Keep(Rank::Edge),
            State::Failed | State::Closed => Verdict::Pass,
        }
    }

    /// The lines that go itself prints.
    fn frame(&mut self, text: &[u8], told: &[u8], indent: usize) -> Option<Verdict> {
        match *told.first()? {
            // === RUN   TestA, === PAUSE TestA, === CONT  TestA, === NAME  TestA
            b'=' if told.starts_with(b"=== ") => {
                let name = told.get(10..)?;
                if ![b"RUN   ".as_slice(), b"PAUSE ", b"CONT  ", b"NAME  "].contains(&&told[4..10]) {
                    return None;
                }
                (self.owner, self.root) = (key(name), key(root(name)));
                self.state = State::Running;
                self.verbose = true;
                if told[4..].starts_with(b"RUN") && !name.contains(&b'/') {
                    self.begun = Some(self.low);
                    return Some(Verdict::Park("test starts"));
                }
                Some(Verdict::Drop("test starts"))
            }
            b'-' if told.starts_with(b"--- ") => self.tested(told),
            // ok  	example.com/shop/internal/audit	0.005s
            b'o' if indent == 0 && is_package(text.strip_prefix(b"ok  \t")?) => {
                let lines = u16::from(self.passed && self.packages == 0);
                self.close();
                self.packages = self.packages.saturating_add(1);
                let rank = if self.packages <= PACKAGES { Rank::Total } else { Rank::Edge };

                Some(if lines > 0 { Verdict::KeepWith { rank, lines, with: rank } } else { Verdict::Keep(rank) })
            }
            // ?   	example.com/shop/cmd	[no test files]
            b'?' if indent == 0 && text.starts_with(b"?   \t") && text.ends_with(b"[no test files]") => {
                Some(Verdict::Drop("packages without tests"))
            }
            // 	example.com/shop/cmd		coverage: 0.0% of statements
            _ if text.starts_with(b"\t") && has(text, b"\t\tcoverage: 0.0% of statements") => Some(Verdict::Drop("packages without tests")),
            b'F' if indent == 0 => self.failed(text),
            b'P' if text == b"PASS" => {
                (self.begun, self.closed) = (None, self.low);
                Some(Verdict::Park("verdicts"))
            }
            // # example.com/shop/internal/ledger [example.com/shop/internal/ledger.test]
            b'#' if indent == 0 && text.starts_with(b"# ") && !matches!(self.state, State::Running) && is_head(&text[2..]) => {
                self.state = State::Build;
                self.after_error = false;
                Some(Verdict::Keep(Rank::Top))
            }
            b'c' if indent == 0 && text.starts_with(b"coverage: ") && has(text, b"% of statements") => Some(Verdict::Keep(Rank::Detail)),
            b'g' if text.starts_with(b"go: downloading ") => Some(Verdict::Drop("downloads")),
            b't' if text.starts_with(b"testing: warning: ") => Some(Verdict::Keep(Rank::Top)),
            b'e' if indent == 0 && text.starts_with(b"exit status ") => Some(Verdict::Keep(Rank::Detail)),
            b's' if indent == 0 && text.starts_with(b"signal: ") => Some(Verdict::Keep(Rank::Top)),
            _ => None,
        }
    }

    /// `listening on 8080--- FAIL: TestServe (0.00s)`: the test printed without a line end.
    fn joined(&mut self, text: &[u8]) -> Option<Verdict> {
        if self.state != State::Running || !text.ends_with(b"s)") {
            return None;
        }
        let at = crate::line::find(text, b"--- FAIL: ").or_else(|| crate::line::find(text, b"--- PASS: "))?;
        let rest = &text[at + 10..];
        let space = memchr::memchr(b' ', rest)?;
        let named = [b"Test".as_slice(), b"Example", b"Fuzz", b"Benchmark"].iter().any(|n| rest.starts_with(n));
        (named && is_time(&rest[space + 1..])).then(|| self.tested(&text[at..])).flatten()
    }

    /// `--- FAIL: TestA/sub (0.00s)`, at any indent.
    fn tested(&mut self, told: &[u8]) -> Option<Verdict> {
        if !told.ends_with(b"s)") && !told.starts_with(b"--- BENCH: ") {
            return None;
        }
        let name = told.get(10..)?;
        let name = &name[..memchr::memchr(b' ', name).unwrap_or(name.len())];
        if told.starts_with(b"--- FAIL: ") {
            let owner = key(name);
            let top = !name.contains(&b'/');
            let told = self.told.remove(&owner).unwrap_or(Told { from: self.low, last: self.low, raw: false });
            let (lines, with) = match (self.low - told.from, told.raw) {
                (n, _) if n <= 4 => (n, Rank::Top),
                // Its root's verdict has lifted what a subtest said; if little came after, it is dear.
                (n, _) if !top => (if n <= NEAR { n } else { 0 }, Rank::Top),
                // Others printed between (parallel tests), or it printed more than messages:
                // the last lines tell most.
                (_, _) if told.last > told.from => {
                    self.rest = Some(told.from);
                    ((self.low - told.last).min(NEAR), Rank::Top)
                }
                (_, true) => {
                    self.rest = Some(told.from);
                    (self.tail.clamp(1, 4), Rank::Top)
                }
                // Messages of a whole tree of subtests stand before its root's verdict.
                (n, false) => (n, if n <= NEAR { Rank::Top } else { Rank::Body }),
            };
            self.state = State::Failed;
            self.lines = 0;
            self.failed = self.failed.saturating_add(1);
            (self.begun, self.closed) = (None, self.low);
            let rank = if self.failed <= 40 { Rank::Top } else { Rank::Body };
            return Some(Verdict::KeepWith { rank, lines: count(lines, LIFTED), with });
        }
        let noun = if told.starts_with(b"--- PASS: ") {
            PASSING
        } else if told.starts_with(b"--- SKIP: ") {
            "skipped tests"
        } else {
            return told.starts_with(b"--- BENCH: ").then_some(Verdict::Keep(Rank::Edge));
        };
        if !name.contains(&b'/') {
            self.told.remove(&key(name));
            (self.begun, self.closed) = (None, self.low);
            if self.state == State::Failed {
                self.state = State::Running;
            }
        }
        Some(Verdict::Drop(noun))
    }

    /// `FAIL⇥example.com/shop/internal/tax⇥0.003s`, `FAIL⇥pkg [build failed]`, `FAIL`
    fn failed(&mut self, text: &[u8]) -> Option<Verdict> {
        if text == b"FAIL" {
            if self.state != State::Trace {
                self.state = if self.state == State::Running { State::Running } else { State::Closed };
            }
            return Some(Verdict::Keep(Rank::Detail));
        }
        let package = text.strip_prefix(b"FAIL\t")?;
        if !is_package(package) && !package.ends_with(b" [build failed]") && !package.ends_with(b" [setup failed]") {
            return None;
        }
        // It ended in the middle of a test: os.Exit, a signal, a lost child.
        let lines = match self.begun {
            _ if self.failed > 0 || self.state != State::Running => 0,
            Some(from) => count(self.low - from, 12),
            // All tests passed, and what came after them failed: TestMain, a lost child.
            None => count(self.low - self.closed, 12),
        };
        self.close();
        Some(Verdict::KeepWith { rank: Rank::Total, lines, with: Rank::Top })
    }

    /// Another package begins.
    fn close(&mut self) {
        self.state = State::Closed;
        self.told.clear();
        (self.begun, self.verbose, self.failed) = (None, false, 0);
        (self.owner, self.root, self.before) = (0, 0, 0);
        self.trace.close();
    }

    /// Panics, fatal errors, races, and what the fuzzer found.
    fn breaks(&mut self, text: &[u8]) -> Option<Verdict> {
        if let Some(verdict) = self.trace.opens(text) {
            let lines = match self.begun {
                Some(from) if self.state == State::Running && !text.starts_with(b"==") => count(self.low - from, 12),
                _ => 0,
            };
            if self.state != State::Trace || !text.starts_with(b"==") {
                self.begun = None;
            }
            self.state = State::Trace;
            return Some(match verdict {
                Verdict::Keep(rank) if lines > 0 => Verdict::KeepWith { rank, lines, with: Rank::Body },
                verdict => verdict,
            });
        }
        if text.starts_with(b"fuzz: elapsed: ") {
            return Some(Verdict::Drop("progress"));
        }
        let told = text.trim_ascii_start();
        let fuzz = [b"Failing input written to ".as_slice(), b"To re-run:", b"go test -run=Fuzz"];
        fuzz.iter().any(|f| told.starts_with(f)).then_some(Verdict::Keep(Rank::Top))
    }

    /// `    tax_test.go:34: Rate(1, 190) = 1, want 0`, after its test's verdict.
    fn explain(&mut self, told: &[u8]) -> Verdict {
        self.lines += 1;
        let message = place::split(told).is_some_and(|(path, rest)| path.ends_with(b".go") && rest.starts_with(b": "));
        Verdict::Keep(match self.lines {
            1..=3 => Rank::Top,
            n if message && n <= EXPLAINED => Rank::Top,
            n if n <= EXPLAINED => Rank::Body,
            n if n <= 4 * EXPLAINED => Rank::Detail,
            _ => Rank::Edge,
        })
    }

    /// `internal/ledger/ledger_test.go:15:20: x.Sum undefined (type *Ledger has no ...)`
    fn build(&mut self, text: &[u8], indent: usize) -> Verdict {
        let error = text.strip_prefix(b"vet: ").unwrap_or(text);
        if indent == 0 && place::split(error).is_some_and(|(_, rest)| rest.starts_with(b": ")) {
            self.after_error = true;
            return Verdict::Keep(Rank::Top);
        }
        // 	have (string)
        if indent > 0 && self.after_error {
            return Verdict::Keep(Rank::Body);
        }
        self.state = State::Closed;
        if text.starts_with(b"note: ") {
            return Verdict::Keep(Rank::Detail);
        }
        self.verdict(text)
    }

    /// Whatever a test prints while it runs.
    fn output(&mut self, text: &[u8]) -> Verdict {
        if is_bench(text) {
            return Verdict::Keep(Rank::Edge);
        }
        //     tax_test.go:34: Rate(1, 190) = 1, want 0
        let told = text.trim_ascii_start();
        let indent = text.len() - told.len();
        let message = indent >= 8 || indent > 0 && place::split(told).is_some_and(|(path, _)| path.ends_with(b".go"));
        self.tail = if message { self.tail + 1 } else { 0 };
        let fresh = Told { from: self.low, last: self.low, raw: false };
        for owner in [self.owner, self.root] {
            if self.told.len() < OWNERS {
                let told = self.told.entry(owner).or_insert(fresh);
                told.raw |= !message;
                if self.before != self.root {
                    told.last = self.low;
                }
            }
        }
        self.before = self.root;
        Verdict::Park(OUTPUT)
    }
}

fn key(name: &[u8]) -> u64 {
    let mut hasher = Mix::default();
    hasher.write(name.trim_ascii());
    hasher.finish()
}

/// The test that a subtest belongs to.
fn root(name: &[u8]) -> &[u8] {
    name.split(|b| *b == b'/').next().unwrap_or_default()
}

fn count(lines: u64, most: u64) -> u16 {
    u16::try_from(lines.min(most)).unwrap_or(u16::MAX)
}

fn has(text: &[u8], part: &[u8]) -> bool {
    crate::line::find(text, part).is_some()
}

/// `example.com/shop/internal/audit⇥0.005s` and what may follow: `⇥coverage: 80.0% of ...`
fn is_package(text: &[u8]) -> bool {
    let Some(tab) = memchr::memchr(b'\t', text) else { return false };
    if tab == 0 || text[..tab].contains(&b' ') {
        return false;
    }
    let time = text[tab + 1..].split(|b| matches!(b, b'\t' | b' ')).next().unwrap_or_default();
    time == b"(cached)" || time.strip_suffix(b"s").is_some_and(|n| n.iter().all(|b| b.is_ascii_digit() || *b == b'.') && n.contains(&b'.'))
}

/// `(0.00s)`
fn is_time(text: &[u8]) -> bool {
    let number = text.strip_prefix(b"(").and_then(|t| t.strip_suffix(b"s)"));
    number.is_some_and(|n| n.contains(&b'.') && n.iter().all(|b| b.is_ascii_digit() || *b == b'.'))
}

/// `example.com/shop/internal/ledger [example.com/shop/internal/ledger.test]`
fn is_head(text: &[u8]) -> bool {
    let package = text.split(|b| *b == b' ').next().unwrap_or_default();
    let rest = &text[package.len()..];
    !package.is_empty() && (rest.is_empty() && package.contains(&b'/') || rest.starts_with(b" [") && rest.ends_with(b"]"))
}

/// `BenchmarkSum-8   ⇥ 1000⇥  123 ns/op`, `goos: linux`
fn is_bench(text: &[u8]) -> bool {
    text.starts_with(b"Benchmark") || [b"goos: ".as_slice(), b"goarch: ", b"pkg: ", b"cpu: "].iter().any(|p| text.starts_with(p))
}

fn opens(line: &Line<'_>) -> bool {
    let text = line.text;
    match text.first() {
        Some(b'=') => text.starts_with(b"=== RUN   Test") || text.starts_with(b"=== RUN   Example") || text.starts_with(b"=== RUN   Fuzz"),
        Some(b'-') => [b"--- FAIL: ".as_slice(), b"--- PASS: ", b"--- SKIP: "].iter().any(|p| text.starts_with(p)) && text.ends_with(b"s)"),
        Some(b'o') => text.strip_prefix(b"ok  \t").is_some_and(is_package),
        Some(b'F') => text
            .strip_prefix(b"FAIL\t")
            .is_some_and(|p| is_package(p) || p.ends_with(b" [build failed]") || p.ends_with(b" [setup failed]")),
        Some(b'?') => text.starts_with(b"?   \t") && text.ends_with(b"[no test files]"),
        _ => false,
    }
}

/// The first of its lines is near the start, or what stands before it is a build of go's.
fn sniff(hint: &Hint, lines: &[Line<'_>]) -> bool {
    let Some(first) = lines.iter().position(opens) else { return false };
    let near = lines[..first].iter().filter(|l| !l.is_blank()).count() <= 12;
    near || hint.names("go") && hint.names("test")
        || lines.iter().find(|l| !l.is_blank()).is_some_and(|l| l.after("# ").is_some_and(is_head))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn a_message_before_its_verdict_is_lifted() {
        let run = "=== RUN   TestA\n    a_test.go:5: log\n--- PASS: TestA (0.00s)\n=== RUN   TestB\n    b_test.go:7: want 1\n--- FAIL: TestB (0.00s)\nFAIL\nFAIL\texample.com/a\t0.003s";
        assert_eq!(marks(&SHAPE, run), "pp.ppTD!");
    }

    #[test]
    fn a_message_after_its_verdict_is_kept() {
        let run = "ok  \texample.com/b\t0.003s\n--- FAIL: TestA (0.00s)\n    --- FAIL: TestA/x (0.00s)\n        a_test.go:5: want 1\nFAIL\nFAIL\texample.com/a\t0.003s\n# example.com/c [example.com/c.test]\nc/c_test.go:5:20: undefined: X\n\thave (string)\nFAIL\texample.com/c [build failed]";
        assert_eq!(marks(&SHAPE, run), "!TTTD!TTB!");
    }

    #[test]
    fn a_verdict_behind_unended_output_counts() {
        let run = "=== RUN   TestA\nERROR: refused\nlast words--- FAIL: TestA (0.00s)\n=== RUN   TestB\nx--- PASS: TestB (0.00s)\nFAIL";
        assert_eq!(marks(&SHAPE, run), "ppTp.D");
        let run = "=== RUN   TestA\n--- PASS: TestA (0.00s)\nPASS\nteardown: no database\nFAIL\texample.com/a\t0.003s";
        assert_eq!(marks(&SHAPE, run), "p.pp!");
    }

    #[test]
    fn a_look_alike_is_not_go() {
        assert!(sniffs(&SHAPE, "ok  \texample.com/b\t0.003s\nok  \texample.com/c\t(cached)"));
        assert!(!sniffs(&SHAPE, "ok 1 - a\nnot ok 2 - b\nok  \tsegment/000\tcrc=ok"));
    }
}
