//! Image builds: buildkit, plain and on a terminal, and the classic builder.

use super::{is_fetching, is_layer};
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::cuts::seen::Seen;
use crate::hint::Hint;
use crate::line::{Line, Signs};

/// The row.
pub const SHAPE: Shape = Shape {
    name: "docker",
    dialect: "build",
    about: "docker build: the failing step with its output, the image, warnings; layers and transfers go",
    sniff,
    opens: Opens::first(b"#S", |line| {
        line.starts("#1 [internal] load ") || line.starts("#0 building with ") || step(line.text) && line.starts("Step 1/")
    }),
    cut: |_| Box::new(Build::default()),
};

fn sniff(_: &Hint, lines: &[Line<'_>]) -> bool {
    let plain = lines.iter().filter(|l| vertex(l.text).is_some_and(is_head)).count();
    let classic = lines.iter().filter(|l| step(l.text)).count();
    let arrows = lines.iter().any(|l| l.starts(" ---> "));
    let terminal = lines.iter().any(|l| l.starts("[+] Building ")) && lines.iter().any(|l| l.starts(" => "));
    plain >= 2 || classic >= 1 && arrows || terminal
}

/// `#12 6.204 text`, `#12 [2/6] RUN x`, `#12 DONE 1.4s`: what stands behind the number.
fn vertex(text: &[u8]) -> Option<&[u8]> {
    let rest = text.strip_prefix(b"#")?;
    let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    (1..=4).contains(&digits).then(|| rest[digits..].strip_prefix(b" ")).flatten()
}

/// A line that heads or ends a step: `[internal] load ...`, `[stage-1 2/6] RUN x`, `DONE 1.4s`.
fn is_head(said: &[u8]) -> bool {
    let Some(name) = said.strip_prefix(b"[").and_then(|s| s.split(|b| *b == b']').next()) else {
        return said == b"CACHED" || said.strip_prefix(b"DONE ").is_some_and(|t| t.ends_with(b"s") && t[0].is_ascii_digit());
    };
    let count = name.rsplit(|b| *b == b' ').next().unwrap_or_default();
    matches!(name, b"internal" | b"auth") || count.contains(&b'/') && count.iter().all(|b| b.is_ascii_digit() || *b == b'/')
}

/// `Step 7/11 : RUN npm run build`
fn step(text: &[u8]) -> bool {
    let Some(rest) = text.strip_prefix(b"Step ") else { return false };
    let digits = rest.iter().take_while(|b| b.is_ascii_digit() || **b == b'/').count();
    digits >= 3 && rest[digits..].starts_with(b" : ")
}

/// `6.204 text`: the text behind a time.
fn timed(text: &[u8]) -> Option<&[u8]> {
    let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
    let rest = text[digits..].strip_prefix(b".").filter(|_| digits > 0)?;
    let more = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    (more > 0).then(|| rest[more..].strip_prefix(b" ").unwrap_or(&rest[more..]))
}

#[derive(Default)]
struct Build {
    seen: Seen,
    /// Between the rows of dashes that repeat the failing step's output.
    quoted: bool,
    /// Lines after an error that explain it.
    after: u8,
    /// Buildkit: a step's output has its number, so a line without one is another's.
    numbered: bool,
    /// The classic builder has said how it ended.
    ended: bool,
}

impl Build {
    /// Is it a line that no form of a build's lines fits?
    fn is_foreign(&self, line: &Line<'_>) -> bool {
        let text = line.text;
        let open = !self.ended && !self.numbered || self.quoted || text == b"------";
        !open && !line.is_blank() && vertex(text).is_none() && !is_own(line)
    }

    /// A line that a step printed.
    fn output(&mut self, line: &Line<'_>, said: &[u8], floor: Rank) -> Verdict {
        if is_fetching(said) {
            return Verdict::Drop("fetched packages");
        }
        if said.trim_ascii().is_empty() {
            return Verdict::Drop("blank");
        }
        if line.signs().has(Signs::ERROR) {
            let n = self.seen.alike(said);
            self.after = if n == 1 { 3 } else { 0 };
            return match n {
                1 => Verdict::Keep(Rank::Top),
                2..=3 => Verdict::Keep(Rank::Detail.max(floor)),
                _ => Verdict::Keep(floor),
            };
        }
        if self.after > 0 {
            self.after -= 1;
            return Verdict::Keep(Rank::Detail.max(floor));
        }
        if line.signs().has(Signs::WARNING) {
            return Verdict::Keep(if self.seen.alike(said) <= 2 { Rank::Detail } else { Rank::Edge });
        }
        Verdict::Keep(floor)
    }

    /// A line of buildkit, behind `#12 `.
    fn plain(&mut self, line: &Line<'_>, said: &[u8]) -> Verdict {
        if said.starts_with(b"ERROR: ") || said.starts_with(b"ERROR ") {
            return Verdict::Keep(Rank::Top);
        }
        if said.starts_with(b"naming to ") || said.starts_with(b"pushing manifest for ") {
            return Verdict::Keep(Rank::Total);
        }
        if said.starts_with(b"WARN") {
            return Verdict::Keep(Rank::Body);
        }
        if let Some(output) = timed(said) {
            return self.output(line, output, Rank::Edge);
        }
        if said.starts_with(b"[internal]") || said.starts_with(b"[auth]") {
            return Verdict::Drop("steps");
        }
        if said.starts_with(b"[") {
            return Verdict::Head;
        }
        let noise = [
            b"DONE ".as_slice(),
            b"CACHED",
            b"CANCELED",
            b"...",
            b"sha256:",
            b"extracting ",
            b"transferring ",
            b"resolve ",
            b"exporting ",
            b"writing ",
            b"unpacking ",
            b"preparing ",
            b"importing ",
            b"inferred ",
            b"pushing ",
            b"building with ",
            b"merging ",
            b"sending ",
        ];
        if noise.iter().any(|n| said.starts_with(n)) {
            return Verdict::Drop("steps and layers");
        }
        Verdict::Keep(Rank::Edge)
    }

    /// A line of buildkit on a terminal.
    fn drawn(&mut self, line: &Line<'_>, said: &[u8]) -> Verdict {
        if said.starts_with(b"ERROR ") {
            return Verdict::Keep(Rank::Top);
        }
        if crate::line::find(said, b"naming to ").is_some() {
            return Verdict::Keep(Rank::Total);
        }
        // => => # the present output of a step
        if said.starts_with(b"=> # ") {
            return self.output(line, &said[5..], Rank::Edge);
        }
        Verdict::Drop("steps and layers")
    }
}

/// A line that the builder itself prints, behind the steps and around them.
fn is_own(line: &Line<'_>) -> bool {
    const BEGINNINGS: &[&str] = &[
        " => ",
        " ---> ",
        "[+] ",
        "Step ",
        "Removing intermediate container ",
        "Removed intermediate container ",
        "Sending build context",
        "Successfully ",
        "The command '",
        "ERROR: ",
        "failed to solve",
        "Error response from daemon",
        "SECURITY WARNING: ",
        "View build details: ",
        "What's next:",
        "DEPRECATED: The legacy builder",
    ];
    // `Dockerfile:17`, a row of dashes, `  17 | >>> RUN npm run build`, ` - FromAsCasing: ... (line 1)`
    let framed = line.has(" | ") && line.trimmed().first().is_some_and(u8::is_ascii_digit);
    let place = line.has("ockerfile:") && !line.has(" ");
    let remark = line.starts(" ") && line.has(" warning") && line.has(" found") || line.starts(" - ") && line.has(" (line ");
    let rule = line.text.len() >= 10 && line.text.iter().all(|b| *b == b'-');
    framed || place || remark || rule || BEGINNINGS.iter().any(|b| line.starts(b)) || is_layer(line)
}

impl Cut for Build {
    fn nests(&self) -> bool {
        true
    }

    fn ends_before(&self, line: &Line<'_>) -> bool {
        self.is_foreign(line)
    }

    fn line(&mut self, line: &Line<'_>) -> Verdict {
        if self.is_foreign(line) {
            return Verdict::Pass;
        }
        self.numbered |= vertex(line.text).is_some_and(is_head) || line.starts("[+] Building ");
        self.ended = line.starts("Successfully ") || line.starts("The command '") || self.ended && !step(line.text);
        if line.text == b"------" {
            self.quoted = !self.quoted;
            return Verdict::Keep(Rank::Edge);
        }
        if self.quoted {
            //  > [build 6/6] RUN npm run build:
            if line.starts(" > ") {
                return Verdict::Keep(Rank::Top);
            }
            let said = timed(line.text).unwrap_or(line.text);
            return self.output(line, said, Rank::Body);
        }
        if let Some(said) = vertex(line.text) {
            return self.plain(line, said);
        }
        if let Some(said) = line.after(" => ") {
            return self.drawn(line, said);
        }
        if line.starts("[+] Building ") {
            return if line.has("FINISHED") || line.has("ERROR") { Verdict::Keep(Rank::Total) } else { Verdict::Drop("progress") };
        }
        if step(line.text) {
            return Verdict::Head;
        }
        if line.starts(" ---> ")
            || line.starts("Removing intermediate container ")
            || line.starts("Removed intermediate container ")
            || line.starts(" ---> Running in ")
            || is_layer(line)
        {
            return Verdict::Drop("layers");
        }
        if line.starts("Sending build context") {
            return Verdict::Drop("transfers");
        }
        if line.starts("DEPRECATED: The legacy builder")
            || line.starts("            BuildKit is currently disabled")
            || line.starts("            environment-variable")
            || line.starts("            Install the buildx")
        {
            return Verdict::Drop("notices");
        }
        if line.starts("Successfully built ") || line.starts("Successfully tagged ") {
            return Verdict::Keep(Rank::Total);
        }
        // The command '/bin/sh -c npm run build' returned a non-zero code: 2
        if line.starts("The command '") && line.has(" returned a non-zero code: ") {
            return Verdict::KeepWith { rank: Rank::Total, lines: 8, with: Rank::Body };
        }
        if line.starts("ERROR: ") || line.starts("failed to solve") || line.starts("Error response from daemon") {
            return Verdict::Keep(Rank::Top);
        }
        // Dockerfile:17, dashes, `  17 | >>> RUN npm run build`
        if let Some((path, rest)) = crate::cuts::place::split(line.text) {
            if rest.is_empty() && crate::line::find(path, b"ockerfile").is_some() {
                return Verdict::Keep(Rank::Top);
            }
        }
        if line.has(" | >>> ") {
            return Verdict::Keep(Rank::Top);
        }
        //  2 warnings found (use docker --debug to expand): |  - FromAsCasing: 'as' and 'FROM' ... (line 1)
        if line.starts(" ") && line.has(" warning") && line.has(" found") || line.starts(" - ") && line.ends(")") && line.has(" (line ") {
            return Verdict::Keep(Rank::Body);
        }
        self.output(line, line.text, Rank::Edge)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn buildkit_shows_the_failing_step() {
        let text = "#1 [internal] load build definition from Dockerfile\n#1 DONE 0.0s\n#5 [2/3] RUN make\n#5 0.3 gcc -c a.c\n#5 1.2 a.c:3: error: x\n#5 ERROR: process \"/bin/sh -c make\" did not complete successfully: exit code: 2\n------\n > [2/3] RUN make:\n1.2 a.c:3: error: x\n------\nDockerfile:4\n   4 | >>> RUN make\nERROR: failed to solve: x";
        assert!(sniffs(&SHAPE, text));
        assert_eq!(marks(&SHAPE, text), "..hETTETBETTT");
    }

    #[test]
    fn the_classic_builder() {
        let text = "Step 1/2 : FROM a\n ---> 5ad81f1a0f2c\nStep 2/2 : RUN x\n ---> Running in 3f1f6d1c0a77\nboom\nThe command '/bin/sh -c x' returned a non-zero code: 2";
        assert!(sniffs(&SHAPE, text));
        assert_eq!(marks(&SHAPE, text), "h.h.E!");
    }

    #[test]
    fn behind_the_build_nothing_is_its_own() {
        assert_eq!(marks(&SHAPE, "#1 [internal] load x\n#1 DONE 0.0s\n\nTAP version 13\nok 1 - x"), "...??");
        assert_eq!(marks(&SHAPE, "Step 1/1 : FROM a\n ---> 5ad81f1a0f2c\nSuccessfully built 5ad81f1a0f2c\nok 1 - x"), "h.!?");
    }

    #[test]
    fn markdown_is_not_taken() {
        assert!(!sniffs(&SHAPE, "#1 a heading\n#2 [link](x) more\nStep 1/2 : pour"));
    }
}
