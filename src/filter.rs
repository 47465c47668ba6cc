//! One input on its way from a reader to stdout, with the original spilled beside it.

use crate::cli::{FilterArgs, Format, Input, Wrapped};
use crate::exit;
use crate::forms::{self, Streams};
use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::process::{Command, ExitCode};
use std::time::Duration;
use toolshrink::spill::Spill;
use toolshrink::system::{self, Interruptible, Stdin};
use toolshrink::{format, marker, Ending, Hint, Level, Options, Reduction, Shrinker};

/// How long those who still hold the pipe may write after the command has ended.
pub const PATIENCE: Duration = Duration::from_secs(2);

/// Filters stdin.
pub fn stdin(args: &FilterArgs, wrapped: &Wrapped) -> ExitCode {
    let mut reader = match wrapped.shell.map_or_else(|| Interruptible::new(Stdin), |pid| Interruptible::beside(Stdin, pid, PATIENCE)) {
        Ok(reader) => reader,
        Err(e) => return failed("cannot read the input", &e),
    };
    let status = filter(args, wrapped, &mut reader);
    if reader.held {
        leave(&Stdin);
    }
    status
}

/// Who still writes into the pipe shall not be stopped by us: somebody has to go on reading.
pub fn leave(pipe: &impl system::Pipe) {
    if let Ok(me) = std::env::current_exe() {
        system::leave_to(pipe, Command::new(me).arg("--drain"));
    }
}

fn filter(args: &FilterArgs, wrapped: &Wrapped, reader: &mut Interruptible<Stdin>) -> ExitCode {
    let mut hint = args.hint();
    let options = match args.options(&hint.command) {
        Ok(options) => options,
        Err(fault) => {
            let _ = writeln!(io::stderr(), "toolshrink: {fault}");
            // A wrong filter must not lose the output.
            let _ = copy(&mut *reader);
            return ExitCode::from(exit::USAGE);
        }
    };
    if args.input == Input::Blocks {
        return forms::blocks(args, &options);
    }
    let rule = (args.format == Format::Envelope).then(|| format::rule::classify(&hint.tool, &hint.command));
    if args.format != Format::Json && options.level == Level::Off || rule == Some(None) {
        return forms::untouched(args, reader);
    }
    if args.format == Format::Text && args.stderr.is_none() && options.is_whole(&hint) {
        let cleaned = toolshrink::clean(&mut *reader, io::stdout().lock());
        let early = if reader.interrupted { early_line() } else { Vec::new() };
        if let Ok(tally) = &cleaned {
            forms::log(args, tally.input_bytes, tally.clean_bytes, None);
        }
        return status(cleaned.and_then(|_| io::stdout().write_all(&early)));
    }
    let spill = match args.spill() {
        Ok(spill) => spill,
        Err(why) => {
            let _ = copy(&mut *reader);
            return failed_saying(&why.to_string());
        }
    };
    let mut streams = Streams::default();
    let mut reduction = if options.level == Level::Off {
        match forms::whole(args, reader, &hint, &options, &mut streams) {
            Ok(reduction) => reduction,
            Err(e) => return failed("cannot read the input", &e),
        }
    } else {
        let mut reducer = Reducer::new(&hint, &forms::options(args, &options), spill);
        if args.format != Format::Text {
            reducer = reducer.with_facts();
        }
        if let Some(bytes) = wrapped.failed_max_bytes {
            reducer = reducer.when_failed(&hint, &forms::options(args, &options), bytes);
        }
        let read = reducer.read(reader).and_then(|()| {
            streams.stdout_bytes = reducer.bytes;
            reducer.read_second(args)?;
            streams.stderr_bytes = reducer.bytes - streams.stdout_bytes;
            Ok(())
        });
        if let Err(e) = read {
            // What came is worth more than nothing.
            let _ = print(args, &reducer.finish(true), &streams);
            return failed("cannot read the input", &e);
        }
        if let Some(status) = reader.status() {
            hint.exit_code = Some(status);
            reducer.exited(status);
        }
        reducer.finish(reader.interrupted)
    };
    streams.early = reader.interrupted;
    streams.exit_code = hint.exit_code;
    reduction.tally.input_bytes = streams.stdout_bytes + streams.stderr_bytes;
    print(args, &reduction, &streams)
}

/// Writes a reduction in the form that is asked for, and what is to be explained of it.
pub fn print(args: &FilterArgs, reduction: &Reduction, streams: &Streams) -> ExitCode {
    if args.explain {
        explain(reduction);
    }
    let rendered = forms::render(args, reduction, streams);
    let mut stdout = io::stdout().lock();
    let printed = stdout.write_all(rendered.as_deref().unwrap_or(&reduction.content)).and_then(|()| stdout.flush());
    forms::log(args, reduction.tally.input_bytes, reduction.content.len() as u64, Some(reduction));
    status(printed)
}

/// A shrinker with a spill, and one that takes over when the spill fails.
pub struct Reducer {
    shrinker: Shrinker,
    /// The conservative one: what could not be saved is cut with more care.
    careful: Option<Shrinker>,
    /// The one for a command that fails, where that has a budget of its own.
    failing: Option<Shrinker>,
    spill: Option<Spill>,
    /// Bytes that came so far.
    pub bytes: u64,
    ended: bool,
}

impl Reducer {
    pub fn new(hint: &Hint, options: &Options, spill: Option<Spill>) -> Self {
        let careful = Options { level: Level::Conservative, ..options.clone() };
        let careful = (spill.is_some() && options.level == Level::Aggressive).then(|| Shrinker::new(hint, &careful));
        Reducer { shrinker: Shrinker::new(hint, options), careful, failing: None, spill, bytes: 0, ended: true }
    }

    /// At most so many bytes come out where the command turns out to have failed.
    pub fn when_failed(mut self, hint: &Hint, options: &Options, bytes: usize) -> Self {
        let options = Options { max_bytes: Some(bytes), ..options.clone() };
        self.failing = Some(Shrinker::new(hint, &options));
        let options = Options { level: Level::Conservative, ..options };
        self.careful = self.careful.map(|_| Shrinker::new(hint, &options));
        self
    }

    /// Facts are wanted too.
    pub fn with_facts(mut self) -> Self {
        self.shrinker = self.shrinker.with_facts();
        self.careful = self.careful.map(Shrinker::with_facts);
        self
    }

    /// Reads the second stream, if there is one, from a new line on.
    pub fn read_second(&mut self, args: &FilterArgs) -> io::Result<()> {
        let Some(path) = &args.stderr else { return Ok(()) };
        let mut file = File::open(path).map_err(|e| io::Error::new(e.kind(), format!("{}: {e}", path.display())))?;
        let ended = self.ended;
        let mut first = [0];
        if !ended && file.read(&mut first)? == 1 {
            self.shrink(b"\n");
            self.feed(&first);
        }
        self.read(&mut file)
    }

    pub fn read(&mut self, reader: &mut impl Read) -> io::Result<()> {
        let mut buffer = vec![0; 256 * 1024];
        loop {
            match reader.read(&mut buffer) {
                Ok(0) => return Ok(()),
                Ok(n) => self.feed(&buffer[..n]),
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) => return Err(e),
            }
        }
    }

    /// Takes the next bytes.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        self.ended = bytes.last().map_or(self.ended, |b| *b == b'\n');
        self.shrink(bytes);
    }

    fn shrink(&mut self, bytes: &[u8]) {
        self.shrinker.feed(bytes);
        for other in [&mut self.careful, &mut self.failing].into_iter().flatten() {
            other.feed(bytes);
        }
        if let Some(spill) = &mut self.spill {
            spill.write(bytes);
        }
    }

    /// The command has ended with this status.
    pub fn exited(&mut self, status: i32) {
        if let Some(failing) = self.failing.take().filter(|_| status != 0) {
            self.shrinker = failing;
        }
        self.shrinker.exited(status);
        if let Some(careful) = &mut self.careful {
            careful.exited(status);
        }
    }

    /// The input has ended, or was ended.
    pub fn finish(self, early: bool) -> Reduction {
        let Some(mut spill) = self.spill else {
            return self.shrinker.finish(&Ending { early, note_bytes: 0 });
        };
        let ending = Ending { early, note_bytes: spill.note_bytes() };
        let mut reduction = self.shrinker.finish(&ending);
        if !reduction.reduced {
            return reduction;
        }
        let note = match spill.keep() {
            Ok(note) => note,
            Err(e) => {
                if let Some(careful) = self.careful {
                    reduction = careful.finish(&ending);
                }
                if !reduction.reduced {
                    return reduction;
                }
                let mut note = Vec::new();
                marker::unsaved(&mut note, &e.to_string(), ending.note_bytes);
                note
            }
        };
        if reduction.content.last().is_some_and(|b| *b != b'\n') {
            reduction.content.push(b'\n');
        }
        reduction.content.extend_from_slice(&note);
        reduction.content.push(b'\n');
        reduction.spill = Some(note);
        reduction
    }
}

fn early_line() -> Vec<u8> {
    let mut line = Vec::new();
    marker::early(&mut line);
    line.push(b'\n');
    line
}

/// The reader's bytes to stdout as they are. A reader of ours that is gone does not end the
/// reading: who writes into the pipe shall not be stopped by us.
pub fn copy(mut from: impl Read) -> io::Result<()> {
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

/// The status after writing: a closed pipe is a quiet end.
pub fn status(written: io::Result<()>) -> ExitCode {
    match written {
        Ok(()) => ExitCode::from(exit::DONE),
        Err(e) if e.kind() == ErrorKind::BrokenPipe => ExitCode::from(exit::DONE),
        Err(e) => failed("cannot write the output", &e),
    }
}

/// Says what went wrong, in one line.
pub fn failed(what: &str, e: &io::Error) -> ExitCode {
    failed_saying(&format!("{what}: {e}"))
}

pub fn failed_saying(why: &str) -> ExitCode {
    let _ = writeln!(io::stderr(), "toolshrink: {why}");
    ExitCode::from(exit::FAILED)
}

fn explain(r: &Reduction) {
    let mut err = io::stderr().lock();
    let (t, s) = (&r.tally, &r.stats);
    let _ = writeln!(err, "toolshrink: {} bytes in {} lines -> {} bytes, as {}", t.input_bytes, t.input_lines, r.content.len(), r.strategy);
    for part in &r.parts {
        let _ = writeln!(err, "toolshrink: lines {}-{}: {} ({})", part.from, part.to, part.shape, part.dialect);
    }
    if let Some(note) = r.note {
        let _ = writeln!(err, "toolshrink: {note}");
    }
    let _ = writeln!(
        err,
        "toolshrink: kept {} lines, {} bytes; omitted {} lines, {} bytes; cleaned away {} lines, {} bytes",
        s.kept_lines,
        s.kept_bytes,
        s.omitted_lines,
        s.omitted_bytes,
        t.input_lines.saturating_sub(t.clean_lines),
        t.input_bytes.saturating_sub(t.clean_bytes)
    );
    for (noun, count) in &s.omitted {
        let _ = writeln!(err, "toolshrink: omitted {count} {noun}");
    }
}
