//! Bundlers: webpack, vite and rollup, esbuild.
//!
//! Every error with place and cause, once, however often a loader prints it; the closing line;
//! the biggest outputs. Progress, statistics, loaders' own frames and small outputs go.

use super::repeats::{key, Repeats};
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::cuts::place;
use crate::hint::Hint;
use crate::line::Line;
use Rank::{Body, Detail, Edge, Top, Total};
use Verdict::{Drop, Fold, Keep, Park, Pass, Spare};

/// webpack, vite, rollup, esbuild.
pub const SHAPE: Shape = Shape {
    name: "build",
    dialect: "web",
    about: "webpack, vite, rollup, esbuild: each error once with its place, the closing line, the biggest outputs",
    sniff: |_, lines| lines.iter().any(opens) || lines.iter().filter(|l| is_hint(l)).count() >= 4,
    opens: Opens::first(b"v\xe2E<L[\xf0 ", opens).or_last(b"s)"),
    cut: |hint| Box::new(Web::new(hint)),
};

const FRAMES: &str = "frames";
const ASSETS: &str = "assets";
const CODE: &str = "code lines";
const STATS: &str = "statistics";
/// How often an equal message keeps its rank.
const SHOWN: u32 = 3;

fn opens(line: &Line<'_>) -> bool {
    match line.text.first() {
        // `vite v7.3.8 building client environment for production...`
        Some(b'v') => line.starts("vite v") && line.has(" building "),
        // `✘ [ERROR] Could not resolve "./missing.js"`, `▲ [WARNING] ...`
        Some(0xe2) => line.starts("✘ [ERROR] ") || line.starts("▲ [WARNING] ") || line.starts("✗ Build failed in "),
        Some(b'E') => line.starts("ERROR in ./"),
        Some(b'<') => line.starts("<s> [webpack.Progress] "),
        Some(b'L') => line.starts("LOG from webpack."),
        // `[!] RollupError: r/main.js (1:11): "gone" is not exported by "r/a.js"`
        Some(b'[') => line.starts("[!] RollupError: ") || line.starts("[!] (plugin "),
        // Parcel's `🚨 Build failed.`
        Some(0xf0) => line.text == "🚨 Build failed.".as_bytes(),
        // `  ▲ Next.js 14.2.35`
        Some(b' ') => line.starts("  ▲ Next.js ") || line.starts("   ▲ Next.js "),
        // Which tells at its end how long it took.
        _ => matches!(line.text.last(), Some(b's' | b')')) && is_closing(line),
    }
}

/// `webpack 5.113.0 compiled with 7 errors in 2418 ms`, a date before it or not.
fn is_closing(line: &Line<'_>) -> bool {
    // Many lines of a text that nobody knows come here: few letters are rarer than this one.
    let is_name = |k: &usize| line.text[..*k].ends_with(b"webpac") && line.text.get(k + 1) == Some(&b' ');
    memchr::memchr_iter(b'k', line.text).find(is_name).is_some_and(|k| line.text.get(k + 2).is_some_and(u8::is_ascii_digit))
        && line.has(" compiled ")
        && line.ends(")") | line.ends(" ms") | line.has(" in ")
}

/// What only together makes a bundler's output.
fn is_hint(line: &Line<'_>) -> bool {
    line.starts("asset ") && line.has(" [emitted]") || is_row(line.text) || line.starts("   ├ ")
}

/// `dist/assets/a.js   0.16 kB │ gzip:  0.16 kB`, `  out/main.js   2.5mb`
fn is_row(text: &[u8]) -> bool {
    let gzip = crate::line::find(text, " kB │ gzip:".as_bytes()).is_some();
    gzip || text.starts_with(b"  ") && !text.starts_with(b"   ") && size(text).is_some() && !text.ends_with(b"]")
}

/// The size at the end of one of esbuild's rows, in bytes: `  out/main.js   2.5mb  100.0%`
fn size(text: &[u8]) -> Option<f64> {
    let mut words = text.rsplit(|b| *b == b' ').filter(|w| !w.is_empty());
    let last = words.next()?;
    let word = if last.ends_with(b"%") { words.next()? } else { last };
    let (number, unit) = word.split_at(word.iter().position(u8::is_ascii_alphabetic)?);
    let scale = match unit {
        b"b" => 1.0,
        b"kb" => 1e3,
        b"mb" => 1e6,
        b"gb" => 1e9,
        _ => return None,
    };
    words.next()?;
    std::str::from_utf8(number).ok()?.parse::<f64>().ok().map(|n| n * scale)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Block {
    None,
    /// webpack's `ERROR in`; lines since.
    Error {
        lines: u32,
        again: bool,
    },
    /// webpack's `WARNING in`.
    Warning {
        met: u32,
    },
    /// A loader's `Error: ` with its stack, after its own report.
    Again,
    /// esbuild's block: error or warning, first of its kind or not.
    Frame {
        error: bool,
        met: u32,
    },
    /// vite's `error during build:`, rollup's `[!]`, next's `Failed to compile.`
    Failed {
        lines: u32,
    },
    /// `LOG from webpack.X`
    Log,
}

struct Web {
    block: Block,
    repeats: Repeats,
    failed: bool,
    rows: u32,
    parked: u16,
}

impl Web {
    fn new(hint: &Hint) -> Self {
        Web { block: Block::None, repeats: Repeats::default(), failed: hint.exit_code.is_some_and(|n| n != 0), rows: 0, parked: 0 }
    }

    fn esbuild(&mut self, line: &Line<'_>) -> Option<Verdict> {
        if let Some(said) = line.after("✘ [ERROR] ") {
            let met = self.repeats.same(said);
            self.block = Block::Frame { error: true, met };
            let from = line.text.len() - said.len();
            return Some(if met <= SHOWN { Keep(Top) } else { Fold { rank: Edge, from, to: key(line.text, from) } });
        }
        if let Some(said) = line.after("▲ [WARNING] ") {
            let tag = memchr::memrchr(b'[', said).unwrap_or(0);
            let met = if said.ends_with(b"]") { self.repeats.same(&said[tag..]) } else { self.repeats.kind(said) };
            self.block = Block::Frame { error: false, met };
            let from = line.text.len() - said.len() + if said.ends_with(b"]") { tag } else { 0 };
            let rank = if self.failed {
                Edge
            } else if met == 1 {
                Body
            } else {
                Detail
            };
            return Some(if met <= SHOWN && rank > Edge { Keep(rank) } else { Fold { rank: Edge, from, to: line.text.len() } });
        }
        let Block::Frame { error, met } = self.block else { return None };
        if line.is_blank() {
            return Some(Keep(Edge));
        }
        if !line.starts("  ") || is_row(line.text) {
            self.block = Block::None;
            return None;
        }
        let (high, low) = match () {
            () if !error => (if self.failed || met > SHOWN { Edge } else { Detail }, Edge),
            () if met <= SHOWN => (Top, Detail),
            () => (Edge, Edge),
        };
        // `    es/index.js:5:21:`
        let place = line.starts("    ") && line.ends(":") && place::split(line.trimmed()).is_some();
        Some(match () {
            () if place => Keep(high),
            () if line.has("│") || line.has("╵") || line.has("|") => {
                if met > 1 {
                    Spare(CODE)
                } else {
                    Keep(low)
                }
            }
            () => Keep(low),
        })
    }

    fn webpack(&mut self, line: &Line<'_>) -> Option<Verdict> {
        let starts = |s: &str| line.starts(s);
        if starts("ERROR in ") {
            self.block = Block::Error { lines: 0, again: false };
            return Some(Keep(Top));
        }
        if starts("WARNING in ") {
            let met = self.repeats.kind(line.text);
            self.block = Block::Warning { met };
            return Some(Keep(if self.failed {
                Edge
            } else if met <= SHOWN {
                Body
            } else {
                Edge
            }));
        }
        if is_closing(line) {
            self.block = Block::None;
            return Some(Keep(Total));
        }
        if line.has("[webpack.Progress] ") && starts("<") {
            return Some(Drop("progress"));
        }
        if starts("LOG from webpack.") {
            self.block = Block::Log;
            return Some(Drop(STATS));
        }
        if starts("<t> ") || starts("PublicPath: ") || starts("<i> ") {
            return Some(Drop(STATS));
        }
        if starts("asset ") || starts("assets by ") || starts("Entrypoint ") {
            self.rows += 1;
            return Some(Keep(if starts("Entrypoint ") || self.rows <= 3 { Detail } else { Edge }));
        }
        let module =
            line.ends("[built] [code generated]") || line.ends(" modules") || line.ends("[code generated]") || line.ends(" module");
        if self.block == Block::None && (module || starts("runtime modules ") || starts("cacheable modules ")) {
            return Some(Spare("modules"));
        }
        // `> vite build -c vite.shop.config.js`: which of a package's scripts runs.
        if starts("> ") && self.block != (Block::Frame { error: true, met: 1 }) && !matches!(self.block, Block::Error { .. }) {
            self.block = Block::None;
            return Some(Keep(Body));
        }
        if starts(" @ ") {
            return Some(Spare("import traces"));
        }
        match self.block {
            Block::Log if line.text.is_empty() => {
                self.block = Block::None;
                Some(Drop(STATS))
            }
            Block::Log => Some(Drop(STATS)),
            Block::Error { lines, again } => Some(self.error(line, lines, again)),
            Block::Again => {
                if line.is_blank() {
                    self.block = Block::None;
                }
                Some(Drop(FRAMES))
            }
            Block::Warning { met } => {
                if line.is_blank() {
                    self.block = Block::None;
                    return Some(Keep(Edge));
                }
                Some(if self.failed || met > SHOWN { Keep(Edge) } else { Keep(Detail) })
            }
            _ => None,
        }
    }

    /// Below webpack's `ERROR in ./a.js 5:0-32`.
    fn error(&mut self, line: &Line<'_>, lines: u32, again: bool) -> Verdict {
        if line.is_blank() {
            // A paragraph of advice may follow; an error may begin.
            self.block = Block::Error { lines: lines.max(3), again };
            return Keep(Edge);
        }
        // `Error: [tsl] ERROR in /home/dev/a.ts(3,56)`: what was said above, and its stack.
        if line.starts("Error: ") && lines > 1 || line.starts("ts-loader-default_") {
            self.block = if line.starts("Error: ") { Block::Again } else { self.block };
            return Drop(FRAMES);
        }
        if line.starts("    at ") {
            return Drop(FRAMES);
        }
        self.block = Block::Error { lines: lines + 1, again };
        // `> 3 |   for (const c of s {`
        let text = line.text.trim_ascii_start();
        if text.starts_with(b">") || text.starts_with(b"|") || text.first().is_some_and(u8::is_ascii_digit) && line.has(" | ") {
            return Keep(Body);
        }
        // `./wp/mod63.ts 3:55-62` says again where.
        let known = lines > 0 && self.repeats.same(line.text) > SHOWN;
        match lines {
            _ if known => Keep(Edge),
            0..=2 => Keep(Top),
            _ if line.starts("BREAKING CHANGE") || line.starts("If you ") => Keep(Detail),
            _ => Keep(Edge),
        }
    }

    fn vite(&mut self, line: &Line<'_>) -> Option<Verdict> {
        let starts = |s: &str| line.starts(s);
        if starts("✗ Build failed")
            || starts("error during build:")
            || starts("x Build failed")
            || starts("[!] ")
            || starts("🚨 Build failed")
        {
            self.block = Block::Failed { lines: 0 };
            return Some(Keep(Top));
        }
        // next and create-react-app; the place and what is wrong follow.
        if line.text == b"Failed to compile." {
            self.block = Block::Failed { lines: 0 };
            return Some(Keep(Top));
        }
        if starts("> Build failed because of ") || starts(" ✓ Compiled successfully") || starts("✨ Built in ") || starts("Compiled ") {
            self.block = Block::None;
            return Some(Keep(Total));
        }
        if starts("✓ built in ") || starts("⚡ Done in ") || starts("created ") && line.has(" in ") {
            self.block = Block::None;
            return Some(Keep(Total));
        }
        if starts("✓ ") && line.ends("modules transformed.") {
            return Some(Keep(Body));
        }
        if starts("vite v") {
            self.rows = 0;
            self.block = Block::None;
            return Some(Keep(Edge));
        }
        if matches!(line.text, b"transforming..." | b"rendering chunks..." | b"computing gzip size...") || starts("transforming (") {
            return Some(Drop("progress"));
        }
        if starts("(!) ") {
            self.block = Block::Warning { met: 1 };
            return Some(Keep(Detail));
        }
        // `app/a.js (1:16): "round" is not exported by "app/money.js", imported by "app/a.js".`
        if line.has("\" is not exported by \"") || line.has("[MISSING_EXPORT]") || line.has("[UNRESOLVED_IMPORT]") {
            return Some(Keep(Top));
        }
        if let Block::Failed { lines } = self.block {
            self.block = Block::Failed { lines: lines + 1 };
            let text = line.trimmed();
            return Some(match () {
                () if line.is_blank() => Keep(Edge),
                () if text.starts_with(b"at ") && (place::is_foreign(text) || text.starts_with(b"at async ")) => Drop(FRAMES),
                () if text.starts_with(b"https://") => Keep(Edge),
                () if text.starts_with(b"at ") => Keep(Detail),
                () if lines < 6 => Keep(Top),
                () => Keep(Body),
            });
        }
        None
    }

    /// Tables of outputs: vite's ascend by size, esbuild's descend.
    fn row(&mut self, line: &Line<'_>) -> Option<Verdict> {
        if line.has(" kB │ gzip:") {
            // The last ones are the biggest: they are lifted at the end of the table.
            self.parked = self.parked.saturating_add(1);
            return Some(Park(ASSETS));
        }
        // `   ├ node_modules/react-dom/x.js   891.7kb   34.3%`
        if line.starts("   ├ ") || line.starts("   └ ") {
            self.rows += 1;
            return Some(Keep(if self.rows <= 10 { Detail } else { Edge }));
        }
        if is_row(line.text) {
            self.rows = 0;
            let big = size(line.text).is_some_and(|n| n >= 1e5);
            return Some(Keep(if big { Body } else { Edge }));
        }
        if line.starts("  ...and ") && line.ends("more output files...") {
            return Some(Keep(Edge));
        }
        None
    }

    /// `3 warnings and 26 errors`, `1 of 3 warnings and 5 of 26 errors shown (disable ...`
    fn total(line: &Line<'_>) -> bool {
        line.text.first().is_some_and(u8::is_ascii_digit)
            && (line.ends(" errors")
                || line.ends(" error")
                || line.ends(" warnings")
                || line.ends(" warning")
                || line.has(" shown (disable the message limit"))
    }
}

impl Cut for Web {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        if let Some(verdict) = self.row(line) {
            return verdict;
        }
        let parked = std::mem::take(&mut self.parked);
        if Web::total(line) {
            self.block = Block::None;
            return Keep(Total);
        }
        if let Some(verdict) = self.esbuild(line).or_else(|| self.vite(line)).or_else(|| self.webpack(line)) {
            // The end of vite's table.
            if let (Keep(rank), true) = (verdict, parked > 0) {
                return Verdict::KeepWith { rank, lines: parked.min(4), with: Body };
            }
            return verdict;
        }
        if line.is_blank() {
            return Keep(Edge);
        }
        // `5 errors have detailed information that is not shown.`
        if line.has(" detailed information that is not shown") || line.starts("Use 'stats.") {
            return Drop("hints");
        }
        Pass
    }

    fn end(&mut self) -> (u16, Rank) {
        (self.parked.min(4), Body)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn a_loaders_error_is_said_once() {
        let text = "ERROR in /home/dev/a.ts\n./a.ts 3:55-62\n[tsl] ERROR in /home/dev/a.ts(3,56)\n      TS2554: Expected 2.\nts-loader-default_e3b\nError: [tsl] ERROR in /home/dev/a.ts(3,56)\n      TS2554: Expected 2.\n    at f (x.js:1:2)\n @ ./b.ts 64:0-32\n\n2026-11-30: webpack 5.113.0 compiled with 7 errors in 2418 ms";
        assert!(sniffs(&SHAPE, text));
        assert_eq!(marks(&SHAPE, text), "TTTT....s.!");
    }

    #[test]
    fn the_biggest_outputs_stay() {
        let rows: String = (0..9).map(|n| format!("dist/a{n}.js  0.{n}6 kB │ gzip:  0.16 kB\n")).collect();
        let text = format!("vite v7.3.8 building for production...\n✓ 9 modules transformed.\n{rows}✓ built in 430ms");
        assert!(sniffs(&SHAPE, &text));
        assert_eq!(marks(&SHAPE, &text), "EBppppppppp!");
    }

    #[test]
    fn a_failed_build_says_why() {
        let text = "✓ 2 modules transformed.\n✗ Build failed in 36ms\nerror during build:\n[vite]: Rollup failed to resolve import \"a\"\n    at f (file:///home/dev/node_modules/vite/x.js:1:2)";
        assert_eq!(marks(&SHAPE, text), "BTTT.");
    }

    #[test]
    fn an_errors_place_stays() {
        let text = "✘ [ERROR] Could not resolve \"x\"\n\n    es/a.js:5:21:\n      5 │ import\n        ╵ ~~~\n\n1 error";
        assert_eq!(marks(&SHAPE, text), "TETDDE!");
        assert!(!sniffs(&SHAPE, "ERROR in the log\nwebpack is compiled in Rust?"));
    }
}
