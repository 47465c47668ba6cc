//! UTF-16 with a byte order mark, as some Windows tools write it into a pipe, to UTF-8.

/// Bytes behind the mark that are looked at.
pub const LOOK: usize = 256;

/// Decodes what arrives in any portions.
pub struct Utf16 {
    big_endian: bool,
    /// The first byte of a unit whose second has not come.
    half: Option<u8>,
    /// A high surrogate whose low one has not come.
    high: Option<u16>,
}

impl Utf16 {
    /// The decoder for a text that begins with these two bytes, if they are a mark.
    pub fn from_mark(mark: [u8; 2]) -> Option<Self> {
        let big_endian = match mark {
            [0xff, 0xfe] => false,
            [0xfe, 0xff] => true,
            _ => return None,
        };
        Some(Utf16 { big_endian, half: None, high: None })
    }

    /// May more bytes make it a text with a mark?
    pub fn may_be(bytes: &[u8]) -> bool {
        bytes.is_empty() || b"\xff\xfe".starts_with(&bytes[..bytes.len().min(2)]) || b"\xfe\xff".starts_with(&bytes[..bytes.len().min(2)])
    }

    /// Does what follows the mark read like a text? Bytes that only begin so do not: their pairs
    /// are letters of no alphabet. So one of the first has to be ASCII, as a blank, a digit or a
    /// line end is in any script, and none a half that stands alone or no letter at all.
    pub fn reads(&self, bytes: &[u8]) -> bool {
        let pairs = bytes.chunks_exact(2);
        let units: Vec<u16> =
            pairs.map(|p| if self.big_endian { u16::from_be_bytes([p[0], p[1]]) } else { u16::from_le_bytes([p[0], p[1]]) }).collect();
        let cut = units.len() - usize::from(bytes.len() >= LOOK && units.last().is_some_and(|u| (0xd800..0xdc00).contains(u)));
        let is_text = |c: Result<char, _>| c.is_ok_and(|c: char| c != '\0' && (c as u32) & 0xfffe != 0xfffe);
        let is_plain = |u: &u16| matches!(*u, 0x09..=0x0d | 0x1b | 0x20..=0x7e);
        units.iter().any(is_plain) && char::decode_utf16(units[..cut].iter().copied()).all(is_text)
    }

    /// Decodes the next bytes; what is no UTF-16 becomes U+FFFD.
    pub fn decode(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut text = String::with_capacity(bytes.len());
        for byte in bytes {
            let Some(first) = self.half.take() else {
                self.half = Some(*byte);
                continue;
            };
            let unit = if self.big_endian { u16::from_be_bytes([first, *byte]) } else { u16::from_le_bytes([first, *byte]) };
            let is_low = (0xdc00..0xe000).contains(&unit);
            if self.high.is_some() && !is_low {
                text.push(char::REPLACEMENT_CHARACTER);
                self.high = None;
            }
            if (0xd800..0xdc00).contains(&unit) {
                self.high = Some(unit);
                continue;
            }
            let pair = self.high.take().into_iter().chain([unit]);
            text.extend(char::decode_utf16(pair).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)));
        }
        text.into_bytes()
    }

    /// What is left at the end: half a letter.
    pub fn end(&mut self) -> &'static [u8] {
        if self.half.take().is_some() | self.high.take().is_some() {
            return "\u{fffd}".as_bytes();
        }
        b""
    }
}
