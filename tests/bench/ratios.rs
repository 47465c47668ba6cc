//! How long it takes, as ratios to what else reads the same pipe: `cargo bench`, or
//! `cargo bench -- start off log tests` for some of the rows; `BENCH_BINARY` names another
//! build, that of the commit before, say.
//!
//! Each figure is a median of runs side by side, A B A B: bare times tell of the machine.
//! The rows go into `tests/bench-results.md`, with the date and the machine in words.

mod grow;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use toolshrink::cuts;

/// The binary under the clock: this build's, or another one to compare it with.
fn binary() -> String {
    std::env::var("BENCH_BINARY").unwrap_or_else(|_| env!("CARGO_BIN_EXE_toolshrink").into())
}

/// Runs side by side.
const RUNS: usize = 5;
const MB: usize = 1_000_000;

/// What a row may take at most, as times what it is compared with: DESIGN §9.
fn target(name: &str) -> f64 {
    match name {
        "start" => 1.5,
        "off" => 1.3,
        "log" | "tests" | "build" | "search" => 3.0,
        "ci" => 3.5,
        _ => 6.0,
    }
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let wants = |name: &str| wanted.is_empty() || wanted.iter().any(|w| w == name);
    let folder = tempfile::tempdir().expect("a folder");
    println!("| row | bytes | against | ratio | at most | 4 times the input | peak memory |\n|---|---|---|---|---|---|---|");
    if wants("start") {
        let file =
            written(folder.path(), "start", &(1..=20).map(|i| format!("line {i} of a short text\n")).collect::<String>().into_bytes());
        row("start", &file, &["cat"], &[&binary()], 100, None);
    }
    if wants("off") {
        let file = written(folder.path(), "off", &grow::grown("log", 1_000 * MB));
        row("off", &file, &["cat"], &[&binary(), "--level", "off"], RUNS, None);
        std::fs::remove_file(file).expect("it is ours");
    }
    for name in cuts::names().into_iter().chain(grow::OTHERS) {
        if !wants(name) {
            continue;
        }
        let long = matches!(name, "log" | "tests" | "build" | "search" | "json" | "ci" | "endless");
        let bytes = if long { 200 * MB } else { 40 * MB };
        let quarter = written(folder.path(), "quarter", &grow::grown(name, bytes / 4));
        let file = written(folder.path(), name, &grow::grown(name, bytes));
        row(name, &file, &["wc", "-l"], &[&binary(), "--level", "aggressive"], RUNS, Some(&quarter));
        std::fs::remove_file(file).expect("it is ours");
    }
    if wants("clean") {
        clean();
    }
}

fn written(folder: &Path, name: &str, text: &[u8]) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).expect("the folder takes it");
    path
}

/// Prints a row: `ours` against `other` on the same pipe.
fn row(name: &str, file: &Path, other: &[&str], ours: &[&str], runs: usize, quarter: Option<&Path>) {
    let mut ratios = Vec::new();
    let mut peak = 0;
    for run in 0..=runs {
        let (theirs, _) = piped(file, other);
        let (own, memory) = piped(file, ours);
        peak = peak.max(memory);
        // The first pair only warms up.
        if run > 0 {
            ratios.push(own.as_secs_f64() / theirs.as_secs_f64());
        }
    }
    let linear = quarter.map_or(String::from("-"), |quarter| {
        let growth = |_| piped(file, ours).0.as_secs_f64() / piped(quarter, ours).0.as_secs_f64();
        format!("{:.1}", median((0..RUNS).map(growth).collect()))
    });
    let (bytes, most, ratio) = (std::fs::metadata(file).map_or(0, |m| m.len()), target(name), median(ratios));
    let memory = if peak > 0 { format!("{:.1} MiB", peak as f64 / 1_024.0) } else { "-".into() };
    let missed = if ratio > most { " (missed)" } else { "" };
    println!("| {name} | {bytes} | {} | {ratio:.2} | {most}{missed} | {linear} | {memory} |", other.join(" "));
}

/// `cat FILE | COMMAND`: the time it takes, and the peak memory of the command in KiB.
fn piped(file: &Path, command: &[&str]) -> (Duration, u64) {
    let begun = Instant::now();
    let mut cat = Command::new("cat").arg(file).stdout(Stdio::piped()).spawn().expect("cat starts");
    let pipe = cat.stdout.take().expect("a pipe");
    let mut child = Command::new(command[0]).args(&command[1..]).stdin(pipe).stdout(Stdio::null()).spawn().expect("it starts");
    cat.wait().expect("cat ends");
    // It holds the most near the end: a last look while it is still there.
    let peak = peak(child.id());
    child.wait().expect("it ends");
    (begun.elapsed(), peak)
}

/// The most memory that a process has held, in KiB, where the system says so.
fn peak(id: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    line.and_then(|l| l.split_whitespace().next()).and_then(|n| n.parse().ok()).unwrap_or_default()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Cleaning alone, in memory, against looking for the line ends.
fn clean() {
    for name in ["unknown", "colour"] {
        let text = grow::grown(name, 40 * MB);
        let mut ratios = Vec::new();
        for _ in 0..RUNS {
            let begun = Instant::now();
            let lines = memchr::memchr_iter(b'\n', &text).count() as u64;
            let theirs = begun.elapsed();
            let begun = Instant::now();
            let tally = toolshrink::clean(text.as_slice(), std::io::sink()).expect("a slice can be read");
            ratios.push(begun.elapsed().as_secs_f64() / theirs.as_secs_f64());
            assert_eq!(tally.input_lines, lines);
        }
        println!("| clean, {name} | {} | line ends in memory | {:.1} | - | - | - |", text.len(), median(ratios));
    }
}
