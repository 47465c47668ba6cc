//! SQL shells (psql, sqlite3, mysql): results, plans, scripts, and each error with its caret.
//!
//! A script's errors matter more than its results; of a result, the header, the first and
//! last rows and those that do not fit; of a plan, the nodes that take the time.

mod plan;
mod script;
mod tables;
mod vertical;

use crate::cut::Shape;
use crate::hint::Hint;

/// The rows, most certain first.
pub const SHAPES: &[&Shape] = &[&vertical::SHAPE, &script::SHAPE, &tables::BOXED, &tables::RULED, &tables::LISTED];

/// Was a database asked?
fn asked(hint: &Hint) -> bool {
    ["psql", "mysql", "mariadb", "sqlite3", "sqlite", "pgcli", "mycli", "cockroach", "duckdb"].iter().any(|w| hint.names(w))
}
