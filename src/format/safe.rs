//! What may stand in a command line that is put into an envelope: pipe filters that are sure
//! to show lines and do nothing else, and no flag that writes a file or runs a program.
//!
//! Only what is known to be harmless is taken; an abbreviated or unknown flag is neither.

/// What may follow a pipe.
const FILTERS: [&str; 11] = ["grep", "rg", "tail", "head", "sed", "cat", "wc", "sort", "uniq", "cut", "tr"];

/// Flags by which a command that only shows things writes a file, runs a program, or does
/// not end; each word that begins so counts.
const FLAGS: &[(&str, &[&str])] = &[
    ("git", &["--ou", "--open", "-O", "--ext-diff", "--textconv"]),
    ("rg", &["--pre", "--hostname-bin"]),
    ("ack", &["--pager", "--output"]),
    ("find", &["-delete", "-exec", "-ok", "-fprint", "-fls"]),
    ("tree", &["-o", "--output"]),
    (
        "journalctl",
        &["-f", "--fo", "--vacuum", "--rotate", "--flush", "--sync", "--relinquish", "--smart", "--setup-keys", "--update-catalog"],
    ),
    ("kubectl", &["-f", "--follow", "-w", "--watch"]),
    ("docker", &["--follow"]),
    ("psql", &["-o", "--out", "-L", "--log"]),
    ("mysql", &["--tee", "--pager"]),
    ("sqlite3", &[".out", ".once", ".shell", ".system", ".sh", ".sy", ".excel", ".backup", ".save", ".log"]),
];

/// The words of a stage, quotes taken off; `None` where a quote is open, or a word is not the
/// one that stands there: a variable, a list in braces.
pub(super) fn words(stage: &[&str]) -> Option<Vec<String>> {
    let text = stage.join(" ");
    let mut words: Vec<String> = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            ' ' => words.extend(word.take()),
            '\\' => word.get_or_insert_default().push(chars.next()?),
            '\'' => loop {
                match (chars.next()?, word.get_or_insert_default()) {
                    ('\'', _) => break,
                    (c, word) => word.push(c),
                }
            },
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next()? {
                        '"' => break,
                        '\\' => {
                            word.push('\\');
                            word.push(chars.next()?);
                        }
                        '$' if is_variable(chars.peek()) => return None,
                        c => word.push(c),
                    }
                }
            }
            '$' if is_variable(chars.peek()) || matches!(chars.peek(), Some('\'' | '"')) => return None,
            '{' => return None,
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    Some(words)
}

fn is_variable(next: Option<&char>) -> bool {
    next.is_some_and(|c| c.is_ascii_alphanumeric() || "_{@*#?!-$([".contains(*c))
}

/// Does the command itself do nothing else by a flag?
pub(super) fn is_harmless(words: &[String]) -> bool {
    let flags = FLAGS.iter().find(|(name, _)| words.first().is_some_and(|w| w == name)).map_or(&[][..], |f| f.1);
    !words.iter().skip(1).any(|w| flags.iter().any(|f| w.starts_with(f)))
}

/// Does a stage behind a pipe show lines of what comes in, and do nothing else?
pub(super) fn is_filter(words: &[String]) -> bool {
    let Some((name, rest)) = words.split_first() else { return false };
    if !FILTERS.contains(&name.as_str()) || !is_harmless(words) {
        return false;
    }
    match name.as_str() {
        "sed" => is_sed(rest),
        "sort" => takes(rest, "bdfghiMnRrVsuzcCm", "kt", &SORT, true),
        // A second file would be written.
        "uniq" => takes(rest, "cdDuiz", "fsw", &UNIQ, false),
        "tail" => !rest.iter().any(|w| w.starts_with("-f") || w.starts_with("-F") || w.starts_with("--f") || w.starts_with("--retry")),
        _ => true,
    }
}

const SORT: [&str; 18] = [
    "--reverse",
    "--numeric-sort",
    "--unique",
    "--key",
    "--field-separator",
    "--human-numeric-sort",
    "--version-sort",
    "--general-numeric-sort",
    "--ignore-case",
    "--ignore-leading-blanks",
    "--dictionary-order",
    "--ignore-nonprinting",
    "--stable",
    "--month-sort",
    "--random-sort",
    "--check",
    "--zero-terminated",
    "--sort",
];
const UNIQ: [&str; 9] = [
    "--count",
    "--repeated",
    "--all-repeated",
    "--unique",
    "--ignore-case",
    "--zero-terminated",
    "--skip-fields",
    "--skip-chars",
    "--check-chars",
];

/// Only flags that are known: `letters` alone, `valued` with what follows, long ones as they
/// are; are files taken?
fn takes(rest: &[String], letters: &str, valued: &str, long: &[&str], files: bool) -> bool {
    let mut rest = rest.iter();
    while let Some(word) = rest.next() {
        if word.starts_with("--") {
            if !long.contains(&word.split('=').next().unwrap_or_default()) {
                return false;
            }
            continue;
        }
        let Some(flags) = word.strip_prefix('-').filter(|f| !f.is_empty()) else {
            if !files || word.contains(['*', '?', '[']) {
                return false;
            }
            continue;
        };
        for (i, c) in flags.char_indices() {
            if valued.contains(c) {
                if i + c.len_utf8() == flags.len() && rest.next().is_none() {
                    return false;
                }
                break;
            }
            if !letters.contains(c) && !c.is_ascii_digit() {
                return false;
            }
        }
    }
    true
}

/// `sed -n '1,20p'`, `sed -E -e s/a/b/g`
fn is_sed(rest: &[String]) -> bool {
    let mut scripts = 0;
    let mut rest = rest.iter();
    while let Some(word) = rest.next() {
        let is_safe = match word.as_str() {
            "-n" | "-E" | "-r" | "-u" | "-s" | "-z" | "-nE" | "-En" | "-nr" | "-rn" | "--quiet" | "--silent" | "--regexp-extended"
            | "--unbuffered" | "--posix" | "--sandbox" => true,
            "-e" | "-ne" | "-Ee" | "-re" => {
                scripts += 1;
                rest.next().is_some_and(|s| is_sed_script(s))
            }
            word if scripts == 0 && !word.starts_with('-') => {
                scripts += 1;
                is_sed_script(word)
            }
            _ => false,
        };
        if !is_safe {
            return false;
        }
    }
    scripts > 0
}

/// One command of sed that shows or changes the lines that pass, and no more.
fn is_sed_script(script: &str) -> bool {
    let Some(command) = after_addresses(script.trim()) else { return false };
    let mut chars = command.chars();
    let Some(c) = chars.next() else { return false };
    let rest = chars.as_str();
    match c {
        'p' | 'd' | '=' | 'n' | 'N' | 'D' | 'P' | 'h' | 'H' | 'g' | 'G' | 'x' => rest.trim().is_empty(),
        'q' | 'Q' | 'l' => rest.trim().bytes().all(|b| b.is_ascii_digit()),
        's' | 'y' => {
            let Some(delimiter) = rest.chars().next().filter(|d| !d.is_alphanumeric() && *d != '\\' && *d != ' ') else { return false };
            let rest = &rest[delimiter.len_utf8()..];
            let flags = part(rest, delimiter, c == 's').and_then(|rest| part(rest, delimiter, false));
            flags.is_some_and(|f| f.trim().bytes().all(|b| c == 's' && (b.is_ascii_digit() || b"gpiIM".contains(&b))))
        }
        _ => false,
    }
}

/// What follows the delimiter that ends a part; it may stand in a bracket of a pattern.
fn part(text: &str, delimiter: char, pattern: bool) -> Option<&str> {
    let mut chars = text.char_indices();
    while let Some((i, c)) = chars.next() {
        match c {
            '\\' => {
                chars.next()?;
            }
            // Where the bracket ends is a matter of the dialect.
            '[' if pattern && text[i..].split(']').next().is_some_and(|b| b.contains(delimiter)) => return None,
            c if c == delimiter => return Some(&text[i + c.len_utf8()..]),
            _ => {}
        }
    }
    None
}

/// What follows `1,20`, `$`, `/a/,/b/`, `2~3`, `!`.
fn after_addresses(mut script: &str) -> Option<&str> {
    loop {
        script = script.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '$' | ',' | '~' | '+' | '!' | ' '));
        let Some(rest) = script.strip_prefix('/') else { return Some(script) };
        script = part(rest, '/', true)?.trim_start_matches('I');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filter(stage: &str) -> bool {
        words(&stage.split_whitespace().collect::<Vec<_>>()).is_some_and(|w| is_filter(&w))
    }

    #[test]
    fn what_only_shows_is_a_filter() {
        for stage in [
            "grep -v ok",
            "grep 'a b$'",
            "rg -n x",
            "tail -40",
            "tail -n +3",
            "head -c 100",
            "cat",
            "cat -n",
            "wc -l",
            "cut -d: -f1",
            "tr -d '\"'",
            "sort",
            "sort -rn",
            "sort -t: -k2,2n",
            "sort -t : -k 2",
            "sort --key=2 -u",
            "uniq",
            "uniq -c",
            "uniq -f 1 -d",
            "uniq --count",
            "sed s/a/b/",
            "sed 's/a b/c d/g'",
            "sed -E 's#/x/y#w#2p'",
            "sed -n 1,20p",
            "sed -n '/a/,/w/p'",
            "sed -n -e '$p' -e '/e/!d'",
            "sed '/^#/d'",
            "sed 5q",
            "sed 's/[[:space:]]*$//'",
            "sed 'y/abc/xyw/'",
        ] {
            assert!(filter(stage), "{stage}");
        }
    }

    #[test]
    fn what_may_do_more_is_none() {
        for stage in [
            "sed -i s/a/b/ f",
            "sed -i.bak s/a/b/",
            "sed -n -i p f",
            "sed --in-place s/a/b/ f",
            "sed --in s/a/b/",
            "sed -Ei s/a/b/",
            "sed -f script",
            "sed --file=script",
            "sed 's//w f'",
            "sed 's/a/b/w f'",
            "sed s/a/b/gwf",
            "sed s/a/b/e",
            "sed 's/a/b/pe'",
            "sed '1e date'",
            "sed e",
            "sed '1~2e date'",
            "sed '/a/w out'",
            "sed -n '/a/,/b/w out'",
            "sed w",
            "sed 'W f'",
            "sed 'r f'",
            "sed -e p -e 'w f'",
            "sed '$!{w f'",
            "sed '\\,a,w f'",
            "sed 's/[/]/x/w f/'",
            "sed s,a,b,w,",
            "sed p f w",
            "sed",
            "sed 's/a b/",
            "sed $script",
            "sed \"$script\"",
            "sed {-i,p}",
            "sort -o f",
            "sort -of",
            "sort -uo f",
            "sort -u -o f f",
            "sort --output=f",
            "sort --output f",
            "sort --out=f",
            "sort \"-o\" f",
            "sort \\-o f",
            "sort --compress-program=x",
            "sort -T d",
            "sort -k",
            "sort {-o,f}",
            "sort $opts",
            "sort *",
            "uniq in out",
            "uniq - out",
            "uniq -c - out",
            "uniq f",
            "uniq --c",
            "rg --pre cat x",
            "rg --pre=cat x",
            "rg --hostname-bin=x y",
            "tail -f",
            "tail --follow=name x",
            "tee f",
            "awk 1",
            "awk '{print > \"f\"}'",
            "awk 'BEGIN{system(\"x\")}'",
            "xargs rm",
            "perl -ne print",
            "",
        ] {
            assert!(!filter(stage), "{stage}");
        }
    }
}
