//! From the cleaner to the driver: by a call, or in batches to a thread of its own.
//!
//! Cutting takes most of the time, cleaning and the search for signs up to a third of it. On
//! a long input the two run side by side; what comes out is the same, as the lines come in
//! their order. A short input never sees a second thread: to start one would be noticed.
//! Where the cut of a text wants the kind of nearly each line, that is told on the reading side
//! too, which has less to do.

use crate::batch::Batch;
use crate::drive::Driver;
use crate::line::{Line, Teller};
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
    Lines(Batch),
}

struct Worker {
    jobs: SyncSender<Job>,
    /// Batches that were read, to be filled again, and who wants kinds told ahead.
    used: Receiver<(Batch, Option<Teller>)>,
    teller: Option<Teller>,
    spare: Vec<Batch>,
    /// Batches that were sent and have not come back.
    behind: usize,
    thread: JoinHandle<Option<Box<Driver>>>,
    batch: Batch,
}

/// Hands lines on.
pub struct Relay {
    /// The driver, while it works here.
    driver: Option<Box<Driver>>,
    worker: Option<Worker>,
    /// Bytes that came so far,
    bytes: u64,
    /// and after how many the driver goes to a thread,
    long: u64,
    /// which has so many bytes of stack.
    stack: usize,
}

impl Relay {
    pub fn new(driver: Driver) -> Self {
        Relay { driver: Some(Box::new(driver)), worker: None, bytes: 0, long: LONG, stack: STACK }
    }

    /// So many bytes come next. From some number on they are worth a thread, if there is one.
    pub fn expect(&mut self, bytes: usize) {
        let was = self.bytes;
        self.bytes += bytes as u64;
        if was <= self.long && self.bytes > self.long {
            self.worker = Worker::start(self.stack);
            // Without a thread the driver goes on here.
            if let Some(worker) = &self.worker {
                self.driver.take().into_iter().for_each(|driver| worker.send(Job::Begin(driver)));
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
    fn start(stack: usize) -> Option<Worker> {
        let (jobs, todo) = sync_channel(WAITING);
        let (done, used) = channel();
        let work = move || {
            let Ok(Job::Begin(mut driver)) = todo.recv() else { return None };
            while let Ok(Job::Lines(mut batch)) = todo.recv() {
                batch.each(|line| driver.line(line));
                batch.clear();
                // At the end nobody wants it back.
                let _ = done.send((batch, driver.teller()));
            }
            Some(driver)
        };
        let thread = Builder::new().name("cuts".into()).stack_size(stack).spawn(work).ok()?;
        Some(Worker { jobs, used, teller: None, spare: Vec::new(), behind: 0, thread, batch: Batch::default() })
    }

    /// If the worker is gone, it panicked, and `end` says so.
    fn send(&self, job: Job) {
        let _ = self.jobs.send(job);
    }

    fn line(&mut self, line: &Line<'_>) {
        self.batch.push(line);
        if self.batch.bytes() >= BYTES || self.batch.len() >= LINES {
            while let Ok((used, teller)) = self.used.try_recv() {
                self.spare.push(used);
                (self.teller, self.behind) = (teller, self.behind - 1);
            }
            let mut empty = self.spare.pop().unwrap_or_default();
            // Only where the cuts are what is waited for: both sides shall have as much to do.
            empty.tell_by(self.teller.filter(|_| self.behind > 1));
            self.behind += 1;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Hint, Level, Options};

    /// What comes of a text whose driver goes to a thread after so many bytes.
    fn cut(text: &str, long: u64, stack: usize) -> (Vec<u8>, crate::Stats) {
        let options = Options { level: Level::Aggressive, ..Options::default() };
        let mut relay = Relay { long, stack, ..Relay::new(Driver::new(&Hint::default(), &options)) };
        for (i, line) in text.lines().enumerate() {
            relay.expect(line.len() + 1);
            relay.line(&Line::new(line.as_bytes(), i as u64 + 1));
        }
        relay.driver().exited(1);
        let outcome = relay.into_driver().finish(0, false);
        (outcome.content, outcome.stats)
    }

    #[test]
    fn a_thread_makes_no_difference() {
        let test = |i: usize| format!("test case_{i} ... {}\n", if i == 30_000 { "FAILED" } else { "ok" });
        let tests = "running 40000 tests\n".to_owned() + &(0..40_000).map(test).collect::<String>();
        let prose: String = (0..9_000).map(|i| format!("{} words {i}: no error, or a timeout\n", "x".repeat(i % 90))).collect();
        let said = |i: usize| if i == 5_000 { "ERROR db: refused" } else { ["INFO  api: served", "WARN  api: slow"][i % 97 / 96] };
        let log: String = (0..9_000).map(|i| format!("2026-08-22T10:{:02}:{:02}Z {} {i}\n", i / 60 % 60, i % 60, said(i))).collect();
        for text in [tests, prose, log, String::new()] {
            let here = cut(&text, u64::MAX, STACK);
            assert!([0, 1, 100_000].iter().all(|long| cut(&text, *long, STACK) == here));
            // Where the system has none to give, neither: no stack is so large.
            assert!(cut(&text, 1, usize::MAX / 2) == here);
        }
    }
}
