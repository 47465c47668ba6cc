//! Go's stacks: panics, fatal errors, time-out dumps, data races.
//!
//! A frame is two lines, function and place. The reader's own frames stay, the first of a
//! stack and the test's dearest; those of the runtime and the standard library go. A dump
//! of sixty goroutines at one place is told once.

use crate::cut::{Rank, Verdict};
use crate::cuts::place;
use crate::cuts::seen::Seen;

const LIBRARY: &str = "library frames";
const GOROUTINES: &str = "goroutines at the same place";
/// Own frames of a stack that explain; further ones are detail.
const FRAMES: u16 = 4;
/// Stacks that are told at full rank.
const STACKS: u16 = 4;

/// Reads stacks, line by line.
#[derive(Default)]
pub struct Trace {
    same: Seen,
    /// A stack's head and a frame's function are parked.
    head: bool,
    function: bool,
    frames: u16,
    stacks: u16,
    /// Under `running tests:`.
    tests: bool,
    /// Races met.
    races: u16,
    /// In a race's report: a line of another kind ends it.
    race: bool,
}

impl Trace {
    /// Does this line begin a panic's or a race's report? With what verdict?
    pub fn opens(&mut self, text: &[u8]) -> Option<Verdict> {
        // panic: runtime error: index out of range [0] with length 0 [recovered]
        // fatal error: all goroutines are asleep - deadlock!
        if text.starts_with(b"panic: ") || text.starts_with(b"fatal error: ") || text.starts_with(b"runtime: goroutine stack exceeds") {
            (self.frames, self.stacks, self.head, self.tests, self.race) = (0, 0, false, false, false);
            return Some(Verdict::Keep(Rank::Top));
        }
        if text == b"==================" {
            self.race = true;
            return Some(Verdict::Drop("rules"));
        }
        if text == b"WARNING: DATA RACE" {
            (self.race, self.head, self.frames) = (true, false, 0);
            self.races = self.races.saturating_add(1);
            return Some(Verdict::Keep(if self.races <= 5 { Rank::Top } else { Rank::Detail }));
        }
        None
    }

    /// The package ends.
    pub fn close(&mut self) {
        (self.head, self.function, self.race, self.tests) = (false, false, false, false);
    }

    /// A line of the report; none when it is not part of one.
    pub fn line(&mut self, text: &[u8]) -> Option<Verdict> {
        let told = text.trim_ascii();
        let indent = text.len() - text.trim_ascii_start().len();
        // 	panic: runtime error: index out of range [recovered]
        if told.starts_with(b"panic: ") {
            return Some(Verdict::Keep(if self.same.same(told) == 1 { Rank::Body } else { Rank::Edge }));
        }
        if told.starts_with(b"[signal ") || told.starts_with(b"runtime: ") {
            return Some(Verdict::Keep(Rank::Top));
        }
        // running tests:
        // 		TestPoolDrain (3s)
        if told == b"running tests:" {
            self.tests = true;
            return Some(Verdict::Keep(Rank::Top));
        }
        if self.tests && indent > 0 && told.ends_with(b"s)") {
            return Some(Verdict::Keep(Rank::Top));
        }
        self.tests = false;
        if is_head(told) {
            (self.head, self.function, self.frames) = (true, false, 0);
            if self.race && self.races <= 2 && !told.starts_with(b"Goroutine ") {
                self.head = false;
                return Some(Verdict::Keep(Rank::Body));
            }
            return Some(Verdict::Park(if self.race { "stack heads" } else { GOROUTINES }));
        }
        if let Some(verdict) = self.place(told, indent) {
            return Some(verdict);
        }
        if told.starts_with(b"...") && told.ends_with(b"elided...") {
            return Some(Verdict::Drop(LIBRARY));
        }
        self.called(told)
    }

    /// `⇥/home/dev/app/shop/internal/stock/stock.go:19 +0x1c5`
    fn place(&mut self, told: &[u8], indent: usize) -> Option<Verdict> {
        if indent == 0 {
            return None;
        }
        let at = told.split(|b| *b == b' ').next().unwrap_or_default();
        let (path, rest) = place::split(at)?;
        if !rest.is_empty() || !(path.ends_with(b".go") || path.ends_with(b".s")) {
            return None;
        }
        let function = std::mem::take(&mut self.function);
        if !function || is_library(path) {
            return Some(Verdict::Drop(LIBRARY));
        }
        let met = self.same.same(at);
        if met > 1 {
            return Some(Verdict::Drop(if self.head { GOROUTINES } else { "repeated frames" }));
        }
        let head = std::mem::take(&mut self.head);
        if head {
            self.stacks = self.stacks.saturating_add(1);
        }
        self.frames += 1;
        let test = path.ends_with(b"_test.go");
        let rank = match self.frames {
            1 if self.stacks <= STACKS => Rank::Top,
            _ if test && self.stacks <= STACKS => Rank::Top,
            n if n <= FRAMES => Rank::Body,
            _ => Rank::Detail,
        };
        Some(Verdict::KeepWith { rank, lines: 1 + u16::from(head), with: rank })
    }

    /// `example.com/shop/internal/stock.(*Stock).Add(...)`, `created by testing.(*T).Run`
    fn called(&mut self, told: &[u8]) -> Option<Verdict> {
        let name = told.strip_prefix(b"created by ").unwrap_or(told);
        let call = name.ends_with(b")") || name.len() < told.len();
        if !call || !name.contains(&b'.') && !name.starts_with(b"panic(") {
            return None;
        }
        self.function = false;
        if is_std(name) {
            return Some(Verdict::Drop(LIBRARY));
        }
        self.function = true;
        Some(Verdict::Park("repeated frames"))
    }
}

/// `goroutine 18 [running]:`, `Read at 0x00c00007e438 by goroutine 13:`,
/// `Goroutine 13 (running) created at:`
fn is_head(told: &[u8]) -> bool {
    if !told.ends_with(b":") {
        return false;
    }
    told.starts_with(b"goroutine ") && told.ends_with(b"]:")
        || told.starts_with(b"Goroutine ") && told.ends_with(b" created at:")
        || [b"Read at 0x".as_slice(), b"Write at 0x", b"Previous read at 0x", b"Previous write at 0x", b"Previous atomic", b"Atomic "]
            .iter()
            .any(|p| told.starts_with(p))
}

/// Functions of the runtime and the standard library: `testing.tRunner(0xc0000, 0x52f5e8)`.
fn is_std(name: &[u8]) -> bool {
    const PACKAGES: &[&[u8]] = &[
        b"testing",
        b"runtime",
        b"sync",
        b"time",
        b"os",
        b"net",
        b"internal",
        b"syscall",
        b"reflect",
        b"context",
        b"io",
        b"bufio",
        b"fmt",
        b"log",
        b"encoding",
        b"database",
        b"crypto",
        b"sort",
        b"strings",
        b"bytes",
        b"regexp",
        b"panic",
        b"strconv",
        b"errors",
        b"math",
        b"html",
        b"text",
        b"iter",
        b"slices",
        b"maps",
        b"container",
        b"compress",
        b"archive",
        b"go",
        b"unicode",
        b"hash",
        b"mime",
        b"path",
        b"image",
        b"flag",
        b"embed",
        b"expvar",
        b"plugin",
        b"unsafe",
        b"vendor",
    ];
    let root = name.split(|b| matches!(b, b'.' | b'/' | b'(')).next().unwrap_or_default();
    // example.com/..., not example/...
    let dotted = name.get(root.len()) == Some(&b'.') && name[root.len()..].split(|b| *b == b'(').next().is_some_and(|s| s.contains(&b'/'));
    !dotted && PACKAGES.contains(&root) || name.starts_with(b"main.main()")
}

/// Dependencies and the compiler's own files.
fn is_library(path: &[u8]) -> bool {
    place::is_foreign(path) || path.starts_with(b"_testmain.go") || crate::line::find(path, b"/src/testing/").is_some()
}
