//! What a log record of JSON says of itself: its keys, found in one walk.

use super::head::{letter, named, Level};

/// The longest key that is known, `__REALTIME_TIMESTAMP`, with the quote before it.
const KEY: usize = 21;
/// Keys of a message that come before those of mere content, `body` and `fields`.
const MESSAGES: u8 = 5;

/// Where the values begin that matter in a record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Record {
    said: Value,
    time: Value,
    level: Value,
    status: Value,
}

/// The value of the first of the keys that mean the same: which key, and where.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Value(Option<(u8, usize)>);

impl Value {
    fn offer(&mut self, key: u8, at: usize) {
        if self.0.is_none_or(|known| key < known.0) {
            self.0 = Some((key, at));
        }
    }

    fn of<'t>(&self, text: &'t [u8]) -> Option<&'t [u8]> {
        self.0.map(|(_, at)| text[at..].trim_ascii_start())
    }
}

impl Record {
    /// Finds the keys in a text, at whatever depth.
    #[must_use]
    pub fn read(text: &[u8]) -> Record {
        let mut record = Record::default();
        for colon in memchr::memchr_iter(b':', text) {
            if let Some(key) = key_before(text, colon) {
                record.take(key, &text[colon + 1..], colon + 1);
            }
        }
        record
    }

    fn take(&mut self, key: &[u8], value: &[u8], at: usize) {
        match key {
            b"msg" => self.said.offer(0, at),
            b"message" => self.said.offer(1, at),
            b"event" => self.said.offer(2, at),
            b"MESSAGE" => self.said.offer(3, at),
            b"log" => self.said.offer(4, at),
            b"body" => self.said.offer(MESSAGES, at),
            b"fields" if value.first() == Some(&b'{') => self.said.offer(MESSAGES + 1, at),
            b"time" | b"ts" | b"timestamp" | b"@timestamp" | b"t" | b"asctime" | b"__REALTIME_TIMESTAMP" => self.time.offer(0, at),
            b"level" => self.level.offer(0, at),
            b"severity" => self.level.offer(1, at),
            b"lvl" => self.level.offer(2, at),
            b"levelname" => self.level.offer(3, at),
            b"log.level" => self.level.offer(4, at),
            b"loglevel" => self.level.offer(5, at),
            b"s" => self.level.offer(6, at),
            b"PRIORITY" => self.level.offer(7, at),
            b"status" => self.status.offer(0, at),
            b"statusCode" => self.status.offer(1, at),
            b"status_code" => self.status.offer(2, at),
            b"code" => self.status.offer(3, at),
            _ => {}
        }
    }

    /// Is it a log's record at all? And how bad it says it is. `text` is what it was read from.
    #[must_use]
    pub fn level(&self, text: &[u8]) -> Option<Level> {
        if self.said.0.is_none() || self.level.0.is_none() && self.time.0.is_none() {
            return None;
        }
        self.level.of(text).map_or(Some(Level::Unsaid), level)
    }

    /// The same of a record of which only the two ends are read.
    #[must_use]
    pub fn level_of(ends: [&[u8]; 2]) -> Option<Level> {
        let [first, last] = ends.map(Record::read);
        let both = Record {
            said: Value(first.said.0.or(last.said.0)),
            time: Value(first.time.0.or(last.time.0)),
            level: Value(first.level.0.or(last.level.0)),
            ..first
        };
        both.level(if first.level.0.is_some() { ends[0] } else { ends[1] })
    }

    /// The message, if it is a string.
    #[must_use]
    pub fn message<'t>(&self, text: &'t [u8]) -> Option<&'t [u8]> {
        let (key, _) = self.said.0?;
        let value = self.said.of(text).filter(|_| key < MESSAGES)?.strip_prefix(b"\"")?;
        let end = memchr::memchr_iter(b'"', value).find(|at| *at == 0 || value[at - 1] != b'\\');
        Some(&value[..end.unwrap_or(value.len())])
    }

    /// The status, if it is a number; or 0.
    #[must_use]
    pub fn status(&self, text: &[u8]) -> u64 {
        self.status.of(text).map_or(0, number)
    }
}

/// A level by name, or by pino's and bunyan's number.
fn level(value: &[u8]) -> Option<Level> {
    if value.first().is_some_and(u8::is_ascii_digit) {
        return Some(match number(value) {
            50.. => Level::Bad,
            40..=49 => Level::Warn,
            _ => Level::Low,
        });
    }
    let word = value.strip_prefix(b"\"")?;
    let len = word.iter().take_while(|b| b.is_ascii_alphanumeric()).count();
    match &word[..len] {
        [b'0'..=b'3'] => Some(Level::Bad),
        b"4" => Some(Level::Warn),
        [one] => letter(*one),
        // systemd's priorities.
        word => named(word),
    }
}

/// The key whose value begins behind this colon, if one does that may be known.
fn key_before(text: &[u8], colon: usize) -> Option<&[u8]> {
    let end = colon.checked_sub(1).filter(|end| text[*end] == b'"')?;
    let key = &text[end.saturating_sub(KEY)..end];
    let quote = key.iter().rposition(|b| *b == b'"')?;
    Some(&key[quote + 1..])
}

/// The number that a text begins with, four digits of it at most.
fn number(text: &[u8]) -> u64 {
    text.iter().take_while(|b| b.is_ascii_digit()).take(4).fold(0, |n, b| n * 10 + u64::from(b - b'0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_the_keys_that_mean_the_same_is_taken() {
        let text = br#"{"s":1,"message":"b \"c","level": "warn","res":{"statusCode":404},"code":7,"a_long_key_that_is_no_msg":1}"#;
        let record = Record::read(text);
        assert_eq!((record.level(text), record.message(text), record.status(text)), (Some(Level::Warn), Some(br#"b \"c"#.as_slice()), 404));
        let text = br#"{"fields":1,"level":"warn"}"#;
        assert_eq!(Record::read(text).level(text), None);
    }
}
