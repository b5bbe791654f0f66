//! Types, trait and handlers of the small document, as the generator writes
//! them.

use dropforge_runtime as rt;
use rt::dropshot::{ApiDescription, ServerContext};
use rt::http::StatusCode;
use rt::serde::de::IgnoredAny;
use rt::serde::{Deserialize, Serialize};
use rt::serde_json::{Map, Value};
use rt::table::Operation;

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

impl rt::ReadBody for Upload {
    type Value = Upload;

    fn read(request: &rt::Request) -> Result<Upload, rt::Rejection> {
        match request.media_index() {
            Some(0) => request.text_body().map(Upload::Text),
            _ => request.bytes_body().map(Upload::Bytes),
        }
    }
}

pub enum CreateItem {}

impl<A: Shop> rt::Handle<A, A::Context> for CreateItem {
    const OPERATION: &'static Operation = &CREATE_ITEM;
    type Caller = A::Token;
    type Parameters = IgnoredAny;
    type Body = rt::Typed<Item>;
    type Outcome = Outcome;

    fn authenticate(
        call: &rt::Call<A::Context>,
    ) -> impl Future<Output = Result<A::Token, rt::Rejection>> + Send {
        rt::admit(call, &CREATE_ITEM, A::token)
    }

    fn call(
        call: rt::Call<A::Context>,
        caller: A::Token,
        _: IgnoredAny,
        body: Item,
    ) -> impl Future<Output = Outcome> + Send {
        A::create_item(call, caller, body)
    }
}

/// An operation that everybody may call.
macro_rules! handler {
    ($marker:ident, $table:ident, $parameters:ty, $body:ty, |$($name:pat_param),*| $outcome:expr) => {
        pub enum $marker {}

        impl<A: Shop> rt::Handle<A, A::Context> for $marker {
            const OPERATION: &'static Operation = &$table;
            type Caller = ();
            type Parameters = $parameters;
            type Body = $body;
            type Outcome = Outcome;

            fn authenticate(
                _: &rt::Call<A::Context>,
            ) -> impl Future<Output = Result<(), rt::Rejection>> + Send {
                rt::anybody()
            }

            fn call(
                call: rt::Call<A::Context>,
                (): (),
                parameters: $parameters,
                body: <$body as rt::ReadBody>::Value,
            ) -> impl Future<Output = Outcome> + Send {
                let ($($name),*) = (call, parameters, body);
                $outcome
            }
        }
    };
}

handler!(
    GetNoteMarker,
    GET_NOTE,
    GetNote,
    (),
    |call, parameters, ()| A::get_note(call, parameters)
);
handler!(
    ArchiveNotes,
    ARCHIVE_NOTES,
    IgnoredAny,
    (),
    |call, _, ()| A::archive_notes(call)
);
handler!(
    PurgeArchive,
    PURGE_ARCHIVE,
    IgnoredAny,
    (),
    |call, _, ()| A::purge_archive(call)
);
handler!(
    Search,
    SEARCH,
    IgnoredAny,
    Option<rt::Typed<Map<String, Value>>>,
    |call, _, body| A::search(call, body)
);
handler!(
    Keep,
    KEEP,
    IgnoredAny,
    Option<rt::RawJson<Item>>,
    |call, _, body| A::keep(call, body)
);
handler!(
    FillForm,
    FILL_FORM,
    IgnoredAny,
    rt::Typed<Form>,
    |call, _, body| A::fill_form(call, body)
);
handler!(UploadMarker, UPLOAD, IgnoredAny, Upload, |call, _, body| {
    A::upload(call, body)
});
handler!(Follow, FOLLOW, IgnoredAny, (), |call, _, ()| A::follow(
    call
));
handler!(
    MisbehaveMarker,
    MISBEHAVE,
    Misbehave,
    (),
    |call, parameters, ()| A::misbehave(call, parameters)
);

pub fn register<A: Shop>(api: &mut ApiDescription<A::Context>) -> Result<(), rt::RegisterError> {
    let mut routes = rt::Routes::new(api, &API, A::reject);
    routes.handle::<A, CreateItem>()?;
    routes.handle::<A, GetNoteMarker>()?;
    routes.fold([routes.entry::<A, ArchiveNotes>()])?;
    routes.fold([routes.entry::<A, PurgeArchive>()])?;
    routes.handle::<A, Search>()?;
    routes.handle::<A, Keep>()?;
    routes.handle::<A, FillForm>()?;
    routes.handle::<A, UploadMarker>()?;
    routes.handle::<A, Follow>()?;
    routes.handle::<A, MisbehaveMarker>()?;
    routes.finish()
}
