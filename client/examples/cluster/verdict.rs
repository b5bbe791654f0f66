//! One failure, tried: what happened, and whether it is within the bounds.

use std::time::{Duration, Instant};

use super::bounds;
use super::cluster::Cluster;
use super::failures::{Failure, Times, VICTIM, Window};
use super::journal::{Call, Records};
use super::stalls::Stalls;

/// How long the service may take to count all usage.
const COUNT_TIMEOUT: Duration = Duration::from_secs(12);
/// The time without a change after which a sum is final. Each replica writes its usage once a second.
const SETTLED: Duration = Duration::from_secs(3);
/// How many problems of one kind are printed.
const EXAMPLES: usize = 8;

/// A row of the table.
pub struct Row {
    pub failure: Failure,
    pub figures: Option<Figures>,
    /// What is out of bounds, or why the failure was not tried.
    pub problems: Vec<String>,
    /// What was out of bounds in an earlier try.
    pub earlier: Vec<String>,
}

/// What was counted.
#[derive(Debug, Default)]
pub struct Figures {
    pub calls: usize,
    pub failed_within_bounds: usize,
    pub failed_beyond: usize,
    pub longest: Duration,
    pub acknowledged: usize,
    pub lost: usize,
    pub doubled: usize,
    pub revocations: usize,
    pub late: usize,
    pub recovery: Duration,
    pub tokens_sent: u64,
    pub tokens_counted: u64,
    /// The number of problems that no busy machine explains.
    pub unexplained: usize,
}

impl Row {
    /// A failure that cannot be caused here. It is out of bounds, so that nobody takes it for a success.
    pub fn not_tried(failure: Failure, reason: &str) -> Row {
        Row {
            failure,
            figures: None,
            problems: vec![format!("not tried: {reason}")],
            earlier: Vec::new(),
        }
    }

    /// Whether a busy machine explains all that is out of bounds.
    fn depends_on_times(&self) -> bool {
        let figures = self.figures.as_ref();
        let is_explained = figures.is_some_and(|figures| figures.unexplained == 0);
        is_explained && !self.problems.is_empty()
    }

    /// Whether the failure was tried, and nothing is out of bounds.
    pub fn is_within_bounds(&self) -> bool {
        self.figures.is_some() && self.problems.is_empty()
    }
}

/// Tries a failure under load, once more when only a time was out of its bounds: the machine may have been busy. A second
/// time counts.
pub async fn of(failure: Failure, cluster: &mut Cluster<'_>, times: &Times) -> anyhow::Result<Row> {
    let name = failure.name();
    let row = try_once(failure, cluster, times, &name).await?;
    if !row.depends_on_times() {
        return Ok(row);
    }
    eprintln!("{}: out of bounds, tried again", failure.title());
    let again = try_once(failure, cluster, times, &format!("{name}-again")).await?;
    Ok(Row {
        earlier: row.problems,
        ..again
    })
}

/// Tries a failure under load. The names of what the load creates contain `name`.
async fn try_once(
    failure: Failure,
    cluster: &mut Cluster<'_>,
    times: &Times,
    name: &str,
) -> anyhow::Result<Row> {
    cluster.use_address(failure.address()).await?;
    cluster.take_served();
    let counted_before = cluster.tokens_counted().await?;
    let stalls = Stalls::watch();
    let load = cluster.load(name)?;
    tokio::time::sleep(times.before).await;
    let mut window = failure.cause(cluster, load.context(), times).await?;
    let records = load.stop().await?;
    window.stall = stalls.longest();
    let served = cluster.take_served();
    let sent: u64 = served
        .iter()
        .filter(|one| one.is_whole)
        .map(|one| one.tokens)
        .sum();
    let counted = count(cluster, counted_before, sent).await?;
    let victim = cluster.replica(VICTIM).name;
    let (missing, extra) = bounds::tokens(failure, &window, victim, &served, &records.calls);
    let (lost, doubled) = cluster.lost_and_doubled(name, &records.written).await?;
    cluster.heal().await?;

    let written = &records.written;
    let mut figures = Figures {
        calls: records.calls.len(),
        longest: records
            .calls
            .iter()
            .map(Call::time)
            .max()
            .unwrap_or_default(),
        acknowledged: written.users.len() + written.keys.len() + written.rotations,
        lost,
        doubled,
        revocations: records.attempts.len(),
        tokens_sent: sent,
        tokens_counted: counted,
        ..Figures::default()
    };
    let mut problems = window.problems.clone();
    judge_calls(failure, &window, &records, &mut figures, &mut problems);
    let within = sent.saturating_sub(missing)..=sent + extra;
    if !within.contains(&counted) {
        problems.push(format!(
            "usage: {counted} tokens are counted, and {} to {} are allowed",
            within.start(),
            within.end()
        ));
    }
    // Those that are missing can come late.
    figures.unexplained += usize::from(counted > *within.end()) + lost + doubled;
    if lost + doubled > 0 {
        problems.push(format!(
            "{lost} acknowledged writes are lost and {doubled} doubled"
        ));
    }
    for (what, number) in [
        ("calls", figures.calls),
        ("acknowledged writes", figures.acknowledged),
        ("revocations", figures.revocations),
    ] {
        if number == 0 {
            problems.push(format!("the load had no {what}"));
            figures.unexplained += 1;
        }
    }
    Ok(Row {
        failure,
        figures: Some(figures),
        problems,
        earlier: Vec::new(),
    })
}

/// Sorts failed calls and accepted revocations into those that the bounds allow, and others.
fn judge_calls(
    failure: Failure,
    window: &Window,
    records: &Records,
    figures: &mut Figures,
    problems: &mut Vec<String>,
) {
    let since = |at: Instant| match at >= window.began {
        true => format!("{:+.1} s", (at - window.began).as_secs_f64()),
        false => format!("-{:.1} s", (window.began - at).as_secs_f64()),
    };
    let failed = records.calls.iter().filter(|call| call.failed.is_some());
    let (within, beyond): (Vec<_>, Vec<_>) =
        failed.partition(|call| bounds::allows(failure, window, call));
    figures.failed_within_bounds = within.len();
    figures.failed_beyond = beyond.len();
    for call in beyond.iter().take(EXAMPLES) {
        let text = call.failed.as_ref().map_or("", |failed| &failed.text);
        problems.push(format!(
            "{:?} from {} to {}: {text}",
            call.kind,
            since(call.began),
            since(call.ended)
        ));
    }
    let late = records
        .attempts
        .iter()
        .filter(|attempt| bounds::is_late(failure, window, attempt));
    let late: Vec<_> = late.collect();
    figures.late = late.len();
    for attempt in late.iter().take(EXAMPLES) {
        problems.push(format!(
            "{} was accepted at {}",
            attempt.credential,
            since(attempt.at)
        ));
    }
    let other_status = beyond.iter().filter(|call| !call.may_be_slow());
    let unclear = records.attempts.iter().filter(|one| one.is_unclear());
    figures.unexplained += other_status.count() + unclear.clone().count();
    for attempt in unclear.take(EXAMPLES) {
        problems.push(format!(
            "{} got the status {:?}, which is no decision",
            attempt.credential, attempt.status
        ));
    }
    let last = within.iter().chain(&beyond).map(|call| call.ended).max();
    if let Some(last) = last {
        figures.recovery = last.saturating_duration_since(window.back);
    }
    let limit = bounds::recovery(failure) + window.stall;
    if figures.recovery > limit && beyond.is_empty() {
        problems.push(format!(
            "calls failed for longer than {} s",
            limit.as_secs()
        ));
    }
}

/// The tokens that the service has counted since `before`, as soon as it has all that were sent, and the sum has not
/// changed for some time. The service counts the estimate of a stream while it runs, and corrects it at the end.
async fn count(cluster: &Cluster<'_>, before: u64, sent: u64) -> anyhow::Result<u64> {
    let began = Instant::now();
    let (mut last, mut changed) = (0, began);
    loop {
        let counted = cluster.tokens_counted().await?.saturating_sub(before);
        if counted != last {
            (last, changed) = (counted, Instant::now());
        }
        let is_final = changed.elapsed() >= SETTLED;
        if (counted >= sent && is_final) || began.elapsed() >= COUNT_TIMEOUT {
            return Ok(counted);
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_that_was_not_tried_is_not_within_bounds() {
        let row = Row::not_tried(Failure::Skew, "libfaketime is missing");
        assert!(!row.is_within_bounds());
        assert_eq!(row.problems, ["not tried: libfaketime is missing"]);
        let tried = Row {
            failure: Failure::Skew,
            figures: Some(Figures::default()),
            problems: Vec::new(),
            earlier: Vec::new(),
        };
        assert!(tried.is_within_bounds());
        assert!(!tried.depends_on_times());
    }

    #[test]
    fn what_no_busy_machine_explains_is_not_tried_again() {
        let row = |unexplained| Row {
            failure: Failure::Kill,
            figures: Some(Figures {
                unexplained,
                ..Figures::default()
            }),
            problems: vec!["something".to_owned()],
            earlier: Vec::new(),
        };
        assert!(row(0).depends_on_times());
        assert!(!row(1).depends_on_times());
    }
}
