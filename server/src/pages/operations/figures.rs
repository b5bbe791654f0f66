//! The figures of requests of this replica since its start.

use std::collections::BTreeMap;

use super::samples::Sample;

/// Counts of requests, and the cumulative buckets of their durations in seconds.
#[derive(Debug, Clone, Default, PartialEq)]
struct Tally {
    requests: f64,
    /// Responses with a 4xx status.
    rejected: f64,
    /// Responses with a 5xx status.
    failed: f64,
    buckets: Buckets,
}

/// A histogram: counts by the upper bound of their bucket. Each count contains the ones before it.
#[derive(Debug, Clone, Default, PartialEq)]
struct Buckets(Vec<(f64, f64)>);

impl Buckets {
    fn add(&mut self, bound: f64, count: f64) {
        match self.0.iter_mut().find(|(one, _)| *one == bound) {
            Some((_, sum)) => *sum += count,
            None => self.0.push((bound, count)),
        }
    }

    fn count(&self) -> f64 {
        self.0.last().map_or(0.0, |(_, count)| *count)
    }

    /// The value below which this share of all values is, interpolated within its bucket. The
    /// bound of the last finite bucket if the value is above it. `None` without values.
    fn quantile(&self, share: f64) -> Option<f64> {
        let rank = share * self.count();
        if rank <= 0.0 {
            return None;
        }
        let (mut lower, mut before) = (0.0, 0.0);
        for (bound, count) in &self.0 {
            if *count >= rank {
                return Some(match bound.is_finite() {
                    true => lower + (bound - lower) * (rank - before) / (count - before),
                    false => lower,
                });
            }
            (lower, before) = (*bound, *count);
        }
        Some(lower)
    }
}

/// The figures of one operation, or of all, for people.
#[derive(Debug, PartialEq)]
pub struct Line {
    /// Area and operation, or the name of a model.
    pub name: String,
    /// The number of requests.
    pub requests: String,
    /// The number of responses with a 4xx status.
    pub rejected: String,
    /// The number of responses with a 5xx status.
    pub failed: String,
    /// The median of the durations.
    pub p50: String,
    /// The duration that 95 % of the requests do not exceed.
    pub p95: String,
}

impl Tally {
    fn line(&self, name: String) -> Line {
        Line {
            name,
            requests: self.requests.to_string(),
            rejected: self.rejected.to_string(),
            failed: self.failed.to_string(),
            p50: duration(self.buckets.quantile(0.5)),
            p95: duration(self.buckets.quantile(0.95)),
        }
    }
}

/// The figures of a replica.
#[derive(Debug)]
pub struct Figures {
    /// All requests.
    pub total: Line,
    /// The operations with requests, the most frequent first.
    pub operations: Vec<Line>,
    /// The models with streams, by the time to their first token.
    pub models: Vec<Line>,
    /// Responses that violate their document.
    pub violations: String,
    /// Responses that were compared with their document.
    pub compared: String,
}

impl Figures {
    /// Reads the figures from the text of the recorder.
    pub fn of(text: &str) -> Figures {
        let mut operations = BTreeMap::<String, Tally>::new();
        let mut models = BTreeMap::<String, Tally>::new();
        let (mut total, mut violations, mut compared) = (Tally::default(), 0.0, 0.0);
        for sample in Sample::all(text) {
            let operation = || match sample.label("operation") {
                "none" => "other addresses".to_owned(),
                name => format!("{} {name}", sample.label("area")),
            };
            let bound = || match sample.label("le") {
                "+Inf" => f64::INFINITY,
                bound => bound.parse().unwrap_or(f64::INFINITY),
            };
            let value = sample.value;
            match sample.name {
                "accord_requests_total" => {
                    for tally in [&mut total, operations.entry(operation()).or_default()] {
                        tally.requests += value;
                        match sample.label("status").as_bytes().first() {
                            Some(b'4') => tally.rejected += value,
                            Some(b'5') => tally.failed += value,
                            _ => {}
                        }
                    }
                }
                "accord_request_duration_seconds_bucket" => {
                    total.buckets.add(bound(), value);
                    let tally = operations.entry(operation()).or_default();
                    tally.buckets.add(bound(), value);
                }
                "gen_ai_server_time_to_first_token_seconds_bucket" => {
                    let model = sample.label("gen_ai_request_model").to_owned();
                    models.entry(model).or_default().buckets.add(bound(), value);
                }
                "accord_contract_violations_total" => violations += value,
                "accord_contract_compared_total" => compared += value,
                _ => {}
            }
        }
        for tally in models.values_mut() {
            tally.requests = tally.buckets.count();
        }
        Figures {
            total: total.line("All requests".to_owned()),
            operations: lines(operations),
            models: lines(models),
            violations: violations.to_string(),
            compared: compared.to_string(),
        }
    }
}

/// The lines with requests, the most frequent first.
fn lines(tallies: BTreeMap<String, Tally>) -> Vec<Line> {
    let mut tallies: Vec<_> = tallies
        .into_iter()
        .filter(|(_, tally)| tally.requests > 0.0)
        .collect();
    tallies.sort_by(|(_, a), (_, b)| b.requests.total_cmp(&a.requests));
    let lines = tallies.into_iter().map(|(name, tally)| tally.line(name));
    lines.collect()
}

/// A duration in seconds for people.
fn duration(seconds: Option<f64>) -> String {
    match seconds {
        None => "–".to_owned(),
        Some(seconds) if seconds < 0.01 => format!("{:.1} ms", seconds * 1000.0),
        Some(seconds) if seconds < 1.0 => format!("{:.0} ms", seconds * 1000.0),
        Some(seconds) => format!("{seconds:.1} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"
# TYPE accord_requests_total counter
accord_requests_total{area="accounts",operation="createUser",status="200"} 8
accord_requests_total{area="accounts",operation="createUser",status="400"} 1
accord_requests_total{area="accounts",operation="createUser",status="503"} 1
accord_requests_total{area="none",operation="none",status="404"} 20
accord_request_duration_seconds_bucket{area="accounts",operation="createUser",le="0.1"} 5
accord_request_duration_seconds_bucket{area="accounts",operation="createUser",le="0.5"} 9
accord_request_duration_seconds_bucket{area="accounts",operation="createUser",le="+Inf"} 10
accord_request_duration_seconds_bucket{area="none",operation="none",le="0.1"} 20
accord_request_duration_seconds_bucket{area="none",operation="none",le="0.5"} 20
accord_request_duration_seconds_bucket{area="none",operation="none",le="+Inf"} 20
gen_ai_server_time_to_first_token_seconds_bucket{gen_ai_request_model="m",openai_api_type="a",le="0.001"} 4
gen_ai_server_time_to_first_token_seconds_bucket{gen_ai_request_model="m",openai_api_type="a",le="+Inf"} 4
gen_ai_server_time_to_first_token_seconds_bucket{gen_ai_request_model="n",openai_api_type="a",le="+Inf"} 0
accord_contract_compared_total{operation="createUser"} 10
"#;

    #[test]
    fn operations_are_summed_by_status_with_quantiles_of_their_durations() {
        let figures = Figures::of(TEXT);
        let names: Vec<_> = figures.operations.iter().map(|line| &*line.name).collect();
        assert_eq!(names, ["other addresses", "accounts createUser"]);
        let create = &figures.operations[1];
        assert_eq!(
            (&*create.requests, &*create.rejected, &*create.failed),
            ("10", "1", "1")
        );
        // The tenth request took longer than the last bound.
        assert_eq!((&*create.p50, &*create.p95), ("100 ms", "500 ms"));
        assert_eq!(
            (&*figures.total.requests, &*figures.total.failed),
            ("30", "1")
        );
        assert_eq!(figures.models.len(), 1);
        assert_eq!(figures.models[0].p50, "0.5 ms");
        assert_eq!((&*figures.compared, &*figures.violations), ("10", "0"));
    }

    #[test]
    fn without_requests_there_are_no_durations() {
        let figures = Figures::of("");
        assert_eq!((&*figures.total.requests, &*figures.total.p50), ("0", "–"));
        assert!(figures.operations.is_empty() && figures.models.is_empty());
    }
}
