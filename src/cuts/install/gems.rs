//! gem, bundler, composer, brew and cargo's lock file.

use super::{is_bar, some};
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::hint::Hint;
use crate::line::Line;

/// The row.
pub const SHAPE: Shape = Shape {
    name: "install",
    dialect: "gems",
    about: "gem, bundler, composer, brew, cargo update: what changed, conflicts, errors",
    sniff,
    opens: Opens::NEVER,
    cut: |_| Box::new(Gems::default()),
};

fn sniff(_: &Hint, lines: &[Line<'_>]) -> bool {
    let known = |l: &&Line<'_>| step(l).is_some() || listed(l);
    let builds = || lines.iter().any(|l| l.starts("   Compiling ") || l.starts("    Checking "));
    // Most texts fail at their first line.
    let all = || lines.iter().all(|l| l.is_blank() || known(&l) || l.is_error());
    lines.iter().any(sure) && lines.iter().any(|l| known(&l)) && !builds() || all() && lines.iter().filter(known).count() >= 6
}

/// Lines that one of these tools alone prints.
fn sure(line: &Line<'_>) -> bool {
    [
        "Bundle complete! ",
        "Fetching gem metadata from ",
        "Loading composer repositories with package information",
        "Lock file operations: ",
        "Package operations: ",
        "Bundler could not find compatible versions",
        "Parsing documentation for ",
        "ERROR:  Could not find a valid gem ",
        "==> Pouring ",
        "==> Fetching downloads for: ",
        "==> Downloading https://",
    ]
    .iter()
    .any(|s| line.starts(s))
        || line.starts("     Locking ") && line.has(" packages to latest")
        || line.ends(" gems installed")
}

/// Steps that went well, and what they are called.
fn step(line: &Line<'_>) -> Option<&'static str> {
    let starts = |words: &[&str]| words.iter().any(|w| line.starts(w));
    if is_bar(line) || starts(&["Already downloaded: ", "==> Downloading ", "==> Fetching ", "  - Downloading ", "Fetching "]) {
        return Some("fetched packages");
    }
    if starts(&["Using "]) && line.text.rsplit(|b| *b == b' ').next().is_some_and(|v| v.first().is_some_and(u8::is_ascii_digit)) {
        return Some("used gems");
    }
    if starts(&["  - Locking "]) {
        return Some("locked packages");
    }
    if starts(&[
        "Loading composer repositories",
        "Updating dependencies",
        "Generating autoload files",
        "Generating optimized autoload",
        "Writing lock file",
        "Installing dependencies from lock file",
        "Verifying lock file contents",
        "Resolving dependencies",
        "Parsing documentation for ",
        "Installing ri documentation",
        "Done installing documentation",
        "Building native extensions. This could take a while",
    ]) {
        return Some("steps");
    }
    if line.starts("    Updating ") && line.ends(" index") {
        return Some("steps");
    }
    (line.ends("looking for funding.") || line.starts("Use the `composer fund` command")).then_some("funding notes")
}

/// A package and its version.
fn listed(line: &Line<'_>) -> bool {
    // Installing rails 7.1.0 | Successfully installed sinatra-4.0.0 |   - Installing monolog/monolog (3.5.0): Extracting archive
    //     Updating serde v1.0.1 -> v1.0.2 |       Adding libc v0.2.1
    line.starts("Successfully installed ")
        || line.starts("Installing ") && line.text.rsplit(|b| *b == b' ').any(|w| w.first().is_some_and(u8::is_ascii_digit))
        || ["  - Installing ", "  - Upgrading ", "  - Removing ", "  - Downgrading "].iter().any(|s| line.starts(s)) && line.has("(")
        || line.indent() >= 4
            && line.has(" v")
            && [b"Updating ".as_slice(), b"Adding ", b"Removing ", b"Downgrading "].iter().any(|s| line.trimmed().starts_with(s))
        || line.starts("==> Pouring ")
}

#[derive(Default)]
struct Gems {
    listed: u32,
    warned: u32,
    /// Lines after an error that explain it.
    explains: u8,
    caveats: u8,
}

impl Cut for Gems {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        if line.is_blank() {
            return Verdict::Drop("blank");
        }
        if let Some(noun) = step(line) {
            return Verdict::Drop(noun);
        }
        if listed(line) {
            self.explains = 0;
            return some(&mut self.listed, 40, Rank::Body, line.indent(), line.text.len().min(line.indent() + 10));
        }
        // Bundle complete! 12 Gemfile dependencies, 84 gems now installed.
        let total = [
            "Bundle complete!",
            "Bundle updated!",
            "Bundled gems are installed",
            "Lock file operations: ",
            "Package operations: ",
            "Nothing to install",
            "No security vulnerability",
            "     Locking ",
        ];
        if total.iter().any(|t| line.starts(t))
            || line.ends(" gems installed")
            || line.ends(" gem installed")
            || line.has(" security vulnerability advisor")
        {
            return Verdict::Keep(Rank::Total);
        }
        if line.starts("🍺") {
            return Verdict::Keep(Rank::Top);
        }
        if line.starts("==> Caveats") {
            self.caveats = 12;
            return Verdict::Keep(Rank::Body);
        }
        if line.starts("==> ") {
            self.caveats = 0;
            return Verdict::Keep(Rank::Edge);
        }
        if self.caveats > 0 {
            self.caveats -= 1;
            return Verdict::Keep(Rank::Body);
        }
        if line.starts("Warning: ") || line.starts("WARNING: ") || line.has(" is abandoned, ") || line.starts("Deprecation") {
            return some(&mut self.warned, 8, Rank::Body, 0, 7);
        }
        let trouble = [
            "ERROR: ",
            "Error: ",
            "Your requirements could not be resolved",
            "  Problem ",
            "Bundler could not find",
            "Could not find ",
            "Installation failed",
            "Gem::",
            "An error occurred",
        ];
        if trouble.iter().any(|t| line.starts(t)) {
            self.explains = 14;
            return Verdict::Keep(Rank::Top);
        }
        if self.explains > 0 {
            self.explains -= 1;
            return Verdict::Keep(if line.is_error() || line.starts("    - ") { Rank::Top } else { Rank::Body });
        }
        Verdict::Pass
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn composer_and_bundler() {
        let text = "Loading composer repositories with package information\nYour requirements could not be resolved to an installable set of packages.\n\n  Problem 1\n    - a/b 1 requires php ^9";
        assert!(sniffs(&SHAPE, text));
        assert_eq!(marks(&SHAPE, text), ".T.TT");
        assert_eq!(
            marks(&SHAPE, "Using rake 13.0.6\nInstalling rack 3.0.0\nBundle complete! 3 Gemfile dependencies, 9 gems now installed."),
            ".B!"
        );
    }

    #[test]
    fn prose_is_not_taken() {
        assert!(!sniffs(&SHAPE, "Using a hammer 3\nInstalling 2 shelves\nFetching water"));
    }
}
