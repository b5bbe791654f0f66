//! A buffer of log lines, which a thread writes.
//!
//! Lines are appended to one buffer, and a thread takes and writes it as a whole. A queue of lines
//! (`tracing-appender`) would allocate each line in the thread that logs it, and free it in the
//! thread that writes it.

use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use std::{mem, thread};

use tracing_subscriber::fmt::MakeWriter;

/// Maximum size of the buffer in bytes. Lines that do not fit are dropped.
const MAX_BUFFER_BYTES: usize = 4 * 1024 * 1024;
/// Maximum size in bytes of a buffer that is reused: the size of a pipe.
const MAX_KEPT_BYTES: usize = 64 * 1024;
/// The writer's pause after a write: lines that arrive during the pause are written together, and
/// the threads that log them need not wake the writer.
const PAUSE: Duration = Duration::from_millis(10);
/// How long the end of the program waits until the last lines are written.
const STOP_TIMEOUT: Duration = Duration::from_secs(1);

/// Takes formatted lines and never blocks.
#[derive(Clone)]
pub(super) struct Lines {
    buffer: Arc<Buffer>,
    /// Whether to keep escape sequences, which are then only the formatter's own colors.
    has_colors: bool,
}

/// Writes the last lines when it is dropped.
pub(super) struct Writer {
    buffer: Arc<Buffer>,
    /// Closed when the thread has ended.
    thread: Receiver<()>,
}

#[derive(Default)]
struct Buffer {
    waiting: Mutex<Waiting>,
    /// Signals the first line in an empty buffer, or the end.
    changed: Condvar,
    dropped: AtomicU64,
}

#[derive(Default)]
struct Waiting {
    lines: Vec<u8>,
    has_ended: bool,
}

impl Lines {
    /// Starts a thread that writes lines to `out`, until the writer is dropped.
    ///
    /// # Errors
    ///
    /// When the thread cannot be started.
    pub(super) fn new(
        out: impl Write + Send + 'static,
        has_colors: bool,
    ) -> io::Result<(Lines, Writer)> {
        let buffer = Arc::<Buffer>::default();
        let (running, thread) = channel();
        let of_thread = Arc::clone(&buffer);
        thread::Builder::new()
            .name("log".to_owned())
            .spawn(move || of_thread.write_to(out, &running))?;
        let lines = Lines {
            buffer: Arc::clone(&buffer),
            has_colors,
        };
        Ok((lines, Writer { buffer, thread }))
    }

    /// The number of dropped lines.
    pub(super) fn dropped(&self) -> u64 {
        self.buffer.dropped.load(Ordering::Relaxed)
    }
}

impl Buffer {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn push(&self, line: &[u8]) {
        let mut waiting = self.waiting();
        if waiting.lines.len() + line.len() > MAX_BUFFER_BYTES {
            self.dropped.fetch_add(1, Ordering::Relaxed);
            return;
        }
        let is_first = waiting.lines.is_empty();
        waiting.lines.extend_from_slice(line);
        drop(waiting);
        if is_first {
            self.changed.notify_one();
        }
    }

    /// Writes the buffered lines and pauses, until the end.
    fn write_to(&self, mut out: impl Write, _running: &Sender<()>) {
        let mut lines = Vec::with_capacity(MAX_KEPT_BYTES);
        let mut has_ended = false;
        while !has_ended {
            let mut waiting = self
                .changed
                .wait_while(self.waiting(), |waiting| {
                    waiting.lines.is_empty() && !waiting.has_ended
                })
                .unwrap_or_else(PoisonError::into_inner);
            mem::swap(&mut waiting.lines, &mut lines);
            has_ended = waiting.has_ended;
            drop(waiting);
            // An error of the log cannot be logged.
            let _ = out.write_all(&lines).and_then(|()| out.flush());
            lines.clear();
            lines.shrink_to(MAX_KEPT_BYTES);
            if !has_ended {
                thread::sleep(PAUSE);
            }
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.buffer.waiting().has_ended = true;
        self.buffer.changed.notify_one();
        // The sender never sends; it is dropped when the thread ends.
        let _ = self.thread.recv_timeout(STOP_TIMEOUT);
    }
}

impl<'a> MakeWriter<'a> for Lines {
    type Writer = &'a Lines;

    fn make_writer(&'a self) -> &'a Lines {
        self
    }
}

impl Write for &Lines {
    /// Takes one complete line of the formatter. Control characters within it would look like line
    /// breaks, or control a terminal.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let may_be_control = |byte: &u8| matches!(byte, 0..0x20 | 0x7f | 0xc2);
        let text = line.strip_suffix(b"\n").unwrap_or(line);
        // A check of all bytes is vectorized. Stopping at the first match would make all other
        // lines slower.
        if !text
            .iter()
            .fold(false, |any, byte| any | may_be_control(byte))
        {
            self.buffer.push(line);
            return Ok(line.len());
        }
        let mut escaped = String::with_capacity(line.len() + 16);
        for char in String::from_utf8_lossy(text).chars() {
            match char {
                '\u{1b}' if self.has_colors => escaped.push(char),
                // JSON has these characters unescaped, and this escape only.
                '\u{7f}'..='\u{9f}' => escaped += &format!("\\u{:04x}", u32::from(char)),
                char if char.is_control() => escaped.extend(char.escape_debug()),
                char => escaped.push(char),
            }
        }
        escaped.push('\n');
        self.buffer.push(escaped.as_bytes());
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use tracing_subscriber::layer::SubscriberExt;

    use super::*;

    #[derive(Clone, Default)]
    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("no panic").extend(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// The log of `body`.
    fn logged(has_colors: bool, body: impl FnOnce()) -> String {
        let out = Shared::default();
        let (lines, writer) = Lines::new(out.clone(), has_colors).expect("a thread");
        let layer = tracing_subscriber::fmt::layer()
            .with_ansi(has_colors)
            .fmt_fields(crate::ops::logs::fields())
            .with_writer(lines);
        let subscriber = tracing_subscriber::registry().with(layer);
        tracing::subscriber::with_default(subscriber, body);
        drop(writer);
        let bytes = out.0.lock().expect("no panic").clone();
        String::from_utf8(bytes).expect("text")
    }

    #[test]
    fn a_logged_value_cannot_forge_a_line() {
        let forged = "bad\r\n2026-11-22T00:00:00Z  INFO request status=200\u{1b}[2J\u{9b}1m";
        let log = logged(false, || {
            tracing::info!(error = %forged, message = forged);
            tracing::info!(said = Some(forged), "{forged}");
        });
        assert_eq!(log.lines().count(), 2, "{log}");
        assert_eq!(log.chars().filter(|c| c.is_control()).count(), 2, "{log}");
        assert!(log.contains("bad\\r\\n2026"), "{log}");
    }

    #[test]
    fn a_line_of_json_with_control_characters_is_valid() {
        let out = Shared::default();
        let (lines, writer) = Lines::new(out.clone(), false).expect("a thread");
        let layer = tracing_subscriber::fmt::layer()
            .json()
            .flatten_event(true)
            .with_writer(lines);
        let subscriber = tracing_subscriber::registry().with(layer);
        let text = "a\u{7f}\u{85}\u{9b}1m\u{1b}\r\n\u{a0}\"\\";
        tracing::subscriber::with_default(subscriber, || tracing::info!(text));
        drop(writer);
        let line = out.0.lock().expect("no panic").clone();
        let line = String::from_utf8(line).expect("text");
        assert_eq!(line.chars().filter(|c| c.is_control()).count(), 1, "{line}");
        let line: serde_json::Value = serde_json::from_str(&line).expect("JSON");
        assert_eq!(line["text"], text);
    }

    #[test]
    fn a_logged_value_cannot_control_the_terminal() {
        let hostile = "\u{1b}]0;title\u{7}\u{1b}[2J\u{9b}1m\r\n";
        let error = io::Error::other(hostile);
        let log = logged(true, || {
            let _span = tracing::info_span!("span", name = %hostile).entered();
            tracing::info!(text = %hostile, error = &error as &dyn std::error::Error, "{hostile}");
            tracing::info!(%error, message = hostile);
        });
        // Only colors remain: sequences of digits that end with an `m`.
        let mut plain = String::new();
        let mut parts = log.split("\u{1b}[");
        plain.push_str(parts.next().expect("a beginning"));
        for part in parts {
            let (color, rest) = part.split_once('m').expect("a color");
            assert!(color.bytes().all(|byte| byte.is_ascii_digit()), "{log:?}");
            plain.push_str(rest);
        }
        assert_eq!(
            plain.chars().filter(|c| c.is_control()).count(),
            2,
            "{log:?}"
        );
        assert!(plain.contains("text=\\u{1b}]0;title"), "{plain}");
    }

    #[test]
    fn everything_that_was_logged_is_written_at_the_end() {
        let log = logged(false, || {
            (0..5_000).for_each(|number| tracing::info!(number, "line"))
        });
        assert_eq!(log.lines().count(), 5_000);
    }

    /// Blocks until it is released, like a full pipe.
    struct Stuck(Receiver<()>);

    impl Write for Stuck {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let _ = self.0.recv();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn lines_that_nobody_reads_are_dropped_and_counted() {
        let (go_on, stuck): (Sender<()>, _) = channel();
        let (lines, writer) = Lines::new(Stuck(stuck), false).expect("a thread");
        // The writer has at most as many lines as the buffer.
        for _ in 0..3 * MAX_BUFFER_BYTES / 1_000 {
            (&lines).write_all(&[b'x'; 1_000]).expect("never an error");
        }
        assert!(lines.dropped() >= (MAX_BUFFER_BYTES / 1_000) as u64);
        drop(go_on);
        drop(writer);
    }
}
