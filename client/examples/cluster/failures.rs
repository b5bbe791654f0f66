//! The failures, and how each of them is caused.

use std::time::{Duration, Instant};

use clap::ValueEnum;

use super::balancer::FOUND;
use super::cluster::{Address, Cluster, faketime};
use super::journal::Attempt;
use super::load::{Context, try_secret};
use super::processes::installed;
use super::replicas::{OFFLINE_SECONDS, Replica};

/// The replica that fails, unless all do.
pub const VICTIM: usize = 1;
/// The seconds by which a clock is wrong.
const AHEAD: i64 = 30;
/// The time in which a replica notices that its time without the database is over.
pub const NOTICED: Duration = Duration::from_secs(1);

/// How long replicas may take to be ready after a failure.
const READY_TIMEOUT: Duration = Duration::from_secs(10);
/// How long replicas may take to find Redis again: their longest backoff, and its jitter.
const REDIS_TIMEOUT: Duration = Duration::from_secs(10);
/// Whether a replica is connected to Redis.
const REDIS_CONNECTED: &str = "accord_limits_redis_connected";
/// The number of calls that a replica admitted without Redis.
const REDIS_FALLBACKS: &str = "accord_limits_fallbacks_total";

/// The length of a pause of the path. It is longer than replicas accept secrets without the database.
const PAUSE: Duration = Duration::from_secs(20);

/// How long a replica without the database may take to refuse a call.
const RESPONSE: Duration = Duration::from_secs(3);

/// A failure that the cluster has to survive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Failure {
    /// kill -9 of a replica
    Kill,
    /// SIGTERM of each replica, and a new one
    Rolling,
    /// Restart of PostgreSQL
    Restart,
    /// Death of the primary, and promotion of its standby
    Promote,
    /// The same with both servers in the address of the database
    Hosts,
    /// No packets to and from the primary
    Pause,
    /// Redis stops, and starts again later
    Redis,
    /// The clock of one replica 30 s ahead
    Skew,
    /// No space for the files of one replica
    Full,
}

/// How long the parts of a trial take.
pub struct Times {
    /// The load before the failure.
    pub before: Duration,
    /// The load after a failure of a replica, and during a skewed clock, a full disk or an absence of Redis.
    pub after: Duration,
    /// The load after a failure of the database.
    pub after_database: Duration,
}

impl Times {
    pub const LONG: Times = Times {
        before: Duration::from_secs(3),
        after: Duration::from_secs(6),
        after_database: Duration::from_secs(12),
    };
    pub const SHORT: Times = Times {
        before: Duration::from_secs(1),
        after: Duration::from_secs(3),
        after_database: Duration::from_secs(4),
    };
}

/// When a failure began, and when its cause was gone.
#[derive(Debug, Clone)]
pub struct Window {
    pub began: Instant,
    /// When the failure was complete: a killed process was gone.
    pub complete: Instant,
    /// When the cause was gone: the database was back.
    pub back: Instant,
    /// The longest time for which the machine stood still. What has to happen within a time may happen so much later.
    pub stall: Duration,
    /// What went wrong beside calls.
    pub problems: Vec<String>,
}

impl Failure {
    /// The failures of a run, each once.
    pub fn chosen(only: &[Failure], short: bool) -> Vec<Failure> {
        let main = [
            Failure::Kill,
            Failure::Rolling,
            Failure::Restart,
            Failure::Promote,
            Failure::Redis,
        ];
        let is_chosen = |failure: &Failure| match (only, short) {
            ([], true) => main.contains(failure),
            ([], false) => true,
            (only, _) => only.contains(failure),
        };
        let all = Failure::value_variants().iter().copied();
        all.filter(is_chosen).collect()
    }

    /// The name in command lines.
    pub fn name(self) -> String {
        let value = self.to_possible_value();
        value
            .map(|value| value.get_name().to_owned())
            .unwrap_or_default()
    }

    /// The name in the table.
    pub fn title(self) -> &'static str {
        match self {
            Failure::Kill => "kill -9 of a replica",
            Failure::Rolling => "rolling restart of all replicas",
            Failure::Restart => "restart of PostgreSQL",
            Failure::Promote => "promotion of the standby",
            Failure::Hosts => "promotion of the standby, with both in the address",
            Failure::Pause => "no packets to PostgreSQL",
            Failure::Redis => "Redis stopped",
            Failure::Skew => "clock of a replica 30 s ahead",
            Failure::Full => "no space for files of a replica",
        }
    }

    /// Whether the database is away.
    pub fn is_of_database(self) -> bool {
        matches!(
            self,
            Failure::Restart | Failure::Promote | Failure::Hosts | Failure::Pause
        )
    }

    /// How replicas find the primary.
    pub fn address(self) -> Address {
        match self {
            Failure::Hosts => Address::Hosts,
            _ => Address::Path,
        }
    }

    /// Why the failure cannot be caused on this machine.
    pub fn missing(self) -> Option<&'static str> {
        match self {
            Failure::Skew if faketime().is_none() => {
                Some("libfaketime is missing; on Debian: apt-get install faketime")
            }
            Failure::Full if installed("prlimit").is_none() => {
                Some("prlimit is missing; on Debian: apt-get install util-linux")
            }
            _ => None,
        }
    }

    /// Causes the failure, and returns when its cause is gone and the load has gone on for a while.
    pub async fn cause(
        self,
        cluster: &mut Cluster<'_>,
        context: &Context,
        times: &Times,
    ) -> anyhow::Result<Window> {
        let began = Instant::now();
        let mut window = Window {
            began,
            complete: began,
            back: began,
            stall: Duration::ZERO,
            problems: Vec::new(),
        };
        match self {
            Failure::Kill => {
                cluster.kill(VICTIM).await?;
                window.complete = Instant::now();
                window.back = window.complete;
                tokio::time::sleep(times.after / 2).await;
                cluster.start_replica(VICTIM, 0).await?;
            }
            Failure::Rolling => {
                for index in 0..cluster.replicas().len() {
                    restart(cluster, index, 0, &mut window).await?;
                    tokio::time::sleep(FOUND).await;
                }
            }
            Failure::Restart => {
                cluster.restart_postgres().await?;
                window.back = Instant::now();
            }
            Failure::Promote | Failure::Hosts => {
                cluster.promote_standby().await?;
                window.back = Instant::now();
            }
            Failure::Pause => {
                pause(cluster, context).await;
                window.back = Instant::now();
            }
            Failure::Redis => {
                stop_redis(cluster, times.after, &mut window).await?;
            }
            Failure::Skew => {
                restart(cluster, VICTIM, AHEAD, &mut window).await?;
                let ahead = cluster.replica(VICTIM).seconds_ahead().await?;
                if !ahead.contains(&AHEAD) {
                    let (least, most) = ahead.into_inner();
                    let problem =
                        format!("the clock is {least} to {most} s ahead, and {AHEAD} s are wanted");
                    window.problems.push(problem);
                }
                // Meanwhile the balancer finds it, and sends calls to the wrong clock.
                tokio::time::sleep(FOUND + times.after).await;
                restart(cluster, VICTIM, 0, &mut window).await?;
            }
            Failure::Full => {
                cluster.replica(VICTIM).limit_files(Some(0)).await?;
                tokio::time::sleep(times.after).await;
                cluster.replica(VICTIM).limit_files(None).await?;
            }
        }
        tokio::time::sleep(match self.is_of_database() {
            true => times.after_database,
            false => times.after,
        })
        .await;
        // The balancer hides a replica that has not recovered.
        for replica in cluster.unready(READY_TIMEOUT).await {
            let problem = format!("replica {replica} is not ready after the failure");
            window.problems.push(problem);
        }
        Ok(window)
    }
}

/// Stops a replica in an orderly way and starts it again.
async fn restart(
    cluster: &mut Cluster<'_>,
    index: usize,
    ahead: i64,
    window: &mut Window,
) -> anyhow::Result<()> {
    if !cluster.stop(index).await? {
        let name = cluster.replica(index).name;
        let problem = format!("replica {name} stopped before its readiness turned 503");
        window.problems.push(problem);
    }
    cluster.start_replica(index, ahead).await
}

/// Pauses the path to the database. Once replicas have been without it for longer than their bound,
/// none of them accepts a secret, which may have been revoked meanwhile.
async fn pause(cluster: &Cluster<'_>, context: &Context) {
    let began = tokio::time::Instant::now();
    cluster.path().pause();
    let bound = Duration::from_secs(OFFLINE_SECONDS) + 2 * NOTICED;
    tokio::time::sleep_until(began + bound).await;
    let replicas = context.running.addresses();
    let attempts = replicas.iter().map(|replica| async move {
        let at = Instant::now();
        let attempt = try_secret(&context.http, replica, cluster.secret());
        // A replica that does not respond accepts nothing either.
        let status = tokio::time::timeout(RESPONSE, attempt).await;
        context.journal.attempt(Attempt {
            credential: format!("a secret that the database cannot confirm, at {replica}"),
            at,
            status: status.unwrap_or(None),
        });
    });
    futures::future::join_all(attempts).await;
    tokio::time::sleep_until(began + PAUSE).await;
    cluster.path().resume();
}

/// Stops Redis for a while. Each replica has to admit calls without it, and to find it again.
async fn stop_redis(
    cluster: &mut Cluster<'_>,
    length: Duration,
    window: &mut Window,
) -> anyhow::Result<()> {
    let mut fallbacks = Vec::new();
    for replica in cluster.replicas() {
        if !is_connected(replica).await? {
            let problem = format!("replica {} has no connection to Redis", replica.name);
            window.problems.push(problem);
        }
        fallbacks.push(replica.metric(REDIS_FALLBACKS).await?);
    }
    cluster.kill_redis().await?;
    window.complete = Instant::now();
    tokio::time::sleep(length).await;
    for (replica, before) in cluster.replicas().iter().zip(fallbacks) {
        if replica.metric(REDIS_FALLBACKS).await? <= before {
            let problem = format!("replica {} had no call without Redis", replica.name);
            window.problems.push(problem);
        }
    }
    cluster.start_redis().await?;
    window.back = Instant::now();
    for replica in cluster.replicas() {
        while !is_connected(replica).await? {
            if window.back.elapsed() > REDIS_TIMEOUT {
                let problem = format!("replica {} does not find Redis again", replica.name);
                window.problems.push(problem);
                break;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
    Ok(())
}

async fn is_connected(replica: &Replica) -> anyhow::Result<bool> {
    Ok(replica.metric(REDIS_CONNECTED).await? > 0.5)
}
