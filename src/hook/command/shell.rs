//! Reads a command line as a shell would, far enough to know which commands it runs and
//! whether it is whole.

use crate::declared::base;

/// A command with its words, quotes taken off and redirections left out.
#[derive(Debug, Default)]
pub(super) struct Simple {
    /// Its words; keywords before it included.
    pub words: Vec<String>,
    /// It reads what another prints, a file, or a text that stands with it.
    pub fed: bool,
    /// Another reads what it prints.
    pub piped: bool,
    /// It is left running.
    pub background: bool,
    /// Its output becomes part of a line.
    pub inner: bool,
}

/// Words that may stand before a command.
pub(super) const KEYWORDS: &[&str] = &["if", "elif", "then", "else", "do", "while", "until", "!", "{", "time"];
/// Substitutions within one another that are read.
const DEPTH: usize = 16;

/// The commands of a line; `None` where it is not whole: a quote, a bracket, a block or a
/// here-document is open, or it ends where something has to follow.
pub(super) fn read(text: &str) -> Option<Vec<Simple>> {
    read_at(text, 0)
}

fn read_at(text: &str, depth: usize) -> Option<Vec<Simple>> {
    let mut reader = Reader { rest: text.chars().collect(), depth, ..Reader::default() };
    reader.rest.reverse();
    reader.run()?;
    Some(reader.commands)
}

/// What the next word is for.
#[derive(Default, PartialEq, Eq)]
enum Wants {
    #[default]
    Word,
    /// The file of a redirection.
    File,
    /// The line that ends a here-document; are tabs before it taken off?
    End(bool),
}

/// A text that stands with its command.
struct Document {
    end: String,
    /// Tabs before its lines are taken off.
    tabs: bool,
    /// A shell runs it.
    is_code: bool,
}

#[derive(Default)]
struct Reader {
    /// What is to be read, the next last.
    rest: Vec<char>,
    depth: usize,
    commands: Vec<Simple>,
    now: Simple,
    word: Option<String>,
    wants: Wants,
    /// Here-documents that begin on the next line.
    ends: Vec<Document>,
    /// Blocks that are open, by the word that closes them.
    open: Vec<&'static str>,
    /// Between `[[` and `]]`.
    in_test: bool,
    /// The next command reads what the one before prints.
    fed: bool,
    /// After `|`, `&&`, `||` something has to follow.
    dangling: bool,
}

impl Reader {
    fn next_if(&mut self, c: char) -> bool {
        self.rest.pop_if(|n| *n == c).is_some()
    }

    fn run(&mut self) -> Option<()> {
        while let Some(c) = self.rest.pop() {
            if self.in_test && self.word.as_deref() == Some("]]") && (c.is_whitespace() || "()&|;<>".contains(c)) {
                self.end_word();
            }
            match c {
                '\\' => match self.rest.pop()? {
                    '\n' => {}
                    c => self.push(c),
                },
                '\'' => {
                    let text = self.until('\'', false)?;
                    self.word.get_or_insert_default().push_str(&text);
                }
                '"' => self.double()?,
                '`' => {
                    let text = self.until('`', true)?;
                    self.inside(&text)?;
                }
                '$' => self.dollar()?,
                '#' if self.word.is_none() => while self.rest.pop_if(|n| *n != '\n').is_some() {},
                c if c.is_whitespace() && (c != '\n' || self.in_test) => self.end_word(),
                '\n' => {
                    self.end_word();
                    self.end_command("")?;
                    self.documents()?;
                }
                '(' | ')' | '&' | '|' | ';' | '<' | '>' if self.in_test => self.push(c),
                '<' | '>' => self.redirection(c)?,
                '&' if self.rest.last() == Some(&'>') => {
                    self.rest.pop();
                    self.redirection('>')?;
                }
                '(' => self.paren()?,
                ')' => {
                    self.end_word();
                    let is_case = self.now.words.iter().find(|w| !KEYWORDS.contains(&w.as_str())).is_some_and(|w| w == "case");
                    if is_case {
                        let words = std::mem::take(&mut self.now).words;
                        self.blocks(&words)?;
                    } else if self.open.last() == Some(&"esac") {
                        // The pattern of a case.
                        self.now = Simple::default();
                    } else {
                        self.end_command("")?;
                        self.open.pop_if(|open| *open == ")")?;
                    }
                }
                '&' | '|' | ';' => {
                    self.end_word();
                    let doubled = self.next_if(c);
                    self.end_command(match (c, doubled) {
                        ('&', false) => "&",
                        ('|', false) => "|",
                        (';', _) => "",
                        _ => "&&",
                    })?;
                    if c == '|' && !doubled || c == ';' {
                        self.next_if('&');
                    }
                }
                c => self.push(c),
            }
        }
        self.end_word();
        self.end_command("")?;
        let whole = self.open.is_empty() && self.ends.is_empty() && !self.in_test && !self.dangling;
        whole.then_some(())
    }

    fn push(&mut self, c: char) {
        self.word.get_or_insert_default().push(c);
    }

    /// The text up to a character, which is taken, too.
    fn until(&mut self, end: char, escapes: bool) -> Option<String> {
        let mut text = String::new();
        loop {
            match self.rest.pop()? {
                c if c == end => return Some(text),
                '\\' if escapes => {
                    text.push('\\');
                    text.push(self.rest.pop()?);
                }
                c => text.push(c),
            }
        }
    }

    /// The text up to the bracket that closes, quotes and brackets in it taken as a whole.
    fn balanced(&mut self, open: char, close: char) -> Option<String> {
        let (mut text, mut depth, mut quote) = (String::new(), 1, None);
        loop {
            let c = self.rest.pop()?;
            match (quote, c) {
                (Some('"') | None, '\\') => {
                    text.push(c);
                    text.push(self.rest.pop()?);
                    continue;
                }
                (Some(q), _) if q == c => quote = None,
                (Some(_), _) => {}
                (None, '\'' | '"' | '`') => quote = Some(c),
                (None, _) if c == open => depth += 1,
                (None, _) if c == close => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(text);
                    }
                }
                _ => {}
            }
            text.push(c);
        }
    }

    fn double(&mut self) -> Option<()> {
        self.word.get_or_insert_default();
        loop {
            match self.rest.pop()? {
                '"' => return Some(()),
                '\\' => match self.rest.pop()? {
                    '\n' => {}
                    c => {
                        if !matches!(c, '$' | '`' | '"' | '\\') {
                            self.push('\\');
                        }
                        self.push(c);
                    }
                },
                '$' if self.rest.last() != Some(&'"') && self.rest.last() != Some(&'\'') => self.dollar()?,
                '`' => {
                    let text = self.until('`', true)?;
                    self.inside(&text)?;
                }
                c => self.push(c),
            }
        }
    }

    fn dollar(&mut self) -> Option<()> {
        match self.rest.last() {
            Some('(') => {
                self.rest.pop();
                let text = self.balanced('(', ')')?;
                if text.starts_with('(') && text.ends_with(')') {
                    self.word.get_or_insert_default().push('0');
                    return Some(());
                }
                self.inside(&text)
            }
            Some('{') => {
                self.rest.pop();
                let text = self.balanced('{', '}')?;
                self.word.get_or_insert_default().push_str(&format!("${{{text}}}"));
                Some(())
            }
            Some('\'') => {
                self.rest.pop();
                let text = self.until('\'', true)?;
                self.word.get_or_insert_default().push_str(&text);
                Some(())
            }
            _ => {
                self.push('$');
                Some(())
            }
        }
    }

    /// A command in a word: its output stands there.
    fn inside(&mut self, text: &str) -> Option<()> {
        self.word.get_or_insert_default().push_str("$()");
        self.code(text)
    }

    /// Reads what a shell runs within this line.
    fn code(&mut self, text: &str) -> Option<()> {
        if self.depth == DEPTH {
            return None;
        }
        let inner = read_at(text, self.depth + 1)?;
        self.commands.extend(inner.into_iter().map(|c| Simple { inner: true, ..c }));
        Some(())
    }

    fn paren(&mut self) -> Option<()> {
        let at_command = self.now.words.iter().all(|w| KEYWORDS.contains(&w.as_str()));
        match self.word.as_deref() {
            // `((n > 3))`, `for ((i = 0; i < 3; i++))`
            None if self.rest.last() == Some(&'(') && (at_command || self.now.words.last().is_some_and(|w| w == "for")) => {
                let text = self.balanced('(', ')')?;
                self.now.words.push(format!("({text})"));
                Some(())
            }
            None if at_command => {
                self.end_command("(")?;
                self.open.push(")");
                Some(())
            }
            // `(a) ...;;`
            None => None,
            // `f() { ...; }`
            Some(_) if self.rest.last() == Some(&')') => {
                self.rest.pop();
                self.word = None;
                self.now.words.clear();
                Some(())
            }
            // `a=(1 2)`, `!(x)`
            Some(w) if w.ends_with(['=', '?', '*', '+', '@', '!']) => {
                let text = self.balanced('(', ')')?;
                self.word.get_or_insert_default().push_str(&format!("({text})"));
                Some(())
            }
            Some(_) => None,
        }
    }

    fn redirection(&mut self, c: char) -> Option<()> {
        if self.rest.last() == Some(&'(') {
            self.rest.pop();
            let text = self.balanced('(', ')')?;
            return self.inside(&text);
        }
        // `2>`: the number is no word.
        if self.word.as_ref().is_some_and(|w| !w.is_empty() && w.bytes().all(|b| b.is_ascii_digit())) {
            self.word = None;
        }
        self.end_word();
        if self.wants != Wants::Word {
            return None;
        }
        self.wants = Wants::File;
        if c == '>' {
            let _ = self.next_if('>') || self.next_if('|') || self.next_if('&');
            return Some(());
        }
        self.now.fed = true;
        if self.next_if('<') {
            if !self.next_if('<') {
                let tabs = self.next_if('-');
                self.wants = Wants::End(tabs);
            }
        } else {
            let _ = self.next_if('&') || self.next_if('>');
        }
        Some(())
    }

    fn end_word(&mut self) {
        let Some(word) = self.word.take() else { return };
        match std::mem::take(&mut self.wants) {
            Wants::File => return,
            Wants::End(tabs) => {
                let mut words = self.now.words.iter().skip_while(|w| KEYWORDS.contains(&w.as_str()));
                let is_shell = words.next().is_some_and(|w| ["sh", "bash", "zsh", "dash", "ksh"].contains(&base(w)));
                let is_code = is_shell && words.all(|w| w.starts_with('-'));
                self.ends.push(Document { end: word, tabs, is_code });
                return;
            }
            Wants::Word => {}
        }
        if self.in_test {
            self.in_test = word != "]]";
        } else {
            self.in_test = word == "[[" && self.now.words.iter().all(|w| KEYWORDS.contains(&w.as_str()));
        }
        self.now.words.push(word);
    }

    /// Ends a command at `join`; empty for those that only separate.
    fn end_command(&mut self, join: &'static str) -> Option<()> {
        if self.wants != Wants::Word {
            return None;
        }
        let mut command = std::mem::take(&mut self.now);
        let is_empty = command.words.is_empty() && !command.fed;
        self.blocks(&command.words)?;
        command.fed |= self.fed;
        command.piped = join == "|";
        command.background = join == "&";
        // `( ... ) &` has no words of its own.
        if !is_empty || command.background {
            self.commands.push(command);
        }
        if !is_empty || !matches!(join, "(" | "") {
            self.fed = join == "|";
        }
        if !is_empty || join == "|" || join == "&&" {
            self.dangling = matches!(join, "|" | "&&");
        }
        Some(())
    }

    /// Notes the blocks that the words before a command open and close.
    fn blocks(&mut self, words: &[String]) -> Option<()> {
        let mut words = words.iter().map(String::as_str);
        while let Some(word) = words.next() {
            match word {
                "if" => self.open.push("fi"),
                "do" => self.open.push("done"),
                "{" => self.open.push("}"),
                "function" => {
                    words.next();
                }
                "fi" | "done" | "}" | "esac" => {
                    self.open.pop_if(|open| *open == word)?;
                    return Some(());
                }
                "case" => {
                    self.open.push("esac");
                    return Some(());
                }
                _ if KEYWORDS.contains(&word) => {}
                _ => return Some(()),
            }
        }
        Some(())
    }

    /// Passes over the here-documents that begin here; code in them is read.
    fn documents(&mut self) -> Option<()> {
        for Document { end, tabs, is_code } in std::mem::take(&mut self.ends) {
            let mut code = String::new();
            loop {
                if self.rest.is_empty() {
                    return None;
                }
                let mut line = String::new();
                while let Some(c) = self.rest.pop_if(|c| *c != '\n') {
                    line.push(c);
                }
                self.rest.pop();
                let line = if tabs { line.trim_start_matches('\t') } else { &line };
                if line == end {
                    break;
                }
                code.push_str(line);
                code.push('\n');
            }
            if is_code {
                self.code(&code)?;
            }
        }
        Some(())
    }
}
