//! Runs a command and filters its output: stdout and stderr in one pipe, in the order of
//! arrival; stdin is the command's own, and its status is ours.

use crate::cli::{FilterArgs, Format};
use crate::exit;
use crate::filter::{self, Reducer};
use crate::forms::{self, Streams};
use std::ffi::OsString;
use std::io::{self, Write as _};
use std::process::{Command, ExitCode};
use toolshrink::system::{status_of, Output};
use toolshrink::{format, Level};

/// There is no such command, as shells have it.
const NOT_FOUND: u8 = 127;
/// It cannot be run.
const NOT_RUNNABLE: u8 = 126;

/// Runs `words`, prints what matters of its output, ends with its status.
pub fn run(args: &FilterArgs, words: &[OsString]) -> ExitCode {
    let Some((program, rest)) = words.split_first() else { return ExitCode::from(NOT_FOUND) };
    let mut hint = args.hint();
    if hint.command.is_empty() {
        hint.command = words.iter().map(|w| w.to_string_lossy()).collect::<Vec<_>>().join(" ");
    }
    let options = match args.options(&hint.command) {
        Ok(options) => options,
        Err(fault) => {
            let _ = writeln!(io::stderr(), "toolshrink: {fault}");
            return ExitCode::from(exit::USAGE);
        }
    };
    let spill = match args.spill() {
        Ok(spill) => spill,
        Err(why) => return filter::failed("cannot spill", &io::Error::other(why)),
    };
    let started = io::pipe().and_then(|(pipe, writer)| {
        let child = Command::new(program).args(rest).stdout(writer.try_clone()?).stderr(writer).spawn()?;
        Ok((pipe, child))
    });
    let (pipe, mut child) = match started {
        Ok(started) => started,
        Err(e) => {
            let _ = writeln!(io::stderr(), "toolshrink: cannot run {}: {e}", program.display());
            return ExitCode::from(if e.kind() == io::ErrorKind::NotFound { NOT_FOUND } else { NOT_RUNNABLE });
        }
    };
    let mut options = forms::options(args, &options);
    if args.format == Format::Envelope && format::rule::classify(&hint.tool, &hint.command).is_none() {
        options.level = Level::Off;
    }
    let mut reducer = Reducer::new(&hint, &options, spill);
    if args.format != Format::Text {
        reducer = reducer.with_facts();
    }
    let mut interrupted = false;
    let read = Output::new(pipe, &mut child, filter::PATIENCE).and_then(|mut output| {
        let read = if options.level == Level::Off { filter::copy(&mut output) } else { reducer.read(&mut output) };
        interrupted = output.interrupted;
        if output.held {
            filter::leave(output.pipe());
        }
        read
    });
    let status = child.wait().map_or(i32::from(NOT_RUNNABLE), status_of);
    let early = interrupted || read.is_err_and(|e| e.kind() != io::ErrorKind::BrokenPipe);
    if options.level != Level::Off {
        reducer.exited(status);
        let streams =
            Streams { stdout_bytes: reducer.bytes, exit_code: Some(status), early, command: Some(hint.command), ..Streams::default() };
        let printed = filter::print(args, &reducer.finish(early), &streams);
        if status == 0 && printed != ExitCode::SUCCESS {
            return printed;
        }
    }
    ExitCode::from(u8::try_from(status & 0xff).unwrap_or(1))
}
