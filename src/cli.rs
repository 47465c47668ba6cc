//! The command line: one field a flag. Help and the man page come from here.

use crate::exit;
use clap::{Parser, ValueEnum};
use toolshrink::{cuts, Hint, Level, Options};

/// Cut the output of a tool down to the part that carries information.
///
/// Reads the output on stdin and writes the part of it that matters to stdout, in the
/// tool's own words, with a counted marker for what was left out.
#[derive(Parser, Debug)]
#[command(name = "toolshrink", version, term_width = 100, after_help = EXAMPLES, after_long_help = after())]
#[allow(clippy::struct_excessive_bools)]
pub struct Cli {
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
    #[arg(long, value_name = "N", env = "TOOLSHRINK_MAX_BYTES", hide_env = true, value_parser = at_least::<{ Options::LEAST_BYTES }>)]
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

    /// Say on stderr which cut was chosen and what was dropped
    #[arg(long, env = "TOOLSHRINK_EXPLAIN", hide_env = true)]
    pub explain: bool,

    /// Print the man page
    #[arg(long, hide = true)]
    pub man: bool,
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
";

fn after() -> String {
    let mut text = format!(
        "{EXAMPLES}
Every flag can also be given as an environment variable: TOOLSHRINK_LEVEL=aggressive,
TOOLSHRINK_MAX_BYTES=8000, TOOLSHRINK_EXIT_CODE=1, ... A flag wins over its variable.

Budgets, whichever is reached first: 50,000 bytes (aggressive 10,000), and by tool
  bash, shell, exec, terminal   300 lines (aggressive 120)
  grep, search                  200 lines (aggressive 120)
  glob, find, ls                100 lines (aggressive 60)
  read, cat, view               50,000 bytes at both levels, no limit of lines
  any other                     250 lines (aggressive 150)
A text under 2,000 bytes comes back whole.

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
",
        exit::DONE,
        exit::FAILED,
        exit::USAGE
    );
    text
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

impl Cli {
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

    /// How it is to be cut.
    pub fn options(&self) -> Options {
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
        }
    }
}
