//! apt and dpkg.

use super::some;
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::hint::Hint;
use crate::line::Line;

/// The row.
pub const SHAPE: Shape = Shape {
    name: "install",
    dialect: "apt",
    about: "apt, dpkg: what is installed, upgraded, removed; errors; fetching and unpacking go",
    sniff,
    opens: Opens::first(b"RG", |line| line.starts("Reading package lists...") || fetched(line.text) && line.starts("Get:1 ")),
    cut: |_| Box::new(Apt::default()),
};

fn sniff(_: &Hint, lines: &[Line<'_>]) -> bool {
    let opens = lines.iter().any(|l| l.starts("Reading package lists..."));
    let steps = lines.iter().filter(|l| fetched(l.text) || unpacks(l) || l.starts("Setting up ") && l.ends(" ...")).count();
    opens && (steps > 0 || lines.iter().any(|l| l.starts("Building dependency tree"))) || steps >= 4
}

/// `Get:12 http://deb.example.com/debian bookworm/main amd64 x amd64 1.2 [3 kB]`, `Hit:1 ...`
fn fetched(text: &[u8]) -> bool {
    let rest = [b"Get:".as_slice(), b"Hit:", b"Ign:"].iter().find_map(|w| text.strip_prefix(*w));
    rest.is_some_and(|r| {
        let digits = r.iter().take_while(|b| b.is_ascii_digit()).count();
        let rest = &r[digits..];
        digits > 0 && [b" http".as_slice(), b" file:", b" cdrom:", b" copy:"].iter().any(|s| rest.starts_with(s))
    })
}

fn unpacks(line: &Line<'_>) -> bool {
    line.starts("Selecting previously unselected package ")
        || line.starts("Preparing to unpack ")
        || line.starts("Unpacking ") && line.ends(" ...")
        || line.starts("(Reading database ")
}

/// What the list below a heading is worth.
#[derive(Clone, Copy, Default, PartialEq)]
enum List {
    #[default]
    None,
    Noise,
    Data,
    Matters,
}

#[derive(Default)]
struct Apt {
    list: List,
    set_up: u32,
    errors: u32,
}

impl Cut for Apt {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        if line.starts(" ") && self.list != List::None {
            return match self.list {
                List::Noise => Verdict::Drop("suggested and additional packages"),
                List::Data => Verdict::Keep(Rank::Edge),
                _ => Verdict::Keep(Rank::Body),
            };
        }
        self.list = List::None;
        // The following NEW packages will be installed:
        if line.starts("The following ") || line.starts("Suggested packages:") || line.starts("Recommended packages:") {
            self.list = if line.starts("Sugg") || line.starts("Reco") || line.has(" additional ") {
                List::Noise
            } else if line.has(" NEW ") || line.has("automatically installed") {
                List::Data
            } else {
                List::Matters
            };
            return match self.list {
                List::Noise => Verdict::Drop("suggested and additional packages"),
                List::Data => Verdict::Keep(Rank::Detail),
                _ => Verdict::Keep(Rank::Top),
            };
        }
        // 0 upgraded, 22 newly installed, 0 to remove and 5 not upgraded.
        if line.text.first().is_some_and(u8::is_ascii_digit) {
            if line.has(" upgraded, ") && line.has(" newly installed") || line.has("packages can be upgraded") {
                return Verdict::Keep(Rank::Total);
            }
            // 12% [3 libc6 45 kB/2 MB 3%]
            if line.text.iter().position(|b| *b == b'%').is_some_and(|n| n < 4) {
                return Verdict::Drop("progress");
            }
        }
        if line.starts("E: ")
            || line.starts("Err:")
            || line.starts("dpkg: error")
            || line.starts("Errors were encountered")
            || line.starts("dpkg-deb: error")
        {
            self.list = List::Matters;
            self.errors += 1;
            return Verdict::Keep(if self.errors <= 20 { Rank::Top } else { Rank::Detail });
        }
        if line.starts("W: ") || line.starts("N: ") || line.starts("dpkg: warning") {
            return Verdict::Keep(Rank::Body);
        }
        if fetched(line.text) {
            return Verdict::Drop("fetched packages");
        }
        if unpacks(line) {
            return Verdict::Drop("unpacked packages");
        }
        // Setting up composer (2.5.5-1+deb12u5) ...
        if line.starts("Setting up ") && line.ends(" ...") {
            return some(&mut self.set_up, 0, Rank::Edge, 0, 10);
        }
        if line.starts("Inst ") || line.starts("Remv ") {
            return Verdict::Keep(if line.starts("Inst ") { Rank::Edge } else { Rank::Body });
        }
        let steps = [
            "Reading package lists",
            "Building dependency tree",
            "Reading state information",
            "Calculating upgrade",
            "Processing triggers for ",
            "Progress: [",
            "Conf ",
            "debconf: ",
            "update-alternatives: using ",
            "Extracting templates from packages",
            "Preconfiguring packages",
            "Created symlink ",
            "Scanning ",
            "invoke-rc.d: ",
            "Do you want to continue?",
        ];
        if steps.iter().any(|s| line.starts(s)) {
            return Verdict::Drop("steps");
        }
        if line.starts("Need to get ")
            || line.starts("After this operation")
            || line.starts("Fetched ")
            || line.ends("is already the newest version.")
            || line.has(" is already the newest version (")
        {
            return Verdict::Keep(Rank::Detail);
        }
        if line.is_blank() {
            return Verdict::Drop("blank");
        }
        Verdict::Pass
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn unpacking_goes() {
        let text = "Reading package lists...\nBuilding dependency tree...\nThe following NEW packages will be installed:\n  a b\n0 upgraded, 2 newly installed, 0 to remove and 5 not upgraded.\nGet:1 http://deb.example.com/debian x\nUnpacking a (1) ...\nSetting up a (1) ...\nE: Sub-process returned an error code (1)";
        assert!(sniffs(&SHAPE, text));
        assert_eq!(marks(&SHAPE, text), "..DE!..+T");
    }

    #[test]
    fn prose_is_not_taken() {
        assert!(!sniffs(&SHAPE, "Setting up a tent ...\nGet: 3 pegs\nUnpacking it ..."));
    }
}
