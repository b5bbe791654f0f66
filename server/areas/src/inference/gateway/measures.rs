//! Metrics of the models' speed and token counts. The names are those of OpenTelemetry for
//! generative AI, as Prometheus spells them.
//!
//! The time to the first token is that of the first event of a stream, and the time per output
//! token is the time between two events. A response in one piece has neither. There are few labels:
//! a model, the convention of the call, and the class of a failure.

use std::time::Instant;

use metrics::{Gauge, Histogram, gauge, histogram};

use super::events::Convention;
use super::models::{Catalog, Model};
use super::usage::Tokens;
use crate::kernel::metrics::{self as names, Metrics};

/// The metrics of one model and one convention.
#[derive(Debug)]
pub struct Measures {
    labels: [(&'static str, String); 4],
    duration: Histogram,
    first_token: Histogram,
    each_token: Histogram,
    input: Histogram,
    output: Histogram,
    open_streams: Gauge,
}

/// The metrics of all models, by their indices in the catalog.
#[derive(Debug, Default)]
pub struct AllMeasures(Vec<[Measures; 2]>);

impl AllMeasures {
    /// Creates the metrics of each model of a catalog, for either convention.
    pub fn new(metrics: &Metrics, models: &Catalog) -> Self {
        let of = |model: &Model, convention| metrics.record(|| Measures::new(model, convention));
        let both = models
            .iter()
            .map(|model| [Convention::Chat, Convention::Responses].map(|one| of(model, one)));
        AllMeasures(both.collect())
    }

    /// The metrics of the model at an index.
    pub fn of(&self, index: usize, convention: Convention) -> Option<&Measures> {
        let [chat, responses] = self.0.get(index)?;
        Some(match convention {
            Convention::Chat => chat,
            Convention::Responses => responses,
        })
    }
}

impl Measures {
    fn new(model: &Model, convention: Convention) -> Self {
        let labels = [
            ("gen_ai_operation_name", "chat".to_owned()),
            ("gen_ai_provider_name", model.owned_by.clone()),
            ("gen_ai_request_model", model.name.clone()),
            ("openai_api_type", convention.api().to_owned()),
        ];
        let with = |name: &'static str, more: Option<(&'static str, &'static str)>| {
            let more = more.map(|(name, value)| (name, value.to_owned()));
            let labels: Vec<_> = labels.iter().cloned().chain(more).collect();
            histogram!(name, &labels)
        };
        Measures {
            duration: with(names::GEN_AI_SECONDS, None),
            first_token: with(names::GEN_AI_FIRST_TOKEN, None),
            each_token: with(names::GEN_AI_EACH_TOKEN, None),
            input: with(names::GEN_AI_TOKENS, Some(("gen_ai_token_type", "input"))),
            output: with(names::GEN_AI_TOKENS, Some(("gen_ai_token_type", "output"))),
            open_streams: gauge!(names::OPEN_STREAMS, &labels),
            labels,
        }
    }

    /// Counts a call as an open stream until [`Measures::stream_closed`].
    pub fn stream_opened(&self) {
        self.open_streams.increment(1.0);
    }

    /// Ends the count of [`Measures::stream_opened`].
    pub fn stream_closed(&self) {
        self.open_streams.decrement(1.0);
    }

    /// Records the end of a call, with the class of its failure if it failed. Returns the time of the
    /// end.
    pub fn ended(
        &self,
        metrics: &Metrics,
        begun: Instant,
        failed: Option<&'static str>,
    ) -> Instant {
        let end = Instant::now();
        match failed {
            None => self.duration.record(end - begun),
            Some(class) => {
                let class = ("error_type", class.to_owned());
                let labels: Vec<_> = self.labels.iter().cloned().chain([class]).collect();
                let failed = metrics.record(|| histogram!(names::GEN_AI_SECONDS, &labels));
                failed.record(end - begun);
            }
        }
        end
    }

    /// Records a complete response, with the time of its first event if it had any.
    pub fn record_tokens(
        &self,
        begun: Instant,
        first: Option<Instant>,
        end: Instant,
        tokens: Tokens,
    ) {
        self.input.record(tokens.input as f64);
        self.output.record(tokens.output as f64);
        if let Some(first) = first {
            self.first_token.record(first - begun);
            if tokens.output > 1 {
                let each = (end - first).as_secs_f64() / (tokens.output - 1) as f64;
                self.each_token.record(each);
            }
        }
    }
}
