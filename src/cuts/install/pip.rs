//! pip and uv, and poetry's list.

use super::{is_bar, is_ended, some};
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::cuts::seen::Seen;
use crate::hint::Hint;
use crate::line::{Line, Signs};

/// The row.
pub const SHAPE: Shape = Shape {
    name: "install",
    dialect: "pip",
    about: "pip, uv, poetry: what was installed, conflicts, failed builds",
    sniff,
    opens: Opens::first(b"CR", |line| line.after("Collecting ").is_some_and(one_word) || line.starts("Requirement already satisfied: ")),
    cut: |_| Box::new(Pip::default()),
};

fn sniff(_: &Hint, lines: &[Line<'_>]) -> bool {
    let (mut hits, mut sure) = (0, false);
    for pair in lines.windows(2) {
        let (line, next) = (&pair[0], &pair[1]);
        let collecting = line.after("Collecting ").is_some_and(one_word)
            && (next.starts("  Downloading ")
                || next.starts("  Using cached ")
                || next.starts("  Obtaining ")
                || next.starts("Collecting "));
        sure |= collecting || line.starts("Requirement already satisfied: ") && next.starts("Requirement already satisfied: ");
        // Resolved 33 packages in 364ms, then its kin
        let did = |l: &Line<'_>| uv_total(l.text);
        sure |= did(line) && (did(next) || versions(next.text) || next.starts("Downloading ") || next.starts("   Building "));
        hits += u32::from(versions(line.text) || line.starts("  - Installing ") && line.ends(")"));
    }
    let last = lines.iter().any(|l| uv_total(l.text) || l.starts("Successfully installed ") || l.starts("Package operations: "));
    sure || hits > 2 && last
}

fn one_word(text: &[u8]) -> bool {
    !text.is_empty() && !text.trim_ascii_end().contains(&b' ') || crate::line::find(text, b" (from ").is_some()
}

/// `Resolved 33 packages in 364ms`
fn uv_total(text: &[u8]) -> bool {
    let rest = [b"Resolved ".as_slice(), b"Prepared ", b"Installed ", b"Uninstalled ", b"Audited ", b"Checked "]
        .iter()
        .find_map(|w| text.strip_prefix(*w));
    let Some(rest) = rest else { return false };
    let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    let named = rest[digits..].starts_with(b" package in ") || rest[digits..].starts_with(b" packages in ");
    let time = rest.rsplit(|b| *b == b' ').next().unwrap_or_default();
    digits > 0 && named && time.ends_with(b"s") && time[0].is_ascii_digit()
}

/// ` + boto3==1.44.8`, ` - x==1`, ` ~ x==1`
fn versions(text: &[u8]) -> bool {
    matches!(text, [b' ', b'+' | b'-' | b'~', b' ', name, ..] if name.is_ascii_alphanumeric()) && crate::line::find(text, b"==").is_some()
}

#[derive(Default)]
struct Pip {
    seen: Seen,
    listed: u32,
    warned: u32,
    /// Inside the output of a build backend.
    output: bool,
    /// Error lines shown of it, and lines that still belong to the last one.
    shown: u32,
    after: u8,
    /// Lines after an error that explain it.
    explains: u8,
    done: bool,
    failed: bool,
}

impl Pip {
    /// A line of the compiler or backend that pip shows indented.
    fn build(&mut self, line: &Line<'_>) -> Verdict {
        let text = line.trimmed();
        let noise = [b"copying ".as_slice(), b"creating ", b"adding '", b"running ", b"writing ", b"reading manifest", b"byte-compiling "];
        if noise.iter().any(|n| text.starts_with(n)) {
            return Verdict::Drop("build steps");
        }
        if text == b"[end of output]" {
            self.output = false;
            return Verdict::KeepWith { rank: Rank::Edge, lines: 6, with: Rank::Body };
        }
        if line.is_error() && !compiles(text) {
            self.shown += 1;
            self.after = if self.shown <= 4 { 3 } else { 0 };
            return match self.shown {
                1..=6 => Verdict::KeepWith { rank: Rank::Top, lines: 2, with: Rank::Detail },
                _ => Verdict::Keep(Rank::Detail),
            };
        }
        if self.after > 0 {
            self.after -= 1;
            return Verdict::Keep(Rank::Body);
        }
        Verdict::Keep(Rank::Edge)
    }

    fn error(&mut self) -> Verdict {
        self.explains = 12;
        // The package at hand was collected last.
        match std::mem::replace(&mut self.failed, true) {
            false => Verdict::KeepWith { rank: Rank::Top, lines: 1, with: Rank::Body },
            true => Verdict::Keep(Rank::Top),
        }
    }
}

/// A compiler's command line holds words that look like errors.
fn compiles(text: &[u8]) -> bool {
    [b"gcc ".as_slice(), b"g++ ", b"cc ", b"clang ", b"x86_64-", b"aarch64-"].iter().any(|c| text.starts_with(c))
}

impl Cut for Pip {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        // ╰─> [62 lines of output]
        if line.ends(" lines of output]") {
            self.output = true;
            return Verdict::Keep(Rank::Detail);
        }
        if self.output && (line.starts("    ") || line.is_blank()) {
            return if line.is_blank() { Verdict::Drop("blank") } else { self.build(line) };
        }
        self.output = false;
        if line.is_blank() {
            return Verdict::Drop("blank");
        }
        let text = line.trimmed();
        if line.starts("ERROR: ") || text.starts_with(b"error: ") || text.starts_with("× ".as_bytes()) || line.starts("Failed to build ") {
            return self.error();
        }
        if is_ended(line) {
            return Verdict::KeepWith { rank: Rank::Top, lines: 2, with: Rank::Body };
        }
        if let Some(verdict) = noise(line, text) {
            self.explains = 0;
            return verdict;
        }
        if line.starts("Collecting ") {
            self.explains = 0;
            return Verdict::Park("collected packages");
        }
        if line.starts("Installing collected packages: ") {
            return Verdict::Park("installing");
        }
        if line.starts("Successfully installed ")
            || line.starts("Would install ")
            || line.starts("Successfully uninstalled ")
            || uv_total(line.text)
            || line.starts("Package operations: ")
        {
            self.done = true;
            return Verdict::Keep(Rank::Total);
        }
        if versions(line.text) || line.starts("  - Installing ") || line.starts("  - Updating ") {
            self.listed += 1;
            return Verdict::Keep(if self.listed <= 60 { Rank::Body } else { Rank::Detail });
        }
        // INFO: pip is looking at multiple versions of X to determine which version is compatible
        if line.starts("INFO: ") {
            return Verdict::Keep(match (line.has(" looking at multiple versions of "), self.seen.same(line.text)) {
                (true, 1) if !line.has(" still looking ") => Rank::Top,
                (_, 1) => Rank::Body,
                _ => Rank::Edge,
            });
        }
        if line.starts("WARNING: ") || line.starts("DEPRECATION: ") || line.starts("warning: ") || line.starts("  WARNING: ") {
            let to = line.text.iter().position(|b| *b == b':').unwrap_or(0);
            return some(&mut self.warned, 6, Rank::Body, 0, to);
        }
        if text.starts_with(b"Successfully uninstalled ")
            || line.starts("Successfully built ")
            || line.starts("Found existing installation: ")
        {
            return Verdict::Keep(Rank::Detail);
        }
        // sentry-sdk 2.75.0 requires urllib3>=1.26.11, but you have urllib3 1.26.4 which is incompatible.
        if line.ends("which is incompatible.") || line.ends("which is not installed.") {
            return Verdict::Keep(Rank::Top);
        }
        if self.explains > 0 {
            self.explains -= 1;
            let advice =
                line.starts("To fix this") || line.starts("1. ") || line.starts("2. ") || text.starts_with(b"note: This error originates");
            return Verdict::Keep(if advice { Rank::Edge } else { Rank::Top });
        }
        if line.signs().has(Signs::ERROR) {
            return Verdict::Keep(Rank::Top);
        }
        if text.starts_with(b"hint: ") {
            return Verdict::Keep(Rank::Body);
        }
        Verdict::Pass
    }

    fn end(&mut self) -> (u16, Rank) {
        // Where it stopped when it did not come to its end.
        if self.done || self.failed {
            (0, Rank::Edge)
        } else {
            (3, Rank::Detail)
        }
    }
}

/// Fetching, unpacking, steps that went well.
fn noise(line: &Line<'_>, text: &[u8]) -> Option<Verdict> {
    if is_bar(line) {
        return Some(Verdict::Drop("progress"));
    }
    let starts = |words: &[&str]| words.iter().any(|w| text.starts_with(w.as_bytes()));
    if starts(&["Requirement already satisfied: "]) {
        return Some(Verdict::Drop("satisfied requirements"));
    }
    if starts(&[
        "Downloading ",
        "Using cached ",
        "Downloaded ",
        "Obtaining dependency information for ",
        "Looking in indexes: ",
        "Looking in links: ",
        "Cloning ",
    ]) {
        return Some(Verdict::Drop("fetched packages"));
    }
    // Building wheel for x (pyproject.toml): finished with status 'done'
    let well = text.ends_with(b": started") || text.ends_with(b"status 'done'") || text.ends_with(b"... done") || text.ends_with(b"...");
    let step = starts(&[
        "Installing build dependencies",
        "Installing backend dependencies",
        "Getting requirements to build",
        "Preparing metadata",
        "Preparing editable metadata",
        "Checking if build backend",
        "Building wheel for ",
        "Building editable for ",
        "Running setup.py ",
        "Building wheels for collected packages",
    ]);
    if step && (well || starts(&["Building wheels for collected packages"]))
        || starts(&["Created wheel for ", "Stored in directory: ", "Created editable "])
    {
        return Some(Verdict::Drop("build steps"));
    }
    if starts(&["Attempting uninstall: ", "Uninstalling "])
        || line.starts("    Found existing installation: ")
        || starts(&["Built ", "Building "]) && line.starts("   ")
    {
        return Some(Verdict::Drop("steps"));
    }
    starts(&["[notice] "]).then_some(Verdict::Drop("notices"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn fetching_goes_and_the_end_stays() {
        let text = "Collecting a\n  Downloading a-1.whl (8 kB)\n     ━━━━━━━━ 8.3/8.3 MB 165.6 MB/s eta 0:00:00\nRequirement already satisfied: b in x (1)\nSuccessfully installed a-1";
        assert!(sniffs(&SHAPE, text));
        assert_eq!(marks(&SHAPE, text), "p...!");
    }

    #[test]
    fn a_failed_build_shows_its_error() {
        let text = "  × Building wheel for x did not run successfully.\n  ╰─> [9 lines of output]\n      copying a -> b\n      gcc -c x\n      x.c:1:1: fatal error: y.h: No such file\n      [end of output]\n  note: This error originates from a subprocess";
        assert_eq!(marks(&SHAPE, text), "TD.ETEE");
    }

    #[test]
    fn prose_about_collecting_is_not_taken() {
        assert!(!sniffs(&SHAPE, "Collecting stamps is fun.\nResolved 3 packages in the attic\n + one more"));
    }
}
