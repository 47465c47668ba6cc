//! What the caller says about a text: hints, never proof.

/// How much is cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Level {
    /// Bytes pass untouched.
    Off,
    /// Noise goes; the rest stays while it fits a roomy budget.
    #[default]
    Conservative,
    /// A tight budget, and what no cut recognised goes too, counted.
    Aggressive,
}

/// What is known of where the text comes from. All of it may be missing or wrong.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Hint {
    /// The harness's tool: `bash`, `read`, `grep`, ...; empty when unknown.
    pub tool: String,
    /// The command line that it ran; empty when unknown.
    pub command: String,
    /// The command's status. `None` is "may have failed", never 0.
    pub exit_code: Option<i32>,
    /// The file that was read.
    pub path: Option<String>,
    /// The harness reports a tool error.
    pub is_error: bool,
}

/// Files whose text is somebody's work and not a tool's report.
const SOURCE: &[&str] = &[
    "rs", "py", "js", "ts", "jsx", "tsx", "mjs", "cjs", "go", "c", "h", "cc", "cpp", "hpp", "cs", "java", "kt", "rb", "php", "swift",
    "scala", "sh", "bash", "lua", "pl", "ex", "exs", "md", "rst", "toml", "html", "css", "scss", "vue", "svelte", "sql", "proto", "tf",
    "nix",
];

impl Hint {
    /// The tool's name in lower case without a path.
    #[must_use]
    pub fn tool(&self) -> String {
        self.tool.rsplit('/').next().unwrap_or_default().to_ascii_lowercase()
    }

    /// Was a file's text asked for? Then it is never cut by what it seems to mean.
    #[must_use]
    pub fn reads_file(&self) -> bool {
        match self.tool().as_str() {
            "read" | "cat" | "view" | "read_file" | "readfile" | "open" => true,
            _ => self.path.as_deref().is_some_and(is_source) || self.prints_source(),
        }
    }

    /// Which shape of data a file that is read has by its name, if it is data and no text.
    #[must_use]
    pub fn reads_data(&self) -> Option<&'static str> {
        let last = self.command.split_ascii_whitespace().last();
        let end = self.path.as_deref().or(last)?.rsplit_once('.')?.1;
        match end.to_ascii_lowercase().as_str() {
            "json" | "jsonl" | "ndjson" | "geojson" => Some("json"),
            "csv" | "tsv" | "psv" => Some("csv"),
            "log" => Some("log"),
            _ => None,
        }
    }

    /// `cat src/lib.rs` and its kin: one plain command that prints files which are somebody's
    /// work. What a tool may have written into a file (`build.log`, `out.txt`, data) is cut
    /// as what it is.
    fn prints_source(&self) -> bool {
        if self.command.contains(['|', '&', ';', '<', '>', '`', '$', '\n']) {
            return false;
        }
        let mut words = self.command.split_ascii_whitespace();
        let printer = words.next().unwrap_or_default();
        let printer = printer.rsplit('/').next().unwrap_or_default();
        let file = words.last().filter(|w| !w.starts_with('-'));
        match printer {
            "cat" | "bat" | "nl" | "less" | "more" => file.is_some_and(|f| !is_report(f)),
            "head" | "tail" | "sed" => file.is_some_and(is_source),
            _ => false,
        }
    }

    /// Does the command line name `word` as a word of its own (path and quotes aside)?
    #[must_use]
    pub fn names(&self, word: &str) -> bool {
        self.command.split(|c: char| c.is_ascii_whitespace() || "|&;()'\"".contains(c)).any(|w| w.rsplit('/').next() == Some(word))
    }
}

/// Files that a tool may have written.
const REPORTS: &[&str] = &[
    "log", "out", "err", "txt", "xml", "json", "jsonl", "ndjson", "geojson", "csv", "tsv", "psv", "diff", "patch", "tap", "trace", "yaml",
    "yml",
];

fn is_report(path: &str) -> bool {
    path.starts_with("/proc/") || path.rsplit_once('.').is_some_and(|(_, end)| REPORTS.contains(&end.to_ascii_lowercase().as_str()))
}

fn is_source(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, end)| SOURCE.contains(&end.to_ascii_lowercase().as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_read_is_not_a_report() {
        let bash = |command: &str| Hint { tool: "bash".into(), command: command.into(), ..Hint::default() };
        assert!(Hint { tool: "Read".into(), ..Hint::default() }.reads_file());
        assert!(bash("cat src/lib.rs").reads_file() && bash("cat .env").reads_file() && bash("cat Makefile").reads_file());
        assert!(!bash("cat").reads_file() && !bash("cat out.txt").reads_file() && !bash("tail -f x").reads_file());
        assert!(!bash("cat build.log").reads_file() && !bash("cat a.rs | sh").reads_file() && !bash("cargo test").reads_file());
    }
}
