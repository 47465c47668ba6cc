//! Parse, run, print, exit status; nothing else.

mod cli;
mod exit;
mod filter;
mod filters;
mod forms;
mod hooked;
mod recipe;
mod run;

use clap::{CommandFactory as _, Parser as _};
use cli::{Cli, Command};
use std::fs::File;
use std::io::{self, BufReader, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use toolshrink::{cuts, format, gain, spill, system};

fn main() -> ExitCode {
    // An empty variable is an unset one: hooks hand over what they do not know as "".
    for (name, value) in std::env::vars_os() {
        if value.is_empty() && name.to_str().is_some_and(|n| n.starts_with("TOOLSHRINK_")) {
            std::env::remove_var(name);
        }
    }
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(e) if !e.use_stderr() => return filter::status(e.print()),
        Err(e) => {
            let _ = e.print();
            if is_hook() && !io::stdin().is_terminal() {
                // Harnesses take a status for a refusal: the call has to go on.
                hooked::drain();
                return ExitCode::from(exit::DONE);
            }
            // A typo in a hook must not lose the output.
            if !io::stdin().is_terminal() && !names_subcommand() {
                let _ = filter::copy(system::Stdin);
            }
            return ExitCode::from(exit::USAGE);
        }
    };
    // A cut that panics is put aside and the text still printed: nothing to tell the user.
    std::panic::set_hook(Box::new(|_| {}));
    match cli.command {
        _ if cli.man => filter::status(clap_mangen::Man::new(Cli::command()).render(&mut io::stdout().lock())),
        _ if wrong_together(&cli).is_some() => {
            let _ = writeln!(io::stderr(), "toolshrink: {}", wrong_together(&cli).unwrap_or_default());
            let _ = filter::copy(system::Stdin);
            ExitCode::from(exit::USAGE)
        }
        None if io::stdin().is_terminal() => {
            let _ = Cli::command().write_help(&mut io::stderr().lock());
            ExitCode::from(exit::USAGE)
        }
        None if cli.wrapped.drain => {
            hooked::drain();
            ExitCode::from(exit::DONE)
        }
        None => {
            let status = filter::stdin(&cli.filter, &cli.wrapped);
            if cli.wrapped.shell.is_some() {
                system::release_shell();
            }
            status
        }
        Some(Command::Run { filter, words }) => run::run(&filter, &words),
        Some(Command::Show { locator, lines, spill }) => show(&locator, lines, spill.as_deref()),
        Some(Command::Recipe { shell, command }) => {
            filter::status(io::stdout().write_all(recipe::recipe(shell, command.as_deref().unwrap_or("CMD"), "").as_bytes()))
        }
        Some(Command::Hook { host, filter, permission, print_config }) => {
            // Nothing that goes wrong may look like a refusal.
            let run = || hooked::hook(host, &filter, permission, print_config);
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).unwrap_or(ExitCode::from(exit::DONE))
        }
        Some(Command::Gain { logs, json }) => show_gain(&logs, json),
        Some(Command::Schema) => filter::status(io::stdout().write_all(format::json::SCHEMA.as_bytes())),
        Some(Command::Cuts) => filter::status(list_cuts()),
        Some(Command::Filters { action }) => filters::run(&action),
        Some(Command::Completions { shell }) => {
            let mut text = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "toolshrink", &mut text);
            filter::status(io::stdout().write_all(&text))
        }
    }
}

/// Is it a harness that calls?
fn is_hook() -> bool {
    std::env::args_os().nth(1).is_some_and(|a| a == "hook") && !std::env::args_os().any(|a| a == "--print-config")
}

/// Does the command line ask for something else than to filter stdin?
fn names_subcommand() -> bool {
    let first = std::env::args_os().nth(1);
    Cli::command().get_subcommands().any(|c| first.as_deref() == Some(c.get_name().as_ref()))
}

/// Why the filter's flags do not go together, if they do not.
fn wrong_together(cli: &Cli) -> Option<&'static str> {
    cli.command.is_none().then(|| cli.filter.check().err()).flatten()
}

fn show(locator: &str, lines: Option<(u64, u64)>, folder: Option<&Path>) -> ExitCode {
    let shown = cli::spill_folder(folder)
        .map_err(io::Error::other)
        .and_then(|folder| spill::show(&folder, locator, lines, &mut io::stdout().lock()));
    match shown {
        Err(e) if e.kind() == io::ErrorKind::InvalidInput => {
            let _ = writeln!(io::stderr(), "toolshrink: {e}");
            ExitCode::from(exit::USAGE)
        }
        Err(e) if e.kind() != io::ErrorKind::BrokenPipe => filter::failed("cannot show it", &e),
        _ => ExitCode::from(exit::DONE),
    }
}

fn show_gain(logs: &[PathBuf], json: bool) -> ExitCode {
    let mut gain = gain::Gain::default();
    for log in logs {
        let read = File::open(log).and_then(|file| gain.read(BufReader::new(file)));
        if let Err(e) = read {
            return filter::failed(&format!("cannot read {}", log.display()), &e);
        }
    }
    let text = if json { gain.json() } else { gain.text() };
    filter::status(io::stdout().write_all(text.as_bytes()))
}

fn list_cuts() -> io::Result<()> {
    let mut out = io::stdout().lock();
    for shape in cuts::shapes().chain([&cuts::size::SHAPE]) {
        writeln!(out, "{:<12}{:<20}{}", shape.name, shape.dialect, shape.about)?;
    }
    out.flush()
}
