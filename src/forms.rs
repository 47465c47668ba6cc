//! The other forms of input and output: JSON, envelope, blocks, and the log.

use crate::cli::{FilterArgs, Format};
use crate::filter::{self, Reducer};
use std::fs::File;
use std::io::{self, Read, Write as _};
use std::process::ExitCode;
use toolshrink::format::{envelope, json, rule};
use toolshrink::system::Stdin;
use toolshrink::{blocks, gain, Hint, Level, Options, Reduction};

/// What is known of the streams that a text came from.
#[derive(Default)]
pub struct Streams {
    pub stdout_bytes: u64,
    pub stderr_bytes: u64,
    pub exit_code: Option<i32>,
    pub early: bool,
    /// The command, where it is not that of the flags.
    pub command: Option<String>,
}

/// The options, the envelope's head paid out of the budget.
pub fn options(args: &FilterArgs, options: &Options) -> Options {
    let mut options = options.clone();
    if args.format == Format::Envelope && !options.is_whole(&args.hint()) {
        let bytes = options.budget(&args.hint()).bytes;
        options.max_bytes = Some(bytes - envelope::share(bytes));
    }
    options
}

/// The reduction in the form that is asked for; `None` is its text.
pub fn render(args: &FilterArgs, reduction: &Reduction, streams: &Streams) -> Option<Vec<u8>> {
    match args.format {
        Format::Text => None,
        Format::Json => Some(json::render(reduction).into_bytes()),
        Format::Envelope => {
            let hint = args.hint();
            let command = streams.command.as_deref().unwrap_or(&hint.command);
            let rule = rule::classify(&hint.tool, command)?;
            let head = envelope::Head {
                tool: &hint.tool,
                command,
                exit_code: streams.exit_code,
                is_error: hint.is_error,
                stdout_bytes: streams.stdout_bytes,
                stderr_bytes: streams.stderr_bytes,
                early: streams.early,
            };
            let share = envelope::share(args.plain_options().budget(&hint).bytes);
            Some(envelope::render(&rule, &head, reduction, share))
        }
    }
}

/// stdin, and the second stream behind it, as they are.
pub fn untouched(args: &FilterArgs, reader: &mut impl Read) -> ExitCode {
    let mut from = Counted { reader, bytes: 0 };
    let copied = filter::copy(&mut from);
    let mut bytes = from.bytes;
    let copied = copied.and_then(|()| {
        let Some(path) = &args.stderr else { return Ok(()) };
        let mut from = Counted { reader: File::open(path)?, bytes: 0 };
        let copied = filter::copy(&mut from);
        bytes += from.bytes;
        copied
    });
    log(args, bytes, bytes, None);
    filter::status(copied)
}

/// An input that is not cut, for a form that has to know it whole.
pub fn whole(args: &FilterArgs, reader: &mut impl Read, hint: &Hint, options: &Options, streams: &mut Streams) -> io::Result<Reduction> {
    let mut text = Vec::new();
    reader.read_to_end(&mut text)?;
    streams.stdout_bytes = text.len() as u64;
    if let Some(path) = &args.stderr {
        File::open(path)?.read_to_end(&mut text)?;
        streams.stderr_bytes = text.len() as u64 - streams.stdout_bytes;
    }
    toolshrink::shrink(&text[..], hint, options)
}

/// A tool result in JSON: the same with its texts cut, or as it is.
pub fn blocks(args: &FilterArgs, options: &Options) -> ExitCode {
    let mut input = Vec::new();
    if let Err(e) = Stdin.read_to_end(&mut input) {
        let _ = io::stdout().write_all(&input);
        return filter::failed("cannot read the input", &e);
    }
    if let Err(why) = args.spill() {
        let _ = io::stdout().write_all(&input);
        return filter::failed_saying(&why.to_string());
    }
    let mut strategies: Vec<String> = Vec::new();
    let text = std::str::from_utf8(&input).ok().filter(|_| options.level != Level::Off);
    let out = text.and_then(|text| {
        let budget = options.budget(&args.hint());
        blocks::cut(text, (budget.bytes, budget.lines), options, |slot, options| {
            let mut hint = args.hint();
            hint.is_error |= slot.is_error;
            // A share of the budget is no limit that was asked for.
            let given = args.plain_options();
            let options = if hint.is_error && !given.is_limited() { given } else { options.clone() };
            let mut reducer = Reducer::new(&hint, &options, args.spill().ok()?);
            reducer.feed(slot.text.as_bytes());
            let reduction = reducer.finish(false);
            if reduction.reduced && !strategies.contains(&reduction.strategy) {
                strategies.push(reduction.strategy.clone());
            }
            Some(reduction)
        })
    });
    let bytes = out.as_deref().map_or(&input[..], str::as_bytes);
    let printed = io::stdout().write_all(bytes);
    let strategy = if strategies.is_empty() { "none".to_owned() } else { strategies.join("+") };
    append(args, &args.hint().tool, input.len() as u64, bytes.len() as u64, &strategy);
    filter::status(printed)
}

/// Appends the run to the log, if there is one.
pub fn log(args: &FilterArgs, before: u64, after: u64, reduction: Option<&Reduction>) {
    append(args, &args.hint().tool, before, after, reduction.filter(|r| r.reduced).map_or("none", |r| &r.strategy));
}

/// The same for a tool that is not that of the flags.
pub fn append(args: &FilterArgs, tool: &str, before: u64, after: u64, strategy: &str) {
    let Some(log) = &args.log else { return };
    if let Err(e) = gain::append(log, &gain::line(tool, before, after, strategy)) {
        // The output is out; the log is not worth a status.
        let _ = writeln!(io::stderr(), "toolshrink: cannot write the log {}: {e}", log.display());
    }
}

/// Counts what is read.
struct Counted<R> {
    reader: R,
    bytes: u64,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.reader.read(buffer)?;
        self.bytes += n as u64;
        Ok(n)
    }
}
