//! What is inside a hunk: the counts of its head decide, never a look at the line.
//!
//! A removed `-- x` prints as `--- x` and an added `++i` as `+++i`; only counting the
//! lines of each side down tells them from the next file's head.

/// Sides of a merge's diff that are told apart: 8 parents and the result.
const PARENTS: usize = 8;

/// A hunk that is being read.
pub(crate) enum Hunk {
    /// `@@ -a,b +c,d @@`, or `@@@` and more for a merge: that many sign columns less one.
    Signs { columns: usize, old: [u32; PARENTS], new: u32 },
    /// `5,7c8,9` of a diff without `-u`: lines left under `<` and `>`.
    Sides { left: u32, right: u32 },
}

/// What a line in a hunk is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// On all sides.
    Context,
    /// Added or removed; `whole` when it differs from every parent (always so in a plain diff).
    Changed { whole: bool },
    /// `\ No newline at end of file`, or the `---` between two sides.
    Note,
}

impl Hunk {
    /// Reads a hunk's head.
    pub fn open(text: &[u8]) -> Option<Hunk> {
        if text.starts_with(b"@@") {
            return signs(text);
        }
        sides(text)
    }

    /// Takes a line off the counts; `None` when it cannot be of this hunk.
    pub fn take(&mut self, text: &[u8]) -> Option<Mark> {
        match self {
            Hunk::Signs { columns, old, new } => {
                if text.first() == Some(&b'\\') {
                    return Some(Mark::Note);
                }
                let sign = |i: usize| text.get(i).copied().unwrap_or(b' ');
                let signs = (0..*columns).map(sign);
                if signs.clone().any(|b| !matches!(b, b' ' | b'+' | b'-')) {
                    return None;
                }
                let removed = signs.clone().any(|b| b == b'-');
                let (mine, gone) = if removed { (b'-', 0) } else { (b' ', 1) };
                let short = (0..*columns).any(|i| sign(i) == mine && old[i] == 0);
                if short || *new < gone || removed && signs.clone().any(|b| b == b'+') {
                    return None;
                }
                *new -= gone;
                (0..*columns).filter(|i| sign(*i) == mine).for_each(|i| old[i] -= 1);
                let blank = signs.clone().filter(|b| *b == b' ').count();
                Some(if blank == *columns { Mark::Context } else { Mark::Changed { whole: blank == 0 } })
            }
            Hunk::Sides { left, right } => match text {
                [b'<', ..] if *left > 0 => {
                    *left -= 1;
                    Some(Mark::Changed { whole: true })
                }
                [b'>', ..] if *right > 0 => {
                    *right -= 1;
                    Some(Mark::Changed { whole: true })
                }
                b"---" | [b'\\', ..] => Some(Mark::Note),
                _ => None,
            },
        }
    }

    /// Takes off the counts what a line of a word diff stands for.
    pub fn take_words(&mut self, removed: bool, added: bool) {
        if let Hunk::Signs { old, new, .. } = self {
            old[0] = old[0].saturating_sub(u32::from(removed));
            *new = new.saturating_sub(u32::from(added));
        }
    }

    /// Nothing left on any side?
    pub fn is_done(&self) -> bool {
        match self {
            Hunk::Signs { columns, old, new } => *new == 0 && old[..*columns].iter().all(|n| *n == 0),
            Hunk::Sides { left, right } => *left == 0 && *right == 0,
        }
    }

    /// Does it add every line that it has (the hunk of a new file)?
    pub fn only_adds(&self) -> bool {
        match self {
            Hunk::Signs { columns, old, .. } => old[..*columns].iter().all(|n| *n == 0),
            Hunk::Sides { .. } => false,
        }
    }

    /// Does it remove every line that it has (the hunk of a deleted file)?
    pub fn only_removes(&self) -> bool {
        matches!(self, Hunk::Signs { new: 0, .. })
    }
}

/// `@@ -14,6 +14,7 @@ fn x`, `@@ -1 +1 @@`, `@@@ -1,1 -1,1 +1,1 @@@`.
fn signs(text: &[u8]) -> Option<Hunk> {
    let ats = text.iter().take_while(|b| **b == b'@').count();
    let columns = ats - 1;
    if columns > PARENTS {
        return None;
    }
    let mut old = [0; PARENTS];
    let mut rest = &text[ats..];
    for count in &mut old[..columns] {
        (*count, rest) = range(rest.strip_prefix(b" -")?)?;
    }
    let (new, rest) = range(rest.strip_prefix(b" +")?)?;
    let rest = rest.strip_prefix(b" ")?;
    rest.starts_with(&text[..ats]).then_some(Hunk::Signs { columns, old, new })
}

/// `39a40`, `5,7c8,9`, `12,13d11`.
fn sides(text: &[u8]) -> Option<Hunk> {
    if text.len() > 48 || !text.first()?.is_ascii_digit() {
        return None;
    }
    let (from, rest) = number(text)?;
    let (to, rest) = second(from, rest)?;
    let (kind, rest) = rest.split_first()?;
    let (start, rest) = number(rest)?;
    let (end, rest) = second(start, rest)?;
    let (left, right) = ((to.checked_sub(from)?).checked_add(1)?, (end.checked_sub(start)?).checked_add(1)?);
    if !rest.is_empty() {
        return None;
    }
    match kind {
        b'a' if from == to => Some(Hunk::Sides { left: 0, right }),
        b'c' => Some(Hunk::Sides { left, right }),
        b'd' if start == end => Some(Hunk::Sides { left, right: 0 }),
        _ => None,
    }
}

fn second(first: u32, rest: &[u8]) -> Option<(u32, &[u8])> {
    match rest.strip_prefix(b",") {
        Some(rest) => number(rest),
        None => Some((first, rest)),
    }
}

/// `14,6` or `14`, which stands for one line: the count, and what follows.
fn range(text: &[u8]) -> Option<(u32, &[u8])> {
    let (_, rest) = number(text)?;
    match rest.strip_prefix(b",") {
        Some(rest) => number(rest),
        None => Some((1, rest)),
    }
}

fn number(text: &[u8]) -> Option<(u32, &[u8])> {
    let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
    let value = std::str::from_utf8(&text[..digits]).ok()?.parse().ok()?;
    Some((value, &text[digits..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_decide_what_is_inside() {
        let mut hunk = Hunk::open(b"@@ -1,2 +1,2 @@ fn +++ x").unwrap();
        assert_eq!(hunk.take(b"--- a removed comment"), Some(Mark::Changed { whole: true }));
        assert_eq!(hunk.take(b"+++i;"), Some(Mark::Changed { whole: true }));
        assert_eq!((hunk.take(b""), hunk.is_done(), hunk.take(b"--- a/x")), (Some(Mark::Context), true, None));
    }

    #[test]
    fn a_merge_has_a_column_a_parent() {
        let mut hunk = Hunk::open(b"@@@ -1,1 -1,1 +1,1 @@@").unwrap();
        assert_eq!(hunk.take(b"- NET = False"), Some(Mark::Changed { whole: false }));
        assert_eq!(hunk.take(b" -NET = True"), Some(Mark::Changed { whole: false }));
        assert_eq!((hunk.take(b"++NET = x"), hunk.is_done()), (Some(Mark::Changed { whole: true }), true));
    }

    #[test]
    fn heads_that_are_none() {
        for text in ["@@ x @@", "@@ -1,2 +1,2", "12:30", "5a6b", "3,1d2", "@@ -99999999999 +1 @@", "7", ""] {
            assert!(Hunk::open(text.as_bytes()).is_none(), "{text}");
        }
    }

    #[test]
    fn sides_without_signs() {
        let mut hunk = Hunk::open(b"5,6c8").unwrap();
        let marks: Vec<_> = ["< a", "< b", "---", "> c"].iter().map(|l| hunk.take(l.as_bytes()).is_some()).collect();
        assert!(marks == [true; 4] && hunk.is_done());
    }
}
