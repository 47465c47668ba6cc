//! Which shapes a line may open, by its ends: so that most lines are asked of none.

use crate::cut::Shape;
use crate::line::Line;

/// How many shapes one index holds.
const OPENERS: usize = 128;

/// The shapes that single lines open, by what these lines look like: a bit a shape, the first
/// shape's being the lowest.
pub struct Openers {
    shapes: Vec<&'static Shape>,
    /// Those that a line may open which begins with a byte,
    first: Box<[u128; 256]>,
    /// which begins with a byte behind blanks,
    indented: Box<[u128; 256]>,
    /// which ends with a byte,
    last: Box<[u128; 256]>,
    /// in which a colon stands,
    colon: u128,
    /// and no blank in front,
    flush_colon: u128,
    /// whatever it is.
    any: u128,
}

impl Openers {
    pub fn new(shapes: impl Iterator<Item = &'static Shape>) -> Openers {
        let shapes: Vec<_> = shapes.filter(|s| s.opens.ask.is_some()).take(OPENERS).collect();
        let none = || Box::new([0; 256]);
        let mut openers = Openers { shapes, first: none(), indented: none(), last: none(), colon: 0, flush_colon: 0, any: 0 };
        for (i, opens) in openers.shapes.iter().map(|s| &s.opens).enumerate() {
            let bit = 1 << i;
            opens.first.iter().for_each(|b| openers.first[usize::from(*b)] |= bit);
            opens.indented.iter().for_each(|b| openers.indented[usize::from(*b)] |= bit);
            opens.last.iter().for_each(|b| openers.last[usize::from(*b)] |= bit);
            openers.colon |= if opens.colon { bit } else { 0 };
            openers.flush_colon |= if opens.flush_colon { bit } else { 0 };
            openers.any |= if opens.any { bit } else { 0 };
        }
        openers
    }

    /// No shape is opened any more.
    pub fn clear(&mut self) {
        *self = Openers::new(std::iter::empty());
    }

    /// The shapes that the line may open, as bits.
    #[must_use]
    pub fn of(&self, text: &[u8]) -> u128 {
        let [first, ..] = text else { return self.any };
        let ends = self.first[usize::from(*first)] | self.last[usize::from(text[text.len() - 1])];
        let colon = if memchr::memchr(b':', text).is_some() { self.colon | self.flush_colon } else { 0 };
        if !first.is_ascii_whitespace() {
            return self.any | ends | colon;
        }
        let indented = text.trim_ascii_start().first().map_or(0, |b| self.indented[usize::from(*b)]);
        self.any | ends | indented | colon & !self.flush_colon
    }

    /// The first of these shapes, given as bits, that the line opens; `but` is none.
    pub fn find(&self, mut bits: u128, line: &Line<'_>, but: &Shape) -> Option<&'static Shape> {
        while bits != 0 {
            let shape = self.shapes[bits.trailing_zeros() as usize];
            if !std::ptr::eq(shape, but) && shape.opens.by(line) {
                return Some(shape);
            }
            bits &= bits - 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts;
    use proptest::prelude::*;
    use std::path::Path;

    fn check(openers: &Openers, text: &[u8]) {
        let (line, bits) = (Line::new(text, 1), openers.of(text));
        for (i, shape) in openers.shapes.iter().enumerate() {
            let told = bits >> i & 1 == 1;
            assert!(told || !shape.opens.by(&line), "{} {}: {}", shape.name, shape.dialect, text.escape_ascii());
        }
    }

    /// The line, and its like: without its blanks, behind some, torn.
    fn check_alike(openers: &Openers, text: &[u8]) {
        for text in [text, text.trim_ascii(), &text[..text.len().min(40)], &text[text.len() / 2..]] {
            check(openers, text);
        }
        check(openers, &[b"  ", text].concat());
        check(openers, &[b"\t", text].concat());
    }

    fn check_folder(openers: &Openers, folder: &Path) {
        for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
            if entry.path().is_dir() {
                check_folder(openers, &entry.path());
            } else {
                let text = std::fs::read(entry.path()).expect("a file");
                text.split(|b| *b == b'\n').for_each(|l| check_alike(openers, l.strip_suffix(b"\r").unwrap_or(l)));
            }
        }
    }

    #[test]
    fn a_line_that_opens_a_shape_is_asked_of_it() {
        let openers = Openers::new(cuts::shapes());
        assert!(openers.shapes.len() < OPENERS && openers.shapes.len() > 50);
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        for folder in ["fixtures", "src", "tests"] {
            check_folder(&openers, &root.join(folder));
        }
    }

    #[test]
    fn prose_is_asked_of_few_shapes() {
        let openers = Openers::new(cuts::shapes());
        for text in ["router queue beta beta index 0", "some text that nobody knows", "Nobody knows what this means.", ""] {
            assert!(openers.of(text.as_bytes()).count_ones() <= 8, "{text}");
        }
    }

    proptest! {
        #[test]
        fn so_is_any_line(text in "[ \t:=#(\\[]{0,4}[A-Za-z0-9 :./_()\\[\\]>-]{0,60}") {
            check(&Openers::new(cuts::shapes()), text.as_bytes());
        }
    }
}
