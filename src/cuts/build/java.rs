//! javac and what drives it: maven, gradle, ant; Kotlin's and Scala's compilers too.
//!
//! Compile errors stay by message (and by missing symbol), the reactor's table, the goal or
//! task that failed and why. Downloads, plugin runs, passed tasks, second prints and advice go.

use super::repeats::Repeats;
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::hint::Hint;
use crate::line::Line;
use Rank::{Body, Detail, Edge, Top, Total};
use Verdict::{Drop, Fold, Keep, KeepWith, Pass, Spare};

/// javac, maven, gradle.
pub const SHAPE: Shape = Shape {
    name: "build",
    dialect: "java",
    about: "javac, maven, gradle: errors by message and symbol, failed modules and tasks, the verdict",
    sniff: |_, lines| lines.iter().any(opens) || lines.iter().filter(|l| is_hint(l)).count() >= 3,
    opens: Opens::first(b"[\t\n\x0c\r", opens).or_flush_colon(),
    cut: |hint| Box::new(Java::new(hint)),
};

const STEPS: &str = "build steps";
const CODE: &str = "code lines";
const HINTS: &str = "hints";
/// How often an equal message keeps its rank.
const SHOWN: u32 = 3;

fn opens(line: &Line<'_>) -> bool {
    match line.text.first() {
        Some(b'[') => line.starts("[INFO] Scanning for projects...") || line.starts("[ERROR] COMPILATION ERROR"),
        Some(b'*') => line.text == b"* What went wrong:",
        Some(b'>') => line.starts("> Task :"),
        Some(b' ') => false,
        _ if memchr::memchr(b':', line.text).is_none() => false,
        _ => diagnostic(line.text).is_some_and(|d| d.from == 0 && d.path.iter().all(|b| *b != b' ')),
    }
}

/// What only together makes a build: gradle 4's task lines, maven's goals.
fn is_hint(line: &Line<'_>) -> bool {
    line.starts("[INFO] --- ") && line.has(" @ ")
        || line.starts("[INFO] Downloading from ")
        || line.starts(":") && is_task(line.text)
        || line.starts("BUILD SUCCESSFUL in ")
        || line.starts("BUILD FAILED in ")
}

/// `:app:compileJava UP-TO-DATE`, `:compileJava`
fn is_task(text: &[u8]) -> bool {
    let Some(name) = text.strip_prefix(b":") else { return false };
    let word = name.split(|b| *b == b' ').next().unwrap_or_default();
    !word.is_empty() && word.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b':' | b'-' | b'_'))
}

struct Diagnostic<'a> {
    path: &'a [u8],
    error: bool,
    text: &'a [u8],
    /// Where the path starts: gradle 4 leaves its task's name in front.
    from: usize,
}

/// `src/A.java:15: error: incompatible types`, `A.kt:3:4: warning: x`, `e: file:///a.kt:3:4 x`
fn diagnostic(text: &[u8]) -> Option<Diagnostic<'_>> {
    const ENDS: &[&[u8]] = &[b".java:", b".kt:", b".scala:", b".groovy:", b".kts:"];
    let marked = |mark: &[u8]| text.starts_with(mark) && crate::line::find(text, b".kt").is_some();
    if marked(b"e: ") || marked(b"w: ") {
        let rest = &text[3..];
        let said = memchr::memchr(b' ', rest).map_or(rest.len(), |at| at + 1);
        return Some(Diagnostic { path: &rest[..said.saturating_sub(1)], error: text[0] == b'e', text: &rest[said..], from: 0 });
    }
    let head = &text[..text.len().min(400)];
    let at = ENDS.iter().find_map(|end| crate::line::find(head, end).map(|at| at + end.len()))?;
    let digits = text[at..].iter().take_while(|b| b.is_ascii_digit() || **b == b':').count();
    let rest = text[at..].get(digits.checked_sub(1)?..)?;
    let (error, said) = match (rest.strip_prefix(b": error: "), rest.strip_prefix(b": warning: ")) {
        (Some(said), _) => (true, said),
        (_, Some(said)) => (false, said),
        _ => return None,
    };
    // `:compileJava/home/dev/A.java:3: error: x`
    let from = if text[0] == b':' { memchr::memchr(b'/', head).unwrap_or(0) } else { 0 };
    Some(Diagnostic { path: text.get(from..at - 1)?, error, text: said, from })
}

/// `[ERROR] /home/dev/A.java:[25,53] cannot find symbol`: what follows the place.
fn placed(said: &[u8]) -> Option<&[u8]> {
    let at = crate::line::find(said, b":[")?;
    let rest = &said[at + 2..];
    let end = memchr::memchr(b']', rest)?;
    let is = rest[..end].iter().all(|b| b.is_ascii_digit() || *b == b',') && end > 0;
    is.then(|| rest[end + 1..].trim_ascii_start())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Block {
    None,
    /// A diagnostic: its code, `symbol:`, `location:`; the first of its message or not.
    Error {
        first: bool,
    },
    Warning {
        first: bool,
    },
    /// A second print of an error.
    Again,
    /// gradle's `* What went wrong:`
    Wrong {
        lines: u8,
    },
    /// gradle's `* Try:` and `* Get more help`
    Advice,
    /// gradle's `* Exception is:`
    Trace,
}

struct Java {
    block: Block,
    repeats: Repeats,
    failed: bool,
    errors: u32,
    /// Lines from a message down to its symbol.
    place: u16,
}

impl Java {
    fn new(hint: &Hint) -> Self {
        Java { block: Block::None, repeats: Repeats::default(), failed: hint.exit_code.is_some_and(|n| n != 0), errors: 0, place: 0 }
    }

    fn found(&mut self, line: &Line<'_>, error: bool, said: &[u8]) -> Verdict {
        let met = self.repeats.kind(said);
        let from = line.text.len() - said.len();
        let fold = Fold { rank: Edge, from, to: line.text.len() };
        if error {
            self.errors += 1;
            self.block = Block::Error { first: met == 1 };
            self.place = if line.starts("[") { 1 } else { 3 };
            return match met {
                1 => Keep(Top),
                // Its symbol tells whether it is new.
                _ if said.starts_with(b"cannot find symbol") => fold,
                2..=SHOWN => Keep(Top),
                _ => fold,
            };
        }
        let quiet = self.failed || self.errors > 0;
        self.block = Block::Warning { first: met == 1 && !quiet };
        match met {
            // What maven says of the project and not of a line of code.
            1 if quiet && line.starts("[") && line.text.len() - said.len() <= 11 => Keep(Detail),
            _ if quiet => fold,
            1 => Keep(Body),
            2 => Keep(Detail),
            _ => fold,
        }
    }

    /// Below a diagnostic: source, caret, `  symbol:   class Probe`, `  location: class X`.
    fn inside(&mut self, line: &Line<'_>) -> Option<Verdict> {
        let text = line.trimmed();
        let text = text.strip_prefix(b"[ERROR]").unwrap_or(text).trim_ascii_start();
        let detail =
            text.starts_with(b"symbol:") || text.starts_with(b"location:") || text.starts_with(b"required:") || text.starts_with(b"found:");
        let explains = detail || text.starts_with(b"where ") || text.starts_with(b"reason:");
        match self.block {
            Block::Again => explains.then_some(Drop("repeated errors")),
            Block::Error { first } => Some(match () {
                () if text.starts_with(b"symbol:") => {
                    // Which symbol is missing is what a `cannot find symbol` says.
                    if self.repeats.kind(text) == 1 {
                        KeepWith { rank: Top, lines: if first { 0 } else { self.place }, with: Top }
                    } else {
                        Keep(Edge)
                    }
                }
                () if text.starts_with(b"location:") => Keep(Edge),
                () if detail => Keep(if first { Body } else { Edge }),
                () if line.starts("[") => return None,
                () if first => Keep(Body),
                () => Keep(Edge),
            }),
            Block::Warning { first } if !line.starts("[") => Some(if first && !explains { Keep(Edge) } else { Spare(CODE) }),
            _ => None,
        }
    }

    fn maven(&mut self, line: &Line<'_>) -> Option<Verdict> {
        if let Some(said) = line.after("[INFO]") {
            return self.info(line, said.trim_ascii());
        }
        if let Some(said) = line.after("[WARNING] ").or_else(|| line.after("[WARN] ")) {
            if said.starts_with(b"Tests run: ") {
                return Some(Keep(Total));
            }
            if said.trim_ascii().is_empty() {
                return Some(Drop(STEPS));
            }
            let verdict = self.found(line, false, placed(said).unwrap_or(said));
            return Some(verdict);
        }
        let said = line.after("[ERROR]").or_else(|| line.after("[FATAL]"))?;
        if said.starts_with(b"   ") || said.starts_with(b"  ") {
            if let Some(verdict) = self.inside(line) {
                return Some(verdict);
            }
        }
        let said = said.trim_ascii();
        self.block = Block::None;
        let starts = |s: &str| said.starts_with(s.as_bytes());
        Some(match () {
            () if said.is_empty() || starts("-> [Help") => Drop(HINTS),
            () if starts("To see the full stack trace")
                || starts("Re-run Maven")
                || starts("For more information")
                || starts("[Help ")
                || starts("After correcting") =>
            {
                Drop(HINTS)
            }
            // `mvn <args> -rf :billing`: where to go on.
            () if starts("mvn <args>") => Keep(Detail),
            () if starts("COMPILATION ERROR") => Keep(Top),
            () if self.repeats.same(line.text) > 1 => {
                self.block = Block::Again;
                Drop("repeated errors")
            }
            () => match placed(said) {
                Some(said) => self.found(line, true, said),
                None => {
                    self.errors += 1;
                    Keep(if self.repeats.kind(said) <= SHOWN { Top } else { Edge })
                }
            },
        })
    }

    fn info(&mut self, line: &Line<'_>, said: &[u8]) -> Option<Verdict> {
        const STEP: &[&str] = &[
            "---",
            "Downloading ",
            "Downloaded ",
            "Scanning for projects",
            "Compiling ",
            "Recompiling ",
            "Changes detected",
            "skip non existing",
            "Copying ",
            "Using ",
            "Nothing to compile",
            "Finished at: ",
            "Building jar",
            "Installing ",
            "No sources to compile",
            "Deleting ",
            "Surefire report directory",
            "Not compiling ",
            "Replacing ",
        ];
        self.block = Block::None;
        let starts = |s: &str| said.starts_with(s.as_bytes());
        let ends = |s: &str| said.ends_with(s.as_bytes());
        Some(match () {
            () if said.is_empty() || STEP.iter().any(|s| starts(s)) => Drop(STEPS),
            () if starts("BUILD ") || starts("Reactor Summary") => Keep(Total),
            // `billing ............. FAILURE [  0.260 s]`
            () if line.has(" SUCCESS [") => Keep(Detail),
            () if line.has(". FAILURE [") || line.has(" FAILURE [") => Keep(Top),
            () if ends(". SKIPPED") || ends(" SKIPPED") => Keep(Body),
            () if starts("Tests run: ") && line.has("Time elapsed: ") => Drop("passing tests"),
            () if starts("Tests run: ") => Keep(Total),
            () if starts("Total time: ") => Keep(Detail),
            // `3 errors`
            () if ends(" errors") || ends(" error") => Keep(Top),
            () if starts("T E S T S") || starts("Running ") || starts("Results:") => return None,
            () => Keep(Edge),
        })
    }

    fn gradle(&mut self, line: &Line<'_>) -> Option<Verdict> {
        let starts = |s: &str| line.starts(s);
        if starts("BUILD FAILED") || starts("BUILD SUCCESSFUL") {
            self.block = Block::None;
            return Some(Keep(Total));
        }
        if starts("> Task :") || starts("> Configure project") || starts("> Transform ") || starts(":") && is_task(line.text) {
            self.block = Block::None;
            return Some(if line.ends(" FAILED") { Keep(Top) } else { Drop(STEPS) });
        }
        if starts("FAILURE: ") || starts("* What went wrong:") || starts("* Where:") {
            self.block = if starts("FAILURE: ") { Block::None } else { Block::Wrong { lines: 0 } };
            return Some(Keep(Top));
        }
        if starts("* Try:") || starts("* Get more help") || starts("Deprecated Gradle features") {
            self.block = Block::Advice;
            return Some(Drop(HINTS));
        }
        if starts("* Exception is:") {
            self.block = Block::Trace;
            return Some(Keep(Detail));
        }
        if line.text == b" FAILED" {
            self.block = Block::None;
            return Some(Keep(Top));
        }
        match &mut self.block {
            Block::Wrong { lines } => {
                if line.is_blank() {
                    return Some(Keep(Edge));
                }
                *lines = lines.saturating_add(1);
                Some(Keep(if *lines <= 8 { Top } else { Body }))
            }
            Block::Advice => {
                if line.is_blank() {
                    return Some(Drop(HINTS));
                }
                const ADVICE: &[&str] = &[
                    "> Run with",
                    "Run with",
                    "> Get more help",
                    "You can use '--warning-mode",
                    "See https://docs.gradle",
                    "For more on this",
                ];
                if ADVICE.iter().any(|s| starts(s)) {
                    return Some(Drop(HINTS));
                }
                self.block = Block::None;
                None
            }
            Block::Trace if line.is_blank() => Some(Keep(Edge)),
            Block::Trace if starts("\tat ") || starts("\t... ") => Some(Drop("frames")),
            Block::Trace => Some(Keep(if starts("Caused by: ") { Body } else { Detail })),
            _ => {
                if line.has(" actionable task") && line.text.first().is_some_and(u8::is_ascii_digit) {
                    return Some(Keep(Detail));
                }
                let noise = starts("Download https://")
                    || starts("Downloading https://")
                    || starts("Starting a Gradle Daemon")
                    || starts("To honour the JVM settings");
                noise.then_some(Drop(STEPS))
            }
        }
    }
}

impl Cut for Java {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        if let Some(d) = diagnostic(line.text) {
            return self.found(line, d.error, d.text);
        }
        if line.starts("[") {
            if let Some(verdict) = self.maven(line) {
                return verdict;
            }
        }
        if let Some(verdict) = self.gradle(line) {
            return verdict;
        }
        // `48 errors`, `2 warnings`, `only showing the first 100 errors, of 137 total; ...`
        let digits = line.text.iter().take_while(|b| b.is_ascii_digit()).count();
        if digits > 0 {
            let rest = &line.text[digits..];
            if matches!(rest, b" error" | b" errors") {
                self.block = Block::None;
                return Keep(Total);
            }
            if matches!(rest, b" warning" | b" warnings") {
                self.block = Block::None;
                return Keep(if self.errors > 0 { Detail } else { Total });
            }
        }
        if line.starts("only showing the first ") {
            return Keep(Total);
        }
        if line.starts("Note: ") {
            self.block = Block::None;
            return if line.starts("Note: Recompile with ") { Drop(HINTS) } else { Keep(Edge) };
        }
        // `error: package x does not exist`, with no place.
        if line.starts("error: ") {
            self.errors += 1;
            self.block = Block::None;
            return Keep(Top);
        }
        if line.is_blank() {
            if !matches!(self.block, Block::Error { .. } | Block::Warning { .. }) {
                self.block = Block::None;
            }
            return Keep(Edge);
        }
        self.inside(line).unwrap_or(Pass)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    const ERROR: &str = "src/A.java:8: error: cannot find symbol\n  Probe p;\n  ^\n  symbol:   class Probe\n  location: class A";

    #[test]
    fn a_missing_symbol_is_the_message() {
        assert!(sniffs(&SHAPE, ERROR));
        assert_eq!(marks(&SHAPE, ERROR), "TBBTE");
        let other = ERROR.replace("Probe", "Log");
        assert_eq!(marks(&SHAPE, &format!("{ERROR}\n{ERROR}\n{ERROR}\n{ERROR}\n{other}"))[15..], *"+EEEE+EETE");
    }

    #[test]
    fn maven_says_it_once() {
        let error = "[ERROR] /home/dev/A.java:[25,53] cannot find symbol";
        let text = format!("[INFO] Downloading from x\n{error}\n  symbol:   method f()\n[INFO] BUILD FAILURE\n{error}\n[ERROR]   symbol:   method f()\n[ERROR] -> [Help 1]");
        assert_eq!(marks(&SHAPE, &text), ".TT!...");
    }

    #[test]
    fn gradle_says_why() {
        let text = "> Task :compileJava FAILED\n\nFAILURE: Build failed with an exception.\n\n* What went wrong:\nExecution failed for task ':compileJava'.\n\n* Try:\n> Run with --scan\n\nBUILD FAILED in 5s";
        assert!(sniffs(&SHAPE, text));
        assert_eq!(marks(&SHAPE, text), "TETETTE...!");
    }

    #[test]
    fn a_log_is_no_build() {
        assert!(!sniffs(&SHAPE, "[INFO] started\n[ERROR] A.java: it failed\n[INFO] done"));
    }
}
