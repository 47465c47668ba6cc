//! From the cleaner to the driver: by a call, or in batches to a thread of its own.
//!
//! Cutting takes most of the time, cleaning and the search for signs up to a third of it. On
//! a long input the two run side by side; what comes out is the same, as the lines come in
//! their order. A short input never sees a second thread: to start one would be noticed.

use crate::drive::{Driver, Window};
use crate::line::Line;
use std::panic::resume_unwind;
use std::sync::mpsc::{channel, sync_channel, Receiver, SyncSender};
use std::thread::{Builder, JoinHandle};

/// Bytes of an input that are cut where they are cleaned: some 20 ms of work, against which
/// the start of a thread is nothing.
const LONG: u64 = 4 * 1024 * 1024;
/// A batch holds so many bytes or so,
const BYTES: usize = 128 * 1024;
/// or so many lines.
const LINES: usize = 2_000;
/// Batches that wait, at most: they bound the memory.
const WAITING: usize = 2;
/// What the main thread has on most systems.
const STACK: usize = 8 * 1024 * 1024;

/// What the worker is sent.
enum Job {
    Begin(Box<Driver>),
    Lines(Window),
}

struct Worker {
    jobs: SyncSender<Job>,
    /// Batches that were read, to be filled again.
    used: Receiver<Window>,
    thread: JoinHandle<Option<Box<Driver>>>,
    batch: Window,
}

/// Hands lines on.
pub struct Relay {
    /// The driver, while it works here.
    driver: Option<Box<Driver>>,
    worker: Option<Worker>,
    /// Bytes that came while it did.
    bytes: u64,
}

impl Relay {
    pub fn new(driver: Driver) -> Self {
        Relay { driver: Some(Box::new(driver)), worker: None, bytes: 0 }
    }

    /// So many bytes come next. From some number on they are worth a thread, if there is one.
    pub fn expect(&mut self, bytes: usize) {
        let was = self.bytes;
        self.bytes += bytes as u64;
        if was <= LONG && self.bytes > LONG && self.worker.is_none() {
            self.worker = Worker::start();
            if let (Some(worker), Some(driver)) = (&self.worker, self.driver.take()) {
                worker.send(Job::Begin(driver));
            }
        }
    }

    /// Takes the next cleaned line.
    #[inline]
    pub fn line(&mut self, line: &Line<'_>) {
        if let Some(driver) = &mut self.driver {
            driver.line(line);
        } else if let Some(worker) = &mut self.worker {
            worker.line(line);
        }
    }

    /// The driver, with all lines behind it.
    pub fn driver(&mut self) -> &mut Driver {
        if let Some(worker) = self.worker.take() {
            self.driver = worker.end();
        }
        self.driver.as_mut().expect("it is here or with the worker")
    }

    /// The driver itself.
    pub fn into_driver(mut self) -> Driver {
        self.driver();
        *self.driver.expect("it is here")
    }
}

impl Worker {
    /// None where the system has no thread to give.
    fn start() -> Option<Worker> {
        let (jobs, todo) = sync_channel(WAITING);
        let (done, used) = channel();
        let work = move || {
            let Ok(Job::Begin(mut driver)) = todo.recv() else { return None };
            while let Ok(Job::Lines(mut batch)) = todo.recv() {
                (0..batch.len()).for_each(|i| driver.line(&batch.line(i)));
                batch.clear();
                // At the end nobody wants it back.
                let _ = done.send(batch);
            }
            Some(driver)
        };
        let thread = Builder::new().name("cuts".into()).stack_size(STACK).spawn(work).ok()?;
        Some(Worker { jobs, used, thread, batch: Window::default() })
    }

    /// If the worker is gone, it panicked, and `end` says so.
    fn send(&self, job: Job) {
        let _ = self.jobs.send(job);
    }

    fn line(&mut self, line: &Line<'_>) {
        self.batch.push(line);
        if self.batch.bytes() >= BYTES || self.batch.len() >= LINES {
            let empty = self.used.try_recv().unwrap_or_default();
            let full = std::mem::replace(&mut self.batch, empty);
            self.send(Job::Lines(full));
        }
    }

    fn end(mut self) -> Option<Box<Driver>> {
        let last = std::mem::take(&mut self.batch);
        self.send(Job::Lines(last));
        drop(self.jobs);
        self.thread.join().unwrap_or_else(|panic| resume_unwind(panic))
    }
}
