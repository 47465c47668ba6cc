//! rsync and wget: progress goes, by its form; errors, names and totals stay.

use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::cuts::seen::Seen;
use crate::hint::Hint;
use crate::line::Line;

/// The row.
pub const SHAPE: Shape = Shape {
    name: "repeat",
    dialect: "progress",
    about: "rsync and wget: errors, totals, names; progress goes",
    sniff,
    opens: Opens::NEVER,
    cut: |_| Box::new(Progress::default()),
};

fn sniff(_: &Hint, lines: &[Line<'_>]) -> bool {
    let bars = lines.iter().filter(|l| is_progress(l.text)).count();
    let rsync = lines.iter().any(|l| {
        l.starts("sending incremental file list") || l.starts("receiving incremental file list") || l.starts("building file list ...")
    });
    let wget = lines.iter().any(|l| l.starts("Saving to: ") || l.starts("HTTP request sent, awaiting response..."));
    bars >= 3 && bars * 3 >= lines.len() || bars >= 1 && (rsync || wget) || rsync && lines.len() > 10
}

/// `        81,552   1%   76.75MB/s    0:00:00 (xfr#2, to-chk=680/683)` of rsync,
/// `   100K .......... .......... ..........  0% 3.34M 6s` of wget.
fn is_progress(text: &[u8]) -> bool {
    let rest = text.trim_ascii();
    let number = rest.iter().take_while(|b| b.is_ascii_digit() || **b == b',').count();
    if number == 0 || text.first().is_some_and(|b| *b != b' ') && rest.get(number) != Some(&b'K') {
        return false;
    }
    let after = &rest[number..];
    if let Some(dots) = after.strip_prefix(b"K ") {
        return dots.starts_with(b"..") || dots.starts_with(b",,");
    }
    let after = after.trim_ascii_start();
    let percent = after.iter().take_while(|b| b.is_ascii_digit()).count();
    (1..=3).contains(&percent) && after[percent..].starts_with(b"% ") && crate::line::find(after, b"B/s ").is_some()
}

#[derive(Default)]
struct Progress {
    seen: Seen,
    names: u32,
}

impl Cut for Progress {
    fn yields(&self) -> bool {
        true
    }

    fn line(&mut self, line: &Line<'_>) -> Verdict {
        if is_progress(line.text) {
            return Verdict::Drop("progress");
        }
        if line.is_blank() {
            return Verdict::Drop("blank");
        }
        let totals = line.starts("sent ") && line.has(" bytes/sec")
            || line.starts("total size is ")
            || line.has(" saved [")
            || line.starts("FINISHED --")
            || line.starts("Downloaded: ")
            || line.starts("Giving up");
        if totals {
            return Verdict::Keep(Rank::Total);
        }
        // rsync: [sender] change_dir "/no/such" failed: ... | rsync error: some files/attrs were not transferred
        if line.starts("rsync: ")
            || line.starts("rsync error: ")
            || line.starts("rsync warning: ")
            || line.starts("wget: ")
            || line.is_error()
        {
            return Verdict::Keep(match self.seen.alike(line.text) {
                1..=2 => Rank::Top,
                3..=5 => Rank::Detail,
                _ => Rank::Edge,
            });
        }
        if line.starts("--20")
            || line.starts("Connecting to ")
            || line.starts("HTTP request sent")
            || line.starts("Resolving ")
            || line.starts("Saving to: ")
            || line.starts("Length: ")
        {
            return match self.seen.alike(line.text) {
                1..=2 => Verdict::Keep(Rank::Detail),
                _ => Verdict::Drop("repeated lines"),
            };
        }
        self.names += 1;
        if self.names > 60 && line.text.len() > 300 {
            return Verdict::Pass;
        }
        Verdict::Keep(Rank::Edge)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn progress_goes() {
        let text = "sending incremental file list\nrsync: [sender] change_dir \"/no/such\" failed: No such file or directory (2)\na/LICENSE\n         81,552   1%   76.75MB/s    0:00:00 (xfr#2, to-chk=680/683)\n\nsent 4,319 bytes  received 12 bytes  2,888.00 bytes/sec";
        assert!(sniffs(&SHAPE, text));
        assert_eq!(marks(&SHAPE, text), "ETE..!");
    }

    #[test]
    fn a_table_of_shares_is_not_progress() {
        assert!(!is_progress(b"  12  34% of all") && !is_progress(b"  7,000 20% 3 x"));
    }
}
