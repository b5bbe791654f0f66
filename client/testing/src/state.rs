//! The scripted responses and the received requests of one fake.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use dropforge_runtime::Observe;

use crate::received::ReceivedRequest;
use crate::response::Response;

/// How often a scripted response is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Repeat {
    /// So many times.
    Times(usize),
    /// Whenever no other response is left.
    Always,
}

/// What a fake remembers.
#[derive(Default)]
pub(crate) struct State {
    scripts: Mutex<HashMap<&'static str, Scripted>>,
    received: Mutex<Vec<ReceivedRequest>>,
}

/// The scripted responses of an operation.
#[derive(Default)]
struct Scripted {
    /// Responses that are sent in turn, each with the number of times that are left.
    queue: VecDeque<(Response, usize)>,
    /// The response after them.
    always: Option<Response>,
}

impl Observe for State {}

impl State {
    /// Scripts a response of an operation.
    pub(crate) fn script(&self, operation: &'static str, response: Response, repeat: Repeat) {
        let mut scripts = lock(&self.scripts);
        let scripted = scripts.entry(operation).or_default();
        match repeat {
            Repeat::Times(0) => {}
            Repeat::Times(times) => scripted.queue.push_back((response, times)),
            Repeat::Always => scripted.always = Some(response),
        }
    }

    /// Takes the next scripted response of an operation. `None` if it has none left.
    pub(crate) fn next(&self, operation: &str) -> Option<Response> {
        let mut scripts = lock(&self.scripts);
        let scripted = scripts.get_mut(operation)?;
        let Some((response, times)) = scripted.queue.front_mut() else {
            return scripted.always.clone();
        };
        *times -= 1;
        match *times {
            0 => scripted.queue.pop_front().map(|(response, _)| response),
            _ => Some(response.clone()),
        }
    }

    /// Remembers a request.
    pub(crate) fn record(&self, request: ReceivedRequest) {
        lock(&self.received).push(request);
    }

    /// The requests so far, in the order of their responses.
    pub(crate) fn received(&self) -> Vec<ReceivedRequest> {
        lock(&self.received).clone()
    }
}

/// No panic leaves a half-made change behind.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
