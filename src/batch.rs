//! Lines on their way to another thread: packed, as short lines have more around them than in them.

use crate::line::{Frame, Hole, Line, Teller};
use crate::signs::Signs;

/// What a line is besides its text, a bit each; its signs stand above them.
const ENDED: u8 = 1;
const WORDLESS: u8 = 2;
const SIGNS: u32 = 2;

/// Lines in a row, one number after the other.
#[derive(Default)]
pub struct Batch {
    text: Vec<u8>,
    /// Where each line ends in the text, and its bits.
    rows: Vec<(u32, u8)>,
    /// The number of the first line.
    first: u64,
    /// Which lines have holes: few.
    holes: Vec<(usize, Hole)>,
    /// Who has told the kinds of these lines, if somebody has, and what they are.
    teller: Option<Teller>,
    told: Vec<(u64, u64)>,
}

impl Batch {
    /// Bytes of the lines.
    pub fn bytes(&self) -> usize {
        self.text.len()
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn clear(&mut self) {
        self.text.clear();
        self.rows.clear();
        self.holes.clear();
        self.told.clear();
    }

    /// Who tells the kinds of the lines that come; to be said while there are none.
    pub fn tell_by(&mut self, teller: Option<Teller>) {
        self.teller = teller;
    }

    /// Takes the next line, its signs looked for.
    pub fn push(&mut self, line: &Line<'_>) {
        if self.rows.is_empty() {
            self.first = line.number;
        }
        debug_assert_eq!(self.first + self.rows.len() as u64, line.number);
        if let Some(hole) = line.hole {
            self.holes.push((self.rows.len(), hole));
        }
        if let Some(teller) = self.teller {
            self.told.push(teller(line));
        }
        let bits = (u8::from(line.ended) * ENDED) | (u8::from(line.is_wordless()) * WORDLESS) | (line.signs().bits() << SIGNS);
        self.text.extend_from_slice(line.text);
        self.rows.push((self.text.len() as u32, bits));
    }

    /// Lends each line.
    pub fn each(&self, mut take: impl FnMut(&Line<'_>)) {
        let (mut start, mut holes) = (0, self.holes.iter());
        let mut hole = holes.next();
        for (i, &(end, bits)) in self.rows.iter().enumerate() {
            let own = hole.filter(|(row, _)| *row == i).map(|(_, hole)| *hole);
            if own.is_some() {
                hole = holes.next();
            }
            let told = self.teller.zip(self.told.get(i).copied());
            let frame = Frame {
                hole: own,
                ended: bits & ENDED != 0,
                number: self.first + i as u64,
                signs: Some(Signs::from_bits(bits >> SIGNS)),
                wordless: bits & WORDLESS != 0,
                told,
            };
            take(&Line::framed(&self.text[start..end as usize], frame));
            start = end as usize;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_out_as_they_went_in() {
        let hole = Some(Hole { at: 2, bytes: 9 });
        let mut lines: Vec<Line<'_>> =
            [&b"error: x"[..], b"", b"ab", b"warn"].iter().enumerate().map(|(i, t)| Line::new(t, i as u64 + 7)).collect();
        (lines[2].hole, lines[3].ended) = (hole, false);
        let mut batch = Batch::default();
        for teller in [None, Some((|l: &Line<'_>| (l.text.len() as u64, 1)) as Teller)] {
            batch.clear();
            batch.tell_by(teller);
            lines.iter().for_each(|l| batch.push(l));
            let mut at = lines.iter();
            batch.each(|out| {
                let line = at.next().expect("as many");
                assert_eq!((out.text, out.hole, out.ended, out.number), (line.text, line.hole, line.ended, line.number));
                assert_eq!((out.signs(), teller.and_then(|t| out.told(t))), (line.signs(), teller.map(|t| t(line))));
            });
            assert!(at.next().is_none() && batch.len() == 4 && batch.bytes() == 14);
        }
    }
}
