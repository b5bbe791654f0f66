//! The way of log lines to whoever reads them.

use std::io::{self, BufWriter, Write};
use std::time::Duration;

use tracing_appender::non_blocking::{ErrorCounter, NonBlocking, NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::fmt::MakeWriter;

/// Lines that wait to be written; more are dropped.
const WAITING: usize = 16_384;
/// The bytes of one write: a pipe holds as many.
const BATCH: usize = 64 * 1024;
/// The writer's rest after it has written all that waited: lines that come meanwhile are
/// written at once, and the threads that log them need not wake it.
const REST: Duration = Duration::from_millis(10);

/// Takes formatted lines and never blocks.
#[derive(Clone)]
pub(super) struct Lines {
    queue: NonBlocking,
    /// Whether the formatter's own colors are left as they are.
    has_colors: bool,
}

impl Lines {
    /// Writes lines to `out` by a thread of its own, until the guard is dropped.
    pub(super) fn new(out: impl Write + Send + 'static, has_colors: bool) -> (Self, WorkerGuard) {
        Lines::bounded(out, has_colors, WAITING)
    }

    fn bounded(
        out: impl Write + Send + 'static,
        has_colors: bool,
        waiting: usize,
    ) -> (Self, WorkerGuard) {
        let (queue, worker) = NonBlockingBuilder::default()
            .buffered_lines_limit(waiting)
            .lossy(true)
            .thread_name("log")
            .finish(Batches(BufWriter::with_capacity(BATCH, out)));
        (Lines { queue, has_colors }, worker)
    }

    /// Counts the lines that were dropped.
    pub(super) fn dropped(&self) -> ErrorCounter {
        self.queue.error_counter()
    }
}

impl<'a> MakeWriter<'a> for Lines {
    type Writer = Lines;

    fn make_writer(&'a self) -> Lines {
        self.clone()
    }
}

impl Write for Lines {
    /// Takes one line as the formatter writes it: whole, with its end. Control characters
    /// within it would look like the ends of lines, or command a terminal.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let may_be_control = |byte: &u8| matches!(byte, 0..0x20 | 0x7f | 0xc2);
        let text = line.strip_suffix(b"\n").unwrap_or(line);
        // All bytes at once, as a vector: to stop at the first costs more in every other line.
        if !text
            .iter()
            .fold(false, |any, byte| any | may_be_control(byte))
        {
            return self.queue.write(line);
        }
        let mut escaped = String::with_capacity(line.len() + 16);
        for char in String::from_utf8_lossy(text).chars() {
            match char {
                '\u{1b}' if self.has_colors => escaped.push(char),
                char if char.is_control() => escaped.extend(char.escape_debug()),
                char => escaped.push(char),
            }
        }
        escaped.push('\n');
        self.queue.write_all(escaped.as_bytes())?;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes what has come together, and rests.
struct Batches<W: Write>(BufWriter<W>);

impl<W: Write> Write for Batches<W> {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.0.write(line)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()?;
        std::thread::sleep(REST);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, Sender, channel};
    use std::sync::{Arc, Mutex};

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

    /// What is in the log after `body`.
    fn logged(body: impl FnOnce()) -> String {
        let out = Shared::default();
        let (lines, worker) = Lines::new(out.clone(), false);
        let layer = tracing_subscriber::fmt::layer()
            .with_ansi(false)
            .with_writer(lines);
        let subscriber = tracing_subscriber::registry().with(layer);
        tracing::subscriber::with_default(subscriber, body);
        drop(worker);
        let bytes = out.0.lock().expect("no panic").clone();
        String::from_utf8(bytes).expect("text")
    }

    #[test]
    fn a_text_of_others_cannot_forge_a_line() {
        let forged = "bad\r\n2026-11-22T00:00:00Z  INFO request status=200\u{1b}[2J\u{9b}1m";
        let log = logged(|| {
            tracing::info!(error = %forged, message = forged);
            tracing::info!(said = Some(forged), "{forged}");
        });
        assert_eq!(log.lines().count(), 2, "{log}");
        assert_eq!(log.chars().filter(|c| c.is_control()).count(), 2, "{log}");
        assert!(log.contains("bad\\r\\n2026"), "{log}");
    }

    #[test]
    fn everything_that_was_logged_is_written_at_the_end() {
        let log = logged(|| (0..5_000).for_each(|number| tracing::info!(number, "line")));
        assert_eq!(log.lines().count(), 5_000);
    }

    /// Blocks until it is told to go on, as a full pipe does.
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
        let (mut lines, worker) = Lines::bounded(Stuck(stuck), false, 10);
        for _ in 0..1_000 {
            lines.write_all(&[b'x'; 100]).expect("never an error");
        }
        assert!(lines.dropped().dropped_lines() > 900);
        drop(go_on);
        drop(worker);
    }
}
