//! Every operation of the four documents, as callers send it.
//!
//! The order matters: an operation needs what those before it created.

mod accounts;
mod identity;
mod inference;
mod patterns;

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use http::StatusCode;
use serde_json::Value;

use crate::load::{Answer, Figures, Request, closed_loop};

// Not every benchmark uses it.
#[allow(unused_imports)]
pub use inference::renewals_and_chats;

/// The scopes of the token that the operations need.
pub const SCOPES: &str = "accounts.read accounts.write apikeys.read apikeys.write patterns.read \
    patterns.write";

/// An operation with an endless or finite sequence of requests.
pub struct Operation {
    /// The `operationId`, with what is special about the requests.
    pub name: &'static str,
    next: Box<dyn FnMut() -> Option<Request>>,
    check: Box<dyn FnMut(Answer)>,
}

impl Operation {
    /// An operation whose responses have the status 200 or 204.
    pub fn new(
        name: &'static str,
        next: impl FnMut() -> Option<Request> + 'static,
        mut store: impl FnMut(Value) + 'static,
    ) -> Operation {
        let check = move |answer: Answer| {
            let text = String::from_utf8_lossy(&answer.body);
            let expected = [StatusCode::OK, StatusCode::NO_CONTENT];
            assert!(expected.contains(&answer.status), "{name}: {text}");
            store(serde_json::from_str(&text).unwrap_or_default());
        };
        Operation {
            name,
            next: Box::new(next),
            check: Box::new(check),
        }
    }

    /// An operation that repeats one request.
    pub fn repeated(name: &'static str, request: Request) -> Operation {
        Operation::new(name, move || Some(request.clone()), drop)
    }

    /// Sends requests for this time.
    pub async fn run(self, address: &str, connections: usize, time: Duration) -> Figures {
        closed_loop(address, connections, time, self.next, self.check).await
    }

    /// Sends up to `most` requests, one after another. Returns the number of responses.
    pub async fn count(self, address: &str, most: u64) -> u64 {
        let sent = Rc::new(Cell::new(0));
        let counter = Rc::clone(&sent);
        let mut next = self.next;
        let bounded = move || {
            let request = (counter.get() < most).then(&mut next).flatten()?;
            counter.set(counter.get() + 1);
            Some(request)
        };
        closed_loop(address, 1, Duration::MAX, bounded, self.check).await;
        sent.get()
    }
}

/// The operations of all areas, with the token of an administrator.
pub fn all(token: &str) -> Vec<Operation> {
    let bearer = format!("Bearer {token}");
    let areas = [
        accounts::all(&bearer),
        identity::all(token),
        inference::all(&bearer),
        patterns::all(&bearer),
    ];
    areas.into_iter().flatten().collect()
}

/// Values of responses that later requests contain.
#[derive(Clone, Default)]
struct Values(Rc<RefCell<Vec<String>>>);

impl Values {
    fn push(&self, value: String) {
        self.0.borrow_mut().push(value);
    }

    /// The values from the index `first`, once each.
    fn once(&self, first: usize) -> impl FnMut() -> Option<String> + use<> {
        let (values, mut next) = (self.clone(), first);
        move || {
            let value = values.0.borrow().get(next).cloned();
            next += 1;
            value
        }
    }

    /// The values from the index `first`, again and again, each with the number of the round.
    fn cycle(&self, first: usize) -> impl FnMut() -> Option<(String, usize)> + use<> {
        let (values, mut turn) = (self.clone(), 0);
        move || {
            let values = values.0.borrow();
            let values = values.get(first..).filter(|rest| !rest.is_empty())?;
            let value = values[turn % values.len()].clone();
            turn += 1;
            Some((value, (turn - 1) / values.len()))
        }
    }
}

/// A number that no other call in this process returns.
fn number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}
