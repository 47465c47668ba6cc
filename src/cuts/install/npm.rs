//! npm, pnpm and yarn.

use super::{is_bar, is_ended, some};
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::hint::Hint;
use crate::line::Line;

/// The row.
pub const SHAPE: Shape = Shape {
    name: "install",
    dialect: "npm",
    about: "npm, pnpm, yarn: what was added, deprecations, vulnerabilities, peer conflicts, errors",
    sniff,
    opens: Opens::first(b"n", |line| level(line.text).is_some_and(sure)),
    cut: |_| Box::new(Npm::default()),
};

fn sniff(_: &Hint, lines: &[Line<'_>]) -> bool {
    let levels = lines.iter().filter(|l| level(l.text).is_some()).count();
    let done = lines.iter().any(|l| total(l.text));
    let pnpm = lines.iter().any(|l| progress(l.text)) || lines.iter().any(|l| l.starts(" ERR_PNPM_") || l.starts("ERR_PNPM_"));
    let yarn = lines.iter().any(|l| {
        l.starts("yarn install v") || l.starts("yarn add v") || l.text == b"[1/4] Resolving packages..." || l.starts("➤ YN0000: ")
    });
    let sure = lines.iter().any(|l| level(l.text).is_some_and(sure));
    sure && (levels >= 2 || done) || pnpm || yarn
}

/// `npm warn deprecated ...`, `npm ERR! code`: the level and what is said.
fn level(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let rest = text.strip_prefix(b"npm ")?;
    for level in
        [b"warn".as_slice(), b"WARN", b"error", b"ERR!", b"http", b"notice", b"timing", b"silly", b"sill", b"verbose", b"verb", b"info"]
    {
        match rest.strip_prefix(level) {
            Some([]) => return Some((level, b"")),
            Some([b' ', said @ ..]) => return Some((level, said)),
            _ => {}
        }
    }
    None
}

/// Does npm alone speak so?
fn sure((level, said): (&[u8], &[u8])) -> bool {
    let words: &[&str] = match level {
        b"error" | b"ERR!" => &["code E", "errno ", "A complete log of this run", "Lifecycle script ", "Missing script"],
        b"warn" | b"WARN" => {
            &["deprecated ", "EBADENGINE ", "ERESOLVE ", "install-scripts ", "audit ", "config ", "old lockfile", "using --force", "peer "]
        }
        b"http" => &["fetch ", "cache "],
        b"timing" | b"silly" | b"sill" => &[""],
        _ => &[],
    };
    words.iter().any(|w| said.starts_with(w.as_bytes()))
}

/// `added 1007 packages, and audited 1008 packages in 33s`, `up to date, audited ...`
fn total(text: &[u8]) -> bool {
    let first = [b"added ".as_slice(), b"removed ", b"changed ", b"up to date"].iter().find_map(|w| text.strip_prefix(*w));
    let counted = |t: &[u8]| t.first().is_some_and(u8::is_ascii_digit) && crate::line::find(t, b" package").is_some();
    first.is_some_and(|rest| {
        counted(rest)
            || text.starts_with(b"up to date") && (rest.is_empty() || rest.starts_with(b" in ") || rest.starts_with(b", audited "))
    })
}

/// `Progress: resolved 901, reused 0, downloaded 880, added 880, done`
fn progress(text: &[u8]) -> bool {
    text.starts_with(b"Progress: resolved ") && crate::line::find(text, b", reused ").is_some()
}

#[derive(Default)]
struct Npm {
    deprecated: u32,
    warned: u32,
    peers: u32,
    errors: u32,
    listed: u32,
    lock: u32,
    /// Inside the help text that npm prints as an error.
    help: bool,
    /// Lines after an error of pnpm that explain it.
    explains: u8,
    /// Inside a tree of peer issues.
    tree: bool,
}

impl Npm {
    fn error(&mut self, line: &Line<'_>, said: &[u8]) -> Verdict {
        let at = line.text.len() - said.len();
        let said = said.trim_ascii();
        if said.is_empty() {
            return Verdict::Drop("blank");
        }
        if said.starts_with(b"A complete log of this run") || said.starts_with(b"For a full report see") {
            self.help = false;
            return Verdict::Keep(Rank::Detail);
        }
        // npm error Usage: | npm error Clean install a project
        if said == b"Usage:" || said.starts_with(b"Options:") || said == b"Clean install a project" || said == b"Install a package" {
            self.help = true;
        }
        if self.help {
            return Verdict::Drop("usage help");
        }
        for key in [b"Invalid: lock file's".as_slice(), b"Missing: "] {
            if said.starts_with(key) {
                return some(
                    &mut self.lock,
                    5,
                    Rank::Top,
                    at,
                    at + key.len().min(said.len()) - usize::from(key.ends_with(b" ")) - usize::from(key.ends_with(b": ")),
                );
            }
        }
        if said.starts_with(b"gyp info")
            || said.starts_with(b"gyp verb")
            || said.starts_with(b"at ")
            || said.starts_with(b"gyp ERR! stack     at")
        {
            return Verdict::Keep(Rank::Edge);
        }
        self.errors += 1;
        // A native build prints all it does under this prefix: what went wrong stands in its middle.
        let bad = Line::new(said, line.number).is_error() || said.starts_with(b"gyp ERR!");
        Verdict::Keep(match (self.errors, bad) {
            (1..=24, _) | (25..=200, true) => Rank::Top,
            (25..=40, false) => Rank::Body,
            _ => Rank::Edge,
        })
    }

    fn warn(&mut self, line: &Line<'_>, said: &[u8]) -> Verdict {
        let at = line.text.len() - said.len();
        if said.starts_with(b"deprecated ") {
            return some(&mut self.deprecated, 8, Rank::Body, at, at + 10);
        }
        if said.is_empty() {
            return Verdict::Drop("blank");
        }
        if said.starts_with(b"ERESOLVE") || said.starts_with(b"EBADENGINE") || said.starts_with(b" ") || said.starts_with(b"node_modules") {
            return some(&mut self.peers, 12, Rank::Detail, at, at + said.len().min(8));
        }
        some(&mut self.warned, 10, Rank::Body, 0, 8)
    }

    fn pnpm(&mut self, line: &Line<'_>) -> Option<Verdict> {
        if progress(line.text) {
            return Some(if line.ends(", done") { Verdict::Keep(Rank::Total) } else { Verdict::Drop("progress") });
        }
        // Badges stand between thin spaces.
        let text = line.trimmed();
        let text = text.strip_prefix("\u{2009}".as_bytes()).unwrap_or(text);
        if text.starts_with(b"ERR_PNPM_") || text.starts_with(b"[ERR_PNPM_") || line.starts(" ERROR ") {
            self.explains = 10;
            return Some(Verdict::Keep(Rank::Top));
        }
        //  WARN  Issues with peer dependencies found
        if line.starts(" WARN ") || text.starts_with("WARN\u{2009}".as_bytes()) || text.starts_with(b"[WARN] ") {
            self.tree = line.has("Issues with peer dependencies");
            return Some(some(&mut self.warned, 8, Rank::Body, 1, 5));
        }
        if text.starts_with("├".as_bytes()) || text.starts_with("└".as_bytes()) || text.starts_with("│".as_bytes()) || text == b"." {
            self.peers += 1;
            let unmet = line.has("✕") || !self.tree;
            return Some(Verdict::Keep(match self.peers {
                1..=20 if unmet => Rank::Body,
                1..=30 => Rank::Detail,
                _ => Rank::Edge,
            }));
        }
        // + express 4.16.0 (5.3.0 is available)
        if matches!(line.text, [b'+' | b'-', b' ', name, ..] if name.is_ascii_alphanumeric() || *name == b'@') {
            self.listed += 1;
            return Some(Verdict::Keep(if self.listed <= 60 { Rank::Body } else { Rank::Edge }));
        }
        if line.ends("ependencies:") && line.indent() == 0 {
            return Some(Verdict::Head);
        }
        let done = line.starts("Packages: ")
            || line.starts("Already up to date")
            || line.starts("Done in ")
            || line.starts("success ")
            || line.starts("Lockfile is up to date");
        done.then_some(Verdict::Keep(Rank::Total))
    }

    fn yarn(&mut self, line: &Line<'_>) -> Option<Verdict> {
        if line.starts("[") && line.text.get(2) == Some(&b'/') && line.text.get(4) == Some(&b']') {
            return Some(Verdict::Drop("steps"));
        }
        if line.starts("error ") {
            self.explains = 4;
            return Some(Verdict::Keep(Rank::Top));
        }
        if line.starts("warning ") {
            return Some(some(&mut self.warned, 8, Rank::Body, 0, 7));
        }
        if line.starts("info ") {
            return Some(Verdict::Keep(Rank::Detail));
        }
        // ➤ YN0013: │ left-pad@npm:1.3.0 can't be found in the cache and will be fetched
        let rest = line.after("➤ YN")?;
        let code = rest.get(..4)?;
        Some(match code {
            b"0013" | b"0019" | b"0085" => Verdict::Drop("fetched packages"),
            b"0000" if line.has("Done") || line.has("Failed") => Verdict::Keep(Rank::Total),
            b"0000" | b"0007" => Verdict::Drop("steps"),
            b"0002" | b"0060" | b"0061" | b"0068" | b"0086" => some(&mut self.warned, 8, Rank::Body, 4, 10),
            _ => some(&mut self.errors, 20, Rank::Top, 4, 10),
        })
    }
}

impl Cut for Npm {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        if let Some((level, said)) = level(line.text) {
            return match level {
                b"error" | b"ERR!" => self.error(line, said),
                b"warn" | b"WARN" => self.warn(line, said),
                b"http" => Verdict::Drop("http requests"),
                b"timing" | b"silly" | b"sill" => Verdict::Drop("log lines"),
                b"notice"
                    if said.is_empty()
                        || ["New ", "To update run", "Changelog:", "Run `npm install -g npm"]
                            .iter()
                            .any(|w| said.starts_with(w.as_bytes())) =>
                {
                    Verdict::Drop("notices")
                }
                _ => Verdict::Keep(Rank::Edge),
            };
        }
        self.help = false;
        if line.is_blank() {
            self.tree = false;
            return Verdict::Drop("blank");
        }
        if total(line.text) {
            return Verdict::Keep(Rank::Total);
        }
        if is_bar(line) || is_spinner(line.text) {
            return Verdict::Drop("progress");
        }
        if is_ended(line) {
            return Verdict::Keep(Rank::Top);
        }
        if let Some(verdict) = audit(line) {
            return verdict;
        }
        if let Some(verdict) = self.pnpm(line).or_else(|| self.yarn(line)) {
            return verdict;
        }
        if self.explains > 0 {
            self.explains -= 1;
            return Verdict::Keep(Rank::Body);
        }
        Verdict::Pass
    }
}

/// The block on funding and vulnerabilities, and npm audit's report.
fn audit(line: &Line<'_>) -> Option<Verdict> {
    if line.ends("looking for funding") || line.ends("are looking for funding.") || line.starts("  run `npm fund`") {
        return Some(Verdict::Drop("funding notes"));
    }
    // 12 vulnerabilities (3 low, 9 high) | found 0 vulnerabilities | 2 moderate severity vulnerabilities
    if line.has("vulnerabilit") && (line.starts("found ") || line.text.first().is_some_and(u8::is_ascii_digit)) {
        return Some(Verdict::Keep(Rank::Total));
    }
    if line.starts("Severity: ")
        || line.starts("fix available via ")
        || line.starts("No fix available")
        || line.starts("# npm audit report")
    {
        return Some(Verdict::Keep(Rank::Body));
    }
    let advice = [
        "To address ",
        "  npm audit fix",
        "Run `npm audit`",
        "Some issues need review",
        "a different dependency.",
        "Will install ",
        "node_modules/",
    ];
    advice.iter().any(|a| line.starts(a)).then_some(Verdict::Keep(Rank::Edge))
}

/// A frame of npm's spinner alone on a line.
fn is_spinner(text: &[u8]) -> bool {
    // Braille signs are U+2800 to U+28FF: three bytes each.
    text.len() <= 6 && text.len() >= 3 && text.starts_with(&[0xe2]) && matches!(text[1], 0xa0..=0xa3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn requests_go_and_the_rest_is_told() {
        let text = "npm http fetch GET 200 https://x.example.com/a 5ms\nnpm warn deprecated a@1: gone\n\nadded 12 packages, and audited 13 packages in 3s\n\n2 packages are looking for funding\n  run `npm fund` for details\n\n3 high severity vulnerabilities";
        assert!(sniffs(&SHAPE, text));
        assert_eq!(marks(&SHAPE, text), ".B.!....!");
    }

    #[test]
    fn the_help_of_an_error_goes() {
        let text = "npm error code EUSAGE\nnpm error\nnpm error Missing: a@1 from lock file\nnpm error Usage:\nnpm error npm ci\nnpm error A complete log of this run can be found in: x";
        assert_eq!(marks(&SHAPE, text), "T.T..D");
    }

    #[test]
    fn pnpm_and_yarn() {
        let text = "Progress: resolved 1, reused 0, downloaded 0, added 0\nPackages: +9\n+++++++++\nProgress: resolved 9, reused 0, downloaded 9, added 9, done\ndependencies:\n+ a 1.0.0\n WARN  deprecated b@1\nDone in 2s";
        assert!(sniffs(&SHAPE, text));
        assert_eq!(marks(&SHAPE, text), ".!.!hBB!");
        assert!(sniffs(&SHAPE, "yarn install v1.22.22\n[1/4] Resolving packages..."));
    }

    #[test]
    fn prose_is_not_taken() {
        assert!(!sniffs(&SHAPE, "npm error messages are long\nThe build added 3 packages\n+ one more"));
    }
}
