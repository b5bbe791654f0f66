//! Observes every request, with a log line, a counter, a duration and a span.
//!
//! The log line has the operation instead of the path and the query, which can contain codes and
//! personal data.

use std::fmt::Display;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use dropforge_runtime::{Arrived, Decided, End, Finished, GuardReport, Observe, UnreadStreams};
use http::Extensions;
use tracing::field::display;

use super::spans::{self, Entered};
use crate::app::App;
use crate::connections::InProgress;
use crate::contract;
use crate::kernel::traces::Context;

/// The caller's address for the log, behind trusted proxies.
#[derive(Debug, Clone, Copy)]
struct CallerAddress(IpAddr);

impl Observe for App {
    fn arrived(&self, arrived: &Arrived<'_>) -> Extensions {
        let mut extensions = Extensions::new();
        extensions.insert(self.connections.begin(arrived.remote));
        let mut scheme = self.config.server.tls.scheme();
        if !self.proxies.is_empty() {
            let caller = self.proxies.caller(arrived.remote.ip(), arrived.headers);
            extensions.insert(CallerAddress(caller.address));
            scheme = caller.scheme.unwrap_or(scheme);
        }
        if let Some(traces) = &self.traces {
            extensions.insert(spans::begin(traces, &Entered::of(arrived, scheme)));
        }
        extensions
    }

    fn body_time(&self) -> Duration {
        Duration::from_secs(self.config.server.body_seconds.into())
    }

    fn unread_streams(&self, extensions: &Extensions) -> Option<Arc<UnreadStreams>> {
        let in_progress = extensions.get::<InProgress>()?;
        Some(Arc::clone(in_progress.streams()))
    }

    fn decided(&self, decided: &Decided<'_>) {
        if let Some(on_decision) = self.on_decision.get() {
            on_decision(decided);
        }
    }

    fn finished(&self, finished: &Finished<'_>) {
        let Finished {
            operation,
            method,
            path: _,
            status,
            elapsed,
            request_id,
            remote,
            end,
            compared,
            extensions,
        } = finished;
        let (bytes, interrupted) = match *end {
            End::Whole => (None, None),
            End::Streamed { bytes } => (Some(bytes), None),
            End::Interrupted { bytes } => (Some(bytes), Some(true)),
        };
        let area = operation
            .and_then(contract::area)
            .map_or("none", |area| area.name());
        let name = operation.map_or("none", |operation| operation.id);
        self.metrics
            .request(area, name, *status, elapsed.as_secs_f64());
        if *compared {
            self.metrics.compared(name);
        }
        if let Some(context) = extensions.get::<Context>() {
            spans::finish(context, finished);
        }
        let trace_id = spans::trace_id(finished);
        let remote: &dyn Display = match extensions.get::<CallerAddress>() {
            Some(CallerAddress(address)) => address,
            None => remote,
        };
        // Each field costs time in every request. So data that follows from the operation (area,
        // method and path) has no field, and `interrupted` is written only if it is true. The
        // values are not quoted: none has a space or a quotation mark, and quoting would check each
        // character.
        let method = operation.is_none().then(|| display(method));
        let trace_id = trace_id.map(display);
        // The level of the tracing macro must be constant, so there is one call for each level.
        macro_rules! line {
            ($level:ident) => {
                tracing::$level!(
                    %request_id,
                    operation = %name,
                    method,
                    status = status.as_u16(),
                    elapsed_us = elapsed.as_micros() as u64,
                    %remote,
                    bytes,
                    interrupted,
                    trace_id,
                    "request"
                )
            };
        }
        match status.is_server_error() {
            true => line!(warn),
            false => line!(info),
        }
    }

    fn violation(&self, report: &GuardReport) {
        self.metrics.violation(report.operation.id);
        let request_id = &report.request_id;
        tracing::error!(%report, %request_id, "a response violates its document");
        self.observer.violated(report.to_string());
    }
}
