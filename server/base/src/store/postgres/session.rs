//! One connection to PostgreSQL.
//!
//! The protocol lets a client send several messages before it reads a response. So `BEGIN`
//! and statements without a result wait for the next statement with a result, or for the
//! end, and are sent together with it. PostgreSQL runs them in order, and runs none after
//! one that fails.

use std::future::{Future, poll_fn, ready};
use std::pin::{Pin, pin};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use futures::future::{BoxFuture, FutureExt, TryFutureExt, join, join_all, try_join_all};
use futures::{Stream, TryStreamExt};
use hashlink::LruCache;
use sha2::{Digest, Sha256};
use tokio::runtime::Runtime;
use tokio_postgres::{AsyncMessage, Client, Error, SimpleQueryMessage, Statement};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::super::tls::Address;
use super::super::tx::{Connection, Failure, Query, RetryAction};
use super::super::{Row, StoreError, Value};
use super::value::{classify, decode, explain};
use crate::params;

/// Maximum number of statements that are sent together. `join_all` polls so few futures
/// one after the other, so the statements are sent in their order.
const MAX_PIPELINED: usize = 24;

/// Maximum number of prepared statements; the least recently used ones are closed. Some
/// statements depend on requests, and PostgreSQL has each in memory until it is closed.
const MAX_PREPARED: usize = 256;

/// All statements read a few rows through an index. The planner cannot know this: it
/// treats a table without statistics as small, and scans it. That is slow once the table
/// has grown, and makes a serializable transaction conflict with all writers of the
/// table. Planning takes longer than most statements, so it is done once for each.
///
/// Transactions are read-only by default.
///
/// The first statement is a question: a standby serves an older state, in which revoked secrets are
/// valid.
const SETTINGS: &str = "SELECT pg_is_in_recovery(); SET default_transaction_read_only = on; \
    SET enable_seqscan = off; SET enable_bitmapscan = off; \
    SET enable_hashjoin = off; SET enable_mergejoin = off; SET enable_material = off; \
    SET jit = off; SET plan_cache_mode = force_generic_plan";

/// How long the server may send nothing after the end of the statement timeout. A network can lose a
/// connection without closing it, and its threads would wait for minutes.
const GRACE: Duration = Duration::from_secs(1);

/// The timeout of the request that ends a statement.
const CANCEL_TIMEOUT: Duration = Duration::from_secs(2);

/// A notice has no content.
const NOTIFY: &str = "NOTIFY accord_changes";
pub(in crate::store) const LISTEN: &str = "LISTEN accord_changes";

/// A connection, with the statements that it has prepared.
pub(in crate::store) struct Session {
    runtime: Runtime,
    client: Client,
    tls: MakeRustlsConnect,
    messages: Messages,
    /// The time after which the server cancels a statement.
    statement_timeout: Duration,
    /// How long the server may send nothing while a request waits. `None` for as long as it takes.
    silence: Option<Duration>,
    statements: LruCache<String, Statement>,
    /// The statements that have not been sent.
    waiting: Vec<Order>,
    /// Whether statements are in a transaction.
    grouped: bool,
    /// Whether the beginning of the transaction was sent.
    open: bool,
}

/// The messages of the server. The connection works only while this stream is polled.
type Messages = Pin<Box<dyn Stream<Item = Result<AsyncMessage, Error>> + Send>>;

enum Order {
    Script(&'static str),
    Execute(Statement, Vec<Value>),
}

impl Session {
    /// Connects and configures the connection.
    ///
    /// # Errors
    ///
    /// When the server cannot be reached, or is a standby.
    pub(in crate::store) fn open(address: &Address) -> Result<Session, StoreError> {
        Session::connect(address)?.configured()
    }

    /// Connects, and leaves the connection as it is.
    pub(super) fn connect(address: &Address) -> Result<Session, StoreError> {
        let unavailable = |error: String| StoreError::Unavailable(error);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| unavailable(error.to_string()))?;
        // The timeout of the address is that of one host, and ends with the TCP connection. One more
        // is for TLS and the first messages.
        let config = &address.config;
        let hosts = config.get_hosts().len().max(config.get_hostaddrs().len());
        let of_host = config.get_connect_timeout().copied();
        let limit = of_host.unwrap_or(address.options.connect) * (hosts.max(1) as u32 + 1);
        let connect = config.connect(address.tls.clone());
        let connected = runtime.block_on(async { tokio::time::timeout(limit, connect).await });
        let (client, mut connection) = connected
            .map_err(|_| unavailable(SILENT.into()))?
            .map_err(|error| unavailable(explain(&error)))?;
        let messages = futures::stream::poll_fn(move |cx| connection.poll_message(cx));
        Ok(Session {
            runtime,
            client,
            tls: address.tls.clone(),
            messages: Box::pin(messages),
            statement_timeout: address.options.statement,
            silence: Some(address.options.statement + GRACE),
            statements: LruCache::new(MAX_PREPARED),
            waiting: Vec::new(),
            grouped: false,
            open: false,
        })
    }

    pub(super) fn configured(mut self) -> Result<Session, StoreError> {
        let timeout = self.statement_timeout.as_millis();
        let settings = format!("{SETTINGS}; SET statement_timeout = {timeout}");
        match self.ask(&settings)?.as_deref() {
            Some("f") => Ok(self),
            _ => Err(StoreError::Unavailable(STANDBY.into())),
        }
    }

    /// Runs statements without parameters, and returns the first value of the first row. It
    /// prepares nothing.
    pub(super) fn ask(&mut self, sql: &str) -> Result<Option<String>, StoreError> {
        let messages = self.send(|client| client.simple_query(sql))?;
        let first = messages.iter().find_map(|message| match message {
            SimpleQueryMessage::Row(row) => row.get(0),
            _ => None,
        });
        Ok(first.map(str::to_owned))
    }

    /// Lets statements take as long as they need, for migrations, or limits the silence again.
    pub(super) fn set_patient(&mut self, is_patient: bool) {
        self.silence = (!is_patient).then_some(self.statement_timeout + GRACE);
    }

    /// Begins a transaction with the next statement. Without `sql`, each statement is a
    /// transaction of its own.
    pub(super) fn begin(&mut self, sql: Option<&'static str>) {
        self.waiting.clear();
        self.waiting.extend(sql.map(Order::Script));
        self.grouped = sql.is_some();
        self.open = false;
    }

    /// Sends the waiting statements, and commits.
    pub(super) fn commit(&mut self) -> Result<(), Failure> {
        if !self.open && self.waiting.len() == 1 {
            self.waiting.clear();
            return Ok(());
        }
        self.waiting.push(Order::Script("COMMIT"));
        // A commit after a failed statement is a rollback, and the result is the error of
        // that statement.
        let done = self.send(|_| ready(Ok(())));
        if let Err(failure) = &done
            && failure.action != RetryAction::Reconnect
        {
            // The failure may have prevented the commit from being sent.
            let _ = self.rollback();
        }
        done
    }

    /// Drops the waiting statements, and rolls back.
    pub(super) fn rollback(&mut self) -> Result<(), Failure> {
        self.waiting.clear();
        match self.open {
            true => self.send(|client| client.batch_execute("ROLLBACK")),
            false => Ok(()),
        }
    }

    /// Waits for a notice up to `limit`. Returns whether there was one.
    pub(in crate::store) fn notice(&mut self, limit: Duration) -> Result<bool, Failure> {
        let messages = &mut self.messages;
        let next = poll_fn(|cx| {
            loop {
                match messages.as_mut().poll_next(cx) {
                    Poll::Ready(Some(Ok(AsyncMessage::Notification(_)))) => {
                        return Poll::Ready(Ok(true));
                    }
                    Poll::Ready(Some(Ok(_))) => {}
                    Poll::Ready(Some(Err(error))) => return Poll::Ready(Err(classify(&error))),
                    Poll::Ready(None) => {
                        let gone = StoreError::Unavailable("the connection was closed".into());
                        return Poll::Ready(Err(gone.into()));
                    }
                    Poll::Pending => return Poll::Pending,
                }
            }
        });
        let waited = self
            .runtime
            .block_on(async { tokio::time::timeout(limit, next).await });
        waited.unwrap_or(Ok(false))
    }

    fn prepare(&mut self, sql: &str, params: &[Value]) -> Result<Statement, Failure> {
        let statement = match self.statements.get(sql) {
            Some(statement) => statement.clone(),
            None => {
                let prepared = self.client.prepare(sql);
                let statement = drive(
                    &self.runtime,
                    &self.client,
                    &self.tls,
                    &mut self.messages,
                    self.silence,
                    prepared,
                )?;
                self.statements.insert(sql.to_owned(), statement.clone());
                statement
            }
        };
        let count = statement.params().len();
        match count == params.len() {
            true => Ok(statement),
            false => {
                let message = format!("{count} parameters expected, {} given", params.len());
                Err(StoreError::Statement(message).into())
            }
        }
    }

    /// Sends the waiting statements, and then the request of `last`.
    fn send<'a, T, F>(&'a mut self, last: impl FnOnce(&'a Client) -> F) -> Result<T, Failure>
    where
        F: Future<Output = Result<T, Error>>,
    {
        let Session {
            runtime,
            client,
            tls,
            messages,
            statement_timeout: _,
            silence,
            statements: _,
            waiting,
            grouped,
            open,
        } = self;
        *open = *grouped;
        let mut orders = std::mem::take(waiting);
        let mut send = |orders: &[Order]| {
            let sent = join_all(orders.iter().map(|order| order.carry_out(client)));
            let sent = sent.map(first_error);
            drive(runtime, client, tls, messages, *silence, sent)
        };
        while orders.len() > MAX_PIPELINED {
            let first: Vec<_> = orders.drain(..MAX_PIPELINED).collect();
            send(&first)?;
        }
        let sent = join_all(orders.iter().map(|order| order.carry_out(client)));
        // `join` polls its first future first, so the waiting statements are sent first.
        let sent = join(sent, last(client));
        let sent = sent.map(|(responses, last)| first_error(responses).and(last));
        drive(runtime, client, tls, messages, *silence, sent)
    }
}

/// Ends the statement of a silent connection on the server, which would otherwise keep its backend and
/// its locks. Does nothing if the server is out of reach.
fn cancel(runtime: &Runtime, client: &Client, tls: &MakeRustlsConnect) {
    let canceled = client.cancel_token();
    let canceled = canceled.cancel_query(tls.clone());
    let canceled = runtime.block_on(async { tokio::time::timeout(CANCEL_TIMEOUT, canceled).await });
    tracing::warn!(
        is_canceled = matches!(canceled, Ok(Ok(()))),
        "the database does not respond to a statement"
    );
}

/// The key of an advisory lock: the first eight bytes of the hash of its name.
fn lock_key(name: &str) -> i64 {
    let hash = Sha256::digest(name);
    i64::from_be_bytes(std::array::from_fn(|index| hash[index]))
}

fn first_error(responses: Vec<Result<(), Error>>) -> Result<(), Error> {
    responses.into_iter().collect()
}

impl Order {
    fn carry_out<'a>(&'a self, client: &'a Client) -> BoxFuture<'a, Result<(), Error>> {
        match self {
            Order::Script(sql) => client.batch_execute(sql).boxed(),
            Order::Execute(statement, params) => {
                let done = client.execute_raw(statement, params);
                done.map(|done| done.map(drop)).boxed()
            }
        }
    }
}

const STANDBY: &str = "the server is a read-only standby: set database.url to the primary, or to all \
    hosts with target_session_attrs=read-write";

const SILENT: &str = "the database does not respond";

/// Polls a request together with its connection. Ends the request when the server has been silent for
/// too long.
fn drive<T>(
    runtime: &Runtime,
    client: &Client,
    tls: &MakeRustlsConnect,
    messages: &mut Messages,
    silence: Option<Duration>,
    request: impl Future<Output = Result<T, Error>>,
) -> Result<T, Failure> {
    let mut request = pin!(request);
    let poll = |cx: &mut Context<'_>| {
        // The first poll sends the request.
        if let Poll::Ready(done) = request.as_mut().poll(cx) {
            return Poll::Ready(done);
        }
        while let Poll::Ready(Some(message)) = messages.as_mut().poll_next(cx) {
            if let Err(error) = message {
                return Poll::Ready(Err(error));
            }
        }
        request.as_mut().poll(cx)
    };
    let done = match silence {
        None => runtime.block_on(poll_fn(poll)),
        Some(limit) => {
            let Some(done) = runtime.block_on(unless_silent(limit, poll)) else {
                cancel(runtime, client, tls);
                return Err(Failure {
                    error: StoreError::Unavailable(SILENT.into()),
                    action: RetryAction::Reconnect,
                });
            };
            done
        }
    };
    done.map_err(|error| classify(&error))
}

/// Polls until the end, or until nothing has happened for `limit`: then `None`. Only messages of the
/// server and the timer wake the task, so that every other poll is a sign of life.
async fn unless_silent<T>(
    limit: Duration,
    mut poll: impl FnMut(&mut Context<'_>) -> Poll<T>,
) -> Option<T> {
    let mut heard_at = Instant::now();
    let mut timer = pin!(tokio::time::sleep(limit));
    poll_fn(move |cx| {
        if let Poll::Ready(done) = poll(cx) {
            return Poll::Ready(Some(done));
        }
        if timer.as_mut().poll(cx).is_pending() {
            heard_at = Instant::now();
            return Poll::Pending;
        }
        if heard_at.elapsed() >= limit {
            return Poll::Ready(None);
        }
        timer.as_mut().reset((heard_at + limit).into());
        // Registers the task with the timer.
        if timer.as_mut().poll(cx).is_ready() {
            cx.waker().wake_by_ref();
        }
        Poll::Pending
    })
    .await
}

impl Connection for Session {
    fn execute(&mut self, sql: &str, params: &[Value]) -> Result<u64, Failure> {
        let statement = self.prepare(sql, params)?;
        self.send(|client| client.execute_raw(&statement, params))
    }

    fn query(&mut self, sql: &str, params: &[Value]) -> Result<Vec<Row>, Failure> {
        let statement = self.prepare(sql, params)?;
        let rows: Vec<_> = self.send(|client| {
            let rows = client.query_raw(&statement, params);
            rows.and_then(TryStreamExt::try_collect)
        })?;
        rows.iter().map(decode).collect()
    }

    fn query_each(&mut self, queries: &[Query<'_>]) -> Result<Vec<Vec<Row>>, Failure> {
        let prepared = queries
            .iter()
            .map(|(sql, params)| self.prepare(sql, params));
        let prepared: Vec<_> = prepared.collect::<Result<_, _>>()?;
        let asked = prepared.iter().zip(queries);
        let found: Vec<Vec<_>> = self.send(|client| {
            try_join_all(asked.map(|(statement, (_, params))| {
                let rows = client.query_raw(statement, params);
                rows.and_then(TryStreamExt::try_collect)
            }))
        })?;
        let each = found.iter();
        each.map(|rows| rows.iter().map(decode).collect()).collect()
    }

    fn defer(&mut self, sql: &str, params: &[Value]) -> Result<(), Failure> {
        let statement = self.prepare(sql, params)?;
        let params = params.to_vec();
        self.waiting.push(Order::Execute(statement, params));
        Ok(())
    }

    fn script(&mut self, sql: &str) -> Result<(), Failure> {
        self.send(|client| client.batch_execute(sql))
    }

    fn notify(&mut self) -> Result<(), Failure> {
        self.waiting.push(Order::Script(NOTIFY));
        Ok(())
    }

    /// An advisory lock, which ends with the transaction even if the connection breaks.
    fn try_lock(&mut self, name: &str) -> Result<bool, Failure> {
        let sql = "SELECT pg_try_advisory_xact_lock($1)";
        let rows = self.query(sql, params![lock_key(name)])?;
        Ok(rows.first().map_or(Ok(false), |row| row.get(0))?)
    }
}
