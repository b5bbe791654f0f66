//! A line for each request, for `--verbose`.

use accord_client::{
    Operation, Pending, Transport,
    reqwest::{self, Client, Request, Response},
};
use std::time::Instant;

/// Writes method, path, status, time and id of each request to the standard error. Nothing else of a request is
/// written: its query, headers and body may have secrets.
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
            let began = Instant::now();
            let sent = client.execute(request).await;
            let time = began.elapsed().as_millis();
            match &sent {
                Ok(response) => {
                    let status = response.status().as_u16();
                    let id = operation.request_id(response.headers()).unwrap_or("-");
                    eprintln!("{what} {status} {time} ms, request {id}");
                }
                Err(error) => eprintln!("{what} {} {time} ms", reason(error)),
            }
            sent
        })
    }
}

/// Why there is no response.
fn reason(error: &reqwest::Error) -> &'static str {
    match error {
        error if error.is_timeout() => "no response in time,",
        error if error.is_connect() => "no connection,",
        _ => "no response,",
    }
}
