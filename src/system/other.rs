//! Where there is no Unix: no signals to end by, no modes to set.

use std::fs::{File, OpenOptions};
use std::io::{self, PipeReader, Read};
use std::path::Path;
use std::process::{Child, ExitStatus};
use std::time::Duration;

/// A reader that would end by a signal where there are some.
pub struct Interruptible<R> {
    reader: R,
    /// Never set here.
    pub interrupted: bool,
}

impl<R> Interruptible<R> {
    /// Reads as `reader` does.
    pub fn new(reader: R) -> io::Result<Self> {
        Ok(Interruptible { reader, interrupted: false })
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
    _child: &'c mut Child,
}

impl<'c> Output<'c> {
    /// Reads `pipe` to its end.
    pub fn new(pipe: PipeReader, child: &'c mut Child, _patience: Duration) -> io::Result<Self> {
        Ok(Output { pipe, _child: child })
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

/// There is no such limit here.
pub fn survive_file_limits() {}
