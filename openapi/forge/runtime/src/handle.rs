//! The handler of all generated operations.
//!
//! An `async` body for each generated operation would cost compile time: the compiler computes the
//! values that the body holds across each `await`. So a generated operation only names its types
//! and two methods of the implementer ([`Handle`]).

use std::future::{Ready, ready};
use std::marker::PhantomData;

use bytes::Bytes;
use dropshot::{Body, HttpError, RawRequest, RequestContext, ServerContext};
use http::Response;
use serde::de::DeserializeOwned;

use crate::call::Call;
use crate::credentials::Credentials;
use crate::denied::Denied;
use crate::exchange::Exchange;
use crate::observe::Observe;
use crate::raw::RawJson;
use crate::rejection::Rejection;
use crate::reply::IntoReply;
use crate::request::Request;
use crate::serve::{Reject, serve};
use crate::table::{Api, Operation};

/// An operation as the implementer `A` with the context `C` serves it.
pub trait Handle<A, C: ServerContext>: 'static {
    /// The operation.
    const OPERATION: &'static Operation;
    /// The caller that the operation admits.
    type Caller: Send;
    /// The type of all parameters.
    type Parameters: DeserializeOwned + Send;
    /// The type that reads the body.
    type Body: ReadBody;
    /// The return type of the implementer's method.
    type Outcome: IntoReply;

    /// Authenticates the caller.
    fn authenticate(call: &Call<C>)
    -> impl Future<Output = Result<Self::Caller, Rejection>> + Send;

    /// Calls the method of the implementer.
    fn call(
        call: Call<C>,
        caller: Self::Caller,
        parameters: Self::Parameters,
        body: <Self::Body as ReadBody>::Value,
    ) -> impl Future<Output = Self::Outcome> + Send;
}

/// Serves one request of an operation.
pub(crate) fn handle<A, C, O>(
    api: &'static Api,
    rqctx: RequestContext<C>,
    request: RawRequest,
    reject: Reject<C>,
) -> impl Future<Output = Result<Response<Body>, HttpError>> + Send
where
    C: Observe + ServerContext,
    O: Handle<A, C>,
{
    serve(
        api,
        O::OPERATION,
        rqctx,
        request,
        reject,
        |mut exchange: Exchange<C>| async move {
            let caller = O::authenticate(exchange.call()).await?;
            let (parameters, body) = {
                let request = exchange.read().await?;
                (request.parameters()?, O::Body::read(&request)?)
            };
            let accept = exchange.accept().clone();
            let outcome = O::call(exchange.into_call(), caller, parameters, body).await;
            Ok(outcome.into_reply(&accept))
        },
    )
}

/// Accepts every caller, of an operation without security.
pub fn anybody() -> Ready<Result<(), Rejection>> {
    ready(Ok(()))
}

/// Authenticates the caller with the only security scheme of an operation. `find` is the
/// implementer's method for this scheme.
pub fn admit<'c, C, K, T, F>(
    call: &'c Call<C>,
    operation: &'static Operation,
    find: impl FnOnce(&'c Call<C>, K, &'static [&'static str]) -> F + Send,
) -> impl Future<Output = Result<T, Rejection>> + Send
where
    C: ServerContext,
    K: Credentials,
    F: Future<Output = Result<T, Denied>> + Send,
{
    let used = operation.security.first().and_then(|one| one.all.first());
    let found = used.and_then(|used| {
        let credentials = K::presented(call, used.scheme)?;
        Some(find(call, credentials, used.scopes))
    });
    async move {
        match found {
            Some(found) => found.await.map_err(Rejection::Denied),
            None => Err(Rejection::MissingCredentials),
        }
    }
}

/// How the body of a request becomes an argument.
pub trait ReadBody {
    /// The argument.
    type Value;

    /// Makes the argument.
    ///
    /// # Errors
    ///
    /// A body that is missing, or that does not fit the type.
    fn read(request: &Request) -> Result<Self::Value, Rejection>;
}

/// No argument: the operation has no body.
impl ReadBody for () {
    type Value = ();

    fn read(_: &Request) -> Result<(), Rejection> {
        Ok(())
    }
}

/// An optional body.
impl<B: ReadBody> ReadBody for Option<B> {
    type Value = Option<B::Value>;

    fn read(request: &Request) -> Result<Option<B::Value>, Rejection> {
        match request.has_body() {
            true => B::read(request).map(Some),
            false => Ok(None),
        }
    }
}

/// A body that is parsed into a type.
#[derive(Debug)]
pub struct Typed<T>(PhantomData<T>);

impl<T: DeserializeOwned + Send> ReadBody for Typed<T> {
    type Value = T;

    fn read(request: &Request) -> Result<T, Rejection> {
        request.body_as()
    }
}

impl<T> ReadBody for RawJson<T> {
    type Value = RawJson<T>;

    fn read(request: &Request) -> Result<RawJson<T>, Rejection> {
        request.raw_body()
    }
}

/// Text.
impl ReadBody for String {
    type Value = String;

    fn read(request: &Request) -> Result<String, Rejection> {
        request.text_body()
    }
}

impl ReadBody for Bytes {
    type Value = Bytes;

    fn read(request: &Request) -> Result<Bytes, Rejection> {
        request.bytes_body()
    }
}
