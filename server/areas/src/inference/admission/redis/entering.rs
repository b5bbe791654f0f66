//! A request for admission without a response from Redis yet.

use std::sync::Arc;

use ::redis::RedisError;
use futures::future::BoxFuture;

use super::connection::Connection;
use super::link::Link;
use super::reply::Reply;
use crate::inference::admission::demand::Reservation;
use crate::inference::admission::shared::LimitedKey;

/// A request for admission. If its caller leaves before the reply, a task waits for the reply, and
/// releases the reservation.
pub(super) struct Entering<'a> {
    pub link: &'a Arc<Link>,
    pub connection: &'a Arc<Connection>,
    pub key: LimitedKey<'a>,
    pub reservation: Reservation,
    /// The reply, until it arrives.
    pub reply: Option<BoxFuture<'static, Result<Reply, RedisError>>>,
}

impl Entering<'_> {
    /// Waits for the reply.
    pub async fn reply(mut self) -> Result<Reply, RedisError> {
        let Some(reply) = &mut self.reply else {
            unreachable!("the reply is taken once, here")
        };
        let reply = reply.await;
        self.reply = None;
        reply
    }
}

impl Drop for Entering<'_> {
    fn drop(&mut self) {
        let Some(reply) = self.reply.take() else {
            return;
        };
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return;
        };
        let (link, connection) = (Arc::clone(self.link), Arc::clone(self.connection));
        let (id, limits) = (self.key.id.to_owned(), *self.key.limits);
        let reservation = self.reservation;
        runtime.spawn(async move {
            match reply.await {
                Ok(reply) if reply.exhausted().is_none() => link.add(&id, &limits, |pending| {
                    pending.release(&limits, reservation, reservation.tokens);
                }),
                Ok(_) => {}
                Err(error) => link.disconnect(&connection, &error),
            }
        });
    }
}
