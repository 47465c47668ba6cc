//! Java and its kin: exceptions with causes and suppressed ones, and thread dumps. What
//! goes: frames of libraries, frames met again, threads that wait for work.

use super::trail::{Trail, LIBRARY};
use super::{begins, is_logged, names_error};
use crate::cut::{Cut, Noun, Opens, Rank, Shape, Verdict};
use crate::line::Line;

/// The row.
pub const SHAPE: Shape = Shape {
    name: "stacktrace",
    dialect: "java",
    about: "Java exceptions with their causes, thread dumps and deadlocks",
    sniff: |_, lines| begins(lines, opens),
    opens: Opens::first(b"EF", opens).or_indented(b"a"),
    cut: |_| Box::new(Java::default()),
};

/// Threads of the runtime, and those whose stack holds no own frame.
const IDLE: Noun = "idle threads";

fn opens(line: &Line<'_>) -> bool {
    line.starts("Exception in thread \"") || line.starts("Full thread dump ") || line.starts("Found one Java-level deadlock") || {
        line.text.first().is_some_and(|b| matches!(b, b'\t' | b' ')) && frame_of(line.trimmed()).is_some_and(|f| f.sure)
    }
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    #[default]
    Out,
    /// Behind a head: the rest of a long message may follow. So many lines were taken for it.
    Head(u8),
    Frames,
    /// In a thread dump: before the first thread, in the runtime's, in another.
    Dump(Thread),
    /// What the dump says of a deadlock.
    Deadlock,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Thread {
    None,
    Runtime,
    Waiting,
    Blocked,
    Own,
    Deadlocked,
}

#[derive(Default)]
struct Java {
    state: State,
    trail: Trail,
}

impl Cut for Java {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        if line.starts("Full thread dump ") {
            self.state = State::Dump(Thread::None);
            return self.trail.begin(Rank::Body);
        }
        if line.starts("Found one Java-level deadlock") {
            self.state = State::Deadlock;
            return Verdict::Keep(Rank::Top);
        }
        match self.state {
            State::Dump(thread) => self.dump(thread, line),
            State::Deadlock => self.deadlock(line),
            _ => self.trace(line),
        }
    }

    fn is_amid(&self) -> bool {
        true
    }
}

impl Java {
    fn trace(&mut self, line: &Line<'_>) -> Verdict {
        let text = line.trimmed();
        if line.starts("Exception in thread \"") {
            return self.head(text);
        }
        let inside = self.state != State::Out;
        if inside && (text.starts_with(b"Caused by: ") || text.starts_with(b"Suppressed: ") || text.starts_with(b"[CIRCULAR REFERENCE")) {
            self.state = State::Head(0);
            return Verdict::Keep(self.trail.cause(text));
        }
        if let Some(frame) = frame_of(text) {
            if !inside && !frame.sure {
                return self.trail.pass(line);
            }
            self.state = State::Frames;
            if !inside {
                let verdict = self.trail.begin_at_frame();
                self.trail.frame(frame.key, frame.own);
                return verdict;
            }
            return if frame.own || frame.basic { self.trail.frame(frame.key, frame.own) } else { self.trail.framework() };
        }
        // `	... 23 more`, `	... 4 common frames omitted`
        if inside && text.starts_with(b"... ") && (text.ends_with(b" more") || text.ends_with(b" omitted")) {
            self.state = State::Frames;
            return Verdict::Drop(LIBRARY);
        }
        if names_error(text) && line.indent() == 0 {
            return self.head(text);
        }
        match self.state {
            State::Head(n) if n < if line.indent() > 0 { 8 } else { 3 } && !is_logged(text) && !text.is_empty() => {
                self.state = State::Head(n + 1);
                Verdict::Keep(if n < 3 { Rank::Body } else { Rank::Detail })
            }
            _ => {
                self.state = State::Out;
                self.trail.pass(line)
            }
        }
    }

    fn head(&mut self, text: &[u8]) -> Verdict {
        self.state = State::Head(0);
        let rank = self.trail.head(text);
        self.trail.begin(rank)
    }

    fn header(&mut self, kind: Thread) -> Verdict {
        if kind == Thread::Runtime {
            Verdict::Drop(IDLE)
        } else {
            Verdict::Head
        }
    }

    fn dump(&mut self, thread: Thread, line: &Line<'_>) -> Verdict {
        let text = line.trimmed();
        // `"poster" #24 prio=5 os_prio=0 cpu=0.53ms ... waiting for monitor entry  [0x00007fe9d899d000]`
        if line.starts("\"") {
            let blocked = line.has("waiting for monitor entry");
            let kind = if is_runtime(text) { Thread::Runtime } else { Thread::Waiting };
            self.trail.section();
            self.state = State::Dump(if blocked { Thread::Blocked } else { kind });
            return if blocked { Verdict::Keep(Rank::Top) } else { self.header(kind) };
        }
        if line.starts("JNI global ref") || line.starts("Heap") && line.text.len() < 6 {
            self.state = State::Dump(Thread::Runtime);
            return Verdict::Drop(IDLE);
        }
        match thread {
            // `Threads class SMR info:` and its list of addresses
            Thread::None => Verdict::Drop(IDLE),
            Thread::Runtime if line.starts(" ") || line.starts("\t") || text.is_empty() => Verdict::Drop(IDLE),
            _ if text.is_empty() => Verdict::Drop(IDLE),
            Thread::Runtime => {
                self.state = State::Out;
                self.trail.pass(line)
            }
            _ => self.thread(thread, text, line),
        }
    }

    fn thread(&mut self, thread: Thread, text: &[u8], line: &Line<'_>) -> Verdict {
        if let Some(frame) = frame_of(text) {
            let verdict = self.trail.frame(frame.key, frame.own);
            if thread == Thread::Waiting {
                if !frame.own || matches!(verdict, Verdict::Drop(_)) {
                    return Verdict::Drop(IDLE);
                }
                self.state = State::Dump(Thread::Own);
                return Verdict::Keep(Rank::Detail);
            }
            return if frame.own { verdict } else { Verdict::Drop(LIBRARY) };
        }
        let waits = text.starts_with(b"- waiting to lock") || text.starts_with(b"- locked") || text.starts_with(b"- parking");
        if text.starts_with(b"java.lang.Thread.State:") || text.starts_with(b"- ") {
            return match thread {
                Thread::Waiting if text.starts_with(b"java") => Verdict::Keep(Rank::Edge),
                Thread::Waiting => Verdict::Drop(IDLE),
                Thread::Deadlocked => Verdict::Keep(if waits { Rank::Body } else { Rank::Detail }),
                Thread::Blocked if waits => Verdict::Keep(Rank::Body),
                _ => Verdict::Keep(Rank::Detail),
            };
        }
        if line.starts(" ") || line.starts("\t") {
            return Verdict::Drop(IDLE);
        }
        self.state = State::Out;
        self.trail.pass(line)
    }

    fn deadlock(&mut self, line: &Line<'_>) -> Verdict {
        let text = line.trimmed();
        if line.starts("Found ") {
            self.state = State::Out;
            return Verdict::Keep(Rank::Top);
        }
        if text.is_empty() || text.starts_with(b"====") {
            return Verdict::Keep(Rank::Edge);
        }
        if line.starts("\"") || line.starts("  ") {
            self.trail.section();
            return Verdict::Keep(Rank::Top);
        }
        if line.starts("Java stack information") {
            return Verdict::Keep(Rank::Detail);
        }
        self.thread(Thread::Deadlocked, text, line)
    }
}

struct Frame<'a> {
    key: &'a [u8],
    own: bool,
    /// Of the language's own packages.
    basic: bool,
    /// Nothing else looks like this.
    sure: bool,
}

/// `at pkg.Class$Inner.method(File.java:12)`, with a module (`java.base/`), a loader
/// (`app//`), a jar behind it (`~[app.jar:1.0]`).
fn frame_of(text: &[u8]) -> Option<Frame<'_>> {
    let rest = text.strip_prefix(b"at ")?;
    let open = memchr::memchr(b'(', rest)?;
    let name = &rest[..open];
    let odd = name.iter().fold(false, |odd, b| odd | matches!(b, b' ' | b':' | b'\\'));
    if odd || memchr::memchr(b'.', name).is_none() {
        return None;
    }
    let close = open + memchr::memchr(b')', &rest[open..])?;
    let place = &rest[open + 1..close];
    let place = place.rsplit(|b| *b == b'/').next().unwrap_or(place);
    let file = place.split(|b| *b == b':').next().unwrap_or(place);
    let sure = [".java", ".kt", ".kts", ".scala", ".groovy", ".clj"].iter().any(|end| file.ends_with(end.as_bytes()))
        || place == b"Native Method"
        || place == b"Unknown Source"
        || place == b"SourceFile";
    if !sure && !place.is_empty() && place != b"<generated>" && place != b"Source" {
        return None;
    }
    let name = name.rsplit(|b| *b == b'/').find(|part| part.contains(&b'.')).unwrap_or(name);
    // Made at run time: `Cart$$Lambda`, `$Proxy12`.
    let made = memchr::memchr_iter(b'$', name).any(|at| name[at + 1..].starts_with(b"$") || name[at + 1..].starts_with(b"Proxy"));
    let basic = made || is_of(BASIC, name);
    Some(Frame { key: &rest[..=close], own: !basic && !is_of(LIBRARIES, name), basic, sure })
}

/// Packages of the language itself, sorted; none is within another.
const BASIC: &[&str] = &["clojure.", "com.sun.", "groovy.", "jakarta.", "java.", "javax.", "jdk.", "kotlin.", "kotlinx.", "scala.", "sun."];
/// Packages of common libraries, in the same way.
const LIBRARIES: &[&str] = &[
    "akka.",
    "android.",
    "androidx.",
    "cats.",
    "ch.qos.",
    "com.amazonaws.",
    "com.android.",
    "com.datastax.",
    "com.fasterxml.",
    "com.github.benmanes.",
    "com.google.common.",
    "com.google.gson.",
    "com.google.inject.",
    "com.google.protobuf.",
    "com.intellij.",
    "com.microsoft.",
    "com.mongodb.",
    "com.mysql.",
    "com.netflix.",
    "com.rabbitmq.",
    "com.squareup.",
    "com.zaxxer.",
    "dalvik.",
    "feign.",
    "graphql.",
    "io.cucumber.",
    "io.grpc.",
    "io.jsonwebtoken.",
    "io.ktor.",
    "io.lettuce.",
    "io.micrometer.",
    "io.micronaut.",
    "io.netty.",
    "io.opentelemetry.",
    "io.projectreactor.",
    "io.quarkus.",
    "io.reactivex.",
    "io.swagger.",
    "io.undertow.",
    "io.vertx.",
    "junit.",
    "liquibase.",
    "net.bytebuddy.",
    "net.sf.",
    "okhttp3.",
    "okio.",
    "oracle.jdbc.",
    "org.apache.",
    "org.aspectj.",
    "org.assertj.",
    "org.bouncycastle.",
    "org.codehaus.",
    "org.eclipse.",
    "org.elasticsearch.",
    "org.flywaydb.",
    "org.glassfish.",
    "org.gradle.",
    "org.h2.",
    "org.hamcrest.",
    "org.hibernate.",
    "org.jboss.",
    "org.jetbrains.",
    "org.jooq.",
    "org.json.",
    "org.junit.",
    "org.keycloak.",
    "org.mariadb.",
    "org.mockito.",
    "org.mongodb.",
    "org.mybatis.",
    "org.objectweb.",
    "org.opentest4j.",
    "org.postgresql.",
    "org.quartz.",
    "org.redisson.",
    "org.scalatest.",
    "org.slf4j.",
    "org.springframework.",
    "org.testng.",
    "org.thymeleaf.",
    "org.xnio.",
    "org.yaml.",
    "play.api.",
    "reactor.",
    "redis.clients.",
    "retrofit2.",
    "rx.",
    "software.amazon.",
    "worker.org.gradle.",
    "zio.",
];

/// Is the name one of these packages?
fn is_of(packages: &[&str], name: &[u8]) -> bool {
    let behind = packages.partition_point(|p| p.as_bytes() <= name);
    behind > 0 && name.starts_with(packages[behind - 1].as_bytes())
}

/// Threads that the virtual machine itself runs.
fn is_runtime(head: &[u8]) -> bool {
    const NAMES: &[&str] = &[
        "Reference Handler\"",
        "Finalizer\"",
        "Signal Dispatcher\"",
        "Service Thread\"",
        "Monitor Deflation Thread\"",
        "C1 CompilerThread",
        "C2 CompilerThread",
        "Sweeper thread\"",
        "Notification Thread\"",
        "Common-Cleaner\"",
        "Attach Listener\"",
        "VM Thread\"",
        "VM Periodic Task Thread\"",
        "G1 ",
        "GC Thread",
        "Gang worker",
        "ParGC",
        "Concurrent Mark",
        "DestroyJavaVM\"",
        "JFR ",
        "ZGC",
        "Shenandoah",
        "process reaper\"",
    ];
    head.strip_prefix(b"\"").is_some_and(|h| NAMES.iter().any(|n| h.starts_with(n.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn causes_and_own_frames_stay() {
        let text = "step 1\nException in thread \"main\" a.B: x\n\tat app.M.main(M.java:3)\n\tat java.base/java.lang.Thread.run(Thread.java:840)\nCaused by: java.lang.X: y\n\tat java.base/java.util.Q.poll(Q.java:9)\n\tat app.M.read(M.java:7)\n\t... 23 more\nstep 2";
        assert_eq!(marks(&SHAPE, text), "?TT.TDT.B");
        assert!(sniffs(&SHAPE, text) && !sniffs(&SHAPE, "at the end\n    at f (/a/b.js:1:2)\n"));
    }

    #[test]
    fn packages_are_sorted_and_none_is_within_another() {
        for list in [BASIC, LIBRARIES] {
            assert!(list.windows(2).all(|w| w[0] < w[1] && !w[1].starts_with(w[0])));
            assert!(list.iter().all(|p| is_of(list, format!("{p}A.b").as_bytes()) && !is_of(list, &p.as_bytes()[1..])));
        }
    }

    #[test]
    fn a_cycle_is_shown_once() {
        let cycle = "\tat app.T.hash(T.java:11)\n\tat java.base/java.util.Objects.hash(Objects.java:133)\n";
        assert_eq!(marks(&SHAPE, &format!("java.lang.StackOverflowError\n{cycle}{cycle}{cycle}")), "TT.....?");
    }

    #[test]
    fn idle_threads_go() {
        let text = "Full thread dump X:\n\n\"Finalizer\" #3 daemon\n   java.lang.Thread.State: WAITING\n\n\"w\" #9 prio=5 waiting for monitor entry\n   java.lang.Thread.State: BLOCKED\n\tat app.T.f(T.java:1)\n\t- waiting to lock <0x1> (a b)\n\n";
        assert_eq!(marks(&SHAPE, text), "B....TDTB..");
    }
}
