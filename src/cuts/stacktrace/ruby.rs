//! Ruby: message and top frame on the first line, causes as further heads. What goes:
//! frames of gems and the interpreter, frames met again.

use super::begins;
use super::trail::Trail;
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::cuts::place;
use crate::line::Line;

/// The row.
pub const SHAPE: Shape = Shape {
    name: "stacktrace",
    dialect: "ruby",
    about: "Ruby exceptions with their causes",
    sniff: |_, lines| begins(lines, opens),
    opens: Opens::first(b"\t", opens).or_last(b")"),
    cut: |_| Box::new(Ruby::default()),
};

fn opens(line: &Line<'_>) -> bool {
    is_frame(line.text) || line.ends(")") && is_head(line.text)
}

#[derive(Default)]
struct Ruby {
    /// Inside of a trace: so many lines behind its head are no frames.
    inside: bool,
    rest: u8,
    trail: Trail,
}

impl Cut for Ruby {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        let text = line.text;
        if is_head(text) && (line.ends(")") || self.inside) {
            let rank = self.trail.head(text);
            let fresh = !std::mem::replace(&mut self.inside, true);
            self.rest = 0;
            if fresh {
                let verdict = self.trail.begin(rank);
                self.trail.frame(place_in(text), !place::is_foreign(text));
                return verdict;
            }
            self.trail.section();
            return Verdict::Keep(rank);
        }
        if is_frame(text) {
            let key = place_in(line.trimmed());
            let own = is_own(key);
            if !std::mem::replace(&mut self.inside, true) {
                let verdict = self.trail.begin_at_frame();
                self.trail.frame(key, own);
                return verdict;
            }
            self.rest = u8::MAX;
            return self.trail.frame(key, own);
        }
        // `	 ... 10471 levels...`
        if self.inside && line.trimmed().starts_with(b"... ") && line.ends(" levels...") {
            return Verdict::Keep(Rank::Body);
        }
        // The rest of a message, and the code under it: `    nil.size`, `       ^^^^^`
        if self.inside && self.rest < 6 && (line.is_blank() || line.starts(" ") || line.starts("Did you mean?")) {
            self.rest += 1;
            return Verdict::Keep(Rank::Body);
        }
        self.inside = false;
        self.trail.pass(line)
    }

    fn is_amid(&self) -> bool {
        true
    }
}

/// `/a/bom.rb:12:in `map': stack level too deep (SystemStackError)`; since 3.4 `'Array#map'`
fn is_head(text: &[u8]) -> bool {
    let Some(at) = crate::line::find(text, b":in ") else { return false };
    let path = &text[..at];
    let quoted = matches!(text.get(at + 4), Some(b'`' | b'\''));
    let message = crate::line::find(&text[at..], b"': ").is_some();
    quoted && message && !path.first().is_none_or(u8::is_ascii_whitespace) && place::split(path).is_some_and(|(_, rest)| rest.is_empty())
}

/// `	from /a/import.rb:7:in `import'`
fn is_frame(text: &[u8]) -> bool {
    text.strip_prefix(b"\tfrom ").is_some_and(|t| crate::line::find(t, b":in ").is_some() || t.last().is_some_and(u8::is_ascii_digit))
}

fn place_in(text: &[u8]) -> &[u8] {
    let text = text.strip_prefix(b"from ").unwrap_or(text);
    crate::line::find(text, b"': ").map_or(text, |end| &text[..=end])
}

fn is_own(text: &[u8]) -> bool {
    let foreign = [&b"/lib/ruby/"[..], b"<internal:", b"/bundle/ruby/", b"/bin/"];
    !place::is_foreign(text) && !foreign.iter().any(|part| crate::line::find(text, part).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn heads_of_causes_are_findings() {
        let text = "step\n/a/i.rb:10:in `load': import stopped (ArgumentError)\n\tfrom /a/i.rb:14:in `<main>'\n/usr/lib/ruby/3.1.0/json/common.rb:216:in `parse': bad (JSON::ParserError)\n\tfrom /usr/lib/ruby/3.1.0/json/common.rb:216:in `parse'\n\tfrom /usr/lib/ruby/3.1.0/json/common.rb:2:in `x'\n\tfrom /a/f.rb:15:in `parse'\n\tfrom /usr/lib/ruby/3.1.0/y.rb:2:in `z'\nstep";
        assert_eq!(marks(&SHAPE, text), "?TBTDDT.B");
        assert!(sniffs(&SHAPE, text) && !sniffs(&SHAPE, "a.rb:10:in review: x (later)\n"));
    }
}
