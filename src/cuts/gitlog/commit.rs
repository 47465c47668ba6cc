//! A commit's head and message, as `git log`, `git show` and mails of patches print them.

use crate::cut::{Rank, Verdict};
use crate::cuts::diff::list::{row, Row};

/// Commits that are shown with subject, author and date.
pub(crate) const NEWEST: u32 = 15;
/// Lines of the message of a commit that stands alone.
const MESSAGE: u32 = 20;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Out,
    Head,
    Message,
    MailHead,
    MailBody,
    MailEnd,
}

/// Reads commits line by line.
pub(crate) struct Commits {
    place: Place,
    /// Commits met.
    pub count: u32,
    subject: bool,
    folding: bool,
    message: u32,
    stats: u32,
    spared: u16,
    /// The output is about few commits: messages matter.
    alone: bool,
}

/// Is it the first line of a commit: `commit <hash>`, with refs or parents after it?
pub(crate) fn opens(text: &[u8]) -> bool {
    let Some(rest) = text.strip_prefix(b"commit ") else { return false };
    // `--left-right` and `--boundary` put a sign before the hash.
    let rest = rest.strip_prefix(b"- ").or_else(|| rest.strip_prefix(b"< ")).or_else(|| rest.strip_prefix(b"> ")).unwrap_or(rest);
    let hash = hash(rest);
    let after = &rest[hash..];
    (7..=64).contains(&hash)
        && (after.is_empty()
            || after.starts_with(b" (")
            || after[0] == b' ' && after[1..].iter().all(|b| b.is_ascii_hexdigit() || *b == b' '))
}

/// Is it the first line of a patch as a mail? Its date is always the same.
pub(crate) fn opens_mail(text: &[u8]) -> bool {
    text.strip_prefix(b"From ").is_some_and(|rest| hash(rest) == 40 && rest[40..].starts_with(b" Mon Sep 17 00:00:00 2001"))
}

/// How many hexadecimal digits (lower case) the text starts with.
pub(crate) fn hash(text: &[u8]) -> usize {
    text.iter().take_while(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')).count()
}

/// Could it be a file's name on a line of its own? A sentence is none, nor is a shell's word
/// on a command that came to grief.
fn is_file(text: &[u8]) -> bool {
    let prose = text.contains(&b' ') && !text.contains(&b'/') && !text[text.len().saturating_sub(6)..].contains(&b'.');
    text.len() < 256 && !text.contains(&b':') && !prose && !crate::failure::is_stated(&crate::line::Line::new(text, 0))
}

impl Commits {
    pub fn new(alone: bool) -> Commits {
        Commits { place: Place::Out, count: 0, subject: false, folding: false, message: 0, stats: 0, spared: 0, alone }
    }

    /// Is the present commit one of the newest?
    pub fn is_new(&self) -> bool {
        self.count <= NEWEST
    }

    /// Lines of the present commit that are not shown by themselves: the oldest commit's
    /// tell how far back the log goes.
    pub fn spared(&self) -> u16 {
        self.spared.min(8)
    }

    fn spare(&mut self, verdict: Verdict) -> Verdict {
        if self.is_new() || verdict != Verdict::Keep(Rank::Edge) {
            return verdict;
        }
        self.spared = self.spared.saturating_add(1);
        Verdict::Spare("lines of older commits")
    }

    fn rank(&self, new: Rank) -> Rank {
        if self.is_new() {
            new
        } else {
            Rank::Edge
        }
    }

    fn start(&mut self, place: Place) {
        self.place = place;
        self.count += 1;
        (self.subject, self.folding, self.message, self.stats, self.spared) = (false, false, 0, 0, 0);
    }

    /// The opinion on a line, `None` when it is no part of a commit.
    pub fn line(&mut self, text: &[u8]) -> Option<Verdict> {
        let verdict = self.opinion(text)?;
        Some(if self.alone { verdict } else { self.spare(verdict) })
    }

    fn opinion(&mut self, text: &[u8]) -> Option<Verdict> {
        if opens(text) {
            self.start(Place::Head);
            // A branch or tag stands here: rare, and what one looks for.
            if crate::line::find(text, b" (").is_some() {
                return Some(Verdict::Keep(if self.is_new() { Rank::Top } else { Rank::Detail }));
            }
            if self.is_new() || self.alone {
                return Some(Verdict::Keep(self.rank(Rank::Top)));
            }
            self.spared = 1;
            return Some(Verdict::Spare("older commits"));
        }
        if opens_mail(text) {
            self.start(Place::MailHead);
            return Some(Verdict::Keep(self.rank(Rank::Detail)));
        }
        // `git show v1`: the tag's own head and message come first.
        if self.count == 0 && text.starts_with(b"tag ") && !text[4..].contains(&b' ') {
            self.place = Place::MailHead;
            return Some(Verdict::Keep(Rank::Top));
        }
        match self.place {
            Place::Out => None,
            Place::Head => self.head(text),
            Place::Message => self.message(text),
            Place::MailHead => Some(self.mail_head(text)),
            Place::MailBody => self.mail_body(text),
            Place::MailEnd => {
                self.place = Place::Out;
                // `2.47.3`, the version of git
                text.first().is_some_and(u8::is_ascii_digit).then_some(Verdict::Keep(Rank::Edge))
            }
        }
    }

    fn head(&mut self, text: &[u8]) -> Option<Verdict> {
        let explains = if self.alone { Rank::Body } else { Rank::Detail };
        if text.trim_ascii().is_empty() {
            self.place = Place::Message;
            return Some(Verdict::Keep(Rank::Edge));
        }
        let after = |label: &str| text.strip_prefix(label.as_bytes());
        if after("Author: ").is_some() || after("author ").is_some() {
            return Some(Verdict::Keep(self.rank(explains)));
        }
        if after("Merge: ").is_some() {
            return Some(Verdict::Keep(self.rank(Rank::Body)));
        }
        if after("gpg: ").is_some() {
            let bad = crate::line::find(text, b"BAD ").is_some();
            return Some(Verdict::Keep(if bad { Rank::Top } else { Rank::Edge }));
        }
        if after("Date: ").is_some() || after("AuthorDate: ").is_some() {
            return Some(Verdict::Keep(self.rank(explains)));
        }
        let labels =
            ["Commit: ", "CommitDate: ", "Reflog: ", "Reflog message: ", "tree ", "parent ", "committer ", "gpgsig", "encoding ", " "];
        if labels.iter().any(|l| after(l).is_some()) {
            return Some(Verdict::Keep(Rank::Edge));
        }
        self.place = Place::Message;
        self.message(text)
    }

    fn message(&mut self, text: &[u8]) -> Option<Verdict> {
        if text.trim_ascii().is_empty() || text == b"Notes:" {
            return Some(Verdict::Keep(Rank::Edge));
        }
        if text.starts_with(b"    ") && row(text) != Some(Row::Stat) {
            self.message += 1;
            if !self.subject {
                self.subject = true;
                return Some(Verdict::Keep(self.rank(Rank::Top)));
            }
            return Some(Verdict::Keep(if self.alone && self.message <= MESSAGE { Rank::Body } else { Rank::Edge }));
        }
        let verdict = self.stat(text);
        if verdict.is_none() {
            // `--name-only` rows are the only ones without a form of their own.
            let is_name = self.subject && text[0] != b' ' && is_file(text);
            return is_name.then_some(Verdict::Keep(Rank::Edge));
        }
        verdict
    }

    fn stat(&mut self, text: &[u8]) -> Option<Verdict> {
        let row = row(text)?;
        self.stats += 1;
        Some(Verdict::Keep(match row {
            Row::Summary => self.rank(Rank::Body),
            Row::Status(b'D' | b'R' | b'C') => self.rank(Rank::Detail),
            _ if self.alone && self.stats <= 20 => Rank::Detail,
            _ => Rank::Edge,
        }))
    }

    fn mail_head(&mut self, text: &[u8]) -> Verdict {
        if text.is_empty() {
            self.place = Place::MailBody;
            return Verdict::Keep(Rank::Edge);
        }
        // A long subject goes on in the next line, behind one blank.
        self.folding = text.starts_with(b"Subject: ") || self.folding && text.starts_with(b" ");
        if self.folding {
            return Verdict::Keep(Rank::Top);
        }
        let is_author = text.starts_with(b"From: ") || text.starts_with(b"Tagger: ");
        Verdict::Keep(if is_author { Rank::Detail } else { Rank::Edge })
    }

    fn mail_body(&mut self, text: &[u8]) -> Option<Verdict> {
        if text == b"-- " || text == b"--" {
            self.place = Place::MailEnd;
            return Some(Verdict::Keep(Rank::Edge));
        }
        if text.is_empty() || text == b"---" {
            return Some(Verdict::Keep(Rank::Edge));
        }
        if let Some(verdict) = self.stat(text) {
            return Some(verdict);
        }
        self.message += 1;
        Some(Verdict::Keep(if self.message <= MESSAGE { self.rank(Rank::Detail) } else { Rank::Edge }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_opens_with_its_hash() {
        let hash = "f3beede3a3d9b952ccb350479138f8eb9e00529a";
        assert!(opens(format!("commit {hash}").as_bytes()) && opens(format!("commit {hash} (HEAD -> main)").as_bytes()));
        assert!(!opens(b"commit abc") && !opens(b"commit deadbeef to memory") && !opens(b"    commit deadbeef"));
        assert!(opens_mail(format!("From {hash} Mon Sep 17 00:00:00 2001").as_bytes()) && !opens_mail(b"From dev@example.com Mon Sep 17"));
    }
}
