//! Inputs made to hurt, by size: memory stays under 24 MiB whatever comes. The full sizes of
//! each, in a release build: `cargo test --release --test hostile -- --ignored --nocapture sizes::`.

use crate::dice::Dice;
use std::io::{Read as _, Write as _};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// KiB of peak resident memory.
const MOST: u64 = 24 * 1024;

/// Bytes of the input from its part number `n` on; empty at its end.
type Parts = fn(n: u64, size: u64) -> Vec<u8>;

const MIB: usize = 1 << 20;

fn rows(n: u64, size: u64, row: impl Fn(u64) -> String) -> Vec<u8> {
    (n * 5_000..size.min(n * 5_000 + 5_000)).map(row).collect::<String>().into_bytes()
}

/// Name, what it is made of, its size in a test run and in full (MiB, lines or brackets).
const INPUTS: &[(&str, Parts, u64, u64)] = &[
    ("one endless line", |n, size| if n < size { vec![b'x'; MIB] } else { Vec::new() }, 64, 1_024),
    ("one endless line of letters", |n, size| if n < size { "é日 ".repeat(MIB / 6).into_bytes() } else { Vec::new() }, 16, 256),
    ("one endless line of CRs", |n, size| if n < size { b"\r 50%".repeat(MIB / 5) } else { Vec::new() }, 16, 256),
    (
        "half letters over a row",
        |n, size| {
            if n == 0 {
                b"abc\r".to_vec()
            } else if n < size {
                vec![0x80; MIB]
            } else {
                Vec::new()
            }
        },
        4,
        64,
    ),
    (
        "one endless escape",
        |n, size| {
            if n == 0 {
                b"\x1b]0;".to_vec()
            } else if n < size {
                vec![b'x'; MIB]
            } else {
                Vec::new()
            }
        },
        16,
        256,
    ),
    ("empty lines", |n, size| if n * 1_000_000 < size { vec![b'\n'; 1_000_000] } else { Vec::new() }, 5_000_000, 100_000_000),
    (
        "nested brackets",
        |n, size| if n == 0 { "[".repeat(usize::try_from(size).unwrap_or(0)).into_bytes() } else { Vec::new() },
        10_000,
        10_000,
    ),
    (
        "nested objects in lines",
        |n, size| rows(n, size, |i| format!("{}{{\"a{i}\": [\n", " ".repeat(usize::try_from(i % 99).unwrap_or(0)))),
        50_000,
        1_000_000,
    ),
    (
        "files in a grep",
        |n, size| rows(n, size, |i| format!("src/a{}/file{i}.rs:{i}:    let total = sum({i});\n", i % 97)),
        100_000,
        1_000_000,
    ),
    ("rules of a linter", |n, size| rows(n, size, |i| format!("src/a.py:{i}:1: RULE{i} something is wrong with it\n")), 100_000, 1_000_000),
    (
        "rules of eslint",
        |n, size| {
            rows(n, size, |i| {
                if i % 9 == 0 {
                    format!("\n/home/dev/app/src/f{i}.js\n")
                } else {
                    format!("  {i}:7  error  'x' is never used  plugin/rule-{i}\n")
                }
            })
        },
        100_000,
        1_000_000,
    ),
    ("failing tests", |n, size| rows(n, size, |i| format!("test module_{}::case_{i} ... FAILED\n", i % 999)), 100_000, 1_000_000),
    (
        "kinds of a log",
        |n, size| rows(n, size, |i| format!("2026-01-01T00:00:00Z ERROR w{i} kind{i}x failed with code{i}\n")),
        100_000,
        1_000_000,
    ),
    (
        "random bytes",
        |n, size| {
            if n < size {
                let mut dice = Dice(n);
                (0..MIB / 8).flat_map(|_| dice.next().to_le_bytes()).collect()
            } else {
                Vec::new()
            }
        },
        16,
        512,
    ),
    (
        "one array",
        |n, size| {
            if n < size {
                format!("{}{{\"id\":{n},\"name\":\"x\"}}", if n == 0 { "[" } else { "," }).repeat(1).into_bytes()
            } else {
                Vec::new()
            }
        },
        100_000,
        2_000_000,
    ),
    ("NULs", |n, size| if n < size { vec![0; MIB] } else { Vec::new() }, 32, 512),
];

/// Peak resident memory so far, in KiB.
fn peak(pid: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    status.lines().find_map(|l| l.strip_prefix("VmHWM:"))?.trim().trim_end_matches(" kB").parse().ok()
}

fn run(name: &str, parts: Parts, size: u64, level: &str) -> (u64, Duration) {
    let start = Instant::now();
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("toolshrink"));
    command.args(["--level", level]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let mut n = 0;
    let mut all = 0;
    loop {
        let mut part = Vec::new();
        while part.len() < 64 * 1024 {
            let more = parts(n, size);
            n += 1;
            if more.is_empty() {
                break;
            }
            part.extend(more);
        }
        if part.is_empty() {
            break;
        }
        all += part.len();
        stdin.write_all(&part).expect("it reads to the end");
    }
    drop(stdin);
    let mut most = 0;
    // All of the output fits into the pipe: it can wait until its writer is done.
    while child.try_wait().expect("it can be asked").is_none() {
        most = most.max(peak(child.id()).unwrap_or(0));
    }
    let took = start.elapsed();
    let mut out = Vec::new();
    child.stdout.take().expect("a pipe").read_to_end(&mut out).expect("a pipe can be read");
    println!("{name} ({level}): {all} bytes to {} in {:.2} s, {most} KiB", out.len(), took.as_secs_f64());
    assert!(child.wait().expect("it ends").success(), "{name}");
    assert!(out.len() <= 50_000 && !out.contains(&0x1b), "{name}: {} bytes", out.len());
    (most, took)
}

#[test]
fn memory_is_bounded() {
    for (name, parts, size, _) in INPUTS {
        for level in ["conservative", "aggressive"] {
            let (most, _) = run(name, *parts, *size, level);
            assert!(most < MOST, "{name} ({level}): {most} KiB");
        }
    }
}

/// At the sizes that nobody waits for; what a quarter of it takes tells whether time is linear.
#[test]
#[ignore = "minutes"]
fn memory_is_bounded_at_any_size() {
    let mut wrong = Vec::new();
    for (name, parts, _, size) in INPUTS {
        let (_, quarter) = run(name, *parts, size / 4, "aggressive");
        for level in ["conservative", "aggressive"] {
            let (most, took) = run(name, *parts, *size, level);
            println!("  {:.1} times a quarter of it", took.as_secs_f64() / quarter.as_secs_f64());
            if most >= MOST {
                wrong.push(format!("{name} ({level}): {most} KiB"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
