//! Unix: signals, poll, modes.

use rustix::event::{poll, PollFd, PollFlags};
use rustix::fs::Mode;
use rustix::process::{kill_process, setpgid, test_kill_process, Pid, Signal};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, PipeReader, Read, Write as _};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A reader that ends when a signal says so.
pub struct Interruptible<R> {
    reader: R,
    signals: Signals,
    shell: Option<Shell>,
    /// It ended before the input did.
    pub interrupted: bool,
    /// Somebody may still write into it.
    pub held: bool,
}

/// What can be read from and handed on.
pub trait Pipe: AsFd {}

impl<T: AsFd> Pipe for T {}

/// A shell whose command writes into our pipe, and what it told.
struct Shell {
    pid: Pid,
    /// Where it tells the status, while there is something to come.
    telling: Option<File>,
    told: Vec<u8>,
    status: Option<i32>,
    patience: Duration,
    /// The command has ended, or we are to end: that is when nothing more is waited for.
    until: Option<Instant>,
    /// The pipe is at its end.
    closed: bool,
    asked: Instant,
}

/// Where the shell tells the status, and where it waits for us.
const TELLS: &str = "/dev/fd/3";
const WAITS: &str = "/dev/fd/4";
/// How often it is looked whether the shell is still there.
const LOOK: Duration = Duration::from_millis(100);
/// How long the command may still write when a signal says that we are to end.
const HASTE: Duration = Duration::from_millis(200);

impl Shell {
    fn new(pid: i32, patience: Duration) -> io::Result<Self> {
        let pid = Pid::from_raw(pid).filter(|_| pid > 0).ok_or(io::ErrorKind::InvalidInput)?;
        let nonblock = i32::try_from(rustix::fs::OFlags::NONBLOCK.bits()).unwrap_or_default();
        let telling = OpenOptions::new().read(true).custom_flags(nonblock).open(TELLS).ok();
        // Where the name is but another descriptor of the same file, the flag above is not heeded.
        let telling = telling.filter(|t| rustix::fs::fcntl_setfl(t, rustix::fs::OFlags::NONBLOCK).is_ok());
        Ok(Shell { pid, telling, told: Vec::new(), status: None, patience, until: None, closed: false, asked: Instant::now() })
    }

    /// Reads what it has to tell.
    fn listen(&mut self) {
        let mut bytes = [0; 16];
        match self.telling.as_mut().map(|t| t.read(&mut bytes)) {
            Some(Ok(n)) if n > 0 => self.told.extend_from_slice(&bytes[..n]),
            Some(Err(e)) if matches!(e.kind(), io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock) => return,
            _ => self.telling = None,
        }
        if self.told.ends_with(b"\n") {
            self.status = std::str::from_utf8(&self.told).ok().and_then(|t| t.trim().parse().ok());
            self.telling = None;
            self.wait(self.patience);
        }
    }

    fn wait(&mut self, patience: Duration) {
        let until = Instant::now() + patience;
        self.until = Some(self.until.map_or(until, |u| u.min(until)));
    }

    /// Is it gone without a word?
    fn look(&mut self) {
        if self.until.is_none() && (self.closed || self.asked.elapsed() >= LOOK) {
            self.asked = Instant::now();
            // Who was gone before we came is not reported by poll.
            self.listen();
            if test_kill_process(self.pid) == Err(rustix::io::Errno::SRCH) {
                self.wait(self.patience);
            }
        }
    }
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
        Ok(Interruptible { reader, signals: Signals::new()?, shell: None, interrupted: false, held: false })
    }

    /// The same for the output of a command of the shell `pid`: it ends with the pipe, or so long
    /// after the shell has told the command's status or is gone. In a group of its own, so that
    /// what ends the command with its group leaves us to print what came.
    pub fn beside(reader: R, pid: i32, patience: Duration) -> io::Result<Self> {
        let shell = Some(Shell::new(pid, patience)?);
        let _ = setpgid(None, None);
        Ok(Interruptible { shell, ..Self::new(reader)? })
    }

    /// The status that the shell told.
    pub fn status(&self) -> Option<i32> {
        self.shell.as_ref().and_then(|s| s.status)
    }
}

impl<R: AsFd + Read> Interruptible<R> {
    fn read_beside(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Some(shell) = &mut self.shell else { return Ok(0) };
        loop {
            shell.look();
            let left = shell.until.map(|at| at.saturating_duration_since(Instant::now()));
            if left == Some(Duration::ZERO) || shell.closed && (left.is_some() || shell.telling.is_none()) {
                self.held = !shell.closed;
                self.interrupted |= self.held;
                return Ok(0);
            }
            let wait = rustix::event::Timespec::try_from(left.map_or(LOOK, |left| left.min(LOOK))).unwrap_or_default();
            let mut ready = vec![PollFd::new(&self.signals.pipe, PollFlags::IN)];
            if !shell.closed {
                ready.push(PollFd::new(&self.reader, PollFlags::IN));
            }
            if let Some(telling) = &shell.telling {
                ready.push(PollFd::new(telling, PollFlags::IN));
            }
            match poll(&mut ready, Some(&wait)) {
                Err(rustix::io::Errno::INTR) => continue,
                Err(e) => return Err(e.into()),
                Ok(_) => {}
            }
            let ready: Vec<bool> = ready.iter().map(|r| !r.revents().is_empty()).collect();
            if ready[0] {
                let _ = self.signals.pipe.read(&mut [0; 16]);
                self.interrupted = true;
                shell.wait(HASTE);
            }
            if shell.telling.is_some() && ready.last() == Some(&true) {
                shell.listen();
            }
            if !shell.closed && ready[1] {
                match self.reader.read(buffer) {
                    Ok(0) => shell.closed = true,
                    other => return other,
                }
            }
        }
    }
}

/// Tells the shell that waits for us that our output is written.
pub fn release_shell() {
    let nonblock = i32::try_from(rustix::fs::OFlags::NONBLOCK.bits()).unwrap_or_default();
    let _ = OpenOptions::new().write(true).custom_flags(nonblock).open(WAITS).and_then(|mut w| w.write_all(b"\n"));
}

/// Leaves the pipe to another program, which nobody waits for.
pub fn leave_to(pipe: &impl Pipe, program: &mut Command) {
    if let Ok(pipe) = pipe.as_fd().try_clone_to_owned() {
        let program = program.stdin(pipe).stdout(Stdio::null()).stderr(Stdio::null());
        let _ = program.current_dir("/").process_group(0).spawn();
    }
}

impl<R: AsFd + Read> Read for Interruptible<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.shell.is_some() {
            return self.read_beside(buffer);
        }
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
    /// It ended before the input did.
    pub interrupted: bool,
    /// Somebody may still write into the pipe.
    pub held: bool,
}

/// How often a command that says nothing is asked whether it has ended.
const TICK: Duration = Duration::from_millis(20);

impl<'c> Output<'c> {
    /// Reads `pipe`, forwards signals to `child`, and gives those who still hold the pipe
    /// when it has ended `patience` to write.
    pub fn new(pipe: PipeReader, child: &'c mut Child, patience: Duration) -> io::Result<Self> {
        Ok(Output { pipe, child, signals: Signals::new()?, forwarded: false, ended: None, patience, interrupted: false, held: false })
    }

    /// The pipe that is read.
    pub fn pipe(&self) -> &PipeReader {
        &self.pipe
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
        self.interrupted = true;
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
                (self.interrupted, self.held) = (true, true);
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
