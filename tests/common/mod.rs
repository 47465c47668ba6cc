//! What the tests share: running the library and the program, and reading an output back.

#![allow(dead_code)] // Each test takes what it needs.

use std::io::{self, Read, Write as _};
use std::process::{Command, Output, Stdio};
use toolshrink::{each_line, marker, shrink, Hint, Options, Reduction};

/// Hands out its bytes in portions of one size.
pub struct Portions<'a> {
    pub rest: &'a [u8],
    pub size: usize,
}

impl Read for Portions<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.size.min(self.rest.len()).min(buffer.len());
        let (now, rest) = self.rest.split_at(n);
        buffer[..n].copy_from_slice(now);
        self.rest = rest;
        Ok(n)
    }
}

/// The program with its arguments, its three streams taken, nothing from the environment that
/// would change it.
pub fn toolshrink(args: &[&str]) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("toolshrink"));
    for (name, _) in std::env::vars().filter(|(n, _)| n.starts_with("TOOLSHRINK_") || n == "CURSOR_VERSION") {
        command.env_remove(name);
    }
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// What it says when it is given an input.
pub fn fed(mut command: Command, input: &[u8]) -> Output {
    let mut child = command.spawn().expect("it starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    std::thread::scope(|s| {
        s.spawn(move || stdin.write_all(input));
        child.wait_with_output().expect("it ends")
    })
}

/// A run of libtest with a failure in its middle, far over the floor.
pub fn failing_run() -> String {
    let mut text = String::from("running 400 tests\n");
    for i in 0..400 {
        let word = if i == 200 { "FAILED" } else { "ok" };
        text += &format!("test case_{i} ... {word}\n");
    }
    text + "\nfailures:\n\n---- case_200 stdout ----\n\nthread 'case_200' panicked at src/lib.rs:9:5:\nassertion `left == right` failed\n  left: 1\n right: 2\n\n\nfailures:\n    case_200\n\ntest result: FAILED. 399 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.05s\n"
}

/// The same under cargo, which has the last word.
pub fn failing_cargo_run() -> String {
    failing_run() + "\nerror: test failed, to rerun pass `--lib`\n"
}

/// The input cut.
pub fn shrunk(input: &[u8], hint: &Hint, options: &Options) -> Reduction {
    shrink(input, hint, options).expect("a slice can be read")
}

/// The input cleaned and not cut.
pub fn cleaned(input: &[u8]) -> Vec<u8> {
    let mut hint = Hint::default();
    hint.is_error = true;
    shrunk(input, &hint, &Options::default()).content
}

/// The input as it is lent to cuts; none where a line lost its middle.
pub fn lent(input: &[u8]) -> Option<Vec<u8>> {
    let (mut out, mut holes) = (Vec::new(), false);
    let tally = each_line(input, |line| {
        out.extend_from_slice(line.text);
        out.extend(line.ended.then_some(b'\n'));
        holes |= line.hole.is_some();
    });
    tally.ok().filter(|_| !holes).map(|_| out)
}

/// Is `output` the text `clean` with some of it replaced by markers that count it right?
pub fn follows(output: &[u8], clean: &[u8]) -> Result<(), String> {
    if output == clean {
        return Ok(());
    }
    let mut rest = clean;
    for line in output.split_inclusive(|b| *b == b'\n') {
        let text = line.strip_suffix(b"\n").unwrap_or(line);
        if rest.starts_with(text) && matches!(rest.get(text.len()), Some(b'\n') | None) {
            rest = rest[text.len()..].strip_prefix(b"\n").unwrap_or_default();
        } else if rest.starts_with(text) && is_relined(clean, clean.len() - rest.len()) {
            rest = &rest[text.len()..];
        } else if let Some((lines, bytes)) = marker::read_gap(text) {
            let bytes = usize::try_from(bytes).map_err(|e| e.to_string())?;
            let gone = rest.get(..bytes).ok_or("a marker counts more than there is")?;
            rest = &rest[bytes..];
            let from = clean.len() - rest.len() - gone.len();
            let relined = (from..from + gone.len()).any(|at| (at == from || clean[at - 1] == b'\n') && is_relined(clean, at));
            let ended = gone.iter().filter(|b| **b == b'\n').count() as u64 + u64::from(!gone.ends_with(b"\n"));
            if ended != lines && !relined {
                return Err(format!("a marker counts {lines} lines, not {ended}"));
            }
        } else {
            let relined = is_relined(clean, clean.len() - rest.len());
            rest = with_holes(text, rest, relined)
                .ok_or_else(|| format!("not a line of the input here: {}", String::from_utf8_lossy(text)))?;
        }
    }
    if rest.is_empty() {
        Ok(())
    } else {
        Err(format!("{} bytes are not accounted for", rest.len()))
    }
}

/// Is the line around byte `at` one that the filter lays out in pieces (JSON over 4 KiB)?
fn is_relined(clean: &[u8], at: usize) -> bool {
    let from = clean[..at].iter().rposition(|b| *b == b'\n').map_or(0, |n| n + 1);
    let to = clean[at..].iter().position(|b| *b == b'\n').map_or(clean.len(), |n| at + n);
    to - from > 4096 && clean[from..to].iter().any(|b| matches!(b, b'{' | b'['))
}

/// Reads a line with holes, or a piece of one, against the input; returns what follows it there.
fn with_holes<'a>(mut text: &[u8], mut rest: &'a [u8], piece: bool) -> Option<&'a [u8]> {
    while let Some((from, to, bytes)) = marker::read_hole(text) {
        rest = rest.strip_prefix(&text[..from])?.get(usize::try_from(bytes).ok()?..)?;
        text = &text[to..];
    }
    let rest = rest.strip_prefix(text)?;
    if rest.is_empty() {
        Some(rest)
    } else {
        rest.strip_prefix(b"\n").or(piece.then_some(rest))
    }
}
