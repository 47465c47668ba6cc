//! The command line: one field a flag. Help and the man page come from here.

use crate::exit;
use crate::filters::Action;
use anyhow::Context as _;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use toolshrink::declared::{Fault, Filters};
use toolshrink::hook::Host;
use toolshrink::spill::Spill;
use toolshrink::{cuts, Hint, Level, Options};

/// Cut the output of a tool down to the part that carries information.
///
/// Reads the output on stdin and writes the part of it that matters to stdout, in the
/// tool's own words, with a counted marker for what was left out.
#[derive(Parser, Debug)]
#[command(name = "toolshrink", version, term_width = 100, after_help = EXAMPLES, after_long_help = after())]
#[command(args_conflicts_with_subcommands = true, disable_help_subcommand = true)]
pub struct Cli {
    #[command(flatten)]
    pub filter: FilterArgs,

    #[command(flatten)]
    pub wrapped: Wrapped,

    #[command(subcommand)]
    pub command: Option<Command>,

    /// Print the man page
    #[arg(long, hide = true)]
    pub man: bool,
}

/// What the shell code of `recipe sh` says about itself.
#[derive(Args, Debug, Default)]
pub struct Wrapped {
    /// The shell whose command writes into stdin; it tells the status on descriptor 3 and waits
    /// on 4 until the output is written
    #[arg(long, value_name = "PID", hide = true)]
    pub shell: Option<i32>,

    /// The budget where that status is not 0
    #[arg(long, value_name = "N", hide = true, value_parser = at_least::<{ Options::LEAST_BYTES }>)]
    pub failed_max_bytes: Option<usize>,

    /// Read stdin to its end and write nothing
    #[arg(long, hide = true)]
    pub drain: bool,
}

/// What one can do besides filtering stdin.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Run a command and filter its output; ends with the command's status
    Run {
        #[command(flatten)]
        filter: Box<FilterArgs>,

        /// The command and its arguments, after --
        #[arg(last = true, required = true, value_name = "CMD")]
        words: Vec<OsString>,
    },
    /// Print an original that --spill kept
    Show {
        /// As the note names it: spill:bash-d63d2aebb643, or the path there
        locator: String,

        /// Only these lines, counted from 1
        #[arg(long, value_name = "A-B", value_parser = line_range)]
        lines: Option<(u64, u64)>,

        /// Where it lies, if --spill was given a folder
        #[arg(long, value_name = "DIR", env = "TOOLSHRINK_SPILL", hide_env = true)]
        spill: Option<PathBuf>,
    },
    /// Print the shell code that runs a command through toolshrink and keeps its status
    Recipe {
        /// For which shell
        shell: RecipeShell,

        /// The command, as one word; without it the recipe has CMD in its place
        command: Option<String>,
    },
    /// Answer a harness's hook: its JSON on stdin, the answer on stdout, or nothing
    Hook {
        /// Which harness
        host: Host,

        #[command(flatten)]
        filter: Box<FilterArgs>,

        /// What is said to the permission check when a command is rewritten
        #[arg(long, value_enum, default_value_t = PermissionArg::Ask)]
        permission: PermissionArg,

        /// Print what to paste into the harness's settings, or a whole adapter
        #[arg(long)]
        print_config: bool,
    },
    /// Show what was saved, from the logs that --log wrote
    Gain {
        /// The logs
        #[arg(required = true, value_name = "LOG")]
        logs: Vec<PathBuf>,

        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Print the JSON Schema of --format json
    Schema,
    /// List the cuts
    Cuts,
    /// Check, list, show and trust declared filters
    Filters {
        #[command(subcommand)]
        action: Action,
    },
    /// Print completions for a shell
    Completions {
        /// For which shell
        shell: clap_complete::Shell,
    },
}

/// Shells that there are recipes for.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum RecipeShell {
    /// Bash 4.4 and newer: keeps cd, variables and the status
    Bash,
    /// Any POSIX shell: keeps all of it, and the filter knows the status
    Sh,
    /// Zsh: keeps the status; the command runs in a subshell
    Zsh,
    /// Fish: keeps the status
    Fish,
}

/// What a rewriting hook says of permission.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum PermissionArg {
    /// The user is asked
    Ask,
    /// The command is allowed: no prompt for any rewritten command
    Allow,
    /// Nothing is said
    None,
}

/// The flags of the filter.
#[derive(Args, Debug)]
pub struct FilterArgs {
    /// The tool that printed it: bash, read, grep, glob, find, ls, eval, web_fetch, ...
    #[arg(long, value_name = "NAME", env = "TOOLSHRINK_TOOL", hide_env = true)]
    tool: Option<String>,

    /// The command line that it ran; a hint, the text decides
    #[arg(long, value_name = "CMD", env = "TOOLSHRINK_COMMAND", hide_env = true, allow_hyphen_values = true)]
    command: Option<String>,

    /// The command's status; unknown means that it may have failed
    #[arg(long, value_name = "N", env = "TOOLSHRINK_EXIT_CODE", hide_env = true, allow_negative_numbers = true)]
    exit_code: Option<i32>,

    /// The file that was read
    #[arg(long, value_name = "FILE", env = "TOOLSHRINK_PATH", hide_env = true)]
    path: Option<String>,

    /// The harness reports a tool error: clean only, cut nothing unless a --max-* is given
    #[arg(long, env = "TOOLSHRINK_IS_ERROR", hide_env = true)]
    is_error: bool,

    /// How much is cut; off passes the bytes untouched
    #[arg(long, value_enum, default_value_t = LevelArg::Conservative, env = "TOOLSHRINK_LEVEL", hide_env = true)]
    level: LevelArg,

    /// Bytes of the output at most, markers included (100 or more) [default: 50000; aggressive 10000]
    #[arg(long, value_name = "N", env = "TOOLSHRINK_MAX_BYTES", hide_env = true, overrides_with = "max_bytes", value_parser = at_least::<{ Options::LEAST_BYTES }>)]
    max_bytes: Option<usize>,

    /// Lines of the output at most, markers included [default: by level and tool]
    #[arg(long, value_name = "N", env = "TOOLSHRINK_MAX_LINES", hide_env = true, value_parser = at_least::<1>)]
    max_lines: Option<usize>,

    /// Bytes of one line at most; a longer one keeps its two ends (80 or more) [default: 4096; aggressive 2048]
    #[arg(long, value_name = "N", env = "TOOLSHRINK_MAX_LINE_BYTES", hide_env = true, value_parser = at_least::<{ Options::LEAST_LINE_BYTES }>)]
    max_line_bytes: Option<usize>,

    /// Only these cuts may run
    #[arg(long, value_name = "CUT,..", env = "TOOLSHRINK_ONLY", hide_env = true, value_delimiter = ',', value_parser = cut_name)]
    only: Vec<String>,

    /// These cuts may not run
    #[arg(long, value_name = "CUT,..", env = "TOOLSHRINK_DISABLE", hide_env = true, value_delimiter = ',', value_parser = cut_name)]
    disable: Vec<String>,

    /// A declared filter, or a folder of them, on top of the built-in ones; repeatable
    #[arg(long, value_name = "FILE", env = "TOOLSHRINK_FILTERS", hide_env = true, value_delimiter = ',')]
    filters: Vec<PathBuf>,

    /// Say on stderr which cut was chosen and what was dropped
    #[arg(long, env = "TOOLSHRINK_EXPLAIN", hide_env = true)]
    pub explain: bool,

    /// Keep the original in DIR when something is omitted; the last line says where it lies
    /// [without DIR: the user's state folder]
    #[arg(long, value_name = "DIR", num_args = 0..=1, default_missing_value = "", env = "TOOLSHRINK_SPILL", hide_env = true, value_parser = clap::value_parser!(OsString))]
    spill: Option<OsString>,

    /// What is written
    #[arg(long, value_enum, default_value_t = Format::Text, env = "TOOLSHRINK_FORMAT", hide_env = true)]
    pub format: Format,

    /// What stdin is
    #[arg(long, value_enum, default_value_t = Input::Text, env = "TOOLSHRINK_INPUT", hide_env = true)]
    pub input: Input,

    /// The second stream, where a harness has the two apart; it is cut with the rest
    #[arg(long, value_name = "FILE", env = "TOOLSHRINK_STDERR", hide_env = true)]
    pub stderr: Option<PathBuf>,

    /// Append a line a run: bash 64151 -> 2942 via tests+build
    #[arg(long, value_name = "FILE", env = "TOOLSHRINK_LOG", hide_env = true)]
    pub log: Option<PathBuf>,
}

/// Forms of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// The text alone
    Text,
    /// A header and facts before the text, for commands that are safe to classify; others pass untouched
    Envelope,
    /// An object with text, statistics and facts (`toolshrink schema` describes it)
    Json,
}

/// Forms of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Input {
    /// A tool's output
    Text,
    /// A tool result in JSON (Anthropic, OpenAI, MCP): its text blocks are cut, all else stays
    Blocks,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum LevelArg {
    /// The bytes as they come
    Off,
    /// Noise goes; the rest stays while it fits a roomy budget
    Conservative,
    /// A tight budget; what no cut recognised goes too, counted
    Aggressive,
}

const EXAMPLES: &str = "\
Examples:
  cargo test 2>&1 | toolshrink --tool bash --command 'cargo test'
  npm run build 2>&1 | toolshrink --level aggressive
  toolshrink run --level aggressive --spill -- make -j8 check
";

fn after() -> String {
    let mut text = format!(
        "{EXAMPLES}
Every flag can also be given as an environment variable: TOOLSHRINK_LEVEL=aggressive,
TOOLSHRINK_MAX_BYTES=8000, TOOLSHRINK_EXIT_CODE=1, ... A flag wins over its variable.

Budgets, whichever is reached first: 50,000 bytes (aggressive 10,000), and by tool
  bash, shell, exec, terminal   800 lines (aggressive 240)
  grep, search                  200 lines (aggressive 180)
  glob, find, ls                400 lines (aggressive 160)
  read, cat, view               50,000 bytes at both levels, no limit of lines
  any other                     800 lines (aggressive 240)
A text under 2,500 bytes comes back whole.

Cuts:
"
    );
    let mut last = "";
    for shape in cuts::shapes().chain([&cuts::size::SHAPE]) {
        if shape.name == last {
            continue;
        }
        last = shape.name;
        text += &format!("  {:<12}{}\n", shape.name, shape.about);
    }
    text += &format!(
        "
Exit status:
  {}  done, whatever the command's own status was
  {}  the input could not be read or the output not written (a closed pipe is a quiet end)
  {}  the command line is wrong; the input is then copied to the output as it is
`run` ends with its command's status: 128+n after a signal, 127 where there is no such command.
",
        exit::DONE,
        exit::FAILED,
        exit::USAGE
    );
    text
}

/// The folder that is given, or that of the user's state.
///
/// # Errors
/// When none is given and the system names none either.
pub fn spill_folder(given: Option<&Path>) -> anyhow::Result<PathBuf> {
    match given.filter(|g| !g.as_os_str().is_empty()) {
        Some(folder) => Ok(folder.to_owned()),
        None => Spill::default_folder().context("no folder to spill into: neither HOME nor XDG_STATE_HOME is set"),
    }
}

fn line_range(text: &str) -> Result<(u64, u64), String> {
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    match (from.parse(), to.parse()) {
        (Ok(from), Ok(to)) if 1 <= from && from <= to => Ok((from, to)),
        _ => Err("a range of lines reads like 120-180".into()),
    }
}

fn at_least<const N: usize>(text: &str) -> Result<usize, String> {
    match text.parse::<usize>() {
        Ok(n) if n >= N => Ok(n),
        Ok(_) => Err(format!("must be {N} or more")),
        Err(_) => Err("not a whole number".into()),
    }
}

fn cut_name(text: &str) -> Result<String, String> {
    let name = text.trim();
    if cuts::names().contains(&name) {
        return Ok(name.to_owned());
    }
    Err(format!("there is no cut '{name}'; there are: {}", cuts::names().join(", ")))
}

impl FilterArgs {
    /// The flags that hold for every command, as shell words, a blank before each.
    pub fn words(&self) -> String {
        let mut words = String::new();
        let mut add = |flag: &str, value: Option<String>| {
            if let Some(value) = value {
                words = format!("{words} {flag} {}", crate::recipe::quote_if_needed(&value));
            }
        };
        let level = match self.level {
            LevelArg::Off => Some("off"),
            LevelArg::Conservative => None,
            LevelArg::Aggressive => Some("aggressive"),
        };
        let list = |names: &[String]| (!names.is_empty()).then(|| names.join(","));
        add("--level", level.map(str::to_owned));
        add("--max-bytes", self.max_bytes.map(|n| n.to_string()));
        add("--max-lines", self.max_lines.map(|n| n.to_string()));
        add("--max-line-bytes", self.max_line_bytes.map(|n| n.to_string()));
        add("--only", list(&self.only));
        add("--disable", list(&self.disable));
        add("--log", self.log.as_ref().map(|p| p.to_string_lossy().into_owned()));
        let spill = self.spill.as_ref().map(|s| s.to_string_lossy().into_owned());
        add("--spill", spill.clone().filter(|s| !s.is_empty()));
        if spill.is_some_and(|s| s.is_empty()) {
            words += " --spill";
        }
        words
    }

    /// What is known of the text.
    pub fn hint(&self) -> Hint {
        let mut hint = Hint::default();
        hint.tool = self.tool.clone().unwrap_or_default();
        hint.command = self.command.clone().unwrap_or_default();
        hint.exit_code = self.exit_code;
        hint.path = self.path.clone();
        hint.is_error = self.is_error;
        hint
    }

    /// Where the original is kept, if it is.
    ///
    /// # Errors
    /// When no folder is named and the system names none either.
    pub fn spill(&self) -> anyhow::Result<Option<Spill>> {
        self.spill_for(self.tool.as_deref().unwrap_or_default())
    }

    /// The same for a tool that is not that of the flags.
    ///
    /// # Errors
    /// As for `spill`.
    pub fn spill_for(&self, tool: &str) -> anyhow::Result<Option<Spill>> {
        let Some(given) = &self.spill else { return Ok(None) };
        let folder = spill_folder(Some(given.as_ref()))?;
        Ok(Some(Spill::new(&folder, tool)))
    }

    /// Do the flags go together?
    ///
    /// # Errors
    /// When the input is JSON and so the form of the output is given.
    pub fn check(&self) -> Result<(), &'static str> {
        let text = self.format == Format::Text && self.stderr.is_none();
        if self.input == Input::Text || text {
            return Ok(());
        }
        Err("--input blocks writes the same JSON: it goes neither with --format nor with --stderr")
    }

    /// How it is to be cut.
    ///
    /// # Errors
    /// A declared filter that is wrong: of those that are named, and those in the user's
    /// folder that are about this command.
    pub fn options(&self, command: &str) -> Result<Options, Fault> {
        let mut options = self.plain_options();
        if options.level != Level::Off {
            options.filters = Filters::load(&self.filters, command)?;
        }
        Ok(options)
    }

    pub fn plain_options(&self) -> Options {
        Options {
            level: match self.level {
                LevelArg::Off => Level::Off,
                LevelArg::Conservative => Level::Conservative,
                LevelArg::Aggressive => Level::Aggressive,
            },
            max_bytes: self.max_bytes,
            max_lines: self.max_lines,
            max_line_bytes: self.max_line_bytes,
            only: self.only.clone(),
            disable: self.disable.clone(),
            filters: Filters::default(),
        }
    }
}
