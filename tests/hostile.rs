//! Mutated fixtures through the whole filter and through every cut: nothing panics, the
//! account is true, the budget holds, a second pass changes nothing.
//!
//! A few hundred mutants in an ordinary run. To look for longer, by the clock:
//!
//! ```text
//! TOOLSHRINK_FUZZ_SECONDS=1200 TOOLSHRINK_FUZZ_SEED=7 cargo test --release --test hostile
//! ```
//!
//! What it finds is written to the target folder's `hostile/`, one file a mutant.

mod common;

use common::{cleaned, follows, shrunk};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use toolshrink::cuts;
use toolshrink::line::Line;
use toolshrink::{marker, Hint, Level, Options};

/// Mutants in a run that is not told for how long.
const MUTANTS: u64 = 400;

/// A small generator (splitmix64, public domain): the same seed, the same mutant.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % n.max(1) as u64).unwrap_or(0)
    }

    fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}

const SPLINTERS: &[&[u8]] = &[
    b"\0",
    b"\xff\xfe",
    b"\xc3",
    b"\xe2\x80",
    b"\x1b[",
    b"\x1b]8;;",
    b"\x1b[2K",
    b"\x1b[3A",
    b"\x1b[1E",
    b"\r",
    b"\r\n",
    b"\n\n\n",
    b"\x08",
    b"{",
    b"}",
    b"[",
    b"]",
    b"\"",
    b"\\",
    b",",
    b":",
    b"|",
    b"\t",
    b"    ",
    b"error: ",
    b"FAILED",
    b"... 3 lines, 9 bytes omitted ...",
    b"@@ -1,2 +1,2 @@",
    b"999999999999999999999",
    b"-1",
    b"diff --git a/x b/x",
    b"Traceback (most recent call last):",
    b"running 3 tests",
    "é日\u{a0}".as_bytes(),
];

fn corpus() -> Vec<Vec<u8>> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut folders: Vec<_> = std::fs::read_dir(root).expect("fixtures/").map(|e| e.expect("an entry").path()).collect();
    folders.sort();
    let texts = folders.iter().map(|f| std::fs::read(f.join("input.txt")).expect("input.txt"));
    texts.map(|t| t[..t.len().min(40_000)].to_vec()).collect()
}

fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|b| *b == b'\n').collect()
}

/// A text made of one fixture or two, with damage.
fn mutant(corpus: &[Vec<u8>], seed: u64) -> Vec<u8> {
    let mut dice = Dice(seed);
    let mut text = dice.pick(corpus).clone();
    for _ in 0..=dice.below(6) {
        let at = dice.below(text.len() + 1);
        match dice.below(8) {
            0 => {
                text.truncate(at);
            }
            1 => {
                text.drain(..at.min(text.len()));
            }
            2 => {
                let splinter = dice.pick(SPLINTERS).to_vec();
                text.splice(at..at, splinter);
            }
            3 if at < text.len() => text[at] = (dice.next() & 0xff) as u8,
            4 => {
                let other = dice.pick(corpus);
                let other = lines(other);
                let from = dice.below(other.len());
                let to = (from + dice.below(60)).min(other.len());
                text.splice(at..at, other[from..to].concat());
            }
            5 => {
                let rows = lines(&text);
                let row = dice.pick(&rows).repeat(dice.below(300));
                text.splice(at..at, row);
            }
            6 => {
                let mut rows: Vec<_> = lines(&text).into_iter().map(<[u8]>::to_vec).collect();
                for _ in 0..20 {
                    let (a, b) = (dice.below(rows.len()), dice.below(rows.len()));
                    rows.swap(a, b);
                }
                text = rows.concat();
            }
            _ => {
                let joined = text.iter().filter(|b| **b != b'\n' || dice.next().is_multiple_of(3)).copied().collect();
                text = joined;
            }
        }
        text.truncate(300_000);
        if text.is_empty() {
            text.push(b'x');
        }
    }
    text
}

fn check(text: &[u8], seed: u64) -> Result<(), String> {
    let mut dice = Dice(seed ^ 0x5eed);
    let clean = cleaned(text);
    let imitates = clean.split(|b| *b == b'\n').any(marker::is_marked);
    for level in [Level::Conservative, Level::Aggressive] {
        let mut hint = Hint::default();
        hint.tool = (*dice.pick(&["", "bash", "grep", "read", "ls"])).to_owned();
        hint.exit_code = *dice.pick(&[None, Some(0), Some(1)]);
        let max_bytes = *dice.pick(&[None, None, Some(100), Some(1_000), Some(20_000)]);
        let options = Options { level, max_bytes, ..Options::default() };
        let once = shrunk(text, &hint, &options);
        if once.note == Some("a cut panicked") {
            return Err(format!("{level:?}: a cut panicked as {}", once.strategy));
        }
        if once.content.len() > options.budget(&hint).bytes || once.content.len() > clean.len() {
            return Err(format!("{level:?}: {} bytes of {}", once.content.len(), clean.len()));
        }
        if once.stats.kept_bytes + once.stats.omitted_bytes != once.tally.clean_bytes {
            return Err(format!("{level:?}: {:?} of {:?}", once.stats, once.tally));
        }
        if !imitates {
            follows(&once.content, &clean).map_err(|e| format!("{level:?} as {}: {e}", once.strategy))?;
        }
        if shrunk(&once.content, &hint, &options).content != once.content {
            return Err(format!("{level:?} as {}: the second pass differs", once.strategy));
        }
    }
    Ok(())
}

/// Each cut on lines that it never asked for: the driver would put a panic aside in silence.
fn every_cut(text: &[u8]) -> Result<(), String> {
    let hint = Hint::default();
    for shape in cuts::shapes() {
        let run = std::panic::catch_unwind(|| {
            let mut cut = (shape.cut)(&hint);
            for (i, text) in text.split(|b| *b == b'\n').enumerate() {
                // No line that reaches a cut is longer.
                let line = Line::new(&text[..text.len().min(128 * 1024)], i as u64 + 1);
                let _ = (shape.opens)(&line);
                let _ = cut.line(&line);
            }
            cut.end();
        });
        run.map_err(|_| format!("{} ({}) panics", shape.name, shape.dialect))?;
    }
    Ok(())
}

#[test]
fn mutants_break_no_promise() {
    let number = |name: &str| std::env::var(name).ok().and_then(|v| v.parse::<u64>().ok());
    let time = number("TOOLSHRINK_FUZZ_SECONDS").map(Duration::from_secs);
    let first = number("TOOLSHRINK_FUZZ_SEED").unwrap_or(1) << 32;
    let corpus = corpus();
    let start = Instant::now();
    let mut wrong = Vec::new();
    let mut count = 0;
    while time.map_or(count < MUTANTS, |t| start.elapsed() < t) && wrong.len() < 20 {
        let seed = first + count;
        count += 1;
        let text = mutant(&corpus, seed);
        let began = Instant::now();
        let checked = check(&text, seed).and_then(|()| every_cut(&text));
        // Far more than any of them needs: what is not linear shows.
        let slow = began.elapsed() > Duration::from_secs(20);
        if let Err(why) = checked.and(if slow { Err("it takes 20 seconds".to_owned()) } else { Ok(()) }) {
            let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hostile");
            std::fs::create_dir_all(&folder).expect("a folder");
            std::fs::write(folder.join(format!("{seed}.txt")), &text).expect("written");
            wrong.push(format!("{seed}: {why}"));
        }
    }
    println!("{count} mutants in {} s", start.elapsed().as_secs());
    assert!(wrong.is_empty(), "of {count} mutants:\n{}", wrong.join("\n"));
}
