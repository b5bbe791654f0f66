//! A connection to Redis, and the scripts that it has loaded.

use std::collections::HashMap;
use std::time::Duration;

use chrono::{DateTime, Utc};
use futures::FutureExt as _;
use futures::future::BoxFuture;
use redis::aio::MultiplexedConnection;
use redis::{AsyncConnectionConfig, Client, Cmd, Pipeline, RedisError};

use super::pending::{Held, Pending};
use super::reply::Reply;
use crate::inference::admission::demand::Reservation;
use crate::inference::admission::shared::LimitedKey;

/// The timeout of an attempt to connect.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(1);
/// The timeout of a reply.
const REPLY_TIMEOUT: Duration = Duration::from_millis(500);
/// Milliseconds after which a lease expires.
const LEASE_MILLIS: i64 = 15_000;
/// The maximum number of commands in one pipeline.
const PIPELINE: usize = 500;
/// The maximum number of tokens in one command. Lua counts it exactly.
const MAX_TOKENS: i64 = 1 << 50;

/// A connection with loaded scripts.
pub(super) struct Connection {
    connection: MultiplexedConnection,
    enter: String,
    settle: String,
    renew: String,
    /// The name under which this replica holds calls in progress.
    lease: String,
}

impl Connection {
    /// Connects, and loads the scripts.
    pub async fn open(client: &Client, lease: String) -> Result<Connection, RedisError> {
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(CONNECT_TIMEOUT))
            .set_response_timeout(Some(REPLY_TIMEOUT));
        let connection = client.get_multiplexed_async_connection_with_config(&config);
        let mut connection = connection.await?;
        let mut load = async |script: &str| {
            let mut command = redis::cmd("SCRIPT");
            command.arg("LOAD").arg(script);
            command.query_async::<String>(&mut connection).await
        };
        Ok(Connection {
            enter: load(include_str!("enter.lua")).await?,
            settle: load(include_str!("settle.lua")).await?,
            renew: load(include_str!("renew.lua")).await?,
            connection,
            lease,
        })
    }

    /// Requests the admission of a call. `time` is that of Redis if there is none.
    pub fn enter(
        &self,
        LimitedKey { id, limits, meter }: LimitedKey<'_>,
        reservation: Reservation,
        now: DateTime<Utc>,
        time: Option<DateTime<Utc>>,
    ) -> BoxFuture<'static, Result<Reply, RedisError>> {
        let or_none = |limit: Option<u32>| limit.map_or(-1, i64::from);
        let mut command = self.command(&self.enter, id, time);
        command
            .arg(or_none(limits.requests_per_minute))
            .arg(or_none(limits.tokens_per_minute))
            .arg(reservation.tokens.min(MAX_TOKENS))
            .arg(or_none(
                limits.concurrent_calls.filter(|_| reservation.calls),
            ))
            .arg(or_none(
                limits.concurrent_streams.filter(|_| reservation.streams),
            ))
            .arg(&self.lease)
            .arg(LEASE_MILLIS);
        match limits.budget {
            None => command.arg(-1).arg("").arg(0).arg(0),
            Some((budget, period)) => command
                .arg(budget)
                .arg(period.start(now.date_naive()).to_string())
                .arg(meter.written(period, now))
                .arg(period.seconds_left(now).saturating_mul(1000)),
        };
        let mut connection = self.connection.clone();
        async move { command.query_async(&mut connection).await }.boxed()
    }

    /// Sends settlements.
    pub async fn settle(
        &self,
        all: HashMap<String, Pending>,
        time: Option<DateTime<Utc>>,
    ) -> Result<(), RedisError> {
        let commands = all.into_iter().map(|(id, pending)| {
            let mut command = self.command(&self.settle, &id, time);
            let within = |tokens: i64| tokens.clamp(-MAX_TOKENS, MAX_TOKENS);
            let start = pending.period.map(|start| start.to_string());
            command
                .arg(pending.limits.tokens_per_minute.unwrap_or_default())
                .arg(within(pending.taken))
                .arg(&self.lease)
                .arg(LEASE_MILLIS)
                .arg(pending.ended_calls)
                .arg(pending.ended_streams)
                .arg(within(pending.released))
                .arg(start.unwrap_or_default())
                .arg(within(pending.used));
            command
        });
        self.send(commands).await
    }

    /// Renews leases, and checks the connection if there are none.
    pub async fn renew(
        &self,
        held: Vec<Held>,
        time: Option<DateTime<Utc>>,
    ) -> Result<(), RedisError> {
        let renewals = held.into_iter().map(|(id, held)| {
            let mut command = self.command(&self.renew, &id, time);
            command.arg(&self.lease).arg(LEASE_MILLIS);
            command.arg(held.calls).arg(held.streams);
            command.arg(held.tokens.min(MAX_TOKENS));
            command
        });
        self.send(std::iter::once(redis::cmd("PING")).chain(renewals))
            .await
    }

    /// A call of a script for a key, whose two keys of Redis are in one slot of a cluster.
    fn command(&self, script: &str, id: &str, time: Option<DateTime<Utc>>) -> Cmd {
        let mut command = redis::cmd("EVALSHA");
        command
            .arg(script)
            .arg(2)
            .arg(format!("accord:limits:{{{id}}}"))
            .arg(format!("accord:limits:{{{id}}}:leases"))
            .arg(time.map_or(-1, |time| time.timestamp_millis()));
        command
    }

    /// Sends commands in pipelines, and ignores their results.
    async fn send(&self, commands: impl Iterator<Item = Cmd>) -> Result<(), RedisError> {
        let mut commands = commands.peekable();
        while commands.peek().is_some() {
            let mut pipeline = Pipeline::new();
            for command in commands.by_ref().take(PIPELINE) {
                pipeline.add_command(command).ignore();
            }
            pipeline.exec_async(&mut self.connection.clone()).await?;
        }
        Ok(())
    }
}
