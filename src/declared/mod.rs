//! Declared filters: a TOML file is a cut like the others.
//!
//! The long tail of tools is data: `src/filters/*.toml`, compiled in behind an index by
//! command word and by the beginnings of their text patterns, so that only the one that
//! matches is read and compiled. A filter gives verdicts; it has no words of its own.

mod builtin;
mod check;
mod choose;
mod command;
mod firsts;
mod folder;
mod form;
mod judge;
mod prefix;
mod program;
mod sets;
mod wrappers;

pub use builtin::{builtin, builtin_text};
pub use check::{check, check_builtin, Report};
pub(crate) use choose::Chooser;
pub use choose::Filters;
pub(crate) use command::{base, Runs};
pub use folder::{all, files, project, read_file, trust, user_folder, Trust};
pub use form::Fault;

use crate::cut::{Cut, Noun, Opens, Shape};
use crate::cuts::size;
use form::Form;
use judge::Declared;
use program::Program;
use std::collections::HashSet;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock};

/// What `--only` and the strategy call them.
pub const NAME: &str = "declared";

const ABOUT: &str = "terraform, helm, ansible and other tools by filters in TOML, built in and your own";

/// The places in the registry at which filters are asked.
const fn place(dialect: &'static str) -> Shape {
    Shape { name: NAME, dialect, about: ABOUT, sniff: |_, _| false, opens: Opens::NEVER, cut: |_| Box::new(size::Size::default()) }
}

/// Those whose command is named: before what many lines make likely.
pub const NAMED: Shape = place("by command");
/// Those that only the text tells.
pub const TOLD: Shape = place("by text");
/// Those that leave what they can to the cuts.
pub const LAST: Shape = place("at last");

/// Where a filter comes from; a user's own outranks one that is built in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Compiled in.
    BuiltIn,
    /// A file that was named, or lies in the user's folder, or is a trusted one of the project.
    User,
}

/// A filter: when it is asked, and its rules.
pub struct Filter {
    name: &'static str,
    file: String,
    origin: Origin,
    form: Form,
    program: OnceLock<Result<Arc<Program>, Fault>>,
}

impl fmt::Debug for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Filter({})", self.file)
    }
}

impl Filter {
    /// Reads a filter; its patterns are compiled when it is first asked.
    ///
    /// # Errors
    /// What is no TOML or no filter, by line and key.
    pub fn read(name: &str, file: &str, origin: Origin, text: &str) -> Result<Filter, Fault> {
        let fault = |key: &str, why: String| Fault { file: file.to_owned(), key: key.to_owned(), why };
        let form: Form = toml::from_str(text).map_err(|e| fault("", form::worded(&e)))?;
        if form.about.trim().is_empty() || form.about.chars().any(char::is_control) {
            return Err(fault("about", "it says in one line what is cut".into()));
        }
        if form.command.is_empty() && form.text.is_empty() {
            return Err(fault("command", "it is never asked: it needs a command or a match".into()));
        }
        for text in form.text.iter() {
            if prefix::prefix(text).is_none() {
                let why = format!("the pattern '{text}' must begin with ^ and {} plain letters or more", prefix::LEAST);
                return Err(fault("match", why));
            }
        }
        for words in form.command.iter() {
            let tool = words.split_ascii_whitespace().next().unwrap_or_default();
            let why = if tool.is_empty() || tool.contains('*') {
                "names no tool"
            } else if tool.contains(['/', '\\']) {
                "names the tool by a path: its name alone is compared"
            } else if words.contains(['|', '&', ';', '(', ')', '^', '$', '\\', '<', '>', '"', '\'']) {
                "is no pattern, but the first words of a command; several stand in a list"
            } else {
                continue;
            };
            return Err(fault("command", format!("'{words}' {why}")));
        }
        Ok(Filter { name: intern(name), file: file.to_owned(), origin, form, program: OnceLock::new() })
    }

    /// Its name: that of its file.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// What it cuts, in one line.
    #[must_use]
    pub fn about(&self) -> &str {
        &self.form.about
    }

    /// The commands that it names.
    pub fn commands(&self) -> impl Iterator<Item = &str> {
        self.form.command.iter()
    }

    /// Compiles its patterns, once.
    ///
    /// # Errors
    /// A pattern that is wrong.
    pub fn compiled(&self) -> Result<(), Fault> {
        self.program().map(drop)
    }

    fn program(&self) -> Result<Arc<Program>, Fault> {
        self.program.get_or_init(|| Program::new(&self.file, &self.form, self.origin == Origin::User).map(Arc::new)).clone()
    }

    /// A new cut, at its first line.
    pub(crate) fn cut(&self) -> Box<dyn Cut> {
        match self.program() {
            Ok(program) => Box::new(Declared::new(program)),
            Err(_) => Box::new(size::Size::default()),
        }
    }
}

/// The one copy of a word that the markers may show: a process meets few of them.
fn intern(text: &str) -> Noun {
    static WORDS: Mutex<Option<HashSet<&'static str>>> = Mutex::new(None);
    let mut words = WORDS.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let words = words.get_or_insert_with(HashSet::new);
    if let Some(word) = words.get(text) {
        return word;
    }
    let word: &'static str = Box::leak(text.to_owned().into_boxed_str());
    words.insert(word);
    word
}
