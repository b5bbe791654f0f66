//! A connection to Redis, and the scripts that it has loaded.

use std::collections::HashMap;
use std::time::Duration;

use chrono::{DateTime, Utc};
use redis::aio::MultiplexedConnection;
use redis::{AsyncConnectionConfig, Client, Cmd, Pipeline, RedisError};

use super::reply::Reply;
use super::{Held, Pending};
use crate::inference::admission::meter::Demand;
use crate::inference::admission::shared::LimitedKey;

/// How long a connection may take, and a reply.
const CONNECT: Duration = Duration::from_secs(1);
const REPLY: Duration = Duration::from_millis(250);
/// Milliseconds after which the lease of a replica ends.
const LEASE: i64 = 15_000;
/// Commands in one pipeline.
const PIPELINE: usize = 500;
/// The most tokens of one command, which Redis can count exactly.
const MAX_TOKENS: i64 = 1 << 50;

/// A connection.
pub struct Link {
    connection: MultiplexedConnection,
    enter: String,
    settle: String,
    renew: String,
    /// What this replica holds is held under this name.
    lease: String,
}

impl Link {
    /// Connects, and loads the scripts.
    pub async fn open(client: &Client, lease: String) -> Result<Link, RedisError> {
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(CONNECT))
            .set_response_timeout(Some(REPLY));
        let connection = client.get_multiplexed_async_connection_with_config(&config);
        let mut connection = connection.await?;
        let mut load = async |script: &str| {
            let mut command = redis::cmd("SCRIPT");
            command.arg("LOAD").arg(script);
            command.query_async::<String>(&mut connection).await
        };
        Ok(Link {
            enter: load(include_str!("enter.lua")).await?,
            settle: load(include_str!("settle.lua")).await?,
            renew: load(include_str!("renew.lua")).await?,
            connection,
            lease,
        })
    }

    /// Asks whether a call is admitted.
    pub async fn enter(
        &self,
        LimitedKey { id, limits, meter }: LimitedKey<'_>,
        demand: Demand,
        now: DateTime<Utc>,
        time: Option<DateTime<Utc>>,
    ) -> Result<Reply, RedisError> {
        let or_none = |limit: Option<u32>| limit.map_or(-1, i64::from);
        let mut command = self.command(&self.enter, id, time);
        command
            .arg(or_none(limits.requests_per_minute))
            .arg(or_none(limits.tokens_per_minute))
            .arg(demand.tokens.min(MAX_TOKENS))
            .arg(or_none(
                limits.concurrent_streams.filter(|_| demand.streams),
            ))
            .arg(&self.lease)
            .arg(LEASE);
        match limits.budget {
            None => command.arg(-1).arg("").arg(0).arg(0),
            Some((budget, period)) => command
                .arg(budget)
                .arg(period.start(now.date_naive()).to_string())
                .arg(meter.written(period, now))
                .arg(period.seconds_left(now).saturating_mul(1000)),
        };
        command.query_async(&mut self.connection.clone()).await
    }

    /// Settles what calls have used and released.
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
                .arg(LEASE)
                .arg(pending.ended)
                .arg(within(pending.released))
                .arg(start.unwrap_or_default())
                .arg(within(pending.used));
            command
        });
        self.send(commands).await
    }

    /// Renews leases. Without any, Redis is asked whether it is there.
    pub async fn renew(
        &self,
        held: Vec<Held>,
        time: Option<DateTime<Utc>>,
    ) -> Result<(), RedisError> {
        let renewals = held.into_iter().map(|(id, streams, tokens)| {
            let mut command = self.command(&self.renew, &id, time);
            command.arg(&self.lease).arg(LEASE).arg(streams);
            command.arg(tokens.min(MAX_TOKENS));
            command
        });
        self.send(std::iter::once(redis::cmd("PING")).chain(renewals))
            .await
    }

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
