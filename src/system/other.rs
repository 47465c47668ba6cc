//! Where there is no Unix: no signals to end by, no modes to set.

use std::fs::{File, OpenOptions};
use std::io::{self, PipeReader, Read};
use std::path::Path;
use std::process::{Child, Command, ExitStatus};
use std::time::Duration;

/// A reader that would end by a signal where there are some.
pub struct Interruptible<R> {
    reader: R,
    /// Never set here.
    pub interrupted: bool,
    /// Never set here.
    pub held: bool,
}

/// What can be read from.
pub trait Pipe {}

impl<T> Pipe for T {}

impl<R> Interruptible<R> {
    /// Reads as `reader` does.
    pub fn new(reader: R) -> io::Result<Self> {
        Ok(Interruptible { reader, interrupted: false, held: false })
    }

    /// Reads as `reader` does.
    pub fn beside(reader: R, _pid: i32, _patience: Duration) -> io::Result<Self> {
        Self::new(reader)
    }

    /// Nobody tells one.
    pub fn status(&self) -> Option<i32> {
        None
    }
}

impl<R: Read> Read for Interruptible<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.reader.read(buffer)
    }
}

/// The command's status.
pub fn status_of(status: ExitStatus) -> i32 {
    status.code().unwrap_or(1)
}

/// A command's output while it runs.
pub struct Output<'c> {
    pipe: PipeReader,
    /// Never set here.
    pub interrupted: bool,
    /// Never set here.
    pub held: bool,
    _child: &'c mut Child,
}

impl<'c> Output<'c> {
    /// Reads `pipe` to its end.
    pub fn new(pipe: PipeReader, child: &'c mut Child, _patience: Duration) -> io::Result<Self> {
        Ok(Output { pipe, interrupted: false, held: false, _child: child })
    }

    /// The pipe that is read.
    pub fn pipe(&self) -> &PipeReader {
        &self.pipe
    }
}

impl Read for Output<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.pipe.read(buffer)
    }
}

/// Makes a folder.
pub fn private_folder(path: &Path) -> io::Result<()> {
    std::fs::create_dir_all(path)
}

/// Creates a file that must not be there.
pub fn private_file(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).open(path)
}

/// Opens a file for reading.
pub fn open_no_link(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// stdin without a buffer of ours.
pub struct Stdin;

impl Read for Stdin {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        io::stdin().lock().read(buffer)
    }
}

/// No shell waits here.
pub fn release_shell() {}

/// Nobody is left holding a pipe here.
pub fn leave_to(_pipe: &impl Pipe, _program: &mut Command) {}

/// There is no such limit here.
pub fn survive_file_limits() {}
