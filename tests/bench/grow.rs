//! Long inputs of each shape: written line by line for the shapes that are long in practice,
//! grown from a fixture for all others.

use std::io::Write as _;
use std::path::Path;

/// Inputs that are no shape of their own.
pub const OTHERS: [&str; 4] = ["ci", "colour", "unknown", "repeated"];

const WORDS: &[&str] = &[
    "alpha", "beta", "config", "parser", "server", "client", "cache", "index", "store", "queue", "worker", "router", "token", "session",
    "user", "order", "invoice", "report", "billing", "checkout", "search", "loader", "writer", "codec", "stream", "buffer", "thread",
    "shard",
];

/// A stream of numbers that is the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }

    fn word(&mut self) -> &'static str {
        WORDS[self.roll(WORDS.len() as u64) as usize]
    }
}

/// An input of a shape, or of one of `OTHERS`, of `bytes` bytes or a little more.
pub fn grown(shape: &str, bytes: usize) -> Vec<u8> {
    let mut dice = Dice(7);
    let mut text = Vec::with_capacity(bytes + 4_096);
    let (head, block, tail): (&str, Block, &str) = match shape {
        "log" => ("", log, ""),
        "tests" => ("running 1001 tests\n", passing_test, FAILED),
        "build" => ("", compiling, BROKEN),
        "search" => ("", matches_of_a_file, ""),
        "json" => ("[\n", record, "  {}\n]\n"),
        "ci" => (RUNNER, step, ""),
        "colour" => ("", coloured, ""),
        "unknown" => ("", prose, ""),
        "repeated" => ("", said_again, ""),
        _ => return from_fixture(shape, bytes),
    };
    text.extend_from_slice(head.as_bytes());
    for i in 0.. {
        if text.len() >= bytes {
            break;
        }
        block(&mut text, &mut dice, i);
    }
    text.extend_from_slice(tail.as_bytes());
    text
}

/// The longest fixture of a shape, its middle half as often as it takes.
fn from_fixture(shape: &str, bytes: usize) -> Vec<u8> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let folders = std::fs::read_dir(root).expect("fixtures/").map(|e| e.expect("an entry").path());
    let own = folders.filter(|f| f.file_name().is_some_and(|n| n.to_string_lossy().split('-').next() == Some(shape)));
    let longest = own.map(|f| std::fs::read(f.join("input.txt")).expect("an input")).max_by_key(Vec::len);
    let input = longest.unwrap_or_else(|| panic!("fixtures/{shape}-*: there is none"));
    let lines: Vec<&[u8]> = input.split_inclusive(|b| *b == b'\n').collect();
    let (head, tail) = (lines.len() / 4, lines.len() - lines.len() / 4);
    let mut text = lines[..head].concat();
    while text.len() < bytes {
        text.extend_from_slice(&lines[head..tail].concat());
    }
    text.extend_from_slice(&lines[tail..].concat());
    text
}

/// Appends a few lines, the `i`th of their kind.
type Block = fn(&mut Vec<u8>, &mut Dice, u64);

macro_rules! say {
    ($text:expr, $($arg:tt)*) => { writeln!($text, $($arg)*).expect("a vector takes all") };
}

fn log(text: &mut Vec<u8>, dice: &mut Dice, i: u64) {
    let (h, m, s, ms) = (i / 3_600 % 24, i / 60 % 60, i % 60, dice.roll(1_000));
    let at = format!("2026-08-22T{h:02}:{m:02}:{s:02}.{ms:03}Z");
    let (of, by) = (dice.word(), dice.word());
    match dice.roll(1_000) {
        0 => say!(text, "{at} ERROR [{of}-{}] {by}: connection refused to db-{}:5432 attempt={}", i % 8, i % 5, i % 4),
        1..=9 => say!(text, "{at} WARN  [{of}-{}] {by}: slow query took {}ms", i % 8, dice.roll(9_999)),
        _ => {
            let (id, ms) = (dice.roll(1 << 31), dice.roll(500));
            say!(text, "{at} INFO  [{of}-{}] {by}: handled request id={id:x} status=200 duration={ms}ms path=/api/{by}/{i}", i % 8);
        }
    }
}

fn passing_test(text: &mut Vec<u8>, dice: &mut Dice, i: u64) {
    say!(text, "test {}::{}::{}_{}_{i} ... ok", dice.word(), dice.word(), dice.word(), dice.word());
}

fn compiling(text: &mut Vec<u8>, dice: &mut Dice, i: u64) {
    say!(text, "   Compiling {}-{} v{}.{}.{}", dice.word(), dice.word(), i % 9, dice.roll(30), dice.roll(9));
}

fn matches_of_a_file(text: &mut Vec<u8>, dice: &mut Dice, i: u64) {
    let file = format!("src/{}/{}/{}_{}.rs", dice.word(), dice.word(), dice.word(), i % 97);
    for _ in 0..=dice.roll(11) {
        let line = dice.roll(2_000);
        say!(text, "{file}:{line}:    let {} = {}.{}(TODO_{});", dice.word(), dice.word(), dice.word(), dice.word());
    }
}

fn record(text: &mut Vec<u8>, dice: &mut Dice, i: u64) {
    let status = if i.is_multiple_of(97) { "failed" } else { "active" };
    say!(text, "  {{\n    \"id\": {i},\n    \"name\": \"{}_{}\",\n    \"status\": \"{status}\",", dice.word(), dice.word());
    say!(text, "    \"email\": \"{}@example.com\",\n    \"tags\": [\"{}\", \"{}\"],", dice.word(), dice.word(), dice.word());
    say!(text, "    \"score\": 0.{:04}\n  }},", dice.roll(10_000));
}

/// A step of a job: a build, then tests, each line behind its time.
fn step(text: &mut Vec<u8>, dice: &mut Dice, i: u64) {
    let mut said = Vec::new();
    said.extend_from_slice(b"##[group]Run cargo test\n\x1b[36;1mcargo test\x1b[0m\nshell: /usr/bin/bash -e {0}\n##[endgroup]\n");
    (0..300).for_each(|n| compiling(&mut said, dice, n));
    said.extend_from_slice(b"\nrunning 20000 tests\n");
    (0..20_000).for_each(|n| passing_test(&mut said, dice, n));
    said.extend_from_slice(b"\ntest result: ok. 20000 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.23s\n\n");
    for (n, line) in said.split_inclusive(|b| *b == b'\n').enumerate() {
        write!(text, "2026-08-22T10:{:02}:{:02}.{:07}Z ", i % 60, n / 400 % 60, n).expect("a vector takes all");
        text.extend_from_slice(line);
    }
}

fn coloured(text: &mut Vec<u8>, dice: &mut Dice, i: u64) {
    let (a, b) = (dice.word(), dice.word());
    say!(text, "\x1b[32m   Compiling\x1b[0m {a}-{b} \x1b[1mv{}.{i}\x1b[0m \x1b[2m({b})\x1b[0m", i % 9);
}

/// Every line of a kind of its own, which nobody knows.
fn prose(text: &mut Vec<u8>, dice: &mut Dice, i: u64) {
    for _ in 0..=3 + dice.roll(10) {
        write!(text, "{} ", dice.word()).expect("a vector takes all");
    }
    say!(text, "{i}");
}

fn said_again(text: &mut Vec<u8>, _: &mut Dice, i: u64) {
    say!(text, "some text that nobody knows {}", i % 1_000);
}

const RUNNER: &str = "2026-08-22T10:00:00.0000000Z Current runner version: '2.317.0'\n\
    2026-08-22T10:00:00.0000001Z ##[group]Operating System\n\
    2026-08-22T10:00:00.0000002Z Ubuntu\n\
    2026-08-22T10:00:00.0000003Z ##[endgroup]\n";

const FAILED: &str = "test parser::dates ... FAILED\n\nfailures:\n\n---- parser::dates stdout ----\n\n\
    thread 'parser::dates' panicked at src/date.rs:7:5:\nno such month: 13\n\n\nfailures:\n    parser::dates\n\n\
    test result: FAILED. 1000 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.23s\n";

const BROKEN: &str = "error[E0308]: mismatched types\n --> src/main.rs:3:5\n  |\n3 |     1\n  |     ^ expected `()`, found integer\n\n\
    error: could not compile `app` (bin \"app\") due to 1 previous error\n";
