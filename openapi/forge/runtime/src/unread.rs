//! Streams whose caller does not read.
//!
//! An HTTP/2 caller that gives a stream no window blocks it. TCP sees nothing wrong, and hyper does
//! not poll the body meanwhile. So a body records when it waits for its caller, and the server can
//! end connections on which nothing else happens.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// The streams of one connection that wait for their caller.
#[derive(Debug)]
pub struct UnreadStreams {
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    waiting: usize,
    taken: Instant,
}

impl Default for UnreadStreams {
    fn default() -> Self {
        UnreadStreams {
            state: Mutex::new(State {
                waiting: 0,
                taken: Instant::now(),
            }),
        }
    }
}

impl UnreadStreams {
    /// Returns how many streams wait, and when the caller last took a part of any stream.
    pub fn waiting(&self) -> (usize, Instant) {
        let state = self.state();
        (state.waiting, state.taken)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One stream among those of its connection.
#[derive(Debug)]
pub(crate) struct Reader {
    streams: Option<Arc<UnreadStreams>>,
    is_waiting: bool,
}

impl Reader {
    /// A stream whose first part has not been taken yet.
    pub(crate) fn new(streams: Option<Arc<UnreadStreams>>) -> Self {
        let mut reader = Reader {
            streams,
            is_waiting: false,
        };
        reader.took(Instant::now());
        reader.wait();
        reader
    }

    /// The caller asks for the next part.
    pub(crate) fn took(&mut self, now: Instant) {
        if let Some(streams) = &self.streams {
            let mut state = streams.state();
            state.taken = now;
            if self.is_waiting {
                state.waiting -= 1;
            }
            self.is_waiting = false;
        }
    }

    /// A part is on its way, and the next one waits until the caller has taken it.
    pub(crate) fn wait(&mut self) {
        if let Some(streams) = &self.streams
            && !self.is_waiting
        {
            streams.state().waiting += 1;
            self.is_waiting = true;
        }
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.took(Instant::now());
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_stream_waits_from_each_part_to_the_next_poll() {
        let streams = Arc::new(UnreadStreams::default());
        let waiting = || streams.waiting().0;
        let mut first = Reader::new(Some(Arc::clone(&streams)));
        let second = Reader::new(Some(Arc::clone(&streams)));
        assert_eq!(waiting(), 2);
        let (_, before) = streams.waiting();
        let later = before + Duration::from_millis(1);
        first.took(later);
        assert_eq!(streams.waiting(), (1, later));
        first.wait();
        first.wait();
        assert_eq!(waiting(), 2);
        drop(second);
        drop(first);
        assert_eq!(waiting(), 0);
    }
}
