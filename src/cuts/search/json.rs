//! `rg --json`: one object a line for the begin, matches, context and end of a file.

use super::row;
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::cuts::spread::Spread;
use crate::hint::Hint;
use crate::line::Line;

/// `{"type":"begin","data":{"path":{"text":"src/a.rs"}}}`
pub const SHAPE: Shape = Shape {
    name: "search",
    dialect: "rg --json",
    about: "rg --json: the first match of each file, the summary",
    sniff: |_, lines| lines.iter().find(|l| !l.is_blank()).is_some_and(opens),
    opens: Opens::first(b"{", opens),
    cut: |_: &Hint| Box::new(Json::default()),
};

fn opens(line: &Line<'_>) -> bool {
    line.starts("{\"type\":\"begin\",\"data\":{\"path\":")
}

#[derive(Default)]
struct Json {
    spread: Spread,
    matches: u32,
}

impl Cut for Json {
    fn quotes(&self) -> bool {
        true
    }

    fn line(&mut self, line: &Line<'_>) -> Verdict {
        // `{"data":{"elapsed_total":...},"type":"summary"}`
        if line.ends(",\"type\":\"summary\"}") {
            return Verdict::Keep(Rank::Total);
        }
        let Some(rest) = line.after("{\"type\":\"") else { return if line.is_blank() { Verdict::Keep(Rank::Edge) } else { Verdict::Pass } };
        if rest.starts_with(b"begin\"") {
            self.matches = 0;
            return Verdict::Keep(Rank::Edge);
        }
        if rest.starts_with(b"match\"") {
            self.matches += 1;
            let rank = match self.matches {
                1 => match self.spread.rank(line.text.len(), 30) {
                    Rank::Top => return Verdict::Keep(Rank::Top),
                    rank => rank,
                },
                _ => Rank::Edge,
            };
            let (from, to) = path(line.text).unwrap_or((0, 0));
            let key = row::key(&line.text[from..to]);
            return Verdict::Fold { rank, from: from + key.start, to: from + key.end };
        }
        if rest.starts_with(b"context\"") || rest.starts_with(b"end\"") {
            return Verdict::Keep(Rank::Edge);
        }
        Verdict::Pass
    }
}

/// The bytes of `"path":{"text":"..."}` (or base64 in `"bytes"`).
fn path(text: &[u8]) -> Option<(usize, usize)> {
    let head = &text[..text.len().min(600)];
    let from = ["\"path\":{\"text\":\"", "\"path\":{\"bytes\":\""]
        .iter()
        .find_map(|mark| crate::line::find(head, mark.as_bytes()).map(|at| at + mark.len()))?;
    let to = from + memchr::memchr(b'"', &text[from..])?;
    Some((from, to))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn the_first_match_of_a_file_and_the_summary_stay() {
        let path = "\"data\":{\"path\":{\"text\":\"src/a.rs\"}";
        let text = format!(
            "{{\"type\":\"begin\",{path}}}}}\n{{\"type\":\"match\",{path},1}}}}\n{{\"type\":\"match\",{path},2}}}}\n\
             {{\"type\":\"end\",{path}}}}}\n{{\"data\":1,\"type\":\"other\"}}\n{{\"data\":{{}},\"type\":\"summary\"}}"
        );
        assert!(sniffs(&SHAPE, &text) && !sniffs(&SHAPE, "{\"type\":\"beginner\"}"));
        assert_eq!(marks(&SHAPE, &text), "ET+E?!");
    }
}
