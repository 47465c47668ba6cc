//! docker compose: services that end, fail or are not well, with what they said last.

use super::is_layer;
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::cuts::seen::Seen;
use crate::hint::Hint;
use crate::line::{Line, Signs};

/// The row.
pub const SHAPE: Shape = Shape {
    name: "docker",
    dialect: "compose",
    about: "docker compose: services that end or fail and what they said; starting and routine lines go first",
    sniff,
    opens: Opens::NEVER,
    cut: |_| Box::new(Compose::default()),
};

fn sniff(_: &Hint, lines: &[Line<'_>]) -> bool {
    let events = lines.iter().filter(|l| event(l.text).is_some()).count();
    let said = lines.iter().filter(|l| said(l.text).is_some()).count();
    let attached = lines.iter().any(|l| l.starts("Attaching to "));
    let exits = || lines.iter().any(|l| exit(l.text).is_some());
    events >= 2 && (events >= 4 || said > 0 || attached) || said >= 3 && (attached || exits())
}

const OBJECTS: [&[u8]; 5] = [b"Container ", b"Network ", b"Volume ", b"Image ", b"Service "];
const STATES: [&[u8]; 20] = [
    b"Creating",
    b"Created",
    b"Starting",
    b"Started",
    b"Running",
    b"Waiting",
    b"Healthy",
    b"Stopping",
    b"Stopped",
    b"Removing",
    b"Removed",
    b"Recreate",
    b"Recreated",
    b"Building",
    b"Built",
    b"Pulling",
    b"Pulled",
    b"Exited",
    b"Error",
    b"Unhealthy",
];

/// ` Container shop-web-1  Created`: the state.
fn event(text: &[u8]) -> Option<&[u8]> {
    let text = text.strip_prefix(b" ")?.trim_ascii();
    let text = ["✔ ", "✘ ", "⠿ "].iter().find_map(|s| text.strip_prefix(s.as_bytes())).unwrap_or(text);
    let rest = OBJECTS.iter().find_map(|o| text.strip_prefix(*o))?;
    rest.split(|b| *b == b' ').skip(1).find(|w| STATES.contains(w))
}

/// `web-1      | text`: the service and what it said.
fn said(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let bar = crate::line::find(text, b" | ").or_else(|| text.ends_with(b" |").then(|| text.len() - 2))?;
    let name = text[..bar].trim_ascii_end();
    let ok = !name.is_empty()
        && name.len() < 60
        && name.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'))
        && name[0].is_ascii_alphanumeric();
    let numbered = name
        .iter()
        .rposition(|b| matches!(b, b'-' | b'_'))
        .is_some_and(|n| n + 1 < name.len() && name[n + 1..].iter().all(u8::is_ascii_digit));
    (ok && (numbered || bar > name.len())).then(|| (name, text.get(bar + 3..).unwrap_or_default()))
}

/// `migrate-1 exited with code 1 (restarting)`: the code.
fn exit(text: &[u8]) -> Option<&[u8]> {
    let at = crate::line::find(text, b" exited with code ").filter(|n| *n < 80)?;
    text[at + 18..].split(|b| !b.is_ascii_digit()).next().filter(|c| !c.is_empty())
}

#[derive(Default)]
struct Compose {
    seen: Seen,
    /// Hash of the service whose trace goes on, and lines it may still take.
    trace: (usize, u8),
}

impl Compose {
    fn service(&mut self, line: &Line<'_>, name: &[u8], said: &[u8]) -> Verdict {
        // Enough to tell a handful of services apart.
        let id = name.iter().fold(7_usize, |a, b| a.wrapping_mul(31).wrapping_add(usize::from(*b)));
        if self.trace.1 > 0 && self.trace.0 == id {
            self.trace.1 -= 1;
            let indented = said.first().is_some_and(u8::is_ascii_whitespace);
            let frame = indented || said.starts_with(b"at ") || said.starts_with(b"...");
            if frame {
                return Verdict::Keep(Rank::Body);
            }
            if !said.is_empty() {
                self.trace.1 = 0;
                // The last line of a trace says what went wrong.
                return Verdict::Keep(if self.seen.alike(said) <= 3 { Rank::Top } else { Rank::Edge });
            }
        }
        if line.signs().has(Signs::ERROR) {
            let n = self.seen.alike(said);
            if n <= 2 {
                self.trace = (id, 24);
            }
            return match n {
                1..=2 => Verdict::KeepWith { rank: Rank::Top, lines: 1, with: Rank::Detail },
                3..=4 => Verdict::Keep(Rank::Detail),
                _ => Verdict::Keep(Rank::Edge),
            };
        }
        if line.signs().has(Signs::WARNING) && self.seen.alike(said) <= 2 {
            return Verdict::Keep(Rank::Detail);
        }
        Verdict::Keep(Rank::Edge)
    }
}

impl Cut for Compose {
    fn nests(&self) -> bool {
        true
    }

    fn line(&mut self, line: &Line<'_>) -> Verdict {
        if let Some(code) = exit(line.text) {
            return match (code, self.seen.same(line.text)) {
                (b"0", _) => Verdict::Keep(Rank::Body),
                (_, 1..=3) => Verdict::KeepWith { rank: Rank::Top, lines: 2, with: Rank::Detail },
                _ => Verdict::Keep(Rank::Edge),
            };
        }
        if let Some((name, said)) = said(line.text) {
            return self.service(line, name, said);
        }
        if let Some(state) = event(line.text) {
            return match state {
                b"Error" | b"Unhealthy" => Verdict::Keep(Rank::Top),
                b"Exited" => Verdict::Keep(Rank::Body),
                _ => Verdict::Drop("container steps"),
            };
        }
        if line.is_blank() {
            return Verdict::Drop("blank");
        }
        if is_layer(line) || line.starts("[+] Running ") || line.starts("[+] Pulling ") || line.ends(" Pulling") || line.starts(" ⠋") {
            return Verdict::Drop("layers");
        }
        if line.ends(" Pulled") || line.starts("Attaching to ") || line.starts("Gracefully stopping") {
            return Verdict::Keep(Rank::Detail);
        }
        if line.is_error() || line.starts("dependency failed to start") {
            return Verdict::Keep(Rank::Top);
        }
        Verdict::Pass
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn who_ended_and_why() {
        let text = " Container a-1  Creating\n Container a-1  Created\nAttaching to a-1, b-1\na-1  | ok\na-1  | Traceback (most recent call last):\na-1  |   File \"x.py\", line 3\na-1  | ValueError: y\nb-1  | ok\na-1 exited with code 1";
        assert!(sniffs(&SHAPE, text));
        assert_eq!(marks(&SHAPE, text), "..DETBTET");
    }

    #[test]
    fn a_table_is_not_taken() {
        assert!(!sniffs(&SHAPE, "name | size\nweb  | 3\ndb   | 4\nid-1 | x"));
    }
}
