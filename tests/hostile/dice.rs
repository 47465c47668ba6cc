//! Mutants and the loop that tries them.

use std::cell::RefCell;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, Once};
use std::time::{Duration, Instant};

/// Mutants in a run that is not told for how long, and how long they may take together.
const MUTANTS: u64 = 300;
const BRIEF: Duration = Duration::from_secs(2);
/// Far more than any mutant needs: what is not linear shows.
const SLOW: Duration = Duration::from_secs(20);
/// A mutant that takes so long will never end.
const STUCK: Duration = Duration::from_secs(300);

/// A small generator (splitmix64, public domain): the same seed, the same mutant.
pub struct Dice(pub u64);

impl Dice {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % n.max(1) as u64).unwrap_or(0)
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub fn one<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }

    pub fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        *self.one(all)
    }

    pub fn byte(&mut self) -> u8 {
        (self.next() & 0xff) as u8
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
    b"18446744073709551615",
    b"4294967296",
    b"-1",
    b"0",
    b"%",
    b"(",
    b")",
    b"diff --git a/x b/x",
    b"Traceback (most recent call last):",
    b"running 3 tests",
    "é日\u{a0}".as_bytes(),
];

/// The texts of all fixtures.
pub static CORPUS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut folders: Vec<_> = std::fs::read_dir(root).expect("fixtures/").map(|e| e.expect("an entry").path()).collect();
    folders.sort();
    let texts = folders.iter().map(|f| std::fs::read(f.join("input.txt")).expect("input.txt"));
    texts.map(|t| t[..t.len().min(40_000)].to_vec()).collect()
});

pub fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|b| *b == b'\n').collect()
}

/// A text made of one fixture or two, with damage.
pub fn mutant(dice: &mut Dice) -> Vec<u8> {
    let mut text = dice.one(&CORPUS).clone();
    for _ in 0..=dice.below(6) {
        let at = dice.below(text.len() + 1);
        match dice.below(10) {
            0 => text.truncate(at),
            1 => {
                text.drain(..at.min(text.len()));
            }
            2 => {
                let splinter = dice.pick(SPLINTERS).to_vec();
                text.splice(at..at, splinter);
            }
            3 if at < text.len() => text[at] = dice.byte(),
            4 => {
                let other = dice.one(&CORPUS);
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
            7 => {
                // Many small wounds: another number, a cut word, a lost line end.
                for _ in 0..dice.below(200) {
                    let splinter = dice.pick(SPLINTERS);
                    let at = dice.below(text.len() + 1);
                    let to = (at + dice.below(4)).min(text.len());
                    text.splice(at..to, splinter[..dice.below(splinter.len() + 1)].iter().copied());
                }
            }
            8 => {
                // Each line loses its beginning or its end.
                let rows: Vec<Vec<u8>> = lines(&text).iter().map(|r| r[dice.below(4).min(r.len())..].to_vec()).collect();
                text = rows.concat();
            }
            _ => text = text.iter().filter(|b| **b != b'\n' || dice.one_in(3)).copied().collect(),
        }
        text.truncate(300_000);
        if text.is_empty() {
            text.push(b'x');
        }
    }
    text
}

thread_local! {
    /// Panics of this thread, those that are caught by whom we test included.
    static PANICS: RefCell<Option<Vec<String>>> = const { RefCell::new(None) };
}

fn watch_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let noted = PANICS.with_borrow_mut(|p| p.as_mut().map(|p| p.push(info.to_string())).is_some());
            if !noted {
                usual(info);
            }
        }));
    });
}

/// Makes a mutant from each seed and checks it, for as long as asked.
pub fn fuzz(target: &str, make: impl Fn(&mut Dice) -> Vec<u8>, check: impl Fn(&[u8], &mut Dice) -> Result<(), String>) {
    let number = |name: &str| std::env::var(name).ok().and_then(|v| v.parse::<u64>().ok());
    let time = number("TOOLSHRINK_FUZZ_SECONDS").map(Duration::from_secs);
    let single = number("TOOLSHRINK_FUZZ_ONLY");
    let first = single.unwrap_or(number("TOOLSHRINK_FUZZ_SEED").unwrap_or(1) << 32);
    watch_panics();
    let _ = CORPUS.len();
    let start = Instant::now();
    let now = Arc::new((AtomicU64::new(0), Mutex::new((Instant::now(), Vec::new())), AtomicBool::new(false)));
    let watched = Arc::clone(&now);
    let name = target.to_owned();
    let watchdog = std::thread::spawn(move || {
        while !watched.2.load(Ordering::Relaxed) {
            std::thread::park_timeout(Duration::from_secs(1));
            let held = watched.1.lock().expect("no panic here");
            if held.0.elapsed() > STUCK && !watched.2.load(Ordering::Relaxed) {
                save(&name, watched.0.load(Ordering::Relaxed), &held.1);
                eprintln!("{name}: mutant {} does not end", watched.0.load(Ordering::Relaxed));
                std::process::exit(101);
            }
        }
    });
    let mut wrong = Vec::new();
    let mut count = 0;
    let goes_on = |count: u64| match (time, single) {
        (_, Some(_)) => count < 1,
        (Some(time), None) => start.elapsed() < time,
        (None, None) => count < MUTANTS && start.elapsed() < BRIEF,
    };
    while goes_on(count) && wrong.len() < 10 {
        let seed = first + count;
        count += 1;
        let mut dice = Dice(seed);
        let text = make(&mut dice);
        now.0.store(seed, Ordering::Relaxed);
        *now.1.lock().expect("no panic here") = (Instant::now(), text.clone());
        let began = Instant::now();
        PANICS.set(Some(Vec::new()));
        let checked = catch_unwind(AssertUnwindSafe(|| check(&text, &mut dice)));
        let panics = PANICS.take().unwrap_or_default();
        let why = match checked {
            _ if !panics.is_empty() => panics.join("; "),
            Err(_) => "a panic".to_owned(),
            Ok(Err(why)) => why,
            Ok(Ok(())) if began.elapsed() > SLOW => format!("it takes {} seconds", began.elapsed().as_secs()),
            Ok(Ok(())) => continue,
        };
        save(target, seed, &text);
        eprintln!("{target} {seed}: {why}");
        wrong.push(format!("{seed}: {why}"));
    }
    now.2.store(true, Ordering::Relaxed);
    watchdog.thread().unpark();
    let _ = watchdog.join();
    println!("{target}: {count} mutants in {} s, {} finds", start.elapsed().as_secs(), wrong.len());
    assert!(wrong.is_empty(), "{target}, of {count} mutants:\n{}", wrong.join("\n"));
}

fn save(target: &str, seed: u64, text: &[u8]) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hostile");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join(format!("{target}-{seed}.txt")), text).expect("written");
}
