//! C and its kin: gcc, clang, ld and what drives them (make, ninja, cmake, meson, scons,
//! autotools).
//!
//! Errors stay with their place in one's own source, which for a template stands before the
//! error (gcc: `required from here`) or after it (clang: `requested here`). Candidates,
//! library notes, include chains, command lines and passed checks go. Warnings go by tag.

use super::cc_lines::{check, diagnostic, is_command, is_fortran_place, is_source, is_step, is_system, make, tag, Class, Diagnostic};
use super::repeats::Repeats;
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::cuts::place;
use crate::hint::Hint;
use crate::line::Line;
use Rank::{Body, Detail, Edge, Top, Total};
use Verdict::{Drop, Fold, Keep, KeepWith, Park, Pass, Spare};

/// Compilers that print `path:line:column: error: text`, and their build tools.
pub const SHAPE: Shape = Shape {
    name: "build",
    dialect: "cc",
    about: "gcc, clang, ld, make, ninja, cmake and kin: errors with their own place, warnings by tag, failed targets",
    sniff: |_, lines| sniff(lines),
    opens: Opens::first(b"C-[", opens).or_flush_colon(),
    cut: |hint| Box::new(Cc::new(hint)),
};

const LIBRARY: &str = "library notes";
const STEPS: &str = "build steps";
const CHECKS: &str = "configure checks";
const CODE: &str = "code lines";
/// How often an equal error keeps its rank.
const SHOWN: u32 = 3;
/// An error in a library's template that is longer than this tells little.
const UNWIELDY: usize = 500;

fn sniff(lines: &[Line<'_>]) -> bool {
    let mut steps = 0;
    lines.iter().any(|l| {
        steps += u32::from(is_command(l.text) || is_step(l.text) || check(l.text).is_some());
        opens(l)
            || steps >= 4
            || l.ends(":") && is_fortran_place(l.text)
            || diagnostic(l.text).is_some_and(|d| is_source(d.path) && d.class != Class::Note)
    })
}

fn opens(line: &Line<'_>) -> bool {
    match line.text {
        // `CMake Error at CMakeLists.txt:23 (find_package):`
        [b'C', b'M', b'a', ..] => line.starts("CMake Error at ") || line.starts("CMake Error: "),
        [b'-', b'-', b' ', ..] => {
            line.starts("-- The C compiler identification is ") || line.starts("-- The CXX compiler identification is ")
        }
        // `[  0%] Building CXX object CMakeFiles/x.dir/a.cpp.o`
        [b'[', ..] => line.has("] Building C") && is_step(line.text),
        [b'n', b'i', ..] => line.starts("ninja: build stopped: "),
        [b'c', b'o', ..] => line.text == b"collect2: error: ld returned 1 exit status",
        [b'/', b'u', ..] if line.starts("/usr/bin/ld: ") => line.has("undefined reference to `") || line.has("multiple definition of `"),
        [first, ..] if first.is_ascii_graphic() => {
            diagnostic(line.text).is_some_and(|d| is_source(d.path) && d.class == Class::Error && !d.path.contains(&b' '))
        }
        _ => false,
    }
}

/// What becomes of the lines that belong to the diagnostic above them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Keep(Rank),
    Spare,
    Drop(&'static str),
}

impl Fate {
    fn verdict(self) -> Verdict {
        match self {
            Fate::Keep(rank) => Keep(rank),
            Fate::Spare => Spare(CODE),
            Fate::Drop(noun) => Drop(noun),
        }
    }
}

/// The state of one stream of compilers' output; `go build` lends it its cgo lines.
pub(super) struct Cc {
    failed: bool,
    errors: u32,
    repeats: Repeats,
    fate: Fate,
    /// Lines that may still be code under the last diagnostic.
    code: u8,
    /// A `CMake Error at` block, and the rank of its lines.
    cmake: Option<Rank>,
    /// After `FAILED: x.o`: its command.
    command: bool,
    /// Own notes under the present error.
    notes: u32,
    /// The last line was a step.
    stepped: bool,
    /// A Fortran place stands above: its `Error: ` follows the code.
    fortran: bool,
    /// An include chain was parked just before.
    chained: bool,
}

impl Cc {
    pub(super) fn new(hint: &Hint) -> Self {
        Cc {
            failed: hint.exit_code.is_some_and(|n| n != 0),
            errors: 0,
            repeats: Repeats::default(),
            fate: Fate::Spare,
            code: 0,
            cmake: None,
            command: false,
            notes: 0,
            stepped: false,
            fortran: false,
            chained: false,
        }
    }

    /// gfortran: `a.f90:5:5:`, code, `Error: Unclassifiable statement at (1)`
    fn fortran(&mut self, line: &Line<'_>) -> Option<Verdict> {
        if line.ends(":") && is_fortran_place(line.text) {
            (self.fortran, self.code, self.fate) = (true, 0, Fate::Keep(Detail));
            return Some(Keep(Detail));
        }
        if !self.fortran {
            return None;
        }
        let error = line.starts("Error: ") || line.starts("Fatal Error: ");
        if error || line.starts("Warning: ") {
            self.fortran = false;
            self.errors += u32::from(error);
            let rank = if error { Top } else { Detail };
            return Some(KeepWith { rank, lines: 4, with: rank });
        }
        None
    }

    fn found(&mut self, line: &Line<'_>, d: &Diagnostic<'_>) -> Verdict {
        self.code = 4;
        let own = !is_system(d.path);
        let chained = std::mem::take(&mut self.chained);
        match d.class {
            Class::Error => self.error(line, d, own, chained),
            Class::Warning => self.warning(line, own),
            Class::Note => self.note(line, d, own),
        }
    }

    fn error(&mut self, line: &Line<'_>, d: &Diagnostic<'_>, own: bool, chained: bool) -> Verdict {
        self.errors += 1;
        self.notes = 0;
        let tag = tag(line.text);
        let same = self.repeats.same(tag.map_or(d.text, |at| &line.text[at..]));
        let kind = if own { same } else { self.repeats.kind(d.text) };
        let rank = match () {
            () if same > SHOWN => Edge,
            () if own => Top,
            // One mistake in one's own source makes many errors in the library's.
            () if kind > 5 || same > 1 => Edge,
            () if kind > 2 && line.text.len() > UNWIELDY => Edge,
            () if line.text.len() > UNWIELDY && self.errors > 1 => Detail,
            () => Top,
        };
        self.fate = match rank {
            Top if own && same == 1 => Fate::Keep(Body),
            Top if own => Fate::Keep(Detail),
            Top => Fate::Keep(Edge),
            _ => Fate::Spare,
        };
        match () {
            () if same > SHOWN => {
                let from = line.text.len() - d.text.len();
                let from = tag.unwrap_or(from);
                Fold { rank: Edge, from, to: line.text.len().min(from + 48) }
            }
            // The chain's last line names the file of one's own that includes it.
            () if rank == Top && !own && chained => KeepWith { rank, lines: 1, with: Body },
            () => Keep(rank),
        }
    }

    fn warning(&mut self, line: &Line<'_>, own: bool) -> Verdict {
        let tag = tag(line.text);
        let met = match tag {
            Some(at) => self.repeats.same(&line.text[at..]),
            None => place::split(line.text).map_or(1, |(_, rest)| self.repeats.kind(rest)),
        };
        let quiet = self.failed || self.errors > 0;
        self.fate = if met == 1 && !quiet { Fate::Keep(Edge) } else { Fate::Spare };
        self.notes = if met == 1 && !quiet { 0 } else { 9 };
        let rank = match () {
            () if quiet || !own => Edge,
            () if met == 1 => Body,
            () if met <= SHOWN => Detail,
            () => Edge,
        };
        match tag {
            _ if quiet && met > 1 => Spare("warnings"),
            Some(from) if rank == Edge => Fold { rank, from, to: line.text.len() },
            _ => Keep(rank),
        }
    }

    fn note(&mut self, line: &Line<'_>, d: &Diagnostic<'_>, own: bool) -> Verdict {
        if !own {
            self.fate = Fate::Drop(LIBRARY);
            return Drop(LIBRARY);
        }
        // `main.cpp:19:47: note: in instantiation of ... requested here`: the place that counts.
        if d.text.starts_with(b"in instantiation of ") && d.text.ends_with(b" requested here") {
            let new = self.repeats.same(line.text) == 1;
            self.fate = Fate::Keep(if new { Detail } else { Edge });
            return Keep(if new { Top } else { Edge });
        }
        self.notes += 1;
        self.fate = if self.notes > 2 { Fate::Spare } else { Fate::Keep(Edge) };
        Keep(if self.notes > 2 { Edge } else { Detail })
    }

    /// `path: In function ‘x’:`, `path:9:7:   required from here`, `In file included from`.
    fn context(&mut self, line: &Line<'_>) -> Option<Verdict> {
        if line.starts("In file included from ") || line.text.starts_with(b"                 from ") {
            self.chained = !is_system(line.text);
            return Some(Park("include chains"));
        }
        if line.ends("required from here") || line.has(":   required ") || line.has(":   recursively required ") {
            let (path, _) = place::split(line.text)?;
            self.code = 0;
            self.fate = Fate::Spare;
            let own = !is_system(path);
            let new = own && self.repeats.same(line.text) == 1;
            return Some(match () {
                () if new && line.ends("required from here") => Keep(Top),
                () if new => Keep(Edge),
                () => Drop("template frames"),
            });
        }
        if line.ends(":") {
            const HEADS: &[&str] = &[": In ", ": in ", ": At top level", ": At global scope", ": Assembler messages"];
            let head = HEADS.iter().any(|h| line.has(h));
            if head && !line.starts(" ") && !line.has("ld: ") {
                self.code = 0;
                return Some(Drop("function heads"));
            }
        }
        None
    }

    fn linker(&mut self, line: &Line<'_>) -> Option<Verdict> {
        let symbol = |word: &str| crate::line::find(line.text, word.as_bytes()).map(|at| &line.text[at..]);
        // `main.c:9: undefined reference to `replicate'`, lld: `error: undefined symbol: x`
        const WORDS: &[&str] = &[
            "undefined reference to ",
            "multiple definition of ",
            "undefined symbol: ",
            "duplicate symbol: ",
            "duplicate symbol '",
            "unresolved external symbol ",
            "undefined symbol `",
        ];
        if let Some(said) = WORDS.iter().find_map(|w| symbol(w)) {
            self.errors += 1;
            let end = memchr::memchr(b';', said).unwrap_or(said.len());
            let met = self.repeats.same(&said[..end]);
            let from = line.text.len() - said.len();
            return Some(match met {
                1 => KeepWith { rank: Top, lines: 1, with: Body },
                _ => Fold { rank: Edge, from, to: from + end.min(48) },
            });
        }
        let ld = line.has("ld: ") || line.has("ld.lld: ") || line.has("ld.gold: ") || line.has("mold: ");
        if ld && line.has(": in function `") {
            return Some(Park("object files"));
        }
        // `/usr/bin/ld: cannot find -lz: No such file or directory`
        if ld && !line.starts(" ") && line.text.iter().take_while(|b| **b != b' ').any(|b| *b == b':') {
            let warns = line.has("warning: ");
            return Some(Keep(if warns { Detail } else { Top }));
        }
        // `>>> referenced by main.c:3`, macOS: `  "_f", referenced from:`
        (line.starts(">>> ") || line.ends(", referenced from:")).then_some(Keep(Body))
    }

    fn driver(&mut self, line: &Line<'_>) -> Option<Verdict> {
        let text = line.text;
        // `make[2]: *** [file:9: btree.o] Error 1`
        if let Some(said) = make(text) {
            let starts = |s: &[u8]| said.starts_with(s);
            return Some(match () {
                () if starts(b"*** Waiting for unfinished jobs") => Keep(Edge),
                () if starts(b"*** ") && line.ends("(ignored)") => Keep(Detail),
                () if starts(b"*** ") => Keep(Top),
                () if starts(b"Entering directory") || starts(b"Leaving directory") => Drop("directory changes"),
                () if starts(b"Target ") || starts(b"Nothing to be done") || line.ends(" is up to date.") => Keep(Total),
                () => Keep(Detail),
            });
        }
        match text.first()? {
            b'F' if line.starts("FAILED: ") => {
                self.command = true;
                Some(Keep(Top))
            }
            b'n' if line.starts("ninja: ") => {
                if line.starts("ninja: Entering") {
                    return Some(Drop(STEPS));
                }
                Some(Keep(Total))
            }
            b'c' if line.starts("collect2: ") || line.starts("cc1") && line.has(": ") => Some(Keep(Top)),
            b'c' if line.starts("clang: error: ") || line.starts("clang++: error: ") => Some(Keep(Top)),
            b'c' if text == b"compilation terminated." => Some(Drop("hints")),
            b'c' if line.starts("configure: error: ") => Some(Keep(Top)),
            b'c' if line.starts("configure: WARNING: ") => Some(Keep(Detail)),
            b'g' if line.starts("gcc: ") || line.starts("g++: ") => Some(Keep(Top)),
            b's' if line.starts("scons: ") => Some(Keep(if line.has("***") || line.starts("scons: done") { Total } else { Detail })),
            b'f' if line.starts("fatal error: too many errors emitted") => Some(Keep(Top)),
            b'*' if line.starts("** BUILD ") => Some(Keep(Total)),
            // `20 errors generated.`, `3 warnings and 1 error generated.`
            b'0'..=b'9' if line.ends(" generated.") => Some(Keep(if line.has("error") { Total } else { Detail })),
            _ => None,
        }
    }

    fn configure(&mut self, line: &Line<'_>) -> Option<Verdict> {
        if let Some(rank) = self.cmake {
            if line.text.is_empty() || line.starts(" ") {
                return Some(Keep(rank));
            }
            self.cmake = None;
        }
        if line.starts("CMake ") {
            let error = line.starts("CMake Error");
            self.errors += u32::from(error);
            if error || line.starts("CMake Warning") || line.starts("CMake Deprecation Warning") {
                let quiet = self.failed && self.errors > 1;
                self.cmake = Some(if error { Body } else { Detail });
                return Some(Keep(if error {
                    Top
                } else if quiet {
                    Edge
                } else {
                    Detail
                }));
            }
        }
        if let Some(missing) = check(line.text) {
            return Some(if missing { Keep(Detail) } else { Drop(CHECKS) });
        }
        if let Some(rest) = line.after("-- ") {
            let total = rest.starts_with(b"Configuring ") || rest.starts_with(b"Generating ") || rest.starts_with(b"Build files ");
            return Some(Keep(if total {
                Total
            } else if rest.starts_with(b"Could NOT ") {
                Detail
            } else {
                Edge
            }));
        }
        // `meson.build:31:0: ERROR: Dependency "x" not found, tried pkgconfig`
        if line.starts("meson.build:") || line.has("/meson.build:") {
            return Some(Keep(if line.has(": ERROR: ") { Top } else { Detail }));
        }
        if line.starts("See also \"") || line.starts("A full log can be found at ") {
            return Some(Keep(Detail));
        }
        None
    }

    /// Source and caret under a diagnostic.
    fn code(&mut self, line: &Line<'_>) -> Option<Verdict> {
        // `   17 | text`, `      | ^~~`
        let text = line.text.trim_ascii_start();
        let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
        let gutter = line.starts(" ") && text[digits..].trim_ascii_start().starts_with(b"|");
        if gutter || line.starts("  +++ |+") {
            return Some(self.fate.verdict());
        }
        self.code = self.code.checked_sub(1)?;
        if line.is_blank() {
            self.code = 0;
            return Some(self.fate.verdict());
        }
        // Without a gutter: the source as it is, then its caret, then what to put there.
        if text.iter().all(|b| matches!(b, b'^' | b'~' | b' ' | b'\t')) {
            self.code = 1;
            return Some(self.fate.verdict());
        }
        if self.code >= 3 || line.starts(" ") || line.starts("\t") {
            return Some(self.fate.verdict());
        }
        self.code = 0;
        None
    }

    /// One line in, one opinion out.
    pub(super) fn judge(&mut self, line: &Line<'_>) -> Verdict {
        let stepped = std::mem::take(&mut self.stepped);
        if std::mem::take(&mut self.command) {
            return Drop("command lines");
        }
        if let Some(d) = diagnostic(line.text) {
            return self.found(line, &d);
        }
        if let Some(verdict) = self.context(line).or_else(|| self.linker(line)).or_else(|| self.fortran(line)) {
            return verdict;
        }
        if let Some(verdict) = self.driver(line).or_else(|| self.configure(line)) {
            self.code = 0;
            return verdict;
        }
        if is_step(line.text) {
            self.code = 0;
            self.stepped = true;
            return Park(STEPS);
        }
        if is_command(line.text) {
            self.code = 0;
            return Drop("command lines");
        }
        if let Some(verdict) = self.code(line) {
            return verdict;
        }
        self.stepped = stepped && line.is_blank();
        if line.is_blank() {
            return Keep(Edge);
        }
        Pass
    }
}

impl Cut for Cc {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        self.judge(line)
    }

    fn end(&mut self) -> (u16, Rank) {
        // The last step of a build that went through: `[100%] Built target x`.
        (u16::from(self.stepped), Total)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn an_error_stays_with_its_code() {
        let text = "cc -c -o a.o a.c\na.c: In function 'f':\na.c:3:5: error: 'x' undeclared\n    3 |     x;\n      |     ^\nmake: *** [a.o] Error 1";
        assert!(sniffs(&SHAPE, text));
        assert_eq!(marks(&SHAPE, text), "..TBBT");
    }

    #[test]
    fn the_own_place_of_a_template_error_stays() {
        let gcc = "/usr/include/c++/12/v.h:1:7:   required from ‘x’\nsrc/m.cpp:8:16:   required from here\n/usr/include/c++/12/v.h:2:4: error: no match\n/usr/include/c++/12/v.h:9:1: note: candidate: ‘y’\n    9 |  y\n      |  ^";
        assert_eq!(marks(&SHAPE, gcc), ".TT...");
        let clang =
            "/usr/include/c++/12/v.h:2:4: error: bad\n   x;\n   ^\nm.cpp:8:1: note: in instantiation of 'y' requested here\n  y();\n  ^";
        assert_eq!(marks(&SHAPE, clang), "TEETDD");
    }

    #[test]
    fn checkers_of_other_languages_are_not_these() {
        assert!(!sniffs(&SHAPE, "app/models.py:3: error: Incompatible types  [assignment]"));
        assert!(!sniffs(&SHAPE, "src/a.c:12:  return x;\nsrc/a.c:13:}"));
    }

    #[test]
    fn symbols_count_once() {
        let text = "/usr/bin/ld: m.o: in function `main':\nm.c:9: undefined reference to `a'\n/usr/bin/ld: m.c:10: undefined reference to `a'\ncollect2: error: ld returned 1 exit status";
        assert_eq!(marks(&SHAPE, text), "pT+T");
    }

    #[test]
    fn a_passed_build_keeps_its_last_step() {
        assert_eq!(marks(&SHAPE, "-- Looking for poll.h - found\n[1/2] Building C object a.o\n[2/2] Linking C executable a"), ".pp");
    }
}
