//! A line for each request, for `--verbose`.

use crate::output::note;
use accord_client::{
    Layer, Operation, Pending, Transport,
    reqwest::{self, Client, Request, Response},
};
use std::{cell::Cell, time::Instant};

tokio::task_local! {
    /// The number of attempts that the call of this task has made.
    static ATTEMPTS: Cell<u32>;
}

/// Counts the attempts of each call, for [`Verbose`] inside.
pub struct Attempts;

impl Layer for Attempts {
    fn send<'a>(
        &'a self,
        next: &'a dyn Transport,
        client: &'a Client,
        request: Request,
        operation: &'static Operation,
    ) -> Pending<'a, reqwest::Result<Response>> {
        Box::pin(ATTEMPTS.scope(Cell::new(0), next.send(client, request, operation)))
    }
}

/// Writes method, path, status, time, number of the attempt and id of each request to the standard error. Nothing else of
/// a request is written: its query, headers and body may have secrets.
#[derive(Debug)]
pub struct Verbose;

impl Transport for Verbose {
    fn send<'a>(
        &'a self,
        client: &'a Client,
        request: Request,
        operation: &'static Operation,
    ) -> Pending<'a, reqwest::Result<Response>> {
        Box::pin(async move {
            let what = format!("{} {}", request.method(), request.url().path());
            let count = |attempts: &Cell<u32>| {
                attempts.set(attempts.get() + 1);
                attempts.get()
            };
            // A request outside of a call is sent once.
            let attempt = ATTEMPTS.try_with(count).unwrap_or(1);
            let began = Instant::now();
            let sent = client.execute(request).await;
            let time = began.elapsed().as_millis();
            match &sent {
                Ok(response) => {
                    let status = response.status().as_u16();
                    let id = operation.request_id(response.headers()).unwrap_or("-");
                    note(format!(
                        "{what} {status} {time} ms, attempt {attempt}, request {id}"
                    ));
                }
                Err(error) => {
                    let reason = reason(error);
                    note(format!("{what} {reason}, {time} ms, attempt {attempt}"));
                }
            }
            sent
        })
    }
}

/// Why there is no response.
fn reason(error: &reqwest::Error) -> &'static str {
    match error {
        error if error.is_timeout() => "no response in time",
        error if error.is_connect() => "no connection",
        _ => "no response",
    }
}
