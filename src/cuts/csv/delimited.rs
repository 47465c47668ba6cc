//! CSV, TSV, and their kin with `;` and `|`. A quoted field may hold separators and line
//! breaks, so that a row is not a line.

use super::rows::{is_count, Rows};
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::cuts::odd::number;
use crate::hint::Hint;
use crate::line::Line;
use std::ops::Range;

/// `id,name,total` rows.
pub const SHAPE: Shape = Shape {
    name: "csv",
    dialect: "delimited",
    about: "CSV, TSV and kin: header, first and last rows, rows that do not fit",
    sniff,
    opens: Opens::NEVER,
    cut: |_| Box::new(Delimited::default()),
};

/// Rows of one width whose header was cut off.
pub const HEADLESS: Shape = Shape {
    name: "csv",
    dialect: "delimited rows",
    about: "CSV, TSV and kin without a header: head and tail, rows that do not fit",
    sniff: sniff_headless,
    opens: Opens::NEVER,
    cut: |_| Box::new(Delimited { headless: true, ..Delimited::default() }),
};

/// Rows that prove a table without a header.
const MANY: usize = 60;

/// Lines that one quoted field may go on for; beyond that its quote is a stray one.
const LINES: u32 = 40;
/// Fields of a row at most.
const FIELDS: usize = 4_000;
/// Separators, the surest first.
const SEPARATORS: [u8; 4] = *b"\t;|,";

/// Reads rows until the header has told the separator.
#[derive(Default)]
pub struct Delimited {
    separator: Option<u8>,
    fields: usize,
    /// Where the fields of the present row are.
    row: Vec<Range<usize>>,
    rows: Rows,
    /// Rank of the row that is still open, and for how many lines it has been.
    open: Option<(Rank, u32)>,
    misfits: u32,
    /// No header stands above: the first line is a row.
    headless: bool,
}

impl Cut for Delimited {
    fn quotes(&self) -> bool {
        true
    }

    fn line(&mut self, line: &Line<'_>) -> Verdict {
        if let Some((rank, lines)) = self.open {
            self.open = if closes(line.text) || lines >= LINES { None } else { Some((rank, lines + 1)) };
            return Verdict::Keep(rank);
        }
        if line.is_blank() {
            return Verdict::Keep(Rank::Edge);
        }
        let Some(separator) = self.separator else {
            let separator = separator_of(line.text);
            self.separator = Some(separator);
            split(line.text, separator, &mut self.row);
            self.fields = self.row.len();
            if self.headless {
                self.rows.rank(line, self.row.iter().map(|f| &line.text[f.clone()]), false);
            }
            return Verdict::Keep(if self.headless { Rank::Body } else { Rank::Top });
        };
        if is_count(line) {
            return Verdict::Keep(Rank::Total);
        }
        let open = split(line.text, separator, &mut self.row);
        let misfit = self.row.len() != self.fields && !open;
        if misfit {
            self.misfits += 1;
            if self.misfits > 12 {
                return if self.row.len() == 1 { Verdict::Pass } else { Verdict::Keep(Rank::Edge) };
            }
        }
        let rank = self.rows.rank(line, self.row.iter().map(|f| &line.text[f.clone()]), misfit);
        if open {
            self.open = Some((rank, 0));
        }
        // Rows whose columns have no names may be anything: they are shown as far as they fit.
        if self.headless {
            return Verdict::Keep(rank);
        }
        self.rows.verdict(rank)
    }

    fn end(&mut self) -> (u16, Rank) {
        (2, Rank::Body)
    }
}

/// Finds the fields of a row, quotes taken off. Does its last one go on in the next line?
fn split(text: &[u8], separator: u8, fields: &mut Vec<Range<usize>>) -> bool {
    fields.clear();
    let mut at = 0;
    // Fields are short: a walk is quicker than a search.
    let next = |mut at: usize| {
        while *text.get(at)? != separator {
            at += 1;
        }
        Some(at)
    };
    while fields.len() <= FIELDS {
        let to = if text.get(at) == Some(&b'"') && separator != b'|' {
            let Some(end) = closing(text, at + 1) else {
                fields.push(at + 1..text.len());
                return true;
            };
            fields.push(at + 1..end);
            next(end)
        } else {
            let to = next(at);
            fields.push(at..to.unwrap_or(text.len()));
            to
        };
        match to {
            Some(to) => at = to + 1,
            None => return false,
        }
    }
    false
}

/// The quote that ends a quoted field; two quotes are one of its own.
fn closing(text: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += text.get(at..)?.iter().position(|b| *b == b'"')?;
        if text.get(at + 1) != Some(&b'"') {
            return Some(at);
        }
        at += 2;
    }
}

/// How many fields a row has, and whether its last one goes on in the next line.
fn width(text: &[u8], separator: u8) -> (usize, bool) {
    let mut fields = Vec::new();
    let open = split(text, separator, &mut fields);
    (fields.len(), open)
}

/// Does this line end the quoted field that is open? It holds an odd number of quotes.
fn closes(text: &[u8]) -> bool {
    memchr::memchr_iter(b'"', text).count() % 2 == 1
}

/// The separator that a header has most of.
fn separator_of(header: &[u8]) -> u8 {
    SEPARATORS.into_iter().max_by_key(|s| (width(header, *s).0, usize::from(*s == b'\t'))).unwrap_or(b',')
}

/// Do these lines make rows of one width?
fn sniff(hint: &Hint, lines: &[Line<'_>]) -> bool {
    let Some(header) = lines.iter().find(|l| !l.is_blank()) else { return false };
    let text = header.text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(header.text);
    let separator = separator_of(text);
    let mut fields = Vec::new();
    let open = split(text, separator, &mut fields);
    let names = fields.len();
    let named = [".csv", ".tsv", ".psv", ".tab"].iter().any(|end| {
        hint.path.as_deref().is_some_and(|p| p.ends_with(end)) || hint.command.split([' ', '\'', '"', '|', ';']).any(|w| w.ends_with(end))
    });
    // Shell pipes and alternatives in prose have blanks around their bars.
    if separator == b'|' && crate::line::find(text, b" | ").is_some() {
        return false;
    }
    if names < if separator == b',' && !named { 3 } else { 2 } || open || !fields.iter().all(|n| is_name(&text[n.clone()])) {
        return false;
    }
    let (mut rows, mut fit, mut spaced, mut skip) = (0, 0, 0, 0);
    for line in lines.iter().skip_while(|l| l.is_blank()).skip(1).filter(|l| !l.is_blank()) {
        if skip > 0 {
            skip = if closes(line.text) { 0 } else { skip - 1 };
            continue;
        }
        let (fields, open) = width(line.text, separator);
        rows += 1;
        fit += usize::from(fields == names || open && fields <= names);
        spaced += usize::from(crate::line::find(line.text, b", ").is_some());
        skip = if open { LINES } else { 0 };
    }
    let enough = rows >= if named { 2 } else { 5 } && fit * 10 >= rows * if named { 8 } else { 9 };
    enough && (named || separator != b',' || spaced * 3 < rows)
}

/// Are these many rows of one width, with numbers in one column at least?
fn sniff_headless(_: &Hint, lines: &[Line<'_>]) -> bool {
    let Some(first) = lines.iter().find(|l| !l.is_blank()) else { return false };
    let separator = separator_of(first.text);
    let (width, _) = width(first.text, separator);
    if lines.len() < MANY || !(3..=200).contains(&width) {
        return false;
    }
    let (mut rows, mut fit, mut spaced, mut numbers) = (0, 0, 0, vec![0; width]);
    let mut fields = Vec::new();
    for line in lines.iter().filter(|l| !l.is_blank()) {
        split(line.text, separator, &mut fields);
        rows += 1;
        fit += usize::from(fields.len() == width);
        spaced += usize::from(fields.iter().skip(1).any(|f| line.text[f.clone()].first() == Some(&b' ')));
        fields.iter().zip(&mut numbers).for_each(|(f, n)| *n += usize::from(number(&line.text[f.clone()]).is_some()));
    }
    fit * 50 >= rows * 49 && spaced * 20 <= rows && numbers.iter().any(|n| n * 20 >= rows * 19)
}

/// Could this be the name of a column? Not a number, a date, a sentence or code.
fn is_name(name: &[u8]) -> bool {
    let name = name.trim_ascii();
    !name.is_empty()
        && name.len() <= 60
        && !name[0].is_ascii_digit()
        && !name.iter().any(|b| matches!(b, b'{' | b'}' | b'=' | b'<' | b'>' | b'`') || b.is_ascii_control())
        && name.iter().filter(|b| **b == b' ').count() <= 4
        && !name.ends_with(b":")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn rows_that_do_not_fit_stay() {
        let mut text = String::from("\u{feff}id;name;qty\n");
        for i in 0..20 {
            text += &format!("{i};n{i};{}\n", i % 5);
        }
        text += "20;n;-3\n21;\"two\nlines\";1\n22;x\n23;n;2";
        assert!(sniffs(&SHAPE, &text));
        assert_eq!(marks(&SHAPE, &text), "TBBBBBEEEEEssssssssssTTTTs");
    }

    #[test]
    fn rows_without_a_header_are_rows() {
        let many: String = (0..80).map(|i| format!("{},\"raven, onyx\",h{}\n", 1000 + i, i % 7)).collect();
        assert!(sniffs(&HEADLESS, &many) && !sniffs(&HEADLESS, &"so, he said, and went\n".repeat(80)));
        assert!(marks(&HEADLESS, &format!("{many}98123,x,h4\n1080,x,h5")).ends_with("ETE"));
    }

    #[test]
    fn prose_code_and_logs_are_no_tables() {
        for text in
            ["so, he said, and went, as one does", "call(a, b, c);", "2026-01-01 10:00:00,123 INFO x", "let (a, b) = (1, 2), c", "a | b"]
        {
            assert!(!sniffs(&SHAPE, &format!("{text}\n").repeat(9)), "{text}");
        }
    }
}
