//! Results that look like any other table, where the command says that a database was asked.

use super::asked;
use crate::cut::{Opens, Shape};
use crate::cuts::csv;

/// mysql's frames.
pub const BOXED: Shape = Shape {
    name: "sql",
    dialect: "mysql",
    about: "mysql and sqlite boxes: header, first and last rows, rows that do not fit, counts",
    sniff: |hint, lines| {
        let says = lines.iter().any(|l| csv::rows::is_count(l) || l.starts("ERROR ") && l.has(" at line "));
        (asked(hint) || says) && (csv::BOXED.sniff)(hint, lines)
    },
    opens: Opens::NEVER,
    cut: csv::BOXED.cut,
};

/// sqlite's column mode.
pub const RULED: Shape = Shape {
    name: "sql",
    dialect: "sqlite column",
    about: "sqlite column mode: header, first and last rows, rows that do not fit",
    sniff: |hint, lines| asked(hint) && (csv::RULED.sniff)(hint, lines),
    opens: Opens::NEVER,
    cut: csv::RULED.cut,
};

/// Unaligned psql, sqlite's list mode, piped mysql.
pub const LISTED: Shape = Shape {
    name: "sql",
    dialect: "list",
    about: "unaligned results: header, first and last rows, rows that do not fit",
    sniff: |hint, lines| asked(hint) && (csv::DELIMITED.sniff)(hint, lines),
    opens: Opens::NEVER,
    cut: csv::DELIMITED.cut,
};
