//! Findings as words to a CI runner: the rule stands in a field, or begins the message.

use super::code;
use super::flat::tail;
use crate::cut::{Rank, Verdict};

/// Counts such a finding under its rule.
///
/// ```text
/// ::error title=Ruff (E722),file=a.py,line=3,col=1::a.py:3:1: E722 Do not use bare `except`
/// ::warning file=c.yml,line=1,col=4::1:4 [colons] too many spaces after colon
/// ::error file=c.rb,line=1,col=8::Layout/SpaceInsideParens: Space inside parentheses detected.
/// ##vso[task.logissue type=error;sourcepath=a.py;linenumber=3;code=E722;]Do not use bare `except`
/// ```
pub(crate) fn annotation(text: &[u8]) -> Option<Verdict> {
    let rank = |error: bool| if error { Rank::Top } else { Rank::Body };
    let fold = |rule: &[u8], rank| {
        let from = (rule.as_ptr() as usize).wrapping_sub(text.as_ptr() as usize);
        (from < text.len() && !rule.is_empty()).then_some(Verdict::Fold { rank, from, to: from + rule.len() })
    };
    if let Some(fields) = text.strip_prefix(b"##vso[task.logissue ") {
        let at = crate::line::find(fields, b";code=")? + 6;
        let end = memchr::memchr2(b';', b']', &fields[at..])?;
        return fold(&fields[at..at + end], rank(crate::line::find(fields, b"type=error").is_some()));
    }
    let body = [b"::error ".as_slice(), b"::warning ", b"::notice "].iter().find_map(|w| text.strip_prefix(*w))?;
    let at = crate::line::find(body, b"::").filter(|at| crate::line::find(&body[..*at], b"file=").is_some())?;
    let (fields, said) = (&body[..at], &body[at + 2..]);
    let title = crate::line::find(fields, b"title=").map(|at| &fields[at + 6..]);
    let title = title.map(|t| &t[..memchr::memchr(b',', t).unwrap_or(t.len())]);
    let bracket = said.iter().position(|b| *b == b'[').filter(|at| *at < 16).map(|at| &said[at + 1..]);
    let word = &said[..said.iter().take(60).take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'/' | b'-' | b'_' | b'@')).count()];
    let rule = match (title, bracket) {
        (Some(title), _) => tail(title, b'(', b')').unwrap_or(title),
        (_, Some(rest)) => &rest[..memchr::memchr(b']', rest).filter(|n| *n < 60)?],
        _ if said[word.len()..].starts_with(b": ") => word,
        _ => tail(said, b'(', b')').or_else(|| tail(said, b'[', b']')).or_else(|| code(said).map(|c| c.0))?,
    };
    fold(rule, rank(text.starts_with(b"::error ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_found_where_tools_put_them() {
        let rule = |text: &str| match annotation(text.as_bytes()) {
            Some(Verdict::Fold { from, to, .. }) => text[from..to].to_string(),
            _ => String::new(),
        };
        assert_eq!(rule("::error title=Ruff (E722),file=a.py,line=3::a.py:3:1: E722 Do not"), "E722");
        assert_eq!(rule("::warning file=c.yml,line=1,col=4::1:4 [colons] too many spaces"), "colons");
        assert_eq!(rule("::error file=c.rb,line=1::Layout/SpaceInsideParens: Space inside"), "Layout/SpaceInsideParens");
        assert_eq!(rule("##vso[task.logissue type=error;sourcepath=a.py;code=F821;]Undefined"), "F821");
        assert_eq!(rule("::error::it failed") + &rule("::error file=a.rs,line=3::text"), "");
    }
}
