//! One finding a line, the place first: flake8, ruff concise, pylint, golangci-lint,
//! rubocop, shellcheck -f gcc, eslint unix and compact, yamllint, markdownlint, hadolint.

use super::annotated::annotation;
use super::{class_of, code, explained, folded, is_caret, is_path, is_total, Class, Rules};
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::cuts::place;
use crate::hint::Hint;
use crate::line::{lists, Line};

/// The row.
pub const SHAPE: Shape = Shape {
    name: "lint",
    dialect: "flat",
    about: "linters: every rule with its first places, errors before style, totals",
    sniff,
    opens: Opens::flush_colon(|line| found(line.text).is_some_and(|f| f.sure)),
    cut: |_| Box::new(Flat::default()),
};

/// Linters of golangci-lint that find likely mistakes,
const GO_DOUBTS: &str =
    "bodyclose contextcheck copyloopvar durationcheck err113 errcheck errchkjson errorlint exhaustive forcetypeassert gosec \
    gosimple govet ineffassign intrange loggercheck makezero nilerr nilnesserr nilnil noctx rowserrcheck sqlclosecheck \
    staticcheck unconvert unparam unused wastedassign";
/// and those for style.
const GO_STYLE: &str = "asciicheck cyclop decorder depguard dogsled dupl dupword exhaustruct forbidigo funlen gci gochecknoglobals \
    gochecknoinits gocognit goconst gocritic gocyclo godot godox gofmt gofumpt goheader goimports golint gomnd importas \
    ireturn lll maintidx misspell mnd musttag nakedret nestif nlreturn nolintlint nonamedreturns paralleltest perfsprint \
    prealloc predeclared revive stylecheck tagalign tagliatelle testifylint testpackage thelper usestdlibvars varnamelen \
    whitespace wrapcheck wsl";
/// Rules of actionlint.
const WORKFLOW: &str = "action credentials deprecated-commands events expression glob id if-cond job-needs matrix permissions pyflakes \
    runner-label shellcheck syntax-check workflow-call";

/// A finding on a line of its own.
pub(super) struct Found<'a> {
    pub rule: &'a [u8],
    pub class: Class,
    /// No other tool prints so.
    pub sure: bool,
    /// Lines of code follow it.
    pub framed: bool,
}

fn sniff(_: &Hint, lines: &[Line<'_>]) -> bool {
    let (mut sure, mut counted, mut total, mut other) = (0, 0, 0, 0);
    for line in lines {
        if found(line.text).is_some_and(|f| f.sure) || annotation(line.text).is_some() {
            sure += 1;
        } else if statistics(line).is_some() {
            counted += 1;
        } else if is_total(line) {
            total += 1;
        } else {
            other += usize::from(!line.is_blank());
        }
    }
    sure >= 2 && sure * 4 >= other || sure + counted > 0 && total > 0 && other < 10
}

/// Reads a line as a finding.
pub(super) fn found(text: &[u8]) -> Option<Found<'_>> {
    if text.len() < 8 || text[0].is_ascii_whitespace() || memchr::memchr(b':', text).is_none() {
        return None;
    }
    if let Some(found) = compact(text) {
        return Some(found);
    }
    let (path, mut rest) = visual(text).or_else(|| place::split(text))?;
    if !is_path(path) && path != b"Dockerfile" {
        return None;
    }
    // mypy --show-error-end: path:3:5:3:17: error: ...
    while let [b':', d, ..] = rest {
        if !d.is_ascii_digit() {
            break;
        }
        let digits = rest[1..].iter().take_while(|b| b.is_ascii_digit()).count();
        rest = &rest[1 + digits..];
    }
    // x.py:3: [D100] Missing docstring | x.py(3): [C0114(missing-module-docstring), ] Missing
    let bracket = rest.strip_prefix(b": [").and_then(|said| memchr::memchr(b']', said).map(|end| &said[..end]));
    if let Some((code, name)) = bracket.and_then(code_of) {
        return Some(Found { rule: name.unwrap_or(code), class: class_of(code), sure: true, framed: false });
    }
    let coloned = rest.first() == Some(&b':');
    let said = rest.strip_prefix(b":").unwrap_or(rest);
    let said = said.strip_prefix(b" ")?;
    let is = |rule, class| Some(Found { rule, class, sure: true, framed: false });
    if let Some((code, rest)) = code(said) {
        // src/x.go:3:2: SA1019: os.X is deprecated (staticcheck)
        if path.ends_with(b".go") {
            return Some(Found { rule: code, class: class_of(code), sure: tail(said, b'(', b')').is_some(), framed: true });
        }
        // x.py:3:36: E0602: Undefined variable 'y' (undefined-variable)
        if rest.starts_with(b": ") {
            let rule = tail(said, b'(', b')').unwrap_or(code);
            return is(rule, class_of(code));
        }
        // Dockerfile:3 DL3008 warning: Pin versions
        if !coloned && rest.starts_with(b" error: ") {
            return is(code, Class::Error);
        }
        return is(code, class_of(code));
    }
    // x.md:3:81 error MD013/line-length Line length [Expected: 80; Actual: 289]
    let marked = said.strip_prefix(b"error ").or(said.strip_prefix(b"warning ")).unwrap_or(said);
    if !coloned && marked.starts_with(b"MD0") && marked.get(5) == Some(&b'/') {
        return is(&marked[..memchr::memchr(b' ', marked).unwrap_or(5)], Class::Style);
    }
    // x.py:3:1: invalid-syntax: Expected ... | x.py:3:1: SyntaxError: ... | x.py:3:1: error: ...
    for word in [b"invalid-syntax".as_slice(), b"SyntaxError"] {
        if said.starts_with(word) && said[word.len()..].starts_with(b": ") {
            return is(&said[..word.len()], Class::Error);
        }
    }
    if let [letter @ (b'C' | b'R' | b'W' | b'E' | b'F' | b'I'), b':', b' ', cop @ ..] = said {
        // lib/a.rb:3:7: C: [Correctable] Style/StringLiterals: Prefer single quotes
        let cop = cop.strip_prefix(b"[Correctable] ").or(cop.strip_prefix(b"[Corrected] ")).unwrap_or(cop);
        let end = memchr::memchr(b':', cop).filter(|n| *n < 60 && cop[..*n].contains(&b'/'));
        let rule = end.map_or(&said[..1], |n| &cop[..n]);
        let class = match letter {
            b'E' | b'F' => Class::Error,
            b'W' => Class::Doubt,
            _ => Class::Style,
        };
        return Some(Found { rule, class, sure: true, framed: true });
    }
    let spoken = said.iter().take_while(|b| b.is_ascii_lowercase()).count();
    let (word, after) = said.split_at(spoken);
    if after.starts_with(b": ") && coloned {
        // x.py:3: error: Incompatible return value  [return-value] | x.sh:3:1: note: ... [SC2086]
        let rule = tail(said, b'[', b']');
        let mypy = rule
            .is_some_and(|r| r.iter().all(|b| b.is_ascii_lowercase() || *b == b'-') && said[..said.len() - r.len() - 2].ends_with(b"  "));
        let shell = rule.is_some_and(|r| r.starts_with(b"SC") && r[2..].iter().all(u8::is_ascii_digit));
        let class = match word {
            b"error" if shell || rule == Some(b"syntax") => Some(Class::Error),
            b"error" | b"warning" => Some(Class::Doubt),
            b"note" | b"info" | b"style" => Some(Class::Style),
            _ => None,
        };
        if let Some(class) = class {
            return (mypy || shell).then_some(Found { rule: rule.unwrap_or(word), class, sure: true, framed: false });
        }
    }
    // x.yml:3:1: [error] wrong indentation (indentation)
    for (level, class) in [(b"[error] ".as_slice(), Class::Error), (b"[warning] ", Class::Style)] {
        if let (true, Some(rule)) = (said.starts_with(level), tail(said, b'(', b')')) {
            return is(rule, class);
        }
    }
    // x.js:3:1: 'y' is not defined. [Error/no-undef]
    if let Some(rule) = tail(said, b'[', b']') {
        for (level, class) in [(b"Error/".as_slice(), Class::Error), (b"Warning/", Class::Style)] {
            if let Some(rule) = rule.strip_prefix(level) {
                return is(rule, class);
            }
        }
        // .github/workflows/ci.yml:3:5: unexpected key [syntax-check]
        if (path.ends_with(b".yml") || path.ends_with(b".yaml")) && lists(WORKFLOW, rule) {
            return Some(Found { rule, class: Class::Doubt, sure: true, framed: true });
        }
    }
    // x.go:3:7: Error return value is not checked (errcheck)
    if path.ends_with(b".go") && coloned {
        let rule = tail(said, b'(', b')')?;
        let class = if rule == b"typecheck" {
            Class::Error
        } else if lists(GO_DOUBTS, rule) {
            Class::Doubt
        } else if lists(GO_STYLE, rule) {
            Class::Style
        } else {
            return None;
        };
        return Some(Found { rule, class, sure: true, framed: true });
    }
    None
}

/// `x.py(3): [C0114(missing-module-docstring)] Missing`, as Visual Studio reads places.
fn visual(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = crate::line::find(text, b"): [")?;
    let open = memchr::memrchr(b'(', &text[..at])?;
    (open > 2 && at > open + 1 && text[open + 1..at].iter().all(u8::is_ascii_digit)).then(|| (&text[..open], &text[at + 1..]))
}

/// `D100`, `C0114(missing-module-docstring), Class.method`, `invalid-syntax`: code and name.
fn code_of(rule: &[u8]) -> Option<(&[u8], Option<&[u8]>)> {
    if rule == b"invalid-syntax" {
        return Some((b"F", Some(rule)));
    }
    let end = rule.iter().take_while(|b| b.is_ascii_alphanumeric()).count();
    let (letters, digits) = rule[..end].split_at(rule.iter().take_while(|b| b.is_ascii_uppercase()).count().min(end));
    let known = !letters.is_empty() && (3..=5).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit);
    let name = rule[end..].strip_prefix(b"(").and_then(|r| memchr::memchr(b')', r).map(|n| &r[..n]));
    (known && matches!(rule.get(end), None | Some(b'(' | b','))).then_some((&rule[..end], name))
}

/// `/a/b.js: line 3, col 7, Error - 'x' is not defined. (no-undef)`
fn compact(text: &[u8]) -> Option<Found<'_>> {
    let at = crate::line::find(text, b": line ")?;
    let rest = &text[at + 7..];
    let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    let rest = rest.get(digits..)?.strip_prefix(b", col ")?;
    let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    let rest = rest.get(digits..)?.strip_prefix(b", ")?;
    let class = if rest.starts_with(b"Error - ") || rest.starts_with(b"error - ") {
        Class::Error
    } else if rest.starts_with(b"Warning - ") || rest.starts_with(b"warning - ") {
        Class::Style
    } else {
        return None;
    };
    let rule = tail(text, b'(', b')').unwrap_or(rest);
    is_path(&text[..at]).then_some(Found { rule, class, sure: true, framed: false })
}

/// What stands in brackets at the end of the text, if it is one word.
pub(super) fn tail(text: &[u8], open: u8, close: u8) -> Option<&[u8]> {
    let text = text.trim_ascii_end().strip_suffix(&[close])?;
    let at = memchr::memrchr(open, text)?;
    let word = &text[at + 1..];
    (!word.is_empty() && word.len() < 60 && !word.contains(&b' ') && at > 0).then_some(word)
}

/// The cut: also the pre-commit cut's eye for the output of hooks.
#[derive(Default)]
pub(super) struct Flat {
    rules: Rules,
    /// The last finding's number within its rule, and its weight.
    last: Option<(u32, Class)>,
    framed: bool,
    /// Inside pylint's duplicate code.
    raw: bool,
}

impl Cut for Flat {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        if let Some(found) = found(line.text) {
            let (rank, n) = self.rules.rank(found.rule, found.class);
            (self.last, self.framed) = (Some((n, found.class)), found.framed);
            // x.py:1:0: R0801: Similar lines in 2 files
            self.raw = line.has(": R0801: ") && !line.ends(")") || line.has(": [R0801(");
            return folded(line, found.rule, rank, n);
        }
        if self.raw {
            self.raw = !line.ends("(duplicate-code)") && !line.starts("-----");
            return Verdict::Keep(Rank::Edge);
        }
        if is_total(line) {
            return Verdict::Keep(Rank::Total);
        }
        // ************* Module click.core
        if line.starts("************* Module ") || line.starts("-------------------------") {
            return Verdict::Drop("headings");
        }
        if line.is_blank() {
            return Verdict::Drop("blank");
        }
        if let Some(verdict) = statistics(line) {
            return verdict;
        }
        // x.py:3: note: ... belongs to the finding above.
        let noted = place::split(line.text).is_some_and(|(path, rest)| is_path(path) && rest.starts_with(b": note: "));
        if noted || is_caret(line.text) {
            return self.last.map_or(Verdict::Keep(Rank::Edge), |(n, class)| explained(n, class, Rank::Body));
        }
        // Inspecting 58 files | ..C...W.. | Offenses:
        let dots = line.text.len() > 3 && line.text.iter().all(|b| matches!(b, b'.' | b'C' | b'W' | b'E' | b'F' | b'R' | b'I'));
        if line.starts("Inspecting ") || dots || line.text == b"Offenses:" {
            return Verdict::Drop("progress");
        }
        if std::mem::take(&mut self.framed) {
            return self.last.map_or(Verdict::Keep(Rank::Edge), |(n, class)| explained(n, class, Rank::Body));
        }
        Verdict::Pass
    }
}

/// `741   E501 line too long` of flake8 and ruff --statistics, `* errcheck: 12` of
/// golangci-lint, the bare number of flake8 --count.
fn statistics(line: &Line<'_>) -> Option<Verdict> {
    if let Some(rest) = line.after("* ") {
        let name = rest.iter().take_while(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || **b == b'-').count();
        let rest = rest[name..].strip_prefix(b": ")?;
        return (!rest.is_empty() && rest.iter().all(u8::is_ascii_digit)).then_some(Verdict::Keep(Rank::Top));
    }
    let text = line.trimmed();
    let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
    if digits == 0 || digits > 8 || line.indent() > 6 {
        return None;
    }
    if digits == text.len() {
        return (line.indent() == 0).then_some(Verdict::Keep(Rank::Total));
    }
    let rest = text[digits..].strip_prefix(b"\t").or(text[digits..].strip_prefix(b" "))?.trim_ascii_start();
    if rest.ends_with(b" invalid-syntax") {
        return Some(Verdict::Keep(Rank::Top));
    }
    let (code, _) = code(rest)?;
    Some(Verdict::Keep(if class_of(code) == Class::Style { Rank::Body } else { Rank::Top }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    fn rule(text: &str) -> String {
        found(text.as_bytes()).map(|f| format!("{} {:?}", String::from_utf8_lossy(f.rule), f.class)).unwrap_or_default()
    }

    #[test]
    fn findings_of_many_tools() {
        assert_eq!(rule("src/a.py:3:37: F821 Undefined name `x`"), "F821 Error");
        assert_eq!(rule("src/a.py:3:36: E0602: Undefined variable 'x' (undefined-variable)"), "undefined-variable Error");
        assert_eq!(rule("lib/a.rb:1:1: C: [Correctable] Style/Foo: Add it."), "Style/Foo Style");
        assert_eq!(rule("a.go:3:7: Error return value of `f` is not checked (errcheck)"), "errcheck Doubt");
        assert_eq!(rule("a.go:3:7: undefined: lru.Neww (typecheck)"), "typecheck Error");
        assert_eq!(rule("/a/b.js: line 1, col 2, Error - 'x' is not defined. (no-undef)"), "no-undef Error");
        assert_eq!(rule("x.sh:3:1: note: Double quote [SC2086]"), "SC2086 Style");
        assert_eq!(rule("a.py:3: error: Missing return  [return]"), "return Doubt");
        assert_eq!(rule("a.py:3: [F821] Undefined name `x`"), "F821 Error");
        assert_eq!(rule("a.py:3: [E0602(undefined-variable), f] Undefined variable 'x'"), "undefined-variable Error");
    }

    #[test]
    fn compilers_and_greps_are_not_taken() {
        for text in [
            "a.c:3:4: error: expected ';' [-Wfoo]",
            "a.py:3:    x = f(y)",
            "12:30:01: E501 x",
            "note: 3:4: a b",
            "main.go:3:2: undefined: x",
        ] {
            assert_eq!(rule(text), "", "{text}");
        }
    }

    #[test]
    fn first_places_of_a_rule_are_kept() {
        let text = "a.py:1:1: E501 x\na.py:2:1: F821 x\nFound 2 errors.\n\n741   E501 line too long\n2805";
        assert!(sniffs(&SHAPE, text));
        assert_eq!(marks(&SHAPE, text), "++!.B!");
        assert!(!sniffs(&SHAPE, "see a.py:1:1: it says\nand more\nof this"));
    }
}
