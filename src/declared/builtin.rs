//! The built-in filters and their index, which the build script writes.

use super::{Filter, Origin};
use std::sync::{Arc, OnceLock};

include!(concat!(env!("OUT_DIR"), "/filters.rs"));

/// Their text, read when they are asked for.
static READ: [OnceLock<Option<Arc<Filter>>>; FILTERS.len()] = [const { OnceLock::new() }; FILTERS.len()];

fn get(i: u16) -> Option<Arc<Filter>> {
    let (name, text) = FILTERS[usize::from(i)];
    // A file that cannot be read fails the tests.
    READ[usize::from(i)].get_or_init(|| Filter::read(name, name, Origin::BuiltIn, text).ok().map(Arc::new)).clone()
}

/// All of them, by name.
///
/// ```
/// assert!(toolshrink::declared::builtin().any(|f| f.name() == "helm"));
/// ```
pub fn builtin() -> impl Iterator<Item = Arc<Filter>> {
    (0..FILTERS.len()).filter_map(|i| get(u16::try_from(i).ok()?))
}

/// The text of one.
#[must_use]
pub fn builtin_text(name: &str) -> Option<&'static str> {
    FILTERS.iter().find(|(n, _)| *n == name).map(|(_, text)| *text)
}

/// The texts of all, for their tests.
pub(super) fn texts() -> &'static [(&'static str, &'static str)] {
    FILTERS
}

/// Those that name a tool.
pub(super) fn of_tool(tool: &str) -> impl Iterator<Item = Arc<Filter>> {
    let from = TOOLS.partition_point(|(word, _)| *word < tool);
    TOOLS[from..]
        .iter()
        .take_while({
            let tool = tool.to_owned();
            move |(word, _)| **word == tool
        })
        .filter_map(|(_, i)| get(*i))
}

/// Where in the index the beginnings with a first byte stand.
const FIRST: [(usize, usize); 256] = {
    let (mut rows, mut i) = ([(0, 0); 256], 0);
    while i < BEGINNINGS.len() {
        let row = &mut rows[BEGINNINGS[i].0.as_bytes()[0] as usize];
        if row.1 == 0 {
            row.0 = i;
        }
        i += 1;
        row.1 = i;
    }
    rows
};

/// Those with a text pattern that may match this line: the index is walked as a tree, a
/// byte of the line at a time, and most lines leave it at once. No beginning is shorter than
/// three bytes.
pub(super) fn of_line(line: &[u8]) -> impl Iterator<Item = Arc<Filter>> {
    let mut found = Vec::new();
    let (from, to) = line.first().map_or((0, 0), |b| FIRST[usize::from(*b)]);
    let mut range = &BEGINNINGS[from..to];
    for depth in 1..line.len() {
        let byte = |row: &(&str, u16)| row.0.as_bytes().get(depth).copied();
        range = &range[range.partition_point(|row| byte(row) < Some(line[depth]))..];
        range = &range[..range.partition_point(|row| byte(row) == Some(line[depth]))];
        if range.is_empty() {
            break;
        }
        found.extend(range.iter().take_while(|(text, _)| text.len() == depth + 1).map(|(_, i)| *i));
    }
    found.into_iter().filter_map(get)
}
