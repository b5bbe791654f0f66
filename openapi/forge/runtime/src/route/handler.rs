//! Handlers of one type, whatever their operations.

use std::sync::Arc;

use dropshot::{HttpError, RequestContext, ServerContext};
use futures::future::BoxFuture;
use futures::{FutureExt, TryFutureExt};

use crate::kept::{Kept, Served};
use crate::marker::OperationMarker;
use crate::observe::Observe;
use crate::rejection::Rejection;
use crate::rivals::Rivals;
use crate::serve::{Reject, refuse};
use crate::table::{Api, NO_OPERATION, Operation};

/// A handler whose operation is not known by its type.
pub(super) type Handler<C> =
    Arc<dyn Fn(RequestContext<C>, Kept<NoOperation>) -> BoxFuture<'static, Outcome> + Send + Sync>;
pub(super) type Outcome = Result<Served<NoOperation>, HttpError>;

/// A handler whose operation is not known by its type, of one whose operation is.
pub(super) fn erase<C, M, H, Fut>(handler: H) -> Handler<C>
where
    C: Observe + ServerContext,
    M: OperationMarker,
    H: Fn(RequestContext<C>, Kept<M>) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<Served<M>, HttpError>> + Send + 'static,
{
    Arc::new(move |rqctx, request| handler(rqctx, request.cast()).map_ok(Served::cast).boxed())
}

/// The handler of operations that share requests with more specific paths without their method.
pub(super) fn beside<C, M, H, Fut>(
    api: &'static Api,
    reject: Reject<C>,
    rivals: Rivals,
    handler: H,
) -> impl Fn(RequestContext<C>, Kept<M>) -> BoxFuture<'static, Result<Served<M>, HttpError>>
+ Send
+ Sync
+ 'static
where
    C: Observe + ServerContext,
    M: OperationMarker,
    H: Fn(RequestContext<C>, Kept<M>) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<Served<M>, HttpError>> + Send + 'static,
{
    move |rqctx, request| match rivals.take(request.uri().path()) {
        true => refuse(api, rqctx, request, reject, Rejection::NotFound).boxed(),
        false => handler(rqctx, request).boxed(),
    }
}

/// Stands for the methods that a path does not have.
pub(super) enum NoOperation {}

impl OperationMarker for NoOperation {
    const OPERATION: &'static Operation = &NO_OPERATION;
    const API: &'static Api = &NO_API;
}

static NO_API: Api = crate::table::NO_API;
