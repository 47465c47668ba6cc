//! What the lines of C compilers, linkers and their build tools look like.

use crate::cuts::place;

/// Ends of paths that such compilers read. Python, Rust and TypeScript checkers print the
/// same form and are not among them.
pub(super) const SOURCES: &[&str] = &[
    "c", "h", "cc", "cpp", "cxx", "c++", "hpp", "hh", "hxx", "ipp", "tpp", "inl", "m", "mm", "cu", "cuh", "s", "S", "y", "l", "inc", "def",
    "swift", "zig", "hs", "d", "ino", "pio", "cl", "C", "H",
];

pub(super) fn is_source(path: &[u8]) -> bool {
    let name = path.rsplit(|b| matches!(b, b'/' | b'\\')).next().unwrap_or_default();
    match name.iter().rposition(|b| *b == b'.') {
        Some(dot) => SOURCES.iter().any(|s| s.as_bytes() == &name[dot + 1..]),
        // C++'s own headers: /usr/include/c++/12/ostream
        None => is_system(path),
    }
}

/// A header or source of the system, the compiler or a dependency.
pub(super) fn is_system(path: &[u8]) -> bool {
    const PARTS: &[&[u8]] = &[
        b"/include/c++/",
        b"/lib/gcc/",
        b"/lib/clang/",
        b"/nix/store/",
        b"/Xcode.app/",
        b"/CommandLineTools/",
        b"Program Files",
        b"/_deps/",
    ];
    place::is_foreign(path) || path.starts_with(b"/usr/") || PARTS.iter().any(|p| crate::line::find(path, p).is_some())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Error,
    Warning,
    Note,
}

/// `path:line:column: class: text`
pub(super) struct Diagnostic<'a> {
    pub(super) path: &'a [u8],
    pub(super) class: Class,
    /// What follows the class.
    pub(super) text: &'a [u8],
}

pub(super) fn diagnostic(line: &[u8]) -> Option<Diagnostic<'_>> {
    const CLASSES: &[(&[u8], Class)] = &[
        (b"error: ", Class::Error),
        (b"fatal error: ", Class::Error),
        (b"Error: ", Class::Error),
        (b"internal compiler error: ", Class::Error),
        (b"sorry, unimplemented: ", Class::Error),
        (b"warning: ", Class::Warning),
        (b"Warning: ", Class::Warning),
        (b"note: ", Class::Note),
        (b"remark: ", Class::Note),
    ];
    let (path, rest) = place::split(line)?;
    let rest = rest.strip_prefix(b": ")?;
    let (text, class) = CLASSES.iter().find_map(|(word, class)| Some((rest.strip_prefix(*word)?, *class)))?;
    Some(Diagnostic { path, class, text })
}

/// `[ 98%] Building C object x.o`, `[6/10] Building CXX object x.o`: a driver's step.
pub(super) fn is_step(text: &[u8]) -> bool {
    let Some(inner) = text.strip_prefix(b"[") else { return false };
    let Some(end) = inner.iter().take(16).position(|b| *b == b']') else { return false };
    let count = &inner[..end];
    inner.get(end + 1) == Some(&b' ')
        && count.last().is_some_and(|b| *b == b'%' || b.is_ascii_digit())
        && count.iter().all(|b| b.is_ascii_digit() || matches!(b, b' ' | b'/' | b'%'))
        && (count.ends_with(b"%") || count.contains(&b'/'))
}

/// A compiler, archiver or linker and its arguments, as make echoes it.
pub(super) fn is_command(text: &[u8]) -> bool {
    const TOOLS: &[&[u8]] = &[
        b"cc",
        b"gcc",
        b"g++",
        b"c++",
        b"clang",
        b"clang++",
        b"ar",
        b"ld",
        b"ranlib",
        b"strip",
        b"objcopy",
        b"libtool:",
        b"cl",
        b"cl.exe",
        b"nvcc",
        b"ccache",
        b"swiftc",
        b"as",
        b"gcc-ar",
    ];
    // `  CC      fs/open.o`, `  AR       lib.a`: quiet builds.
    const QUIET: &[&[u8]] = &[b"CC", b"CXX", b"LD", b"AR", b"AS", b"CCLD", b"CXXLD", b"GEN", b"HOSTCC", b"LINK", b"CPP", b"LDS", b"UPD"];
    // automake's `depbase=`echo a.o | sed ...`;\`
    if text.starts_with(b"depbase=`") {
        return true;
    }
    if let Some(rest) = text.strip_prefix(b"  ") {
        let word = rest.split(|b| *b == b' ').next().unwrap_or_default();
        return QUIET.contains(&word) && rest.len() > word.len() + 1 && rest[word.len()..].starts_with(b" ");
    }
    let Some(space) = memchr::memchr(b' ', &text[..text.len().min(200)]) else { return false };
    let tool = text[..space].rsplit(|b| *b == b'/').next().unwrap_or_default();
    // x86_64-linux-gnu-gcc-12 and arm-none-eabi-g++ too.
    let tool = tool.strip_suffix(b".exe").unwrap_or(tool);
    let bare = tool.rsplit(|b| *b == b'-').find(|w| !w.is_empty() && !w[0].is_ascii_digit()).unwrap_or(tool);
    let rest = &text[space..];
    (TOOLS.contains(&tool) || bare.len() < tool.len() && TOOLS.contains(&bare))
        && (rest.starts_with(b" -") || crate::line::find(rest, b" -").is_some() || crate::line::find(rest, b".o").is_some())
}

/// A configure step's outcome: `-- Looking for poll.h - found`, `checking for gcc... gcc`,
/// `Has header "err.h" : YES`; true when it did not find something that may be needed.
pub(super) fn check(text: &[u8]) -> Option<bool> {
    const CMAKE: &[&[u8]] = &[
        b"The ",
        b"Detecting ",
        b"Check for ",
        b"Check size of ",
        b"Check if ",
        b"Checking ",
        b"Looking for ",
        b"Looking ",
        b"Performing Test ",
        b"Found ",
    ];
    const MESON: &[&[u8]] = &[
        b"Has header ",
        b"Checking for ",
        b"Checking if ",
        b"Compiler for ",
        b"Header ",
        b"Library ",
        b"Program ",
        b"Run-time dependency ",
        b"Build-time dependency ",
        b"Fetching value of define ",
        b"Found pkg-config",
        b"Dependency ",
        b"Configuring ",
    ];
    let says = |end: &[u8]| text.trim_ascii_end().ends_with(end);
    match text {
        [b'-', b'-', b' ', rest @ ..] => CMAKE.iter().any(|p| rest.starts_with(p)).then_some(false),
        _ if text.starts_with(b"checking ") => crate::line::find(text, b"... ").filter(|_| !says(b"not found")).map(|_| false),
        _ if text.starts_with(b"config.status: ") => Some(false),
        [b'H' | b'C' | b'L' | b'P' | b'R' | b'B' | b'F' | b'D', ..] if MESON.iter().any(|p| text.starts_with(p)) => {
            let missing = says(b": NO") && crate::line::find(text, b"ependency ").is_some();
            (missing || crate::line::find(text, b": ").is_some()).then_some(missing)
        }
        _ => None,
    }
}

/// `[-Wsign-compare]` at the end: where it starts.
pub(super) fn tag(text: &[u8]) -> Option<usize> {
    let open = text.strip_suffix(b"]").and_then(|t| memchr::memrchr(b'[', t))?;
    text[open..].starts_with(b"[-W").then_some(open)
}

pub(super) fn is_fortran_place(text: &[u8]) -> bool {
    const ENDS: &[&[u8]] = &[b".f90", b".F90", b".f", b".F", b".f95", b".f03", b".f08", b".for"];
    place::split(text).is_some_and(|(path, rest)| rest == b":" && ENDS.iter().any(|e| path.ends_with(e)))
}

/// `make[2]: text`, `gmake: text`: what make says.
pub(super) fn make(text: &[u8]) -> Option<&[u8]> {
    let rest = text.strip_prefix(b"g").unwrap_or(text);
    let rest = rest.strip_prefix(b"make").or_else(|| text.strip_prefix(b"mingw32-make"))?;
    let rest = match rest.strip_prefix(b"[") {
        Some(inner) => {
            let digits = inner.iter().take_while(|b| b.is_ascii_digit()).count();
            inner[digits..].strip_prefix(b"]")?
        }
        None => rest,
    };
    rest.strip_prefix(b": ")
}
