//! A filter as its author writes it, and what can be wrong with it.

use serde::Deserialize;
use std::fmt;

/// A filter file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Form {
    /// What it cuts, in one line.
    pub about: String,
    /// The commands whose output it is, by their words: `helm upgrade`.
    #[serde(default)]
    pub command: Several,
    /// Patterns, one of which a line of the text matches: it is told by these alone.
    #[serde(default, rename = "match")]
    pub text: Several,
    /// It stands behind all other cuts: tables and logs of this tool are theirs.
    #[serde(default)]
    pub last: bool,
    /// The text is somebody's work: words like `error` in a claimed line are no sign.
    #[serde(default)]
    pub quotes: bool,
    /// What a line is that no rule takes.
    #[serde(default)]
    pub rest: Rest,
    /// Data lines beyond so many are spare.
    pub max_lines: Option<u32>,
    /// The last lines before the end that are worth their bytes.
    #[serde(default)]
    pub tail: u16,
    /// Lines worth their bytes.
    #[serde(default)]
    pub keep: Vec<Keep>,
    /// Headings: held as dearly as what stands below.
    #[serde(default)]
    pub head: Vec<Head>,
    /// Noise.
    #[serde(default)]
    pub drop: Vec<Drop>,
    /// Lines alike, told apart by what the first group captures.
    #[serde(default)]
    pub fold: Vec<Fold>,
    /// Plain data of which enough is shown.
    #[serde(default)]
    pub spare: Vec<Spare>,
    /// Stretches of lines.
    #[serde(default)]
    pub block: Vec<Block>,
    /// What the filter makes of a text.
    #[serde(default)]
    pub test: Vec<Test>,
}

/// One text or a list of them.
#[derive(Debug, Default, Deserialize)]
#[serde(untagged, expecting = "expected a string or a list of strings")]
pub enum Several {
    #[default]
    None,
    One(String),
    Many(Vec<String>),
}

impl Several {
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        match self {
            Several::None => [].iter(),
            Several::One(text) => std::slice::from_ref(text).iter(),
            Several::Many(texts) => texts.iter(),
        }
        .map(String::as_str)
    }

    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }
}

/// How dearly a line is held.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Rank {
    Edge,
    Detail,
    Body,
    Top,
    Total,
}

impl From<Rank> for crate::cut::Rank {
    fn from(rank: Rank) -> Self {
        match rank {
            Rank::Edge => Self::Edge,
            Rank::Detail => Self::Detail,
            Rank::Body => Self::Body,
            Rank::Top => Self::Top,
            Rank::Total => Self::Total,
        }
    }
}

/// What a line is that no rule takes.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Rest {
    /// Not of this tool.
    #[default]
    Unknown,
    /// Plain data of the tool.
    Data,
}

fn body() -> Rank {
    Rank::Body
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Keep {
    pub like: Several,
    #[serde(default = "body")]
    pub rank: Rank,
    /// So many lines before it are lifted to `body`.
    #[serde(default)]
    pub before: u16,
    /// So many lines after it that no rule takes are kept at `body`, up to a blank one.
    #[serde(default)]
    pub after: u16,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    pub like: Several,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Drop {
    pub like: Several,
    pub noun: String,
    /// Also lines that carry a word like `error`.
    #[serde(default)]
    pub signed: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fold {
    pub like: Several,
    #[serde(default = "body")]
    pub rank: Rank,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spare {
    pub like: Several,
    pub noun: String,
    /// Also lines that carry a word like `error`: names may hold it.
    #[serde(default)]
    pub signed: bool,
}

/// From a line that opens to one that closes.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Block {
    pub open: Several,
    /// The line that ends it; it is judged as one outside. Without: a blank line.
    #[serde(default)]
    pub close: Several,
    /// What its lines are that no rule takes: of this rank,
    pub rank: Option<Rank>,
    /// noise,
    pub drop: Option<String>,
    /// plain data of which enough is shown,
    pub spare: Option<String>,
    /// or undecided: noise unless a kept line lifts it.
    pub park: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Test {
    /// The text, lines parted by line ends.
    pub input: String,
    /// A sign a line.
    pub marks: String,
}

/// What is wrong with the TOML, in the words of this format.
pub fn worded(e: &toml::de::Error) -> String {
    let mut text = e.to_string().trim_end().to_owned();
    for (from, to) in [
        ("expected struct Test", "expected a [[test]] with input and marks"),
        ("expected struct Block", "expected a table such as { open = '^x', rank = 'body' }"),
        ("expected struct Head", "expected a table such as { like = '^x' }"),
        ("expected struct Keep", "expected a table such as { like = '^x', rank = 'top' }"),
        ("expected struct Fold", "expected a table such as { like = '^(x)' }"),
        ("expected struct Drop", "expected a table such as { like = '^x', noun = 'things' }"),
        ("expected struct Spare", "expected a table such as { like = '^x', noun = 'things' }"),
        ("invalid type: map, expected a sequence", "expected a list of tables: [{ .. }], or [[..]] above it"),
        ("expected a sequence", "expected a list"),
        ("expected u16", "expected a number from 0 to 65535"),
        ("expected u32", "expected a number from 0 to 4294967295"),
        ("unknown variant", "unknown word"),
    ] {
        text = text.replace(from, to);
    }
    if text.contains("escaped value") || text.contains("escape sequence") {
        text += "; a pattern stands between single quotes: '\\d'";
    }
    text
}

/// Why a filter cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fault {
    /// The file.
    pub file: String,
    /// The key in it, where one is to blame: `drop[2].like`.
    pub key: String,
    /// What is wrong, the pattern included.
    pub why: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = if self.key.is_empty() { "" } else { ": " };
        write!(f, "{}{at}{}: {}", self.file, self.key, self.why)
    }
}

impl std::error::Error for Fault {}
