//! `toolshrink filters`: the declared filters, looked at.

use crate::exit;
use crate::filter;
use clap::Subcommand;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use toolshrink::declared::{self, Filter, Origin, Trust};

/// What one can do with declared filters.
#[derive(Subcommand, Debug)]
pub enum Action {
    /// Run the tests of filter files; without any, of the built-in ones
    Check {
        /// Files, or folders of them
        #[arg(value_name = "FILE|DIR")]
        paths: Vec<PathBuf>,
    },
    /// List the filters: built-in, the user's, the project's
    List,
    /// Print a built-in filter, to start one's own from
    Show {
        /// Its name
        name: String,
    },
    /// Use this file of the project from now on, until it changes
    Trust {
        /// A file in .toolshrink/filters
        file: PathBuf,
    },
}

/// Does it.
pub fn run(action: &Action) -> ExitCode {
    match action {
        Action::Check { paths } => check(paths),
        Action::List => filter::status(list()),
        Action::Show { name } => match declared::builtin_text(name) {
            Some(text) => filter::status(io::stdout().write_all(text.as_bytes())),
            None => wrong(&format!("there is no built-in filter '{name}'; toolshrink filters list names them")),
        },
        Action::Trust { file } => trust(file),
    }
}

/// Checks a file first: what is wrong with it should be known before it decides anything.
fn trust(file: &Path) -> ExitCode {
    let faults = match check_file(file) {
        Ok(report) => report.wrong,
        Err(fault) => vec![fault.to_string()],
    };
    if faults.is_empty() {
        return declared::trust(file).map_or_else(|e| filter::failed("cannot note the trust", &e), |()| ExitCode::from(exit::DONE));
    }
    for fault in &faults {
        let _ = writeln!(io::stderr(), "toolshrink: {fault}");
    }
    wrong(&format!("{} is not trusted", file.display()))
}

fn wrong(why: &str) -> ExitCode {
    let _ = writeln!(io::stderr(), "toolshrink: {why}");
    ExitCode::from(exit::USAGE)
}

fn check(paths: &[PathBuf]) -> ExitCode {
    let mut reports = Vec::new();
    if paths.is_empty() {
        reports.extend(declared::check_builtin().into_iter().map(|(_, report)| report));
    }
    for path in paths {
        match declared::files(path) {
            Ok(files) => reports.extend(files.iter().map(|file| check_file(file))),
            Err(fault) => reports.push(Err(fault)),
        }
    }
    let (mut tests, mut bad) = (0, 0);
    let files = reports.len();
    for report in reports {
        let lines = match report {
            Ok(report) => {
                tests += report.tests;
                report.wrong
            }
            Err(fault) => vec![fault.to_string()],
        };
        bad += usize::from(!lines.is_empty());
        for line in lines {
            let _ = writeln!(io::stderr(), "toolshrink: {line}");
        }
    }
    let written = writeln!(io::stdout(), "{files} filters, {tests} tests, {bad} filters with faults");
    if bad > 0 {
        return ExitCode::from(exit::FAILED);
    }
    filter::status(written)
}

fn check_file(file: &Path) -> Result<declared::Report, declared::Fault> {
    let text = declared::read_file(file)?;
    declared::check(&file.file_stem().unwrap_or_default().to_string_lossy(), &file.display().to_string(), &text)
}

fn list() -> io::Result<()> {
    let mut out = io::stdout().lock();
    for filter in declared::builtin() {
        writeln!(out, "{:<22}built-in  {}", filter.name(), filter.about())?;
    }
    for file in declared::user_folder().map(|f| declared::all(&f)).unwrap_or_default() {
        writeln!(out, "{:<22}user      {}", stem(&file), told(&file))?;
    }
    for (file, trust) in declared::project() {
        let word = if trust == Trust::Trusted { "project" } else { "untrusted" };
        writeln!(out, "{:<22}{word:<10}{}", stem(&file), told(&file))?;
    }
    out.flush()
}

/// What a file cuts, or what is wrong with it, in one line.
fn told(file: &Path) -> String {
    let path = file.display().to_string();
    let read = declared::read_file(file).and_then(|text| {
        let filter = Filter::read(&stem(file), &path, Origin::User, &text)?;
        filter.compiled().map(|()| format!("{} ({path})", filter.about()))
    });
    read.unwrap_or_else(|fault| fault.to_string().split_whitespace().collect::<Vec<_>>().join(" "))
}

fn stem(file: &Path) -> String {
    file.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
