//! The lines between outputs: a job's groups and steps, sections, what a shell echoes.
//!
//! A joint is nobody's output. Words to a runner (`::error file=..::`, `##[group]`) are its
//! structure and stay; a step's heading begins a part of the text; after a command that a
//! shell or a script runner echoes, the driver chooses anew.

use crate::cut::{Rank, Verdict};
use crate::cuts::lint::annotation;
use crate::line::Line;
use crate::prefix::Carrier;

/// What a joint is to the driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joint {
    /// It stands as it is, and nothing else changes.
    Said(Verdict),
    /// Another output may begin behind it.
    Seam(Verdict),
    /// A step of a job begins with it.
    Step(Verdict),
    /// The present step failed, it says.
    Failed,
    /// The job failed, it says; so its last command did.
    JobFailed,
}

/// Where in a job the text is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stage {
    /// Outputs of tools.
    #[default]
    Work,
    /// What a step will run: so many lines of it were seen.
    Header(u8),
    /// The runner prepares, in its own words.
    Setup,
    /// The runner cleans up.
    Closing,
}

/// What `::name::` may say to a runner; other names are paths of C++ or Rust.
const WORDS: &str = "error warning notice debug group endgroup add-mask add-matcher remove-matcher echo set-output \
    save-state set-env add-path";
/// Lines of a step's script that are shown.
const SCRIPT: u8 = 5;
/// Sections of GitLab that are the runner's own; what others hold is the script's.
const PREPARES: [&[u8]; 7] = [
    b"resolve_secrets",
    b"prepare_executor",
    b"prepare_script",
    b"get_sources",
    b"restore_cache",
    b"download_artifacts",
    b"resolve_credentials",
];
const CLOSES: [&[u8]; 7] = [
    b"after_script",
    b"archive_cache",
    b"archive_cache_on_failure",
    b"upload_artifacts_on_success",
    b"upload_artifacts_on_failure",
    b"cleanup_file_variables",
    b"clear_worktree",
];

/// Reads joints, and remembers where in a job they stand.
#[derive(Default)]
pub struct Joints {
    stage: Stage,
    /// The token that ends a text in which `::name` means nothing.
    stopped: Option<Vec<u8>>,
    /// Job and step, as the last line's prefix names them.
    step: Vec<u8>,
    /// A job of GitLab has introduced itself.
    gitlab: bool,
    /// The next line is a section's heading; the section is of this stage.
    heading: Option<Stage>,
    /// The last command that makes or breaks the job, as a part.
    pub script: Option<u16>,
}

impl Joints {
    /// Is the text a job's, whose steps tell how they went?
    #[must_use]
    pub fn is_job(&self, carrier: Option<Carrier>) -> bool {
        self.gitlab || carrier.is_some_and(Carrier::is_job)
    }

    /// Do tools speak here, and not the runner?
    #[must_use]
    pub fn is_work(&self) -> bool {
        self.stage == Stage::Work
    }

    /// Does what follows make or break the job?
    #[must_use]
    pub fn is_script(&self) -> bool {
        self.gitlab && self.stage == Stage::Work
    }

    /// Is this line a joint, whoever else may claim it?
    #[inline]
    pub fn read(&mut self, line: &Line<'_>, carrier: Option<Carrier>) -> Option<Joint> {
        let may = matches!(line.text, [b':', b':', ..] | [b'#', b'#', ..] | [b's', b'e', b'c', ..] | [b'R', b'u', ..]);
        if !may && carrier.is_none() && !self.gitlab && self.heading.is_none() {
            return None;
        }
        let moved = line.prefix() > 0 && carrier == Some(Carrier::Actions) && self.moves(line);
        let joint = self.said(line, carrier);
        match joint {
            // The columns know of a step whose first line says nothing of it.
            None | Some(Joint::Said(_)) if moved => Some(Joint::Step(Verdict::Keep(Rank::Detail))),
            joint => joint,
        }
    }

    /// Has the job or the step in the line's prefix changed?
    fn moves(&mut self, line: &Line<'_>) -> bool {
        let columns = &line.whole()[..line.prefix()];
        let Some(end) = memchr::memrchr(b'\t', columns) else { return false };
        let columns = &columns[..end];
        if columns == self.step.as_slice() {
            return false;
        }
        self.step.clear();
        self.step.extend_from_slice(columns);
        let step = columns.rsplit(|b| *b == b'\t').next().unwrap_or_default();
        self.stage = match step {
            b"Set up job" | b"Initialize containers" => Stage::Setup,
            b"Complete job" | b"Stop containers" => Stage::Closing,
            _ if step.starts_with(b"Post ") => Stage::Closing,
            _ => Stage::Work,
        };
        true
    }

    fn said(&mut self, line: &Line<'_>, carrier: Option<Carrier>) -> Option<Joint> {
        let text = line.text;
        if carrier == Some(Carrier::GitLab) && !self.gitlab {
            // Where the log's head was cut off, nobody knows that the runner still prepares.
            let head = text.starts_with(b"Running with gitlab-runner ");
            (self.gitlab, self.stage) = (true, if head { Stage::Setup } else { Stage::Work });
        }
        if let Some(stage) = self.heading.take() {
            self.stage = stage;
            return Some(Joint::Step(Verdict::Keep(Rank::Top)));
        }
        match text.first() {
            Some(b':') if text.starts_with(b"::") => self.command(text),
            Some(b'#') if text.starts_with(b"##[") && is_word(&text[3..], b']') => Some(self.runner(&text[3..], carrier)),
            // ##vso[task.setvariable variable=a]b
            Some(b'#') if text.starts_with(b"##vso[") => Some(Joint::Said(annotation(text).unwrap_or(Verdict::Keep(Rank::Top)))),
            Some(b's') if text.starts_with(b"section_") => self.section(text),
            Some(_) if self.is_job(carrier) => self.told(line),
            Some(b'R') if text.starts_with(b"Running with gitlab-runner ") => {
                (self.gitlab, self.stage) = (true, Stage::Setup);
                Some(Joint::Step(Verdict::Keep(Rank::Edge)))
            }
            _ => None,
        }
    }

    /// `::error file=a.rs,line=3::text`: a word to the runner, unless those are stopped.
    fn command(&mut self, text: &[u8]) -> Option<Joint> {
        let keep = Verdict::Keep(Rank::Top);
        if let Some(token) = &self.stopped {
            let ends = text[2..].strip_prefix(token.as_slice()).is_some_and(|r| r == b"::");
            ends.then(|| self.stopped = None)?;
            return Some(Joint::Said(keep));
        }
        if let Some(token) = text.strip_prefix(b"::stop-commands::") {
            self.stopped = Some(token[..token.len().min(256)].to_vec());
            return Some(Joint::Said(keep));
        }
        let name = text[2..].iter().take_while(|b| b.is_ascii_lowercase() || matches!(b, b'-' | b'_')).count();
        let rest = &text[2 + name..];
        let known = WORDS.split(' ').any(|w| w.as_bytes() == &text[2..2 + name]);
        let is_command = known && (rest.starts_with(b"::") || rest.starts_with(b" ") && memchr::memmem::find(rest, b"::").is_some());
        let seam = text.starts_with(b"::group::");
        is_command.then_some(if seam { Joint::Seam(keep) } else { Joint::Said(annotation(text).unwrap_or(keep)) })
    }

    /// `##[group]Run npm test`, behind the brackets that open it.
    fn runner(&mut self, said: &[u8], carrier: Option<Carrier>) -> Joint {
        let spare = Verdict::Spare("runner lines");
        if !self.is_job(carrier) {
            // Inside a step: the runner is still to hear it.
            let keep = Verdict::Keep(Rank::Top);
            return if said.starts_with(b"group]") { Joint::Seam(keep) } else { Joint::Said(keep) };
        }
        if said.starts_with(b"group]Run ") || said.starts_with(b"section]Starting: ") {
            self.stage = if said.starts_with(b"group]") { Stage::Header(0) } else { Stage::Work };
            return Joint::Step(Verdict::Keep(Rank::Top));
        }
        if said.starts_with(b"endgroup]") && matches!(self.stage, Stage::Header(_)) {
            self.stage = Stage::Work;
            return Joint::Seam(spare);
        }
        if said.starts_with(b"error]") {
            return Joint::Failed;
        }
        if said.starts_with(b"warning]") {
            return Joint::Said(Verdict::Keep(if self.stage == Stage::Closing { Rank::Edge } else { Rank::Detail }));
        }
        if said.starts_with(b"group]") && self.stage == Stage::Work {
            return Joint::Seam(Verdict::Head);
        }
        Joint::Said(spare)
    }

    /// `section_start:1560896352:step_script[collapsed=true]`, `section_end:1560896353:step_script`
    fn section(&mut self, text: &[u8]) -> Option<Joint> {
        let starts = text.strip_prefix(b"section_start:");
        let rest = starts.or_else(|| text.strip_prefix(b"section_end:"))?;
        let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
        let name = rest.get(digits..)?.strip_prefix(b":").filter(|_| digits > 0)?;
        if !self.gitlab {
            return Some(Joint::Said(Verdict::Keep(Rank::Top)));
        }
        if starts.is_some() {
            let name = name.split(|b| matches!(b, b'[' | b' ')).next().unwrap_or_default();
            self.heading = Some(if PREPARES.contains(&name) {
                Stage::Setup
            } else if CLOSES.contains(&name) {
                Stage::Closing
            } else {
                Stage::Work
            });
        }
        Some(Joint::Said(Verdict::Spare("section marks")))
    }

    /// What a runner says of its job in plain words, and the stages that are its own.
    fn told(&mut self, line: &Line<'_>) -> Option<Joint> {
        let text = line.text;
        if self.gitlab {
            if text.starts_with(b"ERROR: Job failed") {
                self.stage = Stage::Closing;
                return Some(Joint::JobFailed);
            }
            if text == b"Job succeeded" {
                return Some(Joint::Said(Verdict::Keep(Rank::Total)));
            }
            // $ npm ci
            if text.starts_with(b"$ ") && self.stage != Stage::Closing {
                self.stage = Stage::Work;
                return Some(Joint::Step(Verdict::Keep(Rank::Top)));
            }
        } else if !matches!(text.first(), Some(b'C' | b'P')) {
            // None of those below.
        } else if text.starts_with(b"Current runner version: ") {
            self.stage = Stage::Setup;
            return Some(Joint::Step(Verdict::Spare("runner lines")));
        } else if is_ci_ending(text) {
            self.stage = Stage::Closing;
            return Some(Joint::Step(Verdict::Spare("closing steps")));
        }
        match self.stage {
            Stage::Work => None,
            Stage::Header(seen) => {
                // with: and shell: begin what the runner adds to the script.
                let added = seen >= SCRIPT || [b"with:".as_slice(), b"shell: ", b"env:"].iter().any(|w| text.starts_with(w));
                self.stage = Stage::Header(if added { SCRIPT } else { seen + 1 });
                Some(Joint::Said(if added { Verdict::Spare("runner lines") } else { Verdict::Keep(Rank::Detail) }))
            }
            Stage::Setup if !line.is_error() => Some(Joint::Said(Verdict::Spare("runner lines"))),
            Stage::Closing if !line.is_error() => Some(Joint::Said(Verdict::Spare("closing steps"))),
            Stage::Setup | Stage::Closing => None,
        }
    }
}

/// The runner of GitHub's jobs begins to clean up.
fn is_ci_ending(text: &[u8]) -> bool {
    text == b"Post job cleanup." || text.starts_with(b"Cleaning up orphan processes")
}

fn is_word(text: &[u8], end: u8) -> bool {
    let letters = text.iter().take_while(|b| b.is_ascii_lowercase()).count();
    letters > 1 && text.get(letters) == Some(&end)
}

/// How sure a line by itself is that one output ends before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sureness {
    /// It may be a line of the output that surrounds it: a banner.
    Likely,
    /// A script runner or a shell wrote it.
    Sure,
}

/// Does a step begin here, or an output behind an echoed command?
#[must_use]
pub fn parts(text: &[u8], job: bool) -> Option<Sureness> {
    let first = *text.first()?;
    let steps = match first {
        b'#' => text.starts_with(b"##[group]") || text.starts_with(b"##[endgroup]") || text.starts_with(b"##[section]Starting"),
        b':' => text.starts_with(b"::group::"),
        b'$' => job && text.starts_with(b"$ "),
        b'R' => text.starts_with(b"Running with gitlab-runner "),
        b's' => text.starts_with(b"section_start:"),
        b'C' | b'P' => job && is_ci_ending(text),
        _ => false,
    };
    if steps {
        return Some(Sureness::Sure);
    }
    match echo(text)? {
        Echo::Script | Echo::Trace => Some(Sureness::Sure),
        Echo::Banner => Some(Sureness::Likely),
        Echo::Time => None,
    }
}

/// What a shell or a script runner writes between outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Echo {
    /// `> app@1.0.0 test`
    Script,
    /// `+ npm test`
    Trace,
    /// `=== build ===`
    Banner,
    /// `real    0m1.204s`
    Time,
}

/// A line of a script runner, beyond doubt: no cut is asked about it.
#[must_use]
pub fn script(text: &[u8]) -> Option<Joint> {
    (text.first() == Some(&b'>') && echo(text) == Some(Echo::Script)).then_some(Joint::Seam(Verdict::Head))
}

/// A line that the present cut does not know, if it is an echo.
#[must_use]
pub fn shell(text: &[u8]) -> Option<Joint> {
    Some(match echo(text)? {
        Echo::Script | Echo::Trace | Echo::Banner => Joint::Seam(Verdict::Head),
        Echo::Time => Joint::Said(Verdict::Keep(if text.starts_with(b"real") { Rank::Body } else { Rank::Edge })),
    })
}

/// What scripts run and builtins that part their outputs.
const COMMANDS: &str = "ansible-playbook apt-get bash bun bundle cargo cd cmake composer ctest deno docker dotnet echo \
    eslint export find flake8 g++ gcc git go golangci-lint gradle grep helm jest kubectl ls make meson \
    mix mvn mypy ninja node npm npx php phpunit pip pip3 pnpm poetry prettier psql pylint pyright pytest \
    python python3 rspec rubocop ruby ruff rustc sh shellcheck sqlite3 terraform tox tsc uv vite vitest \
    yarn";

fn echo(text: &[u8]) -> Option<Echo> {
    match text.first()? {
        b'>' => {
            // > @scope/app@1.0.0 test /home/dev/app
            let mut words = text.strip_prefix(b"> ")?.split(|b| *b == b' ');
            let (name, task) = (words.next()?, words.next()?);
            let at = memchr::memrchr(b'@', name).filter(|at| *at > 0)?;
            let version = &name[at + 1..];
            let is_version = version.first()?.is_ascii_digit() && version.contains(&b'.');
            (is_version && task.first()?.is_ascii_alphanumeric()).then_some(Echo::Script)
        }
        b'+' => {
            let depth = text.iter().take_while(|b| **b == b'+').count();
            let command = text[depth..].strip_prefix(b" ")?;
            let word = command.split(|b| *b == b' ').next()?;
            let fits = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'/' | b'_' | b'-');
            let is_path = (word.starts_with(b"./") || word.starts_with(b"/")) && word.len() > 3 && word.iter().all(fits);
            // A list of added things looks the same; code ends in signs.
            let is_command = is_path || crate::line::lists(COMMANDS, word);
            let code = matches!(command.last()?, b';' | b'{' | b'}' | b',' | b'(' | b':');
            (depth <= 4 && is_command && !code).then_some(Echo::Trace)
        }
        sign @ (b'=' | b'-' | b'*' | b'#') => {
            let run = text.iter().take_while(|b| *b == sign).count();
            let end = text.iter().rev().take_while(|b| *b == sign).count();
            let arrow = *sign == b'=' && run == 2 && text.starts_with(b"==> ");
            let within = text.get(run..text.len().saturating_sub(end))?;
            let framed = (2..=12).contains(&run) && run == end && within.len() > 2 && within[0] == b' ' && within.ends_with(b" ");
            let plain = |b: &u8| b.is_ascii_alphanumeric() || b" .:/_-&@()+".contains(b);
            let words = within.iter().all(plain) && within.iter().any(u8::is_ascii_alphabetic);
            (arrow || framed && within.len() <= 80 && words).then_some(Echo::Banner)
        }
        b'r' | b'u' | b's' => {
            let rest = [b"real".as_slice(), b"user", b"sys"].iter().find_map(|w| text.strip_prefix(*w))?;
            let said = rest.trim_ascii_start();
            let timed = said.len() < rest.len() && said.first()?.is_ascii_digit();
            (timed && said.iter().all(|b| b.is_ascii_digit() || matches!(b, b'm' | b's' | b'.' | b','))).then_some(Echo::Time)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str, carrier: Option<Carrier>) -> Vec<Option<Joint>> {
        let mut joints = Joints::default();
        text.lines().map(|l| joints.read(&Line::new(l.as_bytes(), 1), carrier)).collect()
    }

    const TOP: Option<Joint> = Some(Joint::Said(Verdict::Keep(Rank::Top)));

    #[test]
    fn words_to_the_runner_stay_unless_they_are_stopped() {
        let text = "::error file=a.rs,line=3::x\n::add-mask::y\nstd::io::x\n::std::io\n::stop-commands::t0k\n::error::x\n::t0k::\n::notice::x\n##[endgroup]\n## title";
        assert_eq!(told(text, None), [TOP, TOP, None, None, TOP, None, TOP, TOP, TOP, None]);
    }

    #[test]
    fn a_job_goes_from_step_to_step() {
        let text = "Current runner version: '2.3'\nUbuntu\n##[group]Run npm test\nnpm test\nshell: bash\n##[endgroup]\nok\n##[error]x\nPost job cleanup.\n[command]git";
        let spare = |noun| Verdict::Spare(noun);
        let (runner, closing) = (spare("runner lines"), spare("closing steps"));
        let want = [
            Some(Joint::Step(runner)),
            Some(Joint::Said(runner)),
            Some(Joint::Step(Verdict::Keep(Rank::Top))),
            Some(Joint::Said(Verdict::Keep(Rank::Detail))),
            Some(Joint::Said(runner)),
            Some(Joint::Seam(runner)),
            None,
            Some(Joint::Failed),
            Some(Joint::Step(closing)),
            Some(Joint::Said(closing)),
        ];
        assert_eq!(told(text, Some(Carrier::Actions)), want);
    }

    #[test]
    fn a_job_of_gitlab_is_its_sections_and_its_commands() {
        let text = "Running with gitlab-runner 17.0\nsection_start:1:step_script\nExecuting\n$ npm ci\nadded\nsection_end:2:step_script\nERROR: Job failed: exit code 1";
        let marks = Some(Joint::Said(Verdict::Spare("section marks")));
        let step = Some(Joint::Step(Verdict::Keep(Rank::Top)));
        let first = Some(Joint::Step(Verdict::Keep(Rank::Edge)));
        assert_eq!(told(text, None), [first, marks, step, step, None, marks, Some(Joint::JobFailed)]);
    }

    #[test]
    fn a_job_whose_head_is_gone_is_at_work() {
        let at = |text: &str| told(text, Some(Carrier::GitLab)).pop().flatten();
        assert_eq!((at("FAIL a.test.js"), at("PASS b.test.js\nx")), (None, None));
        assert!(at("Running with gitlab-runner 17.0\n  on blue").is_some());
    }

    #[test]
    fn what_a_shell_echoes_is_told_from_code_and_rules() {
        let echo = |text: &str| echo(text.as_bytes());
        assert_eq!(echo("> @scope/app@1.0.0-rc.1 test:unit"), Some(Echo::Script));
        assert_eq!(echo("+ npm run build"), Some(Echo::Trace));
        assert_eq!(echo("++ ./ci.sh"), Some(Echo::Trace));
        assert_eq!(echo("=== lint ==="), Some(Echo::Banner));
        assert_eq!(echo("==> Running tests"), Some(Echo::Banner));
        assert_eq!(echo("real\t0m1.204s"), Some(Echo::Time));
        for text in [
            "> jest --ci",
            "> a@b c",
            "+ express@4.18.2",
            "+ if (x) {",
            "+    x",
            "+++ b/x",
            "--- SIGCHLD {si_pid=7} ---",
            "======",
            "=== RUN   TestA",
            "-- x",
            "real life",
        ] {
            assert_eq!(echo(text), None, "{text}");
        }
        let wide = format!("{0} FAILURES {0}", "=".repeat(30));
        assert_eq!(echo(&wide), None);
    }
}
