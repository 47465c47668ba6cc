//! One writer's lines on their way: most texts have one, a runner of several commands more.

use crate::cut::{Cut, Shape};
use crate::cuts::size;
use crate::hint::Hint;

/// Writers that are told apart; those beyond share the first lane.
const LANES: usize = 32;

/// Why a choice is to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seek {
    /// None is: a cut has the word.
    No,
    /// Nothing is known, or the present cut has lost its way.
    Lost,
    /// Another output may have begun; if nobody knows it, the present cut goes on.
    Seam,
}

/// The dialect that takes what nobody knows in a job's steps.
pub const JOB: &str = "ci";

/// A writer's lines, and the cut that looks at them.
pub struct Lane {
    /// How the writer's name stands before each line; empty for lines without.
    name: Vec<u8>,
    pub current: &'static Shape,
    pub cut: Box<dyn Cut>,
    /// Has nobody recognised its lines?
    pub is_size: bool,
    /// Are they a job's, and of nobody that is known?
    pub is_job: bool,
    /// What the cut says of itself, asked once: see [`Cut`].
    pub quotes: bool,
    pub yields: bool,
    pub is_amid: bool,
    pub nests: bool,
    /// Lines in a row that the cut passed on.
    pub passed: u32,
    /// Its present part among all.
    pub part: Option<usize>,
    pub seek: Seek,
}

impl Lane {
    fn new(name: &[u8], hint: &Hint) -> Self {
        let cut = (size::SHAPE.cut)(hint);
        Lane {
            name: name.to_vec(),
            current: &size::SHAPE,
            is_size: true,
            is_job: false,
            quotes: cut.quotes(),
            yields: cut.yields(),
            is_amid: cut.is_amid(),
            nests: cut.nests(),
            cut,
            passed: 0,
            part: None,
            seek: Seek::Lost,
        }
    }

    /// Does nobody know its lines, or no more than that a job prints them?
    pub fn is_unknown(&self) -> bool {
        self.is_size || self.is_job
    }

    /// From here on its lines are of this shape.
    pub fn turn(&mut self, shape: &'static Shape, cut: Box<dyn Cut>) {
        (self.quotes, self.yields, self.is_amid, self.nests) = (cut.quotes(), cut.yields(), cut.is_amid(), cut.nests());
        self.is_size = shape.name == size::SHAPE.name;
        self.is_job = shape.dialect == JOB;
        (self.current, self.cut, self.passed) = (shape, cut, 0);
    }
}

/// All lanes; the first is for lines that no name stands before.
pub struct Lanes(pub Vec<Lane>);

impl Lanes {
    pub fn new(hint: &Hint) -> Self {
        Lanes(vec![Lane::new(b"", hint)])
    }

    /// The lane of a writer, if it is known.
    pub fn of(&self, name: &[u8]) -> Option<usize> {
        let full = self.0.len() >= LANES;
        self.0.iter().position(|l| l.name == name).or(full.then_some(0))
    }

    /// The lane of a writer, known or new.
    pub fn take(&mut self, name: &[u8], hint: &Hint) -> usize {
        self.of(name).unwrap_or_else(|| {
            self.0.push(Lane::new(name, hint));
            self.0.len() - 1
        })
    }

    /// Is none of them of a shape that is known?
    pub fn are_unknown(&self) -> bool {
        self.0.iter().all(Lane::is_unknown)
    }

    /// Is a choice to be made for any of them?
    pub fn any_seeks(&self) -> bool {
        self.0.iter().any(|l| l.seek != Seek::No)
    }
}
