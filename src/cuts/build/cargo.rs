//! rustc and cargo, clippy included: errors whole, warnings by kind, the closing lines.
//!
//! The first error of a message stays in full, later ones with headline and place, and with
//! whatever their labels say that was not said before. Warnings give way to errors wherever
//! they stand. Compile steps, command lines and hints go.

use super::cargo_lines::{arrow, is_environment, is_frame, is_library, is_step, label, script, severity, short_form, Severity};
use super::repeats::{key, Repeats};
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::cuts::place;
use crate::hint::Hint;
use crate::line::Line;
use Rank::{Body, Detail, Edge, Top, Total};
use Verdict::{Drop, Keep, KeepWith, Pass, Spare};

/// cargo build and check, rustc, and whatever they print under cargo test.
pub const SHAPE: Shape = Shape {
    name: "build",
    dialect: "cargo",
    about: "rustc and cargo: every error with code and notes, warnings by kind, the closing line",
    sniff: |_, lines| sniff(lines),
    opens: Opens::first(b"e", opens).or_indented(b"C"),
    cut: |hint| Box::new(Cargo::new(hint)),
};

/// cargo clippy: the same text, asked for its lints.
pub const CLIPPY: Shape = Shape {
    name: "lint",
    dialect: "clippy",
    about: "clippy: every lint with its first places, errors before warnings, totals",
    // `= note: `#[warn(clippy::x)]` on by default`
    sniff: |hint, lines| {
        sniff(lines) && (hint.command.contains("clippy") || lines.iter().any(|l| l.has("(clippy::") || l.has("/rust-clippy/")))
    },
    opens: crate::cut::Opens::NEVER,
    cut: |hint| Box::new(Cargo { lints: true, ..Cargo::new(hint) }),
};

/// Notes and frames that say nothing new, suggested edits, links: one noun, so that the
/// markers have room for what the messages were.
const DETAILS: &str = "details";
/// How many repeats of a message keep headline and place as the first does.
const SHOWN: u32 = 3;
/// Places of so many kinds of lints are held as dearly as their names.
const KINDS: u32 = 24;
/// The names of so many lints are held as dearly as what they say.
const NAMED: u32 = 7;
/// How many crates of one's own are named whatever the budget.
const OWN: u32 = 4;
/// A line of a linker's or compiler's arguments is longer than this.
const ARGUMENTS: usize = 300;

fn sniff(lines: &[Line<'_>]) -> bool {
    let found = lines.iter().position(|l| opens(l) || short_form(l.text).is_some_and(|(_, code)| code));
    found.is_some() || lines.windows(2).any(|w| severity(w[0].text).is_some() && arrow(w[1].text).is_some())
}

fn opens(line: &Line<'_>) -> bool {
    match line.text {
        // `   Compiling memchr v2.8.3`, `    Checking bat v0.26.1 (/home/dev/app/bat)`
        [b' ', b' ', b' ', ..] => {
            let text = line.text.trim_ascii_start();
            (text.starts_with(b"Compiling ") || text.starts_with(b"Checking ")) && line.text.len() - text.len() <= 4 && is_step(text)
        }
        // `error[E0308]: mismatched types`
        [b'e', ..] => {
            line.after("error[E").is_some_and(|r| r.len() > 6 && r[..4].iter().all(u8::is_ascii_digit) && r[4..].starts_with(b"]: "))
        }
        _ => false,
    }
}

/// What the present line belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Block {
    None,
    Error {
        met: u32,
    },
    Warning {
        met: u32,
    },
    /// `= note: /usr/bin/ld: ...` of `error: linking with ..`, indented ten.
    Linker,
    /// `Caused by:` and what cargo ran.
    Caused,
    /// `  --- stdout` of a build script.
    Stdout,
    /// `  --- stderr` of a build script.
    Stderr,
    /// `warning: native@0.4.2: ` lines: the build script's compiler speaks.
    Script {
        error: bool,
    },
}

/// What follows the headline within a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// No place was seen yet.
    Headline,
    Frame,
    Note {
        known: bool,
    },
    Help {
        known: bool,
    },
    /// Code of a runtime or dependency.
    Foreign,
}

/// The state of one stream; `--message-format=json` lends it its human lines.
pub(super) struct Cargo {
    block: Block,
    part: Part,
    repeats: Repeats,
    /// The status is known to be bad: warnings are not what it is about.
    failed: bool,
    lints: bool,
    errors: u32,
    own: u32,
    /// The last of a linker's references had a place.
    placed: bool,
    /// Kinds of warnings met.
    kinds: u32,
    totals: u32,
}

impl Cargo {
    pub(super) fn new(hint: &Hint) -> Self {
        Cargo {
            block: Block::None,
            part: Part::Frame,
            repeats: Repeats::default(),
            failed: hint.exit_code.is_some_and(|n| n != 0),
            lints: false,
            errors: 0,
            own: 0,
            placed: false,
            kinds: 0,
            totals: 0,
        }
    }

    /// The rank of a warning's headline and place.
    fn warns(&self, met: u32) -> Rank {
        match () {
            () if self.quiet() => {
                if self.lints && met == 1 {
                    Detail
                } else {
                    Edge
                }
            }
            () if !self.lints => {
                if met == 1 {
                    Body
                } else {
                    Detail
                }
            }
            () if met == 1 => Top,
            () if met <= SHOWN => Detail,
            () => Edge,
        }
    }

    /// The rank of the note that names a warning's lint.
    fn named(&self, met: u32) -> Rank {
        match () {
            () if !self.lints || self.failed => Edge,
            () if self.kinds <= NAMED => self.warns(met),
            () => self.warns(met).min(Body),
        }
    }

    /// Warnings are not what this is about.
    fn quiet(&self) -> bool {
        self.failed || self.errors > 0
    }

    /// So many lints that their names matter more than their places?
    fn many(&self) -> bool {
        self.lints && self.kinds > KINDS
    }

    fn headline(&mut self, line: &Line<'_>, severity: Severity, from: usize) -> Verdict {
        let message = &line.text[from..];
        if let Some(verdict) = self.total(message, severity) {
            self.block = Block::None;
            return verdict;
        }
        self.part = Part::Headline;
        if severity == Severity::Warning {
            if let Some((_, said)) = script(message) {
                return self.script(said);
            }
            let met = self.repeats.kind(line.text);
            self.kinds += u32::from(met == 1);
            self.block = Block::Warning { met };
            let rank = self.warns(met);
            return match () {
                () if met <= SHOWN && rank > Edge => Keep(rank),
                // What broke the build is not among the tenth of its kind.
                () if self.quiet() && met > 1 => Spare("warnings"),
                () => Verdict::Fold { rank: Edge, from: 0, to: key(line.text, from) },
            };
        }
        self.errors += 1;
        // `error: this `map_or` can be simplified` has no code: a lint, and its names are its kind.
        let met = if line.text.starts_with(b"error:") { self.repeats.kind(line.text) } else { self.repeats.same(line.text) };
        self.block = Block::Error { met };
        if message.starts_with(b"linking with ") || message.starts_with(b"linker ") {
            self.block = Block::Linker;
        }
        if met <= SHOWN || self.block == Block::Linker {
            return Keep(if self.lints && met > 1 { Body } else { Top });
        }
        Verdict::Fold { rank: Edge, from: 0, to: key(line.text, from) }
    }

    /// The closing lines, which look like diagnostics and are none.
    fn total(&mut self, message: &[u8], severity: Severity) -> Option<Verdict> {
        let is = |start: &[u8]| message.starts_with(start);
        let has = |part: &[u8]| crate::line::find(message, part).is_some();
        // ``bat` (lib) generated 185 warnings (run ...`, `3 warnings emitted`
        if severity == Severity::Warning
            && (is(b"`") && has(b" generated ") || message.ends_with(b" emitted") && message[0].is_ascii_digit())
        {
            self.totals += 1;
            let rank = if self.quiet() { Body } else { Total };
            return Some(Keep(if self.totals > 12 { Detail } else { rank }));
        }
        // `could not compile `x` (lib) due to 2 previous errors; 40 warnings emitted`
        if is(b"could not compile ") || is(b"aborting due to ") || is(b"build failed") || is(b"test failed, ") {
            return Some(Keep(Total));
        }
        None
    }

    /// A line that a build script's compiler printed: `vendor/frame.c:8:14: error: ...`
    fn script(&mut self, said: &[u8]) -> Verdict {
        let has = |part: &[u8]| crate::line::find(said, part).is_some();
        let goes_on = matches!(self.block, Block::Script { error: true }) && said.first().is_some_and(u8::is_ascii_whitespace);
        if has(b"error: ") || has(b"undefined reference") {
            self.block = Block::Script { error: true };
            return Keep(Top);
        }
        self.block = Block::Script { error: goes_on };
        match () {
            () if goes_on => Keep(Body),
            () if has(b"warning: ") => Keep(Detail),
            () => Keep(Edge),
        }
    }

    /// A line within a diagnostic.
    fn inside(&mut self, line: &Line<'_>) -> Verdict {
        let (error, met) = match self.block {
            Block::Error { met } => (true, met),
            Block::Warning { met } => (false, met),
            _ => return Pass,
        };
        let (high, middle, low) = match () {
            () if !error => (self.warns(met), Edge, Edge),
            () if self.lints && met > 1 => (Body, Detail, Detail),
            () if self.lints => (Top, Detail, Detail),
            () => (Top, Body, Detail),
        };
        if let Some(place) = arrow(line.text) {
            let first = self.part == Part::Headline;
            let mut known = false;
            match self.part {
                Part::Headline => self.part = Part::Frame,
                Part::Note { known: k } | Part::Help { known: k } => known = k,
                Part::Frame | Part::Foreign => {}
            }
            return match () {
                () if first && !error && met > 1 && self.quiet() => Spare("warnings"),
                () if first && (met > SHOWN || !error && self.failed) => Keep(Edge),
                () if first => Keep(if self.many() && !error { high.min(Body) } else { high }),
                () if place::is_foreign(place) || is_library(place) => {
                    self.part = Part::Foreign;
                    Spare(DETAILS)
                }
                () if known => Spare(DETAILS),
                // `note: the lint level is defined here` and its place.
                () if !error => Keep(self.warns(met).min(Detail)),
                () => Keep(middle),
            };
        }
        let text = line.trimmed();
        if let Some(note) = text.strip_prefix(b"= ") {
            return self.note(note, error, met);
        }
        if line.starts("note: ") || line.starts("help: ") {
            return self.note(text, error, met);
        }
        match self.part {
            Part::Headline => Keep(high),
            Part::Foreign => Spare(DETAILS),
            Part::Note { known: true } | Part::Help { known: true } => Spare(DETAILS),
            Part::Note { .. } => Keep(low),
            Part::Help { .. } if error => Keep(Detail),
            Part::Help { .. } => Spare(DETAILS),
            Part::Frame if !is_frame(line.text) => Keep(low),
            Part::Frame => self.frame(line, error, met, middle),
        }
    }

    /// A line of the code frame below the place.
    fn frame(&mut self, line: &Line<'_>, error: bool, met: u32, middle: Rank) -> Verdict {
        let label = label(line.text);
        if met == 1 {
            if let Some(said) = label.filter(|_| error) {
                self.repeats.same(said);
                return Keep(if self.lints { Detail } else { Top });
            }
            return if error || !self.quiet() { Keep(middle) } else { Spare(DETAILS) };
        }
        if !error {
            return Spare(DETAILS);
        }
        // An equal headline may say something new below: `expected `u64`, found `u32``.
        match label {
            Some(said) if !self.lints && self.repeats.same(said) == 1 => KeepWith { rank: Top, lines: 1, with: Body },
            Some(_) => Spare(DETAILS),
            None => Spare(DETAILS),
        }
    }

    fn note(&mut self, note: &[u8], error: bool, met: u32) -> Verdict {
        let hint = note.starts_with(b"help: for further information visit ")
            || note.starts_with(b"help: to override `")
            || note.starts_with(b"note: some arguments are omitted")
            || note.starts_with(b"note: this error originates in the macro ");
        if hint {
            return Drop(DETAILS);
        }
        let help = note.starts_with(b"help: ");
        let known = self.repeats.same(note) > 1;
        self.part = if help { Part::Help { known } } else { Part::Note { known } };
        match () {
            () if known => Spare(DETAILS),
            () if error => Keep(if self.lints { Detail } else { Body }),
            // `#[warn(unused)]` names the lint.
            () if !help => Keep(self.named(met)),
            () => Keep(Edge),
        }
    }

    fn linker(&mut self, line: &Line<'_>) -> Verdict {
        let text = line.trimmed();
        let text = text.strip_prefix(b"= note: ").unwrap_or(text);
        let has = |part: &[u8]| crate::line::find(text, part).is_some();
        match () {
            () if text.starts_with(b"= help: ") => Keep(Detail),
            () if text.trim_ascii_start().starts_with(b"\"") || line.text.len() > ARGUMENTS && has(b"\" \"") => Drop("linker arguments"),
            () if text.starts_with(b"some arguments are omitted") || text.starts_with(b"use the ") => Drop(DETAILS),
            // `rust-lld: error: undefined symbol: x`, `main.rs:9: undefined reference to `x'`
            () if has(b"error: ") || has(b"undefined reference") || has(b"multiple definition") || has(b"cannot find ") => {
                if self.repeats.same(text) <= SHOWN {
                    Keep(Top)
                } else {
                    Keep(Edge)
                }
            }
            // `>>>   /home/dev/app.rcgu.o:(app::main::h1)` tells little after `>>> referenced by main.rs:9`.
            () if text.starts_with(b">>> ") => {
                let placed = std::mem::replace(&mut self.placed, has(b".rs:") || has(b".c:") || has(b".cpp:"));
                Keep(if placed && !self.placed { Edge } else { Body })
            }
            () => Keep(Body),
        }
    }

    /// What a build script printed.
    fn output(&mut self, line: &Line<'_>) -> Option<Verdict> {
        let text = line.trimmed();
        if line.starts("  --- std") {
            self.block = if line.starts("  --- stderr") { Block::Stderr } else { Block::Stdout };
            return Some(Keep(if self.block == Block::Stderr { Top } else { Body }));
        }
        if line.is_blank() {
            return Some(Keep(Edge));
        }
        if !line.starts("  ") {
            self.block = Block::None;
            return None;
        }
        let verdict = match self.block {
            Block::Stdout => {
                let warning = text.strip_prefix(b"cargo:warning=").or_else(|| text.strip_prefix(b"cargo::warning="));
                match () {
                    // Printed before, as `warning: native@0.4.2: ...`.
                    () if warning.is_some() => Keep(Edge),
                    // `CFLAGS_x86_64_unknown_linux_gnu = None`
                    () if text.starts_with(b"cargo:") || is_environment(text) => Drop("build script directives"),
                    () if line.is_error() => Keep(Top),
                    () => Keep(Edge),
                }
            }
            Block::Stderr => {
                let hint = text.starts_with(b"note: run with `RUST_BACKTRACE=");
                match () {
                    () if hint => Spare(DETAILS),
                    () if line.is_error() => Keep(Top),
                    () => Keep(Body),
                }
            }
            // `  process didn't exit successfully: `rustc ...` (signal: 9, SIGKILL: kill)`
            _ if line.text.len() > ARGUMENTS && !line.has("(signal: ") => Drop("command lines"),
            _ => Keep(Body),
        };
        Some(verdict)
    }

    /// Cargo's own words, right-aligned to 12.
    fn status(&mut self, line: &Line<'_>) -> Option<Verdict> {
        let (word, rest) = line.text.split_at_checked(12).filter(|(_, rest)| rest.first() == Some(&b' '))?;
        let word = word.trim_ascii_start();
        Some(match word {
            b"Finished" => Keep(Total),
            b"Compiling" | b"Checking" | b"Documenting" => {
                if rest.last() != Some(&b')') {
                    return Some(Drop("compile steps"));
                }
                self.own += 1;
                // Last in a clean build is what was built.
                Keep(if self.own <= OWN { Detail } else { Edge })
            }
            b"Running" if rest.starts_with(b" `") => Drop("compile steps"),
            b"Fresh" | b"Downloaded" | b"Downloading" | b"Updating" | b"Locking" | b"Adding" | b"Building" | b"Blocking" | b"Unpacking" => {
                Drop("compile steps")
            }
            b"Dirty" | b"Scraping" | b"Generated" | b"Fixed" | b"Vendoring" | b"Packaging" | b"Verifying" => Keep(Edge),
            _ => return None,
        })
    }
}

impl Cut for Cargo {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        if let Some((severity, from)) = severity(line.text) {
            return self.headline(line, severity, from);
        }
        if matches!(self.block, Block::Caused | Block::Stdout | Block::Stderr) {
            if let Some(verdict) = self.output(line) {
                return verdict;
            }
        }
        if line.text == b"Caused by:" {
            self.block = Block::Caused;
            return Keep(Body);
        }
        if self.block == Block::Linker && (line.is_blank() || line.starts(" ")) {
            return if line.is_blank() { Keep(Body) } else { self.linker(line) };
        }
        if line.text.is_empty() {
            return match std::mem::replace(&mut self.block, Block::None) {
                Block::Error { met } if met <= SHOWN => Keep(Top),
                Block::Error { .. } | Block::Warning { .. } => Keep(Edge),
                Block::None | Block::Script { .. } => Pass,
                block => {
                    self.block = block;
                    Keep(Edge)
                }
            };
        }
        if line.starts(" ") {
            if let Some(verdict) = self.status(line) {
                self.block = Block::None;
                return verdict;
            }
        }
        if line.starts("For more information about") || line.starts("Some errors have detailed explanations") {
            return Drop(DETAILS);
        }
        if let Some((severity, _)) = short_form(line.text) {
            self.block = Block::None;
            if severity == Severity::Error {
                self.errors += 1;
                return Keep(Top);
            }
            return Keep(self.warns(2));
        }
        self.inside(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    const ERROR: &str = "error[E0308]: mismatched types\n  --> src/a.rs:7:5\n   |\n7  |     x\n   |     ^ expected `u32`, found `u64`\n   |\nhelp: you can convert\n   |\n7  |     x.into()\n   |      +++++++\n";

    #[test]
    fn an_error_stays_whole() {
        assert!(sniffs(&SHAPE, ERROR));
        assert_eq!(marks(&SHAPE, ERROR), "TTBBTBBDDDT");
    }

    #[test]
    fn an_equal_error_keeps_what_is_new() {
        let other = ERROR.replace("u64", "i8");
        assert_eq!(marks(&SHAPE, &format!("{ERROR}\n{ERROR}\n{other}"))[12..], *"TssssssssTTTssTsssssT");
    }

    #[test]
    fn steps_go_and_the_end_stays() {
        let text = "   Compiling a v1.0.0\n   Compiling own v0.1.0 (/home/dev/own)\n    Finished `dev` profile in 1s";
        assert_eq!(marks(&SHAPE, text), ".D!");
        assert!(sniffs(&SHAPE, text) && !sniffs(&SHAPE, "Compiling the report v2\nerror: no such file"));
    }

    #[test]
    fn totals_are_no_diagnostics() {
        let text = "warning: `a` (lib) generated 2 warnings\nerror: could not compile `a` (lib) due to 1 previous error\nwarning: build failed, waiting for other jobs to finish...";
        assert_eq!(marks(&SHAPE, text), "!!!");
    }

    #[test]
    fn a_clippy_run_is_a_lint_run() {
        let text = "warning: this `x` can go\n --> a.rs:1:2\n  |\n1 | x\n  | ^\n  |\n  = note: `#[warn(clippy::y)]` on by default\n";
        assert!(sniffs(&CLIPPY, text) && !sniffs(&CLIPPY, ERROR));
    }
}
