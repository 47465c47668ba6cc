//! Unix: signals, poll, modes.

use rustix::event::{poll, PollFd, PollFlags};
use rustix::fs::Mode;
use rustix::process::{kill_process, Pid, Signal};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, PipeReader, Read};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, ExitStatus};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A reader that ends when a signal says so.
pub struct Interruptible<R> {
    reader: R,
    signals: Signals,
    /// It ended by a signal.
    pub interrupted: bool,
}

/// SIGTERM, SIGINT and SIGHUP as bytes in a pipe, and which of them came last.
struct Signals {
    pipe: PipeReader,
    last: Arc<AtomicUsize>,
}

impl Signals {
    fn new() -> io::Result<Self> {
        let (pipe, writer) = io::pipe()?;
        let last = Arc::new(AtomicUsize::new(0));
        for (signal, number) in [(SIGTERM, 15), (SIGINT, 2), (SIGHUP, 1)] {
            signal_hook::flag::register_usize(signal, Arc::clone(&last), number)?;
            signal_hook::low_level::pipe::register(signal, writer.try_clone()?)?;
        }
        Ok(Signals { pipe, last })
    }
}

impl<R: AsFd> Interruptible<R> {
    /// From here on SIGTERM, SIGINT and SIGHUP end the reading instead of the process.
    pub fn new(reader: R) -> io::Result<Self> {
        Ok(Interruptible { reader, signals: Signals::new()?, interrupted: false })
    }
}

impl<R: AsFd + Read> Read for Interruptible<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.interrupted {
            return Ok(0);
        }
        let mut ready = [PollFd::new(&self.reader, PollFlags::IN), PollFd::new(&self.signals.pipe, PollFlags::IN)];
        match poll(&mut ready, None) {
            Err(rustix::io::Errno::INTR) => return Err(io::ErrorKind::Interrupted.into()),
            // What cannot be polled can still be read.
            Err(_) => return self.reader.read(buffer),
            Ok(_) => {}
        }
        if ready[1].revents().contains(PollFlags::IN) {
            self.interrupted = true;
            return Ok(0);
        }
        self.reader.read(buffer)
    }
}

/// The status that a shell would give: 128+n for a signal.
pub fn status_of(status: ExitStatus) -> i32 {
    status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0))
}

/// A command's output while it runs: ends with the pipe, or so long after the command.
pub struct Output<'c> {
    pipe: PipeReader,
    child: &'c mut Child,
    signals: Signals,
    forwarded: bool,
    ended: Option<(ExitStatus, Instant)>,
    patience: Duration,
}

/// How often a command that says nothing is asked whether it has ended.
const TICK: Duration = Duration::from_millis(20);

impl<'c> Output<'c> {
    /// Reads `pipe`, forwards signals to `child`, and gives those who still hold the pipe
    /// when it has ended `patience` to write.
    pub fn new(pipe: PipeReader, child: &'c mut Child, patience: Duration) -> io::Result<Self> {
        Ok(Output { pipe, child, signals: Signals::new()?, forwarded: false, ended: None, patience })
    }

    /// Hands a signal on; the second one is not to be resisted.
    fn forward(&mut self) -> io::Result<()> {
        let mut one = [0];
        self.signals.pipe.read_exact(&mut one)?;
        let signal = match self.signals.last.load(Ordering::SeqCst) {
            _ if self.forwarded => Signal::KILL,
            2 => Signal::INT,
            1 => Signal::HUP,
            _ => Signal::TERM,
        };
        self.forwarded = true;
        if self.ended.is_none() {
            if let Some(pid) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw) {
                let _ = kill_process(pid, signal);
            }
        }
        Ok(())
    }
}

impl Read for Output<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if self.ended.is_none() {
                self.ended = self.child.try_wait()?.map(|status| (status, Instant::now()));
            }
            let left = self.ended.map(|(_, at)| self.patience.saturating_sub(at.elapsed()));
            if left == Some(Duration::ZERO) {
                return Ok(0);
            }
            let wait = left.map_or(TICK, |left| left.min(TICK));
            let wait = rustix::event::Timespec::try_from(wait).unwrap_or_default();
            let mut ready = [PollFd::new(&self.pipe, PollFlags::IN), PollFd::new(&self.signals.pipe, PollFlags::IN)];
            match poll(&mut ready, Some(&wait)) {
                Err(rustix::io::Errno::INTR) => continue,
                Err(e) => return Err(e.into()),
                Ok(_) => {}
            }
            let [output, signals] = ready.map(|r| !r.revents().is_empty());
            if signals {
                self.forward()?;
            }
            if output {
                return self.pipe.read(buffer);
            }
        }
    }
}

/// Makes a folder that only its owner may enter; one that is there must be a real folder.
pub fn private_folder(path: &Path) -> io::Result<()> {
    if let Some(parent) = path.parent() {
        DirBuilder::new().recursive(true).mode(0o700).create(parent)?;
    }
    match DirBuilder::new().mode(0o700).create(path) {
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
        other => return other,
    }
    let meta = std::fs::symlink_metadata(path)?;
    if !meta.is_dir() {
        return Err(io::Error::new(io::ErrorKind::NotADirectory, "not a folder"));
    }
    if meta.uid() != rustix::process::geteuid().as_raw() {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the folder is somebody else's"));
    }
    if meta.mode() & 0o077 != 0 {
        rustix::fs::chmod(path, Mode::RWXU)?;
    }
    Ok(())
}

/// Creates a file that only its owner may read; it must not be there, not even as a link.
pub fn private_file(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)
}

/// Opens a file for reading without following a link.
pub fn open_no_link(path: &Path) -> io::Result<File> {
    let flags = i32::try_from(rustix::fs::OFlags::NOFOLLOW.bits()).unwrap_or_default();
    OpenOptions::new().read(true).custom_flags(flags).open(path)
}

/// stdin as a descriptor: no buffer between it and the poll.
pub struct Stdin;

impl AsFd for Stdin {
    fn as_fd(&self) -> BorrowedFd<'_> {
        rustix::stdio::stdin()
    }
}

impl Read for Stdin {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        Ok(rustix::io::read(self.as_fd(), buffer)?)
    }
}

/// A file over the limit of sizes is from now on an error of the write, and not our end.
pub fn survive_file_limits() {
    let _ = signal_hook::flag::register(Signal::XFSZ.as_raw(), Arc::default());
}
