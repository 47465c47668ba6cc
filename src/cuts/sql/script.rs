//! psql: scripts with their errors, aligned results, plans.

use super::asked;
use super::plan::Plan;
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::cuts::csv::rows::{is_count, Rows};
use crate::cuts::seen::Seen;
use crate::hint::Hint;
use crate::line::Line;

/// What psql prints for a script or a query.
pub const SHAPE: Shape = Shape {
    name: "sql",
    dialect: "psql",
    about: "psql: each error with its statement and caret, results by their odd rows, plans by cost",
    sniff,
    opens: Opens::NEVER,
    cut: |_| Box::new(Script::default()),
};

/// Results whose header is dear; later ones are only data.
const RESULTS: u32 = 8;
/// Lines of a statement that are lifted to its error.
const STATEMENT: u16 = 6;

#[derive(Default)]
struct Script {
    seen: Seen,
    /// Lines of a statement since the last answer.
    statement: u16,
    /// In what belongs to an error: is it a first one of its kind?
    after: Option<bool>,
    rows: Option<Rows>,
    results: u32,
    plan: Plan,
    failed: bool,
    /// Below a heading of `\\d`.
    listing: bool,
    contexts: u32,
}

impl Script {
    /// A line of an error: head, place, caret, what explains it.
    fn error(&mut self, line: &Line<'_>, message: &[u8]) -> Verdict {
        self.rows = None;
        self.plan.end();
        self.failed = true;
        self.contexts = 0;
        let statement = std::mem::take(&mut self.statement).min(STATEMENT);
        let met = self.seen.alike(message);
        if message.starts_with(b"current transaction is aborted") {
            self.after = Some(false);
            // One cause and a hundred echoes of it.
            return if met == 1 { Verdict::Keep(Rank::Top) } else { Verdict::Drop("echoes of the aborted transaction") };
        }
        self.after = Some(met <= 3);
        if line.text.is_empty() || met > 3 {
            return Verdict::Keep(Rank::Edge);
        }
        Verdict::KeepWith { rank: Rank::Top, lines: statement, with: Rank::Top }
    }

    /// A line after an error that belongs to it.
    fn explains(&mut self, line: &Line<'_>) -> Option<Verdict> {
        let first = self.after?;
        let text = line.trimmed();
        const HEADS: [&str; 8] = ["LINE ", "DETAIL:", "HINT:", "CONTEXT:", "QUERY:", "STATEMENT:", "LOCATION:", "SQLSTATE"];
        let caret = !text.is_empty() && text.iter().all(|b| matches!(b, b'^' | b'~'));
        let further = line.starts("PL/pgSQL ") || line.starts("SQL ") || line.starts("COPY ") && line.has(", line ");
        if !caret && !further && !HEADS.iter().any(|h| line.starts(h)) {
            return None;
        }
        let rank = match (first, further || line.starts("CONTEXT:")) {
            (true, false) => Rank::Top,
            (true, true) => {
                self.contexts += 1;
                if self.contexts <= 3 {
                    Rank::Body
                } else {
                    Rank::Edge
                }
            }
            (false, _) => Rank::Edge,
        };
        Some(Verdict::Keep(rank))
    }

    fn row(&mut self, line: &Line<'_>) -> Option<Verdict> {
        if is_count(line) {
            self.rows = None;
            self.plan.end();
            return Some(if self.results <= RESULTS {
                Verdict::KeepWith { rank: Rank::Total, lines: 2, with: Rank::Body }
            } else {
                Verdict::Keep(Rank::Edge)
            });
        }
        let rows = self.rows.as_mut()?;
        if line.is_blank() {
            self.rows = None;
            return None;
        }
        if let Some(rank) = self.plan.node(line.text) {
            return Some(Verdict::Keep(rank));
        }
        if self.plan.inside {
            return Some(Verdict::Keep(self.plan.detail(line.text)));
        }
        if let Some(rank) = json_plan(line) {
            return Some(Verdict::Keep(rank));
        }
        let rank = rows.rank(line, line.text.split(|b| *b == b'|'), false);
        let rank = if self.results > RESULTS { rank.min(Rank::Detail) } else { rank };
        Some(rows.verdict(rank))
    }
}

impl Cut for Script {
    fn quotes(&self) -> bool {
        true
    }

    fn line(&mut self, line: &Line<'_>) -> Verdict {
        if let Some(message) = error_of(line) {
            return self.error(line, message);
        }
        if let Some(verdict) = self.explains(line) {
            return verdict;
        }
        self.after = None;
        if let Some(verdict) = self.row(line) {
            return verdict;
        }
        if line.is_blank() {
            self.listing = false;
            return Verdict::Keep(Rank::Edge);
        }
        if is_rule(line.text) {
            self.statement = 0;
            self.rows = Some(Rows::default());
            self.results += 1;
            let (rank, with) = if self.results <= RESULTS { (Rank::Body, Rank::Top) } else { (Rank::Edge, Rank::Edge) };
            return Verdict::KeepWith { rank, lines: 1, with };
        }
        if let Some(level) = notice_of(line) {
            let rank = if level == "WARNING" { Rank::Body } else { Rank::Detail };
            return Verdict::Keep(if self.seen.alike(line.text) <= 2 { rank } else { Rank::Edge });
        }
        if let Some(to) = tag_of(line.text) {
            self.statement = 0;
            return match &line.text[..to] {
                b"ROLLBACK" if self.failed => Verdict::Keep(Rank::Top),
                b"COMMIT" | b"ROLLBACK" => Verdict::Fold { rank: Rank::Body, from: 0, to },
                _ => Verdict::Fold { rank: Rank::Edge, from: 0, to },
            };
        }
        if let Some(rank) = self.plan.node(line.text) {
            return Verdict::Keep(rank);
        }
        if self.plan.inside {
            return Verdict::Keep(self.plan.detail(line.text));
        }
        if is_statement(line) || self.statement > 0 {
            self.statement = if self.statement > 60 { 0 } else { self.statement + 1 };
            return Verdict::Keep(Rank::Edge);
        }
        // What `\d` prints around its table: titles, and lists below.
        //
        //                     Table "public.invoice"
        //     Indexes:
        //         "invoice_pkey" PRIMARY KEY, btree (id)
        let trimmed = line.trimmed();
        const TITLES: [&str; 7] =
            ["Table \"", "View \"", "Index \"", "Sequence \"", "Materialized view \"", "Partitioned table \"", "List of "];
        if TITLES.iter().any(|t| trimmed.starts_with(t.as_bytes())) {
            return Verdict::Keep(Rank::Top);
        }
        if line.text[0] != b' ' && line.ends(":") {
            self.listing = true;
            return Verdict::Keep(Rank::Body);
        }
        if line.text[0] == b' ' {
            // A header stands before its rule.
            return Verdict::Keep(if self.listing && line.starts("    ") { Rank::Body } else { Rank::Edge });
        }
        Verdict::Pass
    }
}

/// The message of an error's head.
///
/// ```text
/// psql:mig.sql:301: ERROR:  column c.emial does not exist
/// ERROR:  relation "invoices" does not exist
/// psql: error: connection to server at "db" failed: FATAL:  role "x" does not exist
/// Parse error near line 3: no such table: t
/// ERROR 1146 (42S02) at line 1: Table 'shop.x' doesn't exist
/// ```
fn error_of<'a>(line: &Line<'a>) -> Option<&'a [u8]> {
    let text = line.text;
    if text.starts_with(b"Parse error ")
        || text.starts_with(b"Runtime error ")
        || text.starts_with(b"Error: ")
        || text.starts_with(b"psql: error:")
    {
        return Some(text);
    }
    if text.starts_with(b"ERROR ") && (line.has(" at line ") || text.get(6).is_some_and(u8::is_ascii_digit)) {
        return Some(text);
    }
    let at = level_at(text)?;
    ["ERROR:  ", "FATAL:  ", "PANIC:  "].iter().find_map(|level| text[at..].strip_prefix(level.as_bytes()))
}

/// Where the level stands: at the start, or after `psql:mig.sql:301: `.
fn level_at(text: &[u8]) -> Option<usize> {
    if !text.starts_with(b"psql:") {
        return Some(0);
    }
    crate::line::find(&text[..text.len().min(600)], b": ").map(|at| at + 2)
}

fn notice_of(line: &Line<'_>) -> Option<&'static str> {
    let at = level_at(line.text)?;
    ["WARNING", "NOTICE", "INFO", "LOG"].into_iter().find(|level| {
        let rest = &line.text[at..];
        rest.starts_with(level.as_bytes()) && rest[level.len()..].starts_with(b":  ")
    })
}

/// How long a command tag's words are: `CREATE TABLE`, `INSERT 0 21`, `UPDATE 7`.
fn tag_of(text: &[u8]) -> Option<usize> {
    const TAGS: &[&str] = &[
        "CREATE ",
        "ALTER ",
        "DROP ",
        "INSERT ",
        "UPDATE ",
        "DELETE ",
        "SELECT ",
        "COPY ",
        "MERGE ",
        "BEGIN",
        "START TRANSACTION",
        "COMMIT",
        "ROLLBACK",
        "SAVEPOINT",
        "RELEASE",
        "GRANT",
        "REVOKE",
        "SET",
        "RESET",
        "COMMENT",
        "TRUNCATE TABLE",
        "DO",
        "CALL",
        "ANALYZE",
        "VACUUM",
        "REINDEX",
        "CLUSTER",
        "LOCK TABLE",
        "REFRESH MATERIALIZED VIEW",
        "DISCARD ALL",
        "LISTEN",
        "NOTIFY",
        "PREPARE",
        "DEALLOCATE",
        "DECLARE CURSOR",
    ];
    if text.len() > 48 || !text.first()?.is_ascii_uppercase() || !TAGS.iter().any(|t| text.starts_with(t.as_bytes())) {
        return None;
    }
    let words = text.iter().take_while(|b| b.is_ascii_uppercase() || **b == b' ').count();
    let rest = &text[words..];
    let counts = rest.iter().all(|b| b.is_ascii_digit() || *b == b' ');
    counts.then(|| text[..words].trim_ascii_end().len())
}

/// `------+-------`, or `-------` below a single column.
fn is_rule(text: &[u8]) -> bool {
    text.len() >= 3 && text[0] == b'-' && text.iter().all(|b| matches!(b, b'-' | b'+')) && !text.windows(2).any(|w| w == b"++")
}

/// An echoed statement, a comment, a backslash command.
fn is_statement(line: &Line<'_>) -> bool {
    const WORDS: &[&str] = &[
        "select",
        "insert",
        "update",
        "delete",
        "create",
        "alter",
        "drop",
        "begin",
        "commit",
        "rollback",
        "with",
        "copy",
        "grant",
        "revoke",
        "set",
        "do",
        "comment",
        "truncate",
        "explain",
        "analyze",
        "vacuum",
        "lock",
        "savepoint",
        "release",
        "refresh",
        "merge",
        "values",
        "table",
        "start",
        "end",
        "call",
        "declare",
        "fetch",
        "reindex",
    ];
    let text = line.text;
    if text.starts_with(b"--") || text.starts_with(b"/*") || text.starts_with(b"\\") {
        return true;
    }
    let word = text.split(|b| !b.is_ascii_alphabetic()).next().unwrap_or_default();
    (2..=10).contains(&word.len()) && WORDS.iter().any(|w| word.eq_ignore_ascii_case(w.as_bytes()))
}

/// A line of EXPLAIN (FORMAT JSON), padded by psql to a column: `   "Node Type": "Seq Scan",  +`
fn json_plan(line: &Line<'_>) -> Option<Rank> {
    let text = line.text.strip_suffix(b"+").unwrap_or(line.text).trim_ascii();
    let key = text.strip_prefix(b"\"")?;
    let key = &key[..memchr::memchr(b'"', key)?];
    Some(match key {
        b"Execution Time" | b"Planning Time" => Rank::Total,
        b"Node Type" | b"Relation Name" | b"Actual Total Time" | b"Actual Loops" | b"Rows Removed by Filter" => Rank::Body,
        b"Filter" | b"Index Cond" | b"Hash Cond" | b"Plan Rows" | b"Actual Rows" | b"Total Cost" => Rank::Detail,
        _ => Rank::Edge,
    })
}

/// Lines of a lone column that prove it, where its end is not in sight.
const COLUMN: usize = 100;

/// Is this a column whose cells go on to the end of what is seen, all of them a blank away
/// from the margin and none wider than the rule?
fn goes_on(header: &Line<'_>, rule: &[Line<'_>]) -> bool {
    let width = rule.first().map_or(0, |l| l.text.len());
    let chars = |text: &[u8]| text.iter().filter(|b| **b & 0xc0 != 0x80).count();
    let is_cell = |l: &Line<'_>| l.text.first() == Some(&b' ') && chars(l.text) <= width;
    header.text.len() == width && width > 2 && rule.len() > COLUMN && rule[1..].iter().all(is_cell)
}

fn sniff(hint: &Hint, lines: &[Line<'_>]) -> bool {
    let (mut tags, mut errors, mut tables, mut plans) = (0, 0, 0, 0);
    for (i, line) in lines.iter().enumerate() {
        tags += usize::from(tag_of(line.text).is_some_and(|to| to < line.text.len() || line.text.contains(&b' ')));
        errors += usize::from(line.has("ERROR:  ") && error_of(line).is_some());
        plans += usize::from(line.has("(cost=") && line.has(" width="));
        if i > 0 && is_rule(line.text) && lines[i - 1].text.first() == Some(&b' ') {
            let bars = |l: &Line<'_>| l.text.iter().filter(|b| **b == b'|').count();
            let joints = line.text.iter().filter(|b| **b == b'+').count();
            let header = &lines[i - 1];
            if bars(header) == joints && (joints > 0 || asked(hint) || header.text.len() <= line.text.len()) {
                tables += 1;
                // A lone column needs more proof: a count below, or cells as far as one can see.
                let plan = header.trimmed() == b"QUERY PLAN";
                if joints == 0 && !plan && !lines[i..].iter().take(60).any(is_count) && !goes_on(header, &lines[i..]) {
                    tables -= 1;
                }
            }
        }
    }
    let near = lines
        .iter()
        .take(if asked(hint) { 200 } else { 12 })
        .any(|l| is_rule(l.text) || tag_of(l.text).is_some() || error_of(l).is_some() || l.has("(cost="));
    near && (tables > 0 || plans > 0 || tags >= 3 || errors > 0 && (asked(hint) || tags > 0 || errors >= 2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn the_first_error_is_the_cause() {
        let text = "BEGIN\ncreate table a(id int);\nCREATE TABLE\nINSERT 0 3\nalter table a add x;\npsql:m.sql:4: ERROR:  syntax error\nLINE 1: alter\n        ^\n\
                    psql:m.sql:5: ERROR:  current transaction is aborted, commands ignored\npsql:m.sql:6: ERROR:  current transaction is aborted, commands ignored\nROLLBACK";
        assert!(sniffs(&SHAPE, text));
        assert_eq!(marks(&SHAPE, text), "+E++ETTTT.T");
    }

    #[test]
    fn a_result_has_a_header_and_a_count() {
        let text = " id | name \n----+------\n  1 | a\n  2 | b\n(2 rows)\n";
        assert!(sniffs(&SHAPE, text));
        assert_eq!(marks(&SHAPE, text), "EBBB!E");
    }

    #[test]
    fn a_lone_column_needs_no_end_in_sight() {
        assert!(sniffs(&SHAPE, &format!("  state  \n---------\n{}", " active\n".repeat(150).trim_end())));
        assert!(!sniffs(&SHAPE, &format!(" State\n---------\n{}", " all is well there\n".repeat(150).trim_end())));
    }

    #[test]
    fn a_plan_is_cut_by_time() {
        let text = " QUERY PLAN \n------------\n Sort  (cost=1..90.0 rows=20 width=4) (actual time=1.0..80.0 rows=20 loops=1)\n   Sort Key: a\n\
                    \x20  ->  Seq Scan on a  (cost=0..9.0 rows=4 width=6) (actual time=0.1..0.2 rows=4 loops=1)\n         Filter: x\n\
                    \x20  ->  Seq Scan on b  (cost=0..9.0 rows=4 width=6) (actual time=0.1..2.9 rows=4 loops=20)\n Execution Time: 80.6 ms\n(6 rows)";
        assert!(sniffs(&SHAPE, text));
        assert_eq!(marks(&SHAPE, text), "EBTBEET!!");
    }

    #[test]
    fn headings_and_logs_are_no_scripts() {
        for text in ["Title\n-----\ntext\nmore", "SET x\nERROR: y\nCREATE the thing\nDROP it", " a\n---\n b\n"] {
            assert!(!sniffs(&SHAPE, text), "{text}");
        }
    }
}
