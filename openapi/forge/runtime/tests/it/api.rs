//! Types, trait and handlers of the small document, as the generator writes
//! them.

use dropforge_runtime as rt;
use rt::dropshot::{ApiDescription, HttpError, RequestContext, ServerContext};
use rt::http::StatusCode;
use rt::serde::{Deserialize, Serialize};
use rt::serde_json::{Map, Value};
use rt::table::{Api, Operation};

use crate::tables::*;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Item {
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<i64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Item>,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Form {
    pub name: String,
    pub count: Option<i64>,
    #[serde(default)]
    pub tags: Vec<String>,
    pub file: Option<rt::Binary>,
    pub item: Option<Item>,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct GetNote {
    pub id: String,
    pub limit: Option<i64>,
    pub fields: Option<Vec<String>>,
    #[serde(rename = "If-Match")]
    pub if_match: Option<String>,
}

#[derive(Debug, Deserialize)]
pub struct Misbehave {
    pub how: String,
}

/// A response enum, in short.
pub enum Response {
    Created { location: String, body: Item },
    Ok(Value),
    Negotiated(Value),
    Text(String),
    NoContent,
    MethodNotAllowed,
    Events(rt::EventStream<Value>),
    Raw(rt::RawJson<Item>),
}

impl rt::IntoReply for Response {
    fn into_reply(self, accept: &rt::Accept) -> rt::Reply {
        match self {
            Response::Created { location, body } => {
                rt::Reply::json_as(StatusCode::CREATED, "application/json", &body)
                    .header("Location", &location)
            }
            Response::Ok(body) => rt::Reply::json_as(StatusCode::OK, "application/json", &body),
            Response::Negotiated(body) => rt::Reply::negotiated(
                StatusCode::OK,
                &["application/json", "application/vnd.shop+json"],
                accept,
                &body,
            ),
            Response::Text(body) => rt::Reply::text(StatusCode::OK, "text/plain", body),
            Response::NoContent => rt::Reply::empty(StatusCode::NO_CONTENT),
            Response::MethodNotAllowed => rt::Reply::empty(StatusCode::METHOD_NOT_ALLOWED),
            Response::Events(events) => rt::Reply::events(
                StatusCode::OK,
                "text/event-stream",
                rt::table::Framing {
                    terminator: Some("[DONE]"),
                    event: None,
                },
                events,
            ),
            Response::Raw(body) => rt::Reply::raw(StatusCode::OK, "application/json", body),
        }
    }
}

type Outcome = Result<Response, std::convert::Infallible>;

pub trait Security: Sized + Send + Sync + 'static {
    type Context: ServerContext + rt::Observe;
    type Token: Send;
    fn token(
        call: &rt::Call<Self::Context>,
        credentials: rt::Bearer,
        scopes: &'static [&'static str],
    ) -> impl Future<Output = Result<Self::Token, rt::Denied>> + Send;
    fn reject(call: &rt::Call<Self::Context>, rejection: rt::Rejection) -> rt::Reply;
}

pub trait Shop: Security {
    fn create_item(
        call: rt::Call<Self::Context>,
        caller: Self::Token,
        body: Item,
    ) -> impl Future<Output = Outcome> + Send;
    fn get_note(
        call: rt::Call<Self::Context>,
        parameters: GetNote,
    ) -> impl Future<Output = Outcome> + Send;
    fn archive_notes(call: rt::Call<Self::Context>) -> impl Future<Output = Outcome> + Send;
    fn purge_archive(call: rt::Call<Self::Context>) -> impl Future<Output = Outcome> + Send;
    fn search(
        call: rt::Call<Self::Context>,
        body: Option<Map<String, Value>>,
    ) -> impl Future<Output = Outcome> + Send;
    fn keep(
        call: rt::Call<Self::Context>,
        body: Option<rt::RawJson<Item>>,
    ) -> impl Future<Output = Outcome> + Send;
    fn fill_form(call: rt::Call<Self::Context>, body: Form)
    -> impl Future<Output = Outcome> + Send;
    fn upload(call: rt::Call<Self::Context>, body: Upload) -> impl Future<Output = Outcome> + Send;
    fn follow(call: rt::Call<Self::Context>) -> impl Future<Output = Outcome> + Send;
    fn misbehave(
        call: rt::Call<Self::Context>,
        parameters: Misbehave,
    ) -> impl Future<Output = Outcome> + Send;
}

pub enum Upload {
    Text(String),
    Bytes(rt::bytes::Bytes),
}

macro_rules! handler {
    ($marker:ident, $table:ident, $handler:ident, |$exchange:ident| $body:expr) => {
        pub enum $marker {}

        impl rt::OperationMarker for $marker {
            const OPERATION: &'static Operation = &$table;
            const API: &'static Api = &API;
        }

        async fn $handler<A: Shop>(
            rqctx: RequestContext<A::Context>,
            request: rt::Kept<$marker>,
        ) -> Result<rt::Served<$marker>, HttpError> {
            rt::serve(
                &API,
                &$table,
                rqctx,
                request,
                A::reject,
                |mut $exchange: rt::Exchange<A::Context>| async move {
                    let accept = $exchange.accept().clone();
                    let outcome: Outcome = $body;
                    Ok(rt::into_reply(outcome, accept))
                },
            )
            .await
        }
    };
}

handler!(CreateItem, CREATE_ITEM, create_item, |exchange| {
    let caller = {
        let mut refused = rt::Refusals::new();
        'caller: {
            if let Some(credentials) = exchange.bearer() {
                match A::token(exchange.call(), credentials, &["items.write"]).await {
                    Ok(caller) => break 'caller caller,
                    Err(denied) => refused.push(denied),
                }
            }
            return Err(refused.into_rejection());
        }
    };
    let mut request = exchange.read().await?;
    let body: Item = request.body()?;
    A::create_item(exchange.into_call(), caller, body).await
});

handler!(GetNoteMarker, GET_NOTE, get_note, |exchange| {
    let request = exchange.read::<rt::Unread>().await?;
    let parameters: GetNote = request.parameters()?;
    A::get_note(exchange.into_call(), parameters).await
});

handler!(ArchiveNotes, ARCHIVE_NOTES, archive_notes, |exchange| {
    exchange.read::<rt::Unread>().await?;
    A::archive_notes(exchange.into_call()).await
});

handler!(PurgeArchive, PURGE_ARCHIVE, purge_archive, |exchange| {
    exchange.read::<rt::Unread>().await?;
    A::purge_archive(exchange.into_call()).await
});

handler!(Search, SEARCH, search, |exchange| {
    let request = exchange.read::<rt::Unread>().await?;
    let body: Option<Map<String, Value>> = request.optional_body_as()?;
    A::search(exchange.into_call(), body).await
});

handler!(Keep, KEEP, keep, |exchange| {
    let request = exchange.read::<rt::Unread>().await?;
    let body: Option<rt::RawJson<Item>> = request.optional_raw_body()?;
    A::keep(exchange.into_call(), body).await
});

handler!(FillForm, FILL_FORM, fill_form, |exchange| {
    let mut request = exchange.read().await?;
    let body: Form = request.body()?;
    A::fill_form(exchange.into_call(), body).await
});

handler!(UploadMarker, UPLOAD, upload, |exchange| {
    let request = exchange.read::<rt::Unread>().await?;
    let body = match request.media_index() {
        Some(0) => Upload::Text(request.text_body()?),
        _ => Upload::Bytes(request.bytes_body()?),
    };
    A::upload(exchange.into_call(), body).await
});

handler!(Follow, FOLLOW, follow, |exchange| {
    exchange.read::<rt::Unread>().await?;
    A::follow(exchange.into_call()).await
});

handler!(MisbehaveMarker, MISBEHAVE, misbehave, |exchange| {
    let request = exchange.read::<rt::Unread>().await?;
    let parameters: Misbehave = request.parameters()?;
    A::misbehave(exchange.into_call(), parameters).await
});

async fn folded_0<A: Shop>(
    rqctx: RequestContext<A::Context>,
    request: rt::Kept<ArchiveNotes>,
) -> Result<rt::Served<ArchiveNotes>, HttpError> {
    match rt::select(&[&ARCHIVE_NOTES], &request) {
        Some(0) => Ok(archive_notes::<A>(rqctx, request.retag()).await?.retag()),
        _ => rt::refuse(&API, rqctx, request, A::reject, rt::Rejection::NotFound).await,
    }
}

async fn folded_1<A: Shop>(
    rqctx: RequestContext<A::Context>,
    request: rt::Kept<PurgeArchive>,
) -> Result<rt::Served<PurgeArchive>, HttpError> {
    match rt::select(&[&PURGE_ARCHIVE], &request) {
        Some(0) => Ok(purge_archive::<A>(rqctx, request.retag()).await?.retag()),
        _ => rt::refuse(&API, rqctx, request, A::reject, rt::Rejection::NotFound).await,
    }
}

pub fn register<A: Shop>(api: &mut ApiDescription<A::Context>) -> Result<(), rt::RegisterError> {
    add_routes::<A>(rt::Routes::new(api, &API, A::reject))
}

pub fn describe<A: Shop>(api: &mut ApiDescription<A::Context>) -> Result<(), rt::RegisterError> {
    add_routes::<A>(rt::Routes::apart(api, &API, A::reject))
}

fn add_routes<A: Shop>(mut routes: rt::Routes<'_, A::Context>) -> Result<(), rt::RegisterError> {
    routes.operation(&CREATE_ITEM, create_item::<A>)?;
    routes.operation(&GET_NOTE, get_note::<A>)?;
    routes.folded(&[&ARCHIVE_NOTES], folded_0::<A>)?;
    routes.folded(&[&PURGE_ARCHIVE], folded_1::<A>)?;
    routes.operation(&SEARCH, search::<A>)?;
    routes.operation(&KEEP, keep::<A>)?;
    routes.operation(&FILL_FORM, fill_form::<A>)?;
    routes.operation(&UPLOAD, upload::<A>)?;
    routes.operation(&FOLLOW, follow::<A>)?;
    routes.operation(&MISBEHAVE, misbehave::<A>)?;
    routes.finish()
}
