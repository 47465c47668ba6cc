//! Which declared filter takes a text: by the command's words, or by the text itself.

use super::command::{base, names, Runs};
use super::judge::Declared;
use super::program::plain;
use super::{builtin, folder, Fault, Filter, Origin, NAMED, TOLD};
use crate::cut::Shape;
use crate::line::Line;
use regex::bytes::Regex;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Lines at the start among which the echo of a command is looked for.
const ECHOES: usize = 12;
/// Lines after one that a text pattern matches that have to be of the filter, by half.
const NEAR: usize = 60;
/// Tools that run others and print their command lines.
const RUNNERS: &[&str] = &["make", "gmake", "just", "task", "npm", "pnpm", "yarn", "bun", "ninja", "rake", "nx", "turbo", "tox", "mage"];

/// A user's own filters.
#[derive(Clone, Debug, Default)]
pub struct Filters {
    own: Vec<Arc<Filter>>,
}

impl Filters {
    /// The files that are named (a folder stands for those in it), then those of the user's
    /// folder and the trusted ones of the project that are about this command. A file there
    /// is named after the first words of its command: `helm.toml`, `helm-upgrade.toml`; those
    /// in the folder `text` within are asked about every text.
    ///
    /// # Errors
    /// The first file that is no filter.
    pub fn load(named: &[PathBuf], command: &str) -> Result<Filters, Fault> {
        let mut own = Vec::new();
        for path in named {
            for file in folder::files(path)? {
                own.push(read(&file)?);
            }
        }
        let runs = Runs::of(command);
        for file in folder::about(&runs.words) {
            own.push(read(&file)?);
        }
        Ok(Filters { own })
    }

    /// From the text of one file.
    ///
    /// # Errors
    /// When it is no filter.
    pub fn with(mut self, name: &str, text: &str) -> Result<Filters, Fault> {
        let filter = Filter::read(name, name, Origin::User, text)?;
        filter.compiled()?;
        self.own.push(Arc::new(filter));
        Ok(self)
    }
}

fn read(path: &Path) -> Result<Arc<Filter>, Fault> {
    let file = path.display().to_string();
    let text = folder::read_file(path)?;
    let name = path.file_stem().and_then(|n| n.to_str()).unwrap_or("filter");
    let filter = Filter::read(name, &file, Origin::User, &text)?;
    filter.compiled()?;
    Ok(Arc::new(filter))
}

/// Finds filters for one input.
pub(crate) struct Chooser {
    own: Vec<Arc<Filter>>,
    runs: Runs,
    /// What was found last: after a trace or the like, the tool may go on.
    last: Option<Arc<Filter>>,
}

impl Chooser {
    pub fn new(filters: &Filters, command: &str) -> Self {
        Chooser { own: filters.own.clone(), runs: Runs::of(command), last: None }
    }

    /// A filter of the user's that names the command: it comes before all cuts.
    pub fn own(&self, lines: &[Line<'_>]) -> Option<Arc<Filter>> {
        if self.own.is_empty() {
            return None;
        }
        self.runs.words.iter().find_map(|words| {
            let named = best(self.own.iter().cloned(), words);
            named.into_iter().find(|f| self.takes(f, lines))
        })
    }

    /// Is there only one command that prints?
    pub fn is_sole(&self) -> bool {
        self.runs.sole
    }

    /// The filter for a place in the registry.
    pub fn find(&mut self, place: &Shape, lines: &[Line<'_>]) -> Option<Arc<Filter>> {
        let found = if place.dialect == NAMED.dialect {
            let last = self.last.as_ref().filter(|f| is_half(f, lines)).cloned();
            self.by_command(lines, false).or(last)
        } else if place.dialect == TOLD.dialect {
            self.by_text(lines)
        } else {
            self.by_command(lines, true)
        };
        if found.is_some() {
            self.last.clone_from(&found);
        }
        found
    }

    /// A built-in one that names the command; `last` are those that stand behind all cuts.
    fn by_command(&self, lines: &[Line<'_>], last: bool) -> Option<Arc<Filter>> {
        let of_tool = |words: &Vec<String>| {
            let tool = base(words.first()?);
            let named = best(builtin::of_tool(tool).filter(|f| f.form.last == last), words);
            Some(named)
        };
        let named = self.runs.words.iter().filter_map(of_tool).flatten().find(|f| self.takes(f, lines));
        named.or_else(|| self.echoed(lines).iter().filter_map(of_tool).flatten().find(|f| is_half(f, lines)))
    }

    /// One whose text pattern a line matches, the user's first.
    fn by_text(&self, lines: &[Line<'_>]) -> Option<Arc<Filter>> {
        let own = self.own.iter().filter(|f| !f.form.text.is_empty());
        for filter in own.cloned().collect::<Vec<_>>() {
            if let Some(at) = lines.iter().position(|l| is_told(&filter, l)) {
                if is_half(&filter, lines) || is_half(&filter, near(lines, at)) {
                    return Some(filter);
                }
            }
        }
        let mut asked: Vec<&str> = Vec::new();
        for (at, line) in lines.iter().enumerate() {
            for filter in builtin::of_line(line.text) {
                if asked.contains(&filter.name) || !is_told(&filter, line) {
                    continue;
                }
                if is_half(&filter, lines) || is_half(&filter, near(lines, at)) {
                    return Some(filter);
                }
                asked.push(filter.name);
            }
        }
        None
    }

    /// The command is a hint: where it is the only one that prints, a quarter of the text
    /// is proof enough, else a half.
    fn takes(&self, filter: &Arc<Filter>, lines: &[Line<'_>]) -> bool {
        let Ok(program) = filter.program() else { return false };
        let (claimed, said) = Declared::claims(Arc::clone(&program), lines);
        let enough = if program.takes_rest() || filter.origin == Origin::User { 1 } else { said.div_ceil(4) };
        claimed > 0 && (claimed * 2 >= said || self.runs.sole && claimed >= enough)
    }

    /// Commands that the first lines are the echo of: `$ x`, `+ x`, `> x`, and what make prints.
    fn echoed(&self, lines: &[Line<'_>]) -> Vec<Vec<String>> {
        let runs = self.runs.words.iter().any(|w| w.first().is_some_and(|w| RUNNERS.contains(&base(w))));
        let said = lines.iter().filter(|l| !l.is_blank()).take(ECHOES);
        let echo = |line: &Line<'_>| {
            let text = std::str::from_utf8(line.text).ok()?;
            let marked = ["$ ", "+ ", "> "].iter().find_map(|sign| text.strip_prefix(sign));
            marked.or_else(|| Some(text).filter(|t| runs && !t.starts_with([' ', '\t', '[']))).map(Runs::of)
        };
        said.filter_map(echo).flat_map(|r| r.words).collect()
    }
}

/// Those that name these words, the most exact first.
fn best(filters: impl Iterator<Item = Arc<Filter>>, words: &[String]) -> Vec<Arc<Filter>> {
    let exact = |f: &Filter| f.commands().filter(|c| names(words, c)).map(|c| c.split_ascii_whitespace().count()).max();
    let mut named: Vec<_> = filters.filter_map(|f| Some((exact(&f)?, f))).collect();
    named.sort_by_key(|(words, _)| std::cmp::Reverse(*words));
    named.dedup_by_key(|(_, f)| Arc::as_ptr(f));
    named.into_iter().map(|(_, f)| f).collect()
}

fn near<'l, 't>(lines: &'l [Line<'t>], at: usize) -> &'l [Line<'t>] {
    &lines[at..lines.len().min(at + NEAR)]
}

/// Does a text pattern of the filter match the line?
pub(super) fn is_told(filter: &Filter, line: &Line<'_>) -> bool {
    filter.form.text.iter().any(|text| {
        let start = super::prefix::prefix(text).unwrap_or_default();
        line.text.starts_with(start.as_bytes()) && Regex::new(&plain(text)).is_ok_and(|r| r.is_match(line.text))
    })
}

/// Do its rules take half of the lines?
pub(super) fn is_half(filter: &Filter, lines: &[Line<'_>]) -> bool {
    let Ok(program) = filter.program() else { return false };
    let (claimed, said) = Declared::claims(Arc::clone(&program), lines);
    claimed > 0 && claimed * 2 >= said
}
