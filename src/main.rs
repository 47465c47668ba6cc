//! Parse, run, print, exit status; nothing else.

mod cli;
mod exit;

use clap::{CommandFactory as _, Parser as _};
use cli::Cli;
use std::io::{self, ErrorKind, IsTerminal as _, Read, Write};
use std::process::ExitCode;
use toolshrink::{Level, Reduction};

fn main() -> ExitCode {
    // An empty variable is an unset one: hooks hand over what they do not know as "".
    for (name, value) in std::env::vars_os() {
        if value.is_empty() && name.to_str().is_some_and(|n| n.starts_with("TOOLSHRINK_")) {
            std::env::remove_var(name);
        }
    }
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(e) if !e.use_stderr() => return status(e.print()),
        Err(e) => {
            let _ = e.print();
            // A typo in a hook must not lose the output.
            if !io::stdin().is_terminal() {
                let _ = copy(io::stdin().lock());
            }
            return ExitCode::from(exit::USAGE);
        }
    };
    if cli.man {
        return status(clap_mangen::Man::new(Cli::command()).render(&mut io::stdout().lock()));
    }
    if io::stdin().is_terminal() {
        let _ = Cli::command().write_help(&mut io::stderr().lock());
        return ExitCode::from(exit::USAGE);
    }
    if cli.options().level == Level::Off {
        return status(copy(io::stdin().lock()));
    }
    // A cut that panics is put aside and the text still printed: nothing to tell the user.
    std::panic::set_hook(Box::new(|_| {}));
    let reduction = match toolshrink::shrink(io::stdin().lock(), &cli.hint(), &cli.options()) {
        Ok(reduction) => reduction,
        Err(e) => {
            eprintln!("toolshrink: cannot read the input: {e}");
            return ExitCode::from(exit::FAILED);
        }
    };
    if cli.explain {
        explain(&reduction);
    }
    let mut stdout = io::stdout().lock();
    status(stdout.write_all(&reduction.content).and_then(|()| stdout.flush()))
}

/// stdin to stdout as it is. A reader that is gone does not end the reading: who writes
/// into the pipe shall not be stopped by us.
fn copy(mut from: impl Read) -> io::Result<()> {
    let mut to = io::stdout().lock();
    let mut buffer = vec![0; 256 * 1024];
    let mut result = Ok(());
    loop {
        match from.read(&mut buffer) {
            Ok(0) => return result.and_then(|()| to.flush()),
            Ok(n) if result.is_ok() => result = to.write_all(&buffer[..n]).and_then(|()| to.flush()),
            Ok(_) => {}
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
}

fn status(written: io::Result<()>) -> ExitCode {
    match written {
        Ok(()) => ExitCode::from(exit::DONE),
        Err(e) if e.kind() == ErrorKind::BrokenPipe => ExitCode::from(exit::DONE),
        Err(e) => {
            eprintln!("toolshrink: cannot write the output: {e}");
            ExitCode::from(exit::FAILED)
        }
    }
}

fn explain(r: &Reduction) {
    let mut err = io::stderr().lock();
    let _ = writeln!(
        err,
        "toolshrink: {} bytes in {} lines -> {} bytes, as {}",
        r.tally.input_bytes,
        r.tally.input_lines,
        r.content.len(),
        r.strategy
    );
    for part in &r.parts {
        let _ = writeln!(err, "toolshrink: lines {}-{}: {} ({})", part.from, part.to, part.shape, part.dialect);
    }
    if let Some(note) = r.note {
        let _ = writeln!(err, "toolshrink: {note}");
    }
    let s = &r.stats;
    let cleaned = r.tally.input_bytes - r.tally.clean_bytes;
    let _ = writeln!(
        err,
        "toolshrink: kept {} lines, {} bytes; omitted {} lines, {} bytes; cleaned away {} lines, {cleaned} bytes",
        s.kept_lines,
        s.kept_bytes,
        s.omitted_lines,
        s.omitted_bytes,
        r.tally.input_lines - r.tally.clean_lines
    );
    for (noun, count) in &s.omitted {
        let _ = writeln!(err, "toolshrink: omitted {count} {noun}");
    }
}
