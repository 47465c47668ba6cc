//! Columns made with spaces: docker ps, kubectl get, ps, df, netstat, and tables whose
//! header is underlined with dashes (pip list, sqlite column mode).

use super::rows::{is_count, Rows};
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::hint::Hint;
use crate::line::Line;

/// A header in capitals, rows below.
pub const SHAPE: Shape = Shape {
    name: "csv",
    dialect: "aligned",
    about: "docker ps, kubectl get, ps, df: header, first and last rows, rows that are not well",
    sniff,
    opens: Opens::NEVER,
    cut: |_| Box::new(Aligned::default()),
};

/// A header underlined by one run of dashes a column.
pub const RULED: Shape = Shape {
    name: "csv",
    dialect: "underlined",
    about: "columns under a dashed line: header, first and last rows, rows that do not fit",
    sniff: sniff_ruled,
    opens: Opens::NEVER,
    cut: |_| Box::new(Aligned { ruled: true, ..Aligned::default() }),
};

/// Columns whose header was cut off.
pub const HEADLESS: Shape = Shape {
    name: "csv",
    dialect: "aligned rows",
    about: "columns made with spaces, without a header: head and tail, rows that are not well",
    sniff: sniff_headless,
    opens: Opens::NEVER,
    cut: |_| Box::new(Aligned { headless: true, ..Aligned::default() }),
};

/// Rows that prove a table without a header.
const MANY: usize = 60;

/// Lines before the header that a tool may print: top's summary, a note on stderr.
const BEFORE: usize = 12;
/// Lines before the rows.
const LEAD: u32 = 14;

/// Reads rows under the header that came last.
#[derive(Default)]
pub(in crate::cuts) struct Aligned {
    pub(in crate::cuts) ruled: bool,
    /// No header stands above: the first row tells where columns start.
    headless: bool,
    /// The header's text, until a row has come.
    names: Option<Vec<u8>>,
    header: Option<Header>,
    rows: Rows,
    lead: u32,
    strays: u32,
}

/// How the columns of a table are told.
enum Header {
    /// At these characters, since each gap is wide: a cell may hold spaces.
    Starts(Vec<usize>),
    /// By blanks, so many fields at most: the last one holds the rest.
    Words(usize),
}

impl Header {
    /// The first row tells whether columns stand below the starts of their names.
    fn new(header: &[u8], row: &[u8]) -> Header {
        let starts = starts(header, 2);
        if starts.len() >= 3 && fits(row, &starts) {
            return Header::Starts(starts);
        }
        // `Mounted on`: two words for one column.
        let words = words(header);
        Header::Words(if header.ends_with(b"Mounted on") { words - 1 } else { words.max(1) })
    }

    fn split<'a>(&self, text: &'a [u8]) -> Vec<&'a [u8]> {
        match self {
            Header::Words(most) => {
                let mut fields = Vec::new();
                let mut rest = text.trim_ascii();
                while fields.len() + 1 < *most {
                    let Some(end) = rest.iter().position(u8::is_ascii_whitespace) else { break };
                    fields.push(&rest[..end]);
                    rest = rest[end..].trim_ascii_start();
                }
                fields.push(rest);
                fields
            }
            Header::Starts(starts) => {
                let mut fields = Vec::with_capacity(starts.len());
                let (mut chars, mut from, mut next) = (0, 0, 1);
                for (at, b) in text.iter().enumerate() {
                    if b & 0xc0 != 0x80 {
                        if next < starts.len() && chars == starts[next] {
                            fields.push(&text[from..at]);
                            (from, next) = (at, next + 1);
                        }
                        chars += 1;
                    }
                }
                fields.push(&text[from..]);
                fields
            }
        }
    }
}

/// Characters at which columns start: after `gap` blanks or more.
fn starts(text: &[u8], gap: usize) -> Vec<usize> {
    let (mut starts, mut chars, mut blanks) = (Vec::new(), 0, gap);
    for b in text.iter().filter(|b| **b & 0xc0 != 0x80) {
        if *b == b' ' {
            blanks += 1;
        } else {
            if blanks >= gap {
                starts.push(chars);
            }
            blanks = 0;
        }
        chars += 1;
    }
    starts
}

fn words(text: &[u8]) -> usize {
    text.split(u8::is_ascii_whitespace).filter(|w| !w.is_empty()).count()
}

impl Cut for Aligned {
    fn quotes(&self) -> bool {
        true
    }

    fn line(&mut self, line: &Line<'_>) -> Verdict {
        if line.is_blank() {
            return Verdict::Keep(Rank::Edge);
        }
        if self.ruled && is_ruler(line.text) {
            if self.header.is_none() && self.lead == 0 {
                // reStructuredText has one above its header too.
                self.lead += 1;
                return Verdict::Keep(Rank::Body);
            }
            if self.header.is_none() {
                self.header = Some(Header::Starts(starts(line.text, 1)));
                return Verdict::KeepWith { rank: Rank::Body, lines: 1, with: Rank::Top };
            }
            return Verdict::Keep(Rank::Edge);
        }
        if !self.ruled && is_header(line.text) {
            // top prints its table again and again; kubectl get all prints one a kind.
            self.rows = Rows::default();
            self.header = None;
            self.names = Some(line.text.to_vec());
            return Verdict::Keep(Rank::Top);
        }
        if let Some(names) = self.names.take() {
            self.header = Some(Header::new(&names, line.text));
        }
        if self.headless && self.header.is_none() {
            self.header = Some(Header::Starts(starts(line.text, 2)));
        }
        let Some(header) = &self.header else {
            self.lead += 1;
            return if self.lead <= LEAD { Verdict::Keep(Rank::Body) } else { Verdict::Pass };
        };
        if is_count(line) {
            return Verdict::Keep(Rank::Total);
        }
        let fields = header.split(line.text);
        // A note between or after the rows (`Error from server ...`, `3 loaded units listed.`).
        if fields.len() == 1 {
            self.strays += 1;
            if self.strays > 40 {
                return Verdict::Pass;
            }
            return Verdict::Keep(if line.is_error() { Rank::Top } else { Rank::Body });
        }
        let rank = self.rows.rank(line, fields.into_iter(), false);
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

/// A header: three words or more, in capitals or known.
///
/// ```text
/// CONTAINER ID   IMAGE   COMMAND   CREATED   STATUS   PORTS   NAMES
/// USER         PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND
/// Filesystem      Size  Used Avail Use% Mounted on
/// Proto Recv-Q Send-Q Local Address           Foreign Address         State
/// ```
fn is_header(text: &[u8]) -> bool {
    if text.len() > 400 || words(text) < 3 {
        return false;
    }
    const KNOWN: &[&str] = &["Filesystem ", "Proto ", "Netid ", "State ", "Destination ", "Kernel Interface", "Iface ", "Module "];
    if KNOWN.iter().any(|known| text.starts_with(known.as_bytes())) {
        return text.iter().filter(|b| **b == b' ').count() > 6;
    }
    let letters = text.iter().filter(|b| b.is_ascii_uppercase()).count();
    let plain = text.iter().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b" %/()-_+:#\t".contains(b));
    // One lower-case unit or two are let through: `%CPU`, `TIME+`, `CPU(cores)`.
    let lower = text.iter().filter(|b| b.is_ascii_lowercase()).count();
    letters >= 8
        && (plain || lower * 6 <= letters)
        && text.windows(2).any(|w| w == b"  ")
        && !text.iter().any(|b| b"=<>|\"';,.".contains(b))
}

/// `----  -----  ---`, `===  ====`: two runs of dashes or more.
fn is_ruler(text: &[u8]) -> bool {
    let Some(dash @ (b'-' | b'=')) = text.first() else { return false };
    text.iter().all(|b| b == dash || *b == b' ') && text.contains(&b' ') && starts(text, 1).len() > 1
}

/// Is the row blank wherever the ruler is, numbers being set to the right of their columns?
fn leaves_gaps(text: &[u8], ruler: &[u8]) -> bool {
    let (mut reached, mut blank) = (0, 0);
    for (ruled, b) in ruler.iter().zip(text.iter().filter(|b| **b & 0xc0 != 0x80)) {
        reached += usize::from(*ruled == b' ');
        blank += usize::from(*ruled == b' ' && *b == b' ');
    }
    reached > 1 && blank == reached
}

fn sniff(_: &Hint, lines: &[Line<'_>]) -> bool {
    let mut lines = lines.iter().filter(|l| !l.is_blank());
    let Some(header) = lines.by_ref().take(BEFORE).find(|l| is_header(l.text)) else { return false };
    let (starts, names) = (starts(header.text, 2), words(header.text));
    let (mut rows, mut below, mut worded) = (0, 0, 0);
    for line in lines {
        if is_header(line.text) {
            continue;
        }
        rows += 1;
        below += usize::from(starts.len() >= 3 && fits(line.text, &starts));
        worded += usize::from(words(line.text) + 1 >= names.min(8) && has_number(line.text));
    }
    rows >= 2 && below.max(worded) * 10 >= rows * 8
}

/// Do many rows have three columns or more that start below those of the first?
fn sniff_headless(_: &Hint, lines: &[Line<'_>]) -> bool {
    let mut rows = lines.iter().filter(|l| !l.is_blank());
    let Some(first) = rows.next().filter(|l| !l.text[0].is_ascii_whitespace()) else { return false };
    let columns = starts(first.text, 2);
    // `00000010  48 65 6c ...`: a dump of bytes.
    let address = first.text.iter().take_while(|b| b.is_ascii_hexdigit()).count();
    if lines.len() < MANY || columns.len() < 3 || address >= 7 {
        return false;
    }
    let (mut all, mut fit) = (1, 1);
    for line in rows {
        all += 1;
        fit += usize::from(starts(line.text, 2) == columns);
    }
    fit * 10 >= all * 9
}

/// Is one of its words a number?
fn has_number(text: &[u8]) -> bool {
    text.split(u8::is_ascii_whitespace).any(|w| w.first().is_some_and(u8::is_ascii_digit) && crate::cuts::odd::number(w).is_some())
}

/// Does something start at most of the columns that this row reaches?
fn fits(text: &[u8], starts: &[usize]) -> bool {
    let (mut chars, mut last, mut reached, mut fit) = (0, b' ', 0, 0);
    for b in text.iter().filter(|b| **b & 0xc0 != 0x80) {
        if starts.contains(&chars) {
            reached += 1;
            fit += usize::from(last == b' ' && *b != b' ');
        }
        last = *b;
        chars += 1;
    }
    reached > 1 && fit * 10 >= reached * 7
}

fn sniff_ruled(_: &Hint, lines: &[Line<'_>]) -> bool {
    let lines: Vec<_> = lines.iter().filter(|l| !l.is_blank()).collect();
    let above = usize::from(lines.first().is_some_and(|l| is_ruler(l.text)));
    let Some(ruler) = lines.iter().skip(above).take(4).position(|l| is_ruler(l.text)).filter(|at| *at > 0) else { return false };
    let ruler = ruler + above;
    let columns = starts(lines[ruler].text, 1);
    let rows = &lines[ruler + 1..];
    let fits = |text: &[u8]| fits(text, &columns) || leaves_gaps(text, lines[ruler].text);
    let fit = rows.iter().filter(|l| fits(l.text)).count();
    fits(lines[ruler - 1].text) && rows.len() >= 3 && fit * 10 >= rows.len() * 8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn a_row_that_is_not_well_stays() {
        let mut text = String::from("NAME    READY   STATUS    RESTARTS   AGE\n");
        text += &"web-1   1/1     Running   0          3d\n".repeat(20);
        text +=
            "web-2   1/1     Running   7 (2m ago)   3d\nweb-3   0/1     Pending   0          3d\nweb-4   1/1     Running   0          3d";
        assert!(sniffs(&SHAPE, &text));
        assert_eq!(marks(&SHAPE, &text), "TBBBBBEEEEEssssssssssTTs");
    }

    #[test]
    fn rows_without_a_header_are_rows() {
        let many: String = (0..80).map(|i| format!("web-{:<6}  1/1   Running   {}        3d\n", i, i % 4)).collect();
        assert!(sniffs(&HEADLESS, &many) && !sniffs(&HEADLESS, &"let a = 1;  // one\n".repeat(80)));
        assert!(marks(&HEADLESS, &format!("{many}web-80      0/1   Pending   0        3d\nweb-81      1/1   Running   0        3d"))
            .ends_with("ETE"));
    }

    #[test]
    fn columns_stand_under_dashes() {
        let text = "id   sku   qty\n---  ----  ---\n1    A     4\n2    B     5\n3    C     4";
        assert!(sniffs(&RULED, text));
        assert_eq!(marks(&RULED, text), "BBBBB");
    }

    #[test]
    fn numbers_may_stand_to_the_right_under_dashes() {
        let text = "  id  sku      qty\n----  -----  -----\n   1  A          4\n   2  B          5\n   3  C          4";
        assert!(sniffs(&RULED, text));
        let text = "====  =====  =====\n  id  sku      qty\n====  =====  =====\n   1  A          4\n   2  B          5\n   3  C          4\n====  =====  =====";
        assert!(sniffs(&RULED, text));
        assert_eq!(marks(&RULED, text), "BBBBBBE");
    }

    #[test]
    fn headings_and_prose_are_no_headers() {
        assert!(!sniffs(&SHAPE, &format!("SECTION ONE  THE BEGINNING\n{}", "Here is what happened on that day.\n".repeat(6))));
        assert!(!sniffs(&SHAPE, &"FAILED tests/a.py::b - assert 1 == 2\n".repeat(9)));
        assert!(!sniffs(&RULED, "Title\n-----\na b\nc d\ne f"));
    }
}
