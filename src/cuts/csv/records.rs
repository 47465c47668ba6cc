//! kubectl describe and kin: records of `Key:   value` lines, one after the other.
//!
//! Each record is named; what stays of it is what differs from the others, what is not well
//! in so many words, and its warnings.

use super::rows::Rows;
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::cuts::odd::Profile;
use crate::cuts::seen::Seen;
use crate::hint::Hint;
use crate::line::Line;

/// `Name:             checkout-466cb2f76-vtwfp` and the lines below.
pub const SHAPE: Shape = Shape {
    name: "csv",
    dialect: "describe",
    about: "kubectl describe: each record's name, what is not well or unlike the others, warnings",
    sniff,
    opens: Opens::NEVER,
    cut: |_| Box::new(Describe::default()),
};

/// A first record is shown whole as far as this: most often it is the only one.
const FIRST: usize = 3_600;
/// Keys that are watched.
const KEYS: usize = 60;

#[derive(Default)]
struct Describe {
    records: u32,
    bytes: usize,
    /// Keys met so far, with their indent; the place is the column.
    keys: Vec<(usize, Vec<u8>)>,
    profile: Profile,
    rows: Rows,
    seen: Seen,
    lines: Seen,
    /// Lines kept since the record's name, until one of the record is dear.
    since: u16,
    events: bool,
}

impl Describe {
    fn column(&mut self, indent: usize, key: &[u8]) -> usize {
        if let Some(at) = self.keys.iter().position(|k| k.0 == indent && k.1 == key) {
            return at;
        }
        if self.keys.len() >= KEYS {
            return usize::MAX;
        }
        self.keys.push((indent, key.to_vec()));
        self.keys.len() - 1
    }

    fn rank(&mut self, line: &Line<'_>) -> Rank {
        let text = line.text;
        let indent = line.indent();
        if indent == 0 {
            self.events = line.starts("Events:");
        }
        let trimmed = line.trimmed();
        if self.events && indent > 0 {
            // `  Warning  BackOff    22s (x812 over 3h)    kubelet            Back-off ...`
            if trimmed.starts_with(b"Warning ") {
                return if self.seen.alike(tail(trimmed)) <= 2 { Rank::Top } else { Rank::Edge };
            }
            return Rank::Edge;
        }
        let Some((key, value)) = pair(trimmed) else { return Rank::Edge };
        if is_unwell(key, value) {
            return self.rows.odd_rank(text.len());
        }
        // What names a thing is unlike all others by nature.
        let names =
            matches!(key, b"Name" | b"IP" | b"IPs" | b"Node" | b"Start Time" | b"Started" | b"Finished" | b"Controlled By" | b"UID");
        if names || key.ends_with(b" ID") || key.ends_with(b"-hash") {
            return Rank::Edge;
        }
        let column = self.column(indent, key);
        if self.profile.is_odd(column, value) && self.seen.alike(text) <= 2 {
            return self.rows.odd_rank(text.len()).min(Rank::Body);
        }
        Rank::Edge
    }
}

impl Cut for Describe {
    fn quotes(&self) -> bool {
        true
    }

    fn line(&mut self, line: &Line<'_>) -> Verdict {
        if is_name(line) {
            self.records += 1;
            self.since = 1;
            return Verdict::Keep(if self.records == 1 { Rank::Top } else { Rank::Body });
        }
        if self.records <= 1 {
            self.bytes += line.text.len() + 1;
        }
        let first = self.records <= 1 && self.bytes <= FIRST;
        if line.is_blank() {
            return Verdict::Keep(if first { Rank::Top } else { Rank::Edge });
        }
        let rank = self.rank(line);
        let met = self.lines.same(line.text);
        if first {
            return Verdict::Keep(Rank::Top);
        }
        if rank == Rank::Top && self.since > 0 {
            // Whose it is, and what tells it from the others.
            let lines = std::mem::take(&mut self.since);
            return Verdict::KeepWith { rank, lines, with: Rank::Top };
        }
        if rank == Rank::Edge && self.records > 1 {
            if met > 1 {
                return Verdict::Drop("repeated lines");
            }
            if is_id(line.trimmed()) {
                return Verdict::Drop("machine ids");
            }
        }
        if rank == Rank::Edge && self.since > 0 {
            self.since = (self.since + 1).min(12);
        }
        Verdict::Keep(rank)
    }

    fn end(&mut self) -> (u16, Rank) {
        (4, Rank::Body)
    }
}

/// The message of an event, without its age and count.
fn tail(event: &[u8]) -> &[u8] {
    let at = memchr::memmem::rfind(event, b"   ").unwrap_or(0);
    event[at..].trim_ascii()
}

fn is_name(line: &Line<'_>) -> bool {
    line.after("Name:").is_some_and(|rest| rest.starts_with(b"  "))
}

/// `Restart Count:  41`
fn pair(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = memchr::memchr(b':', text)?;
    let key = &text[..at];
    let value = text.get(at + 1..)?;
    (!key.is_empty() && key.len() <= 60 && (value.is_empty() || value[0] == b' ')).then(|| (key, value.trim_ascii()))
}

/// What a machine made up for a record.
///
/// ```text
/// Container ID:   containerd://fe9a4556ff9a
/// pod-template-hash=466cb2f76
/// Controlled By:  ReplicaSet/checkout-466cb2f76
/// ```
fn is_id(text: &[u8]) -> bool {
    const IDS: &[&[u8]] = &[
        b"Container ID:",
        b"Image ID:",
        b"pod-template-hash=",
        b"controller-revision-hash=",
        b"Controlled By:",
        b"IP:",
        b"IPs:",
        b"UID:",
        b"Started:",
        b"Finished:",
        b"Start Time:",
    ];
    IDS.iter().any(|id| text.starts_with(id))
}

/// What a state that is not well looks like.
fn is_unwell(key: &[u8], value: &[u8]) -> bool {
    match key {
        b"State" | b"Last State" => matches!(value, b"Waiting" | b"Terminated"),
        b"Reason" => !matches!(value, b"Completed" | b"" | b"Started"),
        b"Exit Code" | b"Restart Count" => value != b"0",
        b"Signal" | b"Message" | b"Failed" => value != b"0",
        b"Status" => !matches!(value, b"Running" | b"Succeeded" | b"Active" | b"Bound" | b"Ready" | b"Healthy" | b""),
        b"Ready" => value == b"False",
        _ => false,
    }
}

fn sniff(_: &Hint, lines: &[Line<'_>]) -> bool {
    let mut lines = lines.iter().filter(|l| !l.is_blank());
    if !lines.next().is_some_and(is_name) {
        return false;
    }
    let (mut keys, mut known) = (0, 0);
    for line in lines.take(60) {
        let wide = pair(line.text).is_some_and(|(key, _)| key[0].is_ascii_uppercase() && line.text[key.len()..].starts_with(b":  "));
        keys += usize::from(wide);
        known += usize::from(["Namespace:", "Labels:", "Annotations:", "Events:", "CreationTimestamp:"].iter().any(|k| line.starts(k)));
    }
    keys >= 4 && known >= 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn what_is_not_well_stays() {
        let head = "Name:         a-1\nNamespace:    shop\nLabels:       app=a\nStatus:       Running\nIP:           10.0.0.1\nEvents:       <none>\n";
        let text = format!("{head}{}\nName:         a-2\nNamespace:    shop\nExit Code:    137\nRestart Count:  0\nEvents:\n  Warning  BackOff  22s (x8 over 3h)   kubelet   Back-off", "x: y\n".repeat(900));
        assert!(sniffs(&SHAPE, &text) && !sniffs(&SHAPE, "Name:  x\nsome: text\nmore: text"));
        assert!(marks(&SHAPE, &text).ends_with("EB.TEET"));
    }
}
