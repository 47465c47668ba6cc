//! ansible: tasks that failed or were unreachable with what they say, the recap's bad
//! hosts; hosts that are well go.

use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::cuts::seen::Seen;
use crate::hint::Hint;
use crate::line::Line;

/// The row.
pub const SHAPE: Shape = Shape {
    name: "repeat",
    dialect: "ansible",
    about: "ansible: failed and unreachable hosts with task and reason, the recap; hosts that are well go",
    sniff: |_: &Hint, lines| lines.iter().any(|l| banner(l.text)),
    opens: Opens::last(b"*", |line| banner(line.text)),
    cut: |_| Box::new(Ansible::default()),
};

/// `TASK [Check the port] ******`, `PLAY RECAP ******`
fn banner(text: &[u8]) -> bool {
    let named = [b"PLAY [".as_slice(), b"TASK [", b"RUNNING HANDLER [", b"PLAY RECAP "].iter().any(|w| text.starts_with(w));
    // The stars fill the line, but three there are always.
    named && text.ends_with(b"***") && (text.len() >= 30 || text.starts_with(b"PLAY RECAP *"))
}

#[derive(Default)]
struct Ansible {
    seen: Seen,
    /// What the lines below the present one belong to.
    below: Below,
    recap: bool,
    well: u32,
    /// The result above was printed with its fields.
    open: bool,
}

#[derive(Clone, Copy, Default, PartialEq)]
enum Below {
    #[default]
    None,
    /// The result of a host that is well.
    Well,
    /// That of one that is not, or an error: lines left to keep.
    Bad(u8),
    /// A warning that was shown before.
    Known,
}

impl Ansible {
    fn below(&mut self, line: &Line<'_>) -> Verdict {
        // A result's fields stand behind blanks, or between brackets; a message may be longer.
        let inside = line.indent() > 0 || self.open && matches!(line.text[0], b'{' | b'}' | b']');
        if line.text[0] == b'}' {
            self.open = false;
        }
        if !inside && !matches!(self.below, Below::Bad(1..) | Below::Known) || self.recap && !matches!(self.below, Below::Bad(1..)) {
            self.below = Below::None;
        }
        match self.below {
            Below::Well => Verdict::Drop("further hosts"),
            Below::Known => Verdict::Drop("repeated warnings"),
            Below::Bad(left) => {
                self.below = Below::Bad(left.saturating_sub(1));
                let said = line.trimmed();
                let told = [b"\"msg\":".as_slice(), b"\"stderr\":", b"\"assertion\":", b"\"cmd\":", b"\"rc\":", b"Origin: "]
                    .iter()
                    .any(|w| said.starts_with(w));
                Verdict::Keep(match left {
                    0 => Rank::Edge,
                    _ if told => Rank::Body,
                    _ => Rank::Detail,
                })
            }
            Below::None => Verdict::Pass,
        }
    }
}

/// `web07   : ok=3    changed=2    unreachable=0    failed=1    skipped=0`
fn is_tally(line: &Line<'_>) -> bool {
    line.has(" : ok=")
}

impl Cut for Ansible {
    fn ends_before(&self, line: &Line<'_>) -> bool {
        let own = || banner(line.text) || is_tally(line) || line.starts("[");
        self.recap && self.below == Below::None && !line.is_blank() && !own()
    }

    fn line(&mut self, line: &Line<'_>) -> Verdict {
        if banner(line.text) {
            self.below = Below::None;
            self.recap = line.starts("PLAY RECAP");
            return if self.recap { Verdict::Keep(Rank::Total) } else { Verdict::Head };
        }
        if line.is_blank() {
            return Verdict::Drop("blank");
        }
        if self.recap && is_tally(line) {
            if line.has("failed=0 ") && line.has("unreachable=0 ") {
                self.well += 1;
                return if self.well <= 2 || line.has("ignored=") && !line.has("ignored=0") {
                    Verdict::Keep(Rank::Detail)
                } else {
                    Verdict::Drop("further hosts")
                };
            }
            return Verdict::Keep(Rank::Total);
        }
        self.open |= line.has("] => ") || line.has("! => ");
        // fatal: [web12]: FAILED! => {...} | failed: [web03] (item=x) => {...} | fatal: [web19]: UNREACHABLE! => {...}
        if line.starts("fatal: [") || line.starts("failed: [") {
            self.below = Below::Bad(12);
            return Verdict::Keep(if self.seen.alike(line.text) <= 20 { Rank::Top } else { Rank::Detail });
        }
        if line.starts("...ignoring") {
            self.below = Below::None;
            return Verdict::Keep(Rank::Top);
        }
        if line.starts("ok: [") || line.starts("skipping: [") || line.starts("included: ") {
            self.below = Below::Well;
            return Verdict::Drop("further hosts");
        }
        if line.starts("changed: [") {
            self.below = Below::Well;
            return if self.seen.alike(line.text) <= 3 { Verdict::Keep(Rank::Edge) } else { Verdict::Drop("changed hosts") };
        }
        if line.starts("[ERROR]: ") || line.starts("ERROR! ") {
            self.below = Below::Bad(8);
            return Verdict::Keep(if self.seen.alike(line.text) <= 6 { Rank::Top } else { Rank::Detail });
        }
        if line.starts("[WARNING]: ") || line.starts("[DEPRECATION WARNING]: ") {
            let first = self.seen.alike(line.text) == 1;
            self.below = if first { Below::Bad(3) } else { Below::Known };
            return if first { Verdict::Keep(Rank::Body) } else { Verdict::Drop("repeated warnings") };
        }
        // FAILED - RETRYING: [web01]: wait for port (3 retries left).
        if line.starts("FAILED - RETRYING: ") {
            return Verdict::Keep(if self.seen.alike(line.text) <= 2 { Rank::Detail } else { Rank::Edge });
        }
        self.below(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn who_failed_and_why() {
        let text = "TASK [Check the port is sane] **************\nok: [web01] => {\n    \"msg\": \"ok\"\n}\nfatal: [web12]: FAILED! => {\n    \"msg\": \"over 8999\"\n}\n...ignoring\n\nPLAY RECAP *********************************\nweb01 : ok=8    changed=4    unreachable=0    failed=0    skipped=0\nweb12 : ok=2    changed=2    unreachable=0    failed=1    skipped=0";
        assert!(sniffs(&SHAPE, text));
        assert_eq!(marks(&SHAPE, text), "h...TBDT.!D!");
    }

    #[test]
    fn behind_the_recap_nothing_is_ansible_s() {
        let text = "PLAY RECAP *********************************\nweb01 : ok=8    changed=4    unreachable=0    failed=0    skipped=0\nChecking schema.yml\n  problem: unknown type";
        assert_eq!(marks(&SHAPE, text), "!D??");
        assert_eq!(marks(&SHAPE, "TASK [Check the port is sane] **************\nok: [web01]\nnot its line"), "h.?");
    }

    #[test]
    fn a_heading_with_stars_is_not_taken() {
        assert!(!sniffs(&SHAPE, "TASK [x] to do\nPLAY [y]\n*************************"));
    }
}
