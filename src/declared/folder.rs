//! Where a user's filters lie, and which files of a project are trusted.

use super::command::base;
use super::Fault;
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// The folder of a project's own filters.
const PROJECT: &str = ".toolshrink/filters";
/// No filter is larger.
const LARGEST: u64 = 1024 * 1024;
/// Within it, those that are asked about every text.
const TEXT: &str = "text";
/// Words of a command that may stand in a file's name.
const NAME_WORDS: usize = 3;

/// The folder of the user's settings, if the system names one.
fn config() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|p| p.is_absolute());
    let folder = set("XDG_CONFIG_HOME").or_else(|| set("HOME").map(|h| h.join(".config"))).or_else(|| set("APPDATA"))?;
    Some(folder.join("toolshrink"))
}

/// The folder of the user's own filters.
#[must_use]
pub fn user_folder() -> Option<PathBuf> {
    Some(config()?.join("filters"))
}

/// The filters in a folder by name, or the file itself.
///
/// # Errors
/// When the folder cannot be read.
pub fn files(path: &Path) -> Result<Vec<PathBuf>, Fault> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let entries = fs::read_dir(path).map_err(|e| fault(path, &e))?;
    let mut files: Vec<_> = entries.filter_map(|e| Some(e.ok()?.path()).filter(|p| p.extension().is_some_and(|x| x == "toml"))).collect();
    files.sort();
    Ok(files)
}

/// All filters in a folder that is asked by names, those that are asked about every text
/// included; none where there is no such folder.
#[must_use]
pub fn all(folder: &Path) -> Vec<PathBuf> {
    let within = |folder: &Path| if folder.is_dir() { files(folder).unwrap_or_default() } else { Vec::new() };
    let mut all = within(folder);
    all.extend(within(&folder.join(TEXT)));
    all
}

/// The text of a filter file.
///
/// # Errors
/// When it is no regular file (a pipe would be waited for), is too large, cannot be read, or
/// is no UTF-8.
pub fn read_file(path: &Path) -> Result<String, Fault> {
    let bytes = bytes(path).map_err(|e| fault(path, &e))?;
    String::from_utf8(bytes).map_err(|e| {
        let line = e.as_bytes()[..e.utf8_error().valid_up_to()].split(|b| *b == b'\n').count();
        fault(path, &io::Error::other(format!("line {line} is no UTF-8")))
    })
}

fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is no regular file"));
    }
    let mut bytes = Vec::new();
    fs::File::open(path)?.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST {
        return Err(io::Error::other(format!("it is larger than {} KiB, the most that a filter may have", LARGEST / 1024)));
    }
    Ok(bytes)
}

fn fault(path: &Path, e: &io::Error) -> Fault {
    Fault { file: path.display().to_string(), key: String::new(), why: e.to_string() }
}

/// The user's files, then the project's trusted ones, that are about these commands by their
/// names: looked for one by one, so that a thousand others cost nothing.
pub(super) fn about(words: &[Vec<String>]) -> Vec<PathBuf> {
    let mut names: Vec<String> = Vec::new();
    for words in words {
        let mut name = String::new();
        for word in words.iter().filter(|w| !w.starts_with('-')).take(NAME_WORDS) {
            let word = if name.is_empty() { base(word) } else { word };
            if !word.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'+' | b':')) && !word.contains('-')
                || word.contains('/')
            {
                break;
            }
            name = if name.is_empty() { word.to_owned() } else { format!("{name}-{word}") };
            names.push(format!("{name}.toml"));
        }
    }
    let in_folder = |folder: &Path| {
        let named = names.iter().map(|n| folder.join(n)).filter(|p| p.is_file());
        named.chain(files(&folder.join(TEXT)).unwrap_or_default().into_iter().filter(|p| p.is_file())).collect::<Vec<_>>()
    };
    let mut found = user_folder().filter(|f| f.is_dir()).map(|f| in_folder(&f)).unwrap_or_default();
    let project = Path::new(PROJECT);
    if project.is_dir() {
        let trusted = trusted();
        found.extend(in_folder(project).into_iter().filter(|p| stamp(p).is_ok_and(|s| trusted.contains(&s))));
    }
    found
}

/// Is a file in a filters folder never asked? Its name has to be the first words of a command
/// that it names, unless it lies in the folder of those that the text alone tells.
#[must_use]
pub fn misnamed(path: &Path, commands: &[&str]) -> bool {
    let stem = path.file_stem().and_then(|n| n.to_str()).unwrap_or_default();
    let mut folders = path.ancestors().skip(1).map(|p| p.file_name().and_then(|n| n.to_str()).unwrap_or_default());
    let is_asked_by_name = folders.next() == Some("filters") && matches!(folders.next(), Some("toolshrink" | ".toolshrink"));
    let first_words = |command: &&str| {
        let words: Vec<_> = command.split_ascii_whitespace().take_while(|w| !w.contains('*')).take(NAME_WORDS).collect();
        (1..=words.len()).any(|n| words[..n].join("-") == stem)
    };
    is_asked_by_name && !commands.iter().any(first_words)
}

/// A file and what it held when it was trusted: `HASH  PATH`.
fn stamp(path: &Path) -> io::Result<String> {
    let mut stamp = Sha256::digest(bytes(path)?).iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    });
    let _ = write!(stamp, "  {}", fs::canonicalize(path)?.display());
    Ok(stamp)
}

fn trusted() -> Vec<String> {
    let text = config().and_then(|f| fs::read_to_string(f.join("trusted")).ok()).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

/// Whether a project's file is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// As it is now.
    Trusted,
    /// It was never trusted, or has changed since.
    Unknown,
}

/// The filters of the project in the working directory, and whether they are used.
#[must_use]
pub fn project() -> Vec<(PathBuf, Trust)> {
    let trusted = trusted();
    let is_trusted = |p: &Path| stamp(p).is_ok_and(|s| trusted.contains(&s));
    all(Path::new(PROJECT)).into_iter().map(|p| if is_trusted(&p) { (p, Trust::Trusted) } else { (p, Trust::Unknown) }).collect()
}

/// Trusts a file as it is now; a change of it ends the trust, and so does the trust in
/// another version of it.
///
/// # Errors
/// When it cannot be read, or the trust not be noted.
pub fn trust(path: &Path) -> io::Result<()> {
    let stamp = stamp(path)?;
    let whole = fs::canonicalize(path)?;
    if !whole.ancestors().skip(1).take(2).any(|folder| folder.ends_with(PROJECT)) {
        return Err(io::Error::other(format!("{} lies in no {PROJECT}, where alone trust counts", path.display())));
    }
    let mut stamps = trusted();
    let before = stamps.len();
    let of = |stamp: &str| stamp.split_once("  ").map(|(_, path)| path.to_owned());
    let file = of(&stamp);
    stamps.retain(|s| of(s) != file || *s == stamp);
    if stamps.len() == before && stamps.contains(&stamp) {
        return Ok(());
    }
    stamps.retain(|s| *s != stamp);
    stamps.push(stamp);
    let folder = config().ok_or_else(|| io::Error::other("neither HOME nor XDG_CONFIG_HOME is set"))?;
    fs::create_dir_all(&folder)?;
    // Whole or not at all: half a list would end the trust in others.
    let part = folder.join(format!("trusted.{}", std::process::id()));
    fs::write(&part, stamps.join("\n") + "\n")?;
    fs::rename(&part, folder.join("trusted"))
}
