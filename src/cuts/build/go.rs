//! go build and go vet: every error with its package, findings of vet by kind; C warnings
//! that cgo lets through go the way of C.

use super::cc::Cc;
use super::cc_lines::diagnostic;
use super::repeats::{key, Repeats};
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::cuts::place;
use crate::hint::Hint;
use crate::line::Line;
use Rank::{Body, Edge, Top};
use Verdict::{Drop, Fold, Keep, Pass};

/// The Go compiler and vet.
pub const SHAPE: Shape = Shape {
    name: "build",
    dialect: "go",
    about: "go build and vet: errors by package with what was expected, findings by kind",
    sniff,
    opens: Opens::first(b"v", opens),
    cut: |hint| Box::new(Go::new(hint)),
};

/// How often an equal message keeps its rank.
const SHOWN: u32 = 3;

fn sniff(hint: &Hint, lines: &[Line<'_>]) -> bool {
    let said = hint.names("go") || hint.command.contains("go build") || hint.command.contains("go vet");
    let near = |i: usize| lines[i + 1..].iter().take(4).any(|l| is_place(l.text) || diagnostic(l.text).is_some());
    lines.iter().enumerate().any(|(i, l)| opens(l) || is_head(l.text) && near(i) || said && is_place(l.text))
}

fn opens(line: &Line<'_>) -> bool {
    // `vet: internal/berth/berth.go:25:17: cannot use ...`
    line.after("vet: ").is_some_and(is_place)
}

/// `# example.com/shop/internal/price`, `# pkg [pkg.test]`: whose errors follow.
fn is_head(text: &[u8]) -> bool {
    let Some(name) = text.strip_prefix(b"# ") else { return false };
    let word = name.split(|b| *b == b' ').next().unwrap_or_default();
    let rest = &name[word.len()..];
    !word.is_empty()
        && (rest.is_empty() || rest.starts_with(b" [") && rest.ends_with(b"]"))
        && word.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'/' | b'-' | b'_' | b'~'))
}

/// `internal/price/price.go:28:52: undefined: permile`
fn is_place(text: &[u8]) -> bool {
    place::split(text).is_some_and(|(path, rest)| path.ends_with(b".go") && rest.starts_with(b": "))
}

struct Go {
    c: Cc,
    repeats: Repeats,
    /// The rank of the continuation lines of the present error.
    more: Option<Rank>,
    /// Lines under a C diagnostic are asked of its cut.
    in_c: bool,
    packages: u32,
}

impl Go {
    fn new(hint: &Hint) -> Self {
        Go { c: Cc::new(hint), repeats: Repeats::default(), more: None, in_c: false, packages: 0 }
    }

    fn found(&mut self, line: &Line<'_>, said: &[u8]) -> Verdict {
        let same = self.repeats.same(said);
        // vet says the same of many places in other words: `Copy passes lock by value: x.Y ...`
        let start = said.split_inclusive(|b| *b == b' ').take(3).map(<[u8]>::len).sum();
        let kind = self.repeats.kind(&said[..start]);
        let from = line.text.len() - said.len();
        self.more = Some(if same == 1 && kind <= SHOWN { Top } else { Edge });
        match () {
            () if said == b"too many errors" || kind <= SHOWN + 1 => Keep(Top),
            () if same == 1 && kind <= 8 => Keep(Body),
            () => Fold { rank: Edge, from, to: (from + start).min(key(line.text, from)) },
        }
    }
}

impl Cut for Go {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        if is_head(line.text) {
            (self.in_c, self.more) = (false, None);
            self.packages += 1;
            return Keep(if self.packages <= 40 { Top } else { Body });
        }
        if diagnostic(line.text).is_some() || line.starts("/usr/bin/ld: ") || line.starts("In file included from ") {
            (self.in_c, self.more) = (true, None);
            return self.c.judge(line);
        }
        let text = line.after("vet: ").unwrap_or(line.text);
        if let Some((path, rest)) = place::split(text).filter(|(path, _)| path.ends_with(b".go")) {
            // `cache.go:6: In function ‘x’:` is C's.
            if let Some(said) = rest.strip_prefix(b": ").filter(|_| !path.is_empty()) {
                self.in_c = false;
                return self.found(line, said);
            }
        }
        // `\thave (string)`, `\t\twant Lift(kg int) error`
        if line.starts("\t") {
            if let Some(rank) = self.more {
                return Keep(rank);
            }
        }
        if line.starts("go: downloading ") || line.starts("go: finding ") || line.starts("go: extracting ") {
            return Drop("downloads");
        }
        // `go: updates to go.mod needed`, `note: module requires Go 1.21`
        if line.starts("go: ") || line.starts("package ") || line.starts("build ") || line.starts("can't load package") {
            self.more = Some(Body);
            return Keep(Top);
        }
        if line.starts("note: ") {
            return Keep(Body);
        }
        let head = !self.in_c && line.ends(":") && (line.has(".go: In ") || line.has(".go: At "));
        if head || self.in_c {
            self.in_c = true;
            return self.c.judge(line);
        }
        if line.is_blank() {
            return Keep(Edge);
        }
        Pass
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn errors_keep_their_package_and_what_was_expected() {
        let text = "# example.com/a\nb/c.go:3:4: not enough arguments\n\thave (string)\n\twant (int)\nb/c.go:9:1: too many errors";
        assert!(sniffs(&SHAPE, text));
        assert_eq!(marks(&SHAPE, text), "TTTTT");
    }

    #[test]
    fn warnings_of_c_give_way() {
        let text = "# example.com/n\nn/c.go:4:8: warning: unused variable ‘s’ [-Wunused-variable]\n    4 | int s;\n      |     ^\n# example.com/m\nm/m.go:9:9: undefined: x";
        assert_eq!(marks(&SHAPE, text), "TBEETT");
    }

    #[test]
    fn a_search_is_no_build() {
        assert!(!sniffs(&SHAPE, "a/b.go:3:4: return x\na/b.go:9:1: }\n# heading"));
    }
}
