//! The original, kept on disk when something of it is omitted.
//!
//! Raw bytes stay in memory up to a limit and go to a file beyond it. The file gets its
//! name, `TOOL-HASH.txt` by its content, only when it is asked to stay; else it is gone.
//! Many processes may use one folder: names are made by content, files are created
//! exclusively, and a sweep that finds a file gone is content.

use crate::marker;
use crate::system::{open_no_link, private_file, private_folder, survive_file_limits};
use sha2::{Digest as _, Sha256};
use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Bytes that are held in memory before a file is begun.
const MEMORY: usize = 256 * 1024;
/// Spilled texts are swept when they are older than this,
const AGE: Duration = Duration::from_secs(24 * 60 * 60);
/// when there are more than this many,
const COUNT: usize = 500;
/// or when they take more than this many bytes together.
const TOTAL: u64 = 1 << 30;
/// A file of this age is never swept for count or size: its note was just handed out.
const FRESH: Duration = Duration::from_secs(60);
/// Digits of the hash in a name.
const DIGITS: usize = 12;
/// Letters of the tool in a name.
const TOOL: usize = 24;

/// Takes the original as it arrives.
pub struct Spill {
    folder: PathBuf,
    tool: String,
    memory: Vec<u8>,
    file: Option<Unnamed>,
    failed: Option<io::Error>,
    hash: Sha256,
    lines: u64,
    ended: bool,
}

/// A file that has no name to be found by yet; it goes when it is dropped.
struct Unnamed {
    file: File,
    path: PathBuf,
    named: bool,
}

impl Drop for Unnamed {
    fn drop(&mut self) {
        if !self.named {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

impl Spill {
    /// For an input of `tool` (empty when unknown), to lie in `folder`.
    #[must_use]
    pub fn new(folder: &Path, tool: &str) -> Self {
        let letters = tool.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').take(TOOL);
        let tool: String = letters.collect::<String>().to_ascii_lowercase();
        let tool = if tool.is_empty() { "text".into() } else { tool };
        let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        Spill { folder, tool, memory: Vec::new(), file: None, failed: None, hash: Sha256::new(), lines: 0, ended: true }
    }

    /// The folder for those who name none: in the user's state folder.
    #[must_use]
    pub fn default_folder() -> Option<PathBuf> {
        let set = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|p| p.is_absolute());
        let state = set("XDG_STATE_HOME").or_else(|| set("HOME").map(|h| h.join(".local/state"))).or_else(|| set("LOCALAPPDATA"))?;
        Some(state.join("toolshrink"))
    }

    /// Takes the next bytes. An error is kept for `keep`.
    pub fn write(&mut self, bytes: &[u8]) {
        self.hash.update(bytes);
        self.lines += memchr::memchr_iter(b'\n', bytes).count() as u64;
        self.ended = bytes.last().map_or(self.ended, |b| *b == b'\n');
        if self.failed.is_some() {
            return;
        }
        let written = match &mut self.file {
            Some(unnamed) => unnamed.file.write_all(bytes),
            None if self.memory.len() + bytes.len() <= MEMORY => {
                self.memory.extend_from_slice(bytes);
                Ok(())
            }
            None => self.begin().and_then(|mut unnamed| {
                unnamed.file.write_all(&self.memory)?;
                unnamed.file.write_all(bytes)?;
                self.memory = Vec::new();
                self.file = Some(unnamed);
                Ok(())
            }),
        };
        if let Err(e) = written {
            self.file = None;
            self.memory = Vec::new();
            self.failed = Some(e);
        }
    }

    /// Has it failed already?
    #[must_use]
    pub fn has_failed(&self) -> bool {
        self.failed.is_some()
    }

    /// Bytes of the note that `keep` will return, without a line end.
    #[must_use]
    pub fn note_bytes(&self) -> usize {
        self.note(&"0".repeat(DIGITS)).len()
    }

    /// Names the file and returns the note that says where it lies.
    ///
    /// # Errors
    /// Those of the folder or the file; the original is then nowhere.
    pub fn keep(&mut self) -> io::Result<Vec<u8>> {
        if let Some(e) = self.failed.take() {
            return Err(e);
        }
        let mut unnamed = match self.file.take() {
            Some(unnamed) => unnamed,
            None => {
                let mut unnamed = self.begin()?;
                unnamed.file.write_all(&self.memory)?;
                unnamed
            }
        };
        unnamed.file.flush()?;
        let digits = digits(std::mem::take(&mut self.hash));
        // A link or an old file of that name is replaced, never followed or written into.
        std::fs::rename(&unnamed.path, self.path(&digits))?;
        unnamed.named = true;
        sweep(&self.folder);
        Ok(self.note(&digits))
    }

    fn begin(&self) -> io::Result<Unnamed> {
        survive_file_limits();
        private_folder(&self.folder)?;
        for attempt in 0..1_000u32 {
            let path = self.folder.join(format!(".{}-{attempt}.part", std::process::id()));
            match private_file(&path) {
                Ok(file) => return Ok(Unnamed { file, path, named: false }),
                Err(e) if e.kind() == ErrorKind::AlreadyExists => {}
                Err(e) => return Err(e),
            }
        }
        Err(ErrorKind::AlreadyExists.into())
    }

    fn path(&self, digits: &str) -> PathBuf {
        self.folder.join(format!("{}-{digits}.txt", self.tool))
    }

    fn note(&self, digits: &str) -> Vec<u8> {
        let mut note = Vec::new();
        let lines = self.lines + u64::from(!self.ended);
        marker::saved(&mut note, &format!("{}-{digits}", self.tool), lines, &self.path(digits).to_string_lossy());
        note
    }
}

/// The digits of a hash that a name holds.
fn digits(hash: Sha256) -> String {
    hash.finalize().iter().take(DIGITS / 2).map(|b| format!("{b:02x}")).collect()
}

fn hash_of(file: &mut File) -> io::Result<Sha256> {
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 64 * 1024];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hash),
            n => hash.update(&buffer[..n]),
        }
    }
}

/// Is it a name that `Spill` gives? So no locator can lead out of the folder.
fn is_name(name: &str) -> bool {
    let Some((tool, digits)) = name.split_once('-') else { return false };
    let is_tool = !tool.is_empty() && tool.len() <= TOOL && tool.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_');
    is_tool && digits.len() == DIGITS && digits.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
}

/// Is it a text of ours? The name alone is like many others; it has to be that of the content.
fn is_ours(path: &Path) -> bool {
    let name = path.file_stem().and_then(|n| n.to_str()).unwrap_or_default();
    let hash = open_no_link(path).and_then(|mut file| hash_of(&mut file));
    hash.is_ok_and(|hash| name.ends_with(&format!("-{}", digits(hash))))
}

/// `.77-0.part`
fn is_unnamed(name: &str) -> bool {
    let numbers = name.strip_prefix('.').and_then(|n| n.strip_suffix(".part")).and_then(|n| n.split_once('-'));
    numbers.is_some_and(|(a, b)| [a, b].iter().all(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit())))
}

/// Removes what is too old, too many or too much. What another process removed first, or
/// what cannot be removed, does not matter.
fn sweep(folder: &Path) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let now = SystemTime::now();
    let mut files = Vec::new();
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let spilled = name.strip_suffix(".txt").is_some_and(is_name);
        let unnamed = is_unnamed(&name);
        if !spilled && !unnamed {
            continue;
        }
        let Some(meta) = entry.metadata().ok().filter(std::fs::Metadata::is_file) else { continue };
        let age = meta.modified().ok().and_then(|at| now.duration_since(at).ok()).unwrap_or_default();
        if age > AGE {
            if unnamed || is_ours(&entry.path()) {
                let _ = std::fs::remove_file(entry.path());
            }
        } else if spilled {
            files.push((age, meta.len(), entry.path()));
        }
    }
    files.sort();
    let mut total = 0;
    for (i, (age, bytes, path)) in files.iter().enumerate() {
        total += bytes;
        if (i >= COUNT || total > TOTAL) && *age > FRESH && is_ours(path) {
            let _ = std::fs::remove_file(path);
        }
    }
}

/// Where the text lies that a locator, a path or a whole note names.
fn place(folder: &Path, named: &str) -> Option<(PathBuf, String)> {
    let name = named.strip_prefix("spill:").unwrap_or(named);
    if is_name(name) {
        return Some((folder.join(format!("{name}.txt")), name.to_owned()));
    }
    if let Some((_, _, path)) = marker::read_saved(named.as_bytes()) {
        return place(folder, std::str::from_utf8(path).ok()?);
    }
    let path = Path::new(named);
    let name = path.file_name()?.to_str()?.strip_suffix(".txt").filter(|n| is_name(n))?;
    path.is_absolute().then(|| (path.to_owned(), name.to_owned()))
}

/// Copies a spilled text, or its lines `from..=to` counted from 1, to `out`. It is named as the
/// note names it: by locator, by path, or by the note itself. A path may lead anywhere, so what
/// lies there is shown only if it is the text that its name promises: the name holds its hash.
///
/// # Errors
/// `InvalidInput` for what is no locator, `NotFound` where nothing lies, `InvalidData` where
/// something else does, and those of reading and writing.
pub fn show(folder: &Path, locator: &str, lines: Option<(u64, u64)>, out: &mut impl Write) -> io::Result<()> {
    let Some((path, name)) = place(folder, locator) else {
        let why = format!("'{locator}' is no locator: it reads like spill:bash-d63d2aebb643, or like the path in the note");
        return Err(io::Error::new(ErrorKind::InvalidInput, why));
    };
    let mut file = open_no_link(&path).map_err(|e| {
        let why = if e.kind() == ErrorKind::NotFound { "nothing lies there (any more)".to_owned() } else { e.to_string() };
        io::Error::new(e.kind(), format!("{}: {why}", path.display()))
    })?;
    if !file.metadata()?.is_file() || !name.ends_with(&digits(hash_of(&mut file)?)) {
        return Err(io::Error::new(ErrorKind::InvalidData, format!("{}: it is not the text that was saved", path.display())));
    }
    file.seek(SeekFrom::Start(0))?;
    let mut at = 1;
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let n = file.read(&mut buffer)?;
        if n == 0 {
            return out.flush();
        }
        let Some((from, to)) = lines else {
            out.write_all(&buffer[..n])?;
            continue;
        };
        for part in buffer[..n].split_inclusive(|b| *b == b'\n') {
            if at > to {
                return out.flush();
            }
            if at >= from {
                out.write_all(part)?;
            }
            at += u64::from(part.ends_with(b"\n"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_ours_are_locators() {
        assert!(is_name("bash-d63d2aebb643") && is_name("web_fetch-000000000000"));
        for name in ["", "bash", "../x-d63d2aebb643", "bash-d63d2aebb64", "bash-D63D2AEBB643", "a/b-d63d2aebb643", "-d63d2aebb643"] {
            assert!(!is_name(name), "{name}");
        }
    }

    #[test]
    fn what_is_not_kept_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let mut spill = Spill::new(folder.path(), "bash");
        spill.write(&vec![b'x'; MEMORY * 3]);
        assert_eq!(folder.path().read_dir().unwrap().count(), 1);
        drop(spill);
        assert_eq!(folder.path().read_dir().unwrap().count(), 0);
    }

    #[test]
    fn what_is_kept_comes_back_exactly() {
        let folder = tempfile::tempdir().unwrap();
        let text: Vec<u8> = (0..200_000u32).flat_map(|i| format!("{i}\r\n\u{1b}[0m").into_bytes()).collect();
        for input in [&text[..], &text[..100], b""] {
            let mut spill = Spill::new(folder.path(), "../B:ash");
            input.chunks(1_000).for_each(|c| spill.write(c));
            let expected = spill.note_bytes();
            let note = String::from_utf8(spill.keep().unwrap()).unwrap();
            assert_eq!(note.len(), expected);
            let locator = note.split([' ', ',']).find(|w| w.starts_with("spill:")).unwrap();
            let mut out = Vec::new();
            show(folder.path(), locator, None, &mut out).unwrap();
            assert!(out == input);
        }
    }

    #[test]
    fn lines_can_be_asked_for() {
        let folder = tempfile::tempdir().unwrap();
        let mut spill = Spill::new(folder.path(), "");
        spill.write(b"a\nb\nc\nd");
        let note = String::from_utf8(spill.keep().unwrap()).unwrap();
        assert!(note.contains(", 4 lines: "), "{note}");
        let locator = note.split([' ', ',']).find(|w| w.starts_with("spill:")).unwrap();
        let mut out = Vec::new();
        show(folder.path(), locator, Some((2, 3)), &mut out).unwrap();
        assert_eq!(out, b"b\nc\n");
    }

    #[test]
    fn old_files_are_swept_and_others_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let old = SystemTime::now() - AGE * 2;
        for name in ["bash-e3b0c44298fc.txt", ".77-0.part", "notes.txt", "backup-202611270900.txt", ".draft.part"] {
            let file = File::create(folder.path().join(name)).unwrap();
            file.set_modified(old).unwrap();
        }
        let mut spill = Spill::new(folder.path(), "bash");
        spill.write(b"x");
        spill.keep().unwrap();
        let mut names: Vec<_> = folder.path().read_dir().unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        assert_eq!(names, [".draft.part", "backup-202611270900.txt", "bash-2d711642b726.txt", "notes.txt"]);
    }
}
