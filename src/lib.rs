//! Cuts the output of tools down to the part that carries information.
//!
//! The law: every line of the result is a line of the input (cleaned of escapes and
//! overdrawn text) or a counted marker; kept + omitted + cleaned = input, in lines and in
//! bytes; failures, errors, their places and the closing totals are the last to go.
//!
//! ```
//! use toolshrink::{shrink, Hint, Level, Options};
//!
//! let mut output = String::from("running 900 tests\n");
//! for i in 0..899 {
//!     output += &format!("test case_{i} ... ok\n");
//! }
//! output += "test parses_dates ... FAILED\n\nfailures:\n\n---- parses_dates stdout ----\n\
//!            thread 'parses_dates' panicked at src/date.rs:7:5:\nno such month: 13\n\n\
//!            test result: FAILED. 899 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.10s\n";
//!
//! let mut hint = Hint::default();
//! hint.command = "cargo test".into();
//! let options = Options { level: Level::Aggressive, ..Options::default() };
//! let reduction = shrink(output.as_bytes(), &hint, &options)?;
//! let text = String::from_utf8_lossy(&reduction.content);
//! assert!(text.contains("panicked at src/date.rs:7:5:") && text.contains("no such month: 13"));
//! assert!(text.len() < 1_000);
//! # Ok::<(), std::io::Error>(())
//! ```

mod batch;
pub mod blocks;
pub mod budget;
mod clean;
pub mod cut;
pub mod cuts;
pub mod declared;
mod drive;
pub mod facts;
mod failure;
pub mod format;
pub mod gain;
pub mod hint;
pub mod hook;
mod joint;
mod lane;
pub mod ledger;
pub mod line;
pub mod marker;
mod members;
mod options;
mod prefix;
mod relay;
mod signs;
pub mod spill;
mod stamp;
pub mod system;

pub use clean::Tally;
pub use drive::Part;
pub use facts::Facts;
pub use hint::{Hint, Level};
pub use ledger::Stats;
pub use options::Options;

use std::io::{self, Read, Write};

/// What became of an input.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Reduction {
    /// The text to show: kept lines and markers.
    pub content: Vec<u8>,
    /// Is anything omitted?
    pub reduced: bool,
    /// The shapes that were recognised, joined: `build+tests`; `size` where none was.
    pub strategy: String,
    /// Why the text came back whole, or the cuts' work was put aside.
    pub note: Option<&'static str>,
    /// Lines and bytes in and out.
    pub stats: Stats,
    /// Lines and bytes before and after cleaning.
    pub tally: Tally,
    /// Which cut looked at which lines.
    pub parts: Vec<Part>,
    /// Counts and line references.
    pub facts: Facts,
    /// The note that says where the original lies, if it was kept: the last line of the content.
    pub spill: Option<Vec<u8>>,
}

/// Takes an input in portions and comes to its reduction at the end. From 4 MiB on the cuts
/// work in a thread of their own, beside who feeds them.
///
/// ```
/// let mut shrinker = toolshrink::Shrinker::new(&toolshrink::Hint::default(), &toolshrink::Options::default());
/// shrinker.feed(b"one\r\n\n\n\n");
/// shrinker.feed(b"\x1b[31mtwo\x1b[0m\n");
/// assert_eq!(shrinker.finish(&toolshrink::Ending::default()).content, b"one\n\ntwo\n");
/// ```
pub struct Shrinker {
    cleaner: clean::Cleaner,
    relay: relay::Relay,
}

/// How an input ends.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ending {
    /// More was to come: the content ends with a marker that says so.
    pub early: bool,
    /// Bytes of the budget to leave for a line that the caller appends where something is
    /// omitted, without its line end; 0 for none.
    pub note_bytes: usize,
}

impl Shrinker {
    /// For an input of which the hint tells something. `Level::Off` is treated as
    /// conservative here: there is nothing to shrink in a text that passes untouched.
    #[must_use]
    pub fn new(hint: &Hint, options: &Options) -> Self {
        let cleaner = if options.is_whole(hint) { clean::Cleaner::whole() } else { clean::Cleaner::default() };
        Shrinker { cleaner, relay: relay::Relay::new(drive::Driver::new(hint, options)) }
    }

    /// Facts are wanted too: [`Reduction::facts`]. `shrink` asks for them by itself.
    #[must_use]
    pub fn with_facts(mut self) -> Self {
        self.relay.driver().collect();
        self
    }

    /// The command has ended with this status, as it turns out.
    pub fn exited(&mut self, status: i32) {
        self.relay.driver().exited(status);
    }

    /// Takes the next bytes.
    pub fn feed(&mut self, bytes: &[u8]) {
        let relay = &mut self.relay;
        relay.expect(bytes.len());
        self.cleaner.feed(bytes, &mut |line| relay.line(line));
    }

    /// The input has ended.
    #[must_use]
    pub fn finish(mut self, ending: &Ending) -> Reduction {
        let relay = &mut self.relay;
        let tally = self.cleaner.end(&mut |line| relay.line(line));
        let outcome = self.relay.into_driver().finish(ending.note_bytes, ending.early);
        let mut strategy: Vec<&str> = Vec::new();
        for part in &outcome.parts {
            if !strategy.contains(&part.shape) {
                strategy.push(part.shape);
            }
        }
        let strategy = if outcome.veto.is_some() || strategy.is_empty() { "size".into() } else { strategy.join("+") };
        Reduction {
            reduced: outcome.stats.omitted_bytes > 0,
            content: outcome.content,
            strategy,
            note: outcome.veto.or(outcome.whole),
            stats: outcome.stats,
            tally,
            parts: outcome.parts,
            facts: outcome.facts,
            spill: None,
        }
    }
}

/// Reads to the end and returns the part that carries information.
///
/// Memory depends on the budget, not on the input, but for two cases in which all of it is
/// wanted: `Level::Off`, and a tool error without a limit.
///
/// # Errors
/// Those of the reader; what came before is lost with them.
pub fn shrink(mut reader: impl Read, hint: &Hint, options: &Options) -> io::Result<Reduction> {
    if options.level == Level::Off {
        let mut content = Vec::new();
        reader.read_to_end(&mut content)?;
        let bytes = content.len() as u64;
        let lines = memchr::memchr_iter(b'\n', &content).count() as u64 + u64::from(content.last().is_some_and(|b| *b != b'\n'));
        let tally = Tally { input_bytes: bytes, input_lines: lines, clean_bytes: bytes, clean_lines: lines };
        let stats = Stats { kept_lines: lines, kept_bytes: bytes, ..Stats::default() };
        return Ok(Reduction {
            content,
            reduced: false,
            strategy: "off".into(),
            note: None,
            stats,
            tally,
            parts: Vec::new(),
            facts: Facts::default(),
            spill: None,
        });
    }
    let mut shrinker = Shrinker::new(hint, options).with_facts();
    each_portion(&mut reader, |bytes| shrinker.feed(bytes))?;
    Ok(shrinker.finish(&Ending::default()))
}

/// Cleans an input and cuts nothing, as it comes, lines of any length whole: what a tool error
/// is given.
///
/// # Errors
/// Those of the reader. One of the writer's comes after the reader was heard to its end.
pub fn clean(mut reader: impl Read, mut writer: impl Write) -> io::Result<Tally> {
    let mut written = Ok(());
    let tally = lend(&mut reader, clean::Cleaner::whole(), &mut |line| {
        if written.is_ok() {
            written = write_line(&mut writer, line);
        }
    })?;
    written.and_then(|()| writer.flush()).map(|()| tally)
}

/// Cleans an input and lends each line as a cut would be asked about it: a line of JSON over
/// 4 KiB in pieces, of which only the last is ended.
///
/// # Errors
/// Those of the reader.
pub fn each_line(mut reader: impl Read, mut sink: impl FnMut(&line::Line<'_>)) -> io::Result<Tally> {
    lend(&mut reader, clean::Cleaner::default(), &mut sink)
}

fn lend(reader: &mut impl Read, mut cleaner: clean::Cleaner, sink: &mut dyn FnMut(&line::Line<'_>)) -> io::Result<Tally> {
    each_portion(reader, |bytes| cleaner.feed(bytes, sink))?;
    Ok(cleaner.end(sink))
}

fn write_line(writer: &mut impl Write, line: &line::Line<'_>) -> io::Result<()> {
    writer.write_all(line.text)?;
    writer.write_all(if line.ended { b"\n" } else { b"" })
}

/// Reads to the end, a portion at a time.
fn each_portion(reader: &mut impl Read, mut take: impl FnMut(&[u8])) -> io::Result<()> {
    let mut buffer = vec![0; 256 * 1024];
    loop {
        match reader.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(n) => take(&buffer[..n]),
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
}
