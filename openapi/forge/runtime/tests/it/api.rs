//! A small document with its tables and handlers, as the generator writes
//! them.

use dropforge_runtime as rt;
use rt::serde::{Deserialize, Serialize};
use rt::table::*;

static API: Api = Api {
    name: "shop",
    title: "Shop",
    version: "1",
    base_path: "/api",
    document: "{}",
    operations: &[&CREATE_ITEM],
};

static ITEM: Schema = Schema {
    pointer: "/components/schemas/Item",
    types: Types::OBJECT,
    object: Some(&ObjectRules {
        properties: &[Property {
            name: "name",
            schema: &Schema {
                types: Types::STRING,
                string: Some(&StringRules {
                    min_length: Some(1),
                    max_length: None,
                    pattern: Some(&NAME_PATTERN),
                    format: None,
                }),
                ..Schema::ANY
            },
            read_only: false,
            write_only: false,
        }],
        required: &["name"],
        additional: Additional::Allowed,
        min_properties: None,
        max_properties: None,
    }),
    ..Schema::ANY
};

static NAME_PATTERN: Pattern = Pattern::new("^[a-z]+$");

static CREATE_ITEM: Operation = Operation {
    id: "createItem",
    method: rt::http::Method::POST,
    path: "/api/items/{shop}",
    segments: &[
        Segment::Literal("api"),
        Segment::Literal("items"),
        Segment::Variable("shop"),
    ],
    route: "/api/items/{shop}",
    pointer: "/paths/~1items~1{shop}/post",
    parameters: &[Parameter {
        name: "shop",
        location: ParameterIn::Path,
        required: true,
        style: Style::Simple,
        explode: false,
        json: false,
        schema: &Schema {
            types: Types::STRING,
            ..Schema::ANY
        },
    }],
    body: Some(&RequestBody {
        required: true,
        lenient: false,
        media: &[MediaType {
            name: "application/json",
            codec: Codec::Json,
            schema: Some(&ITEM),
            raw: false,
            stream: Framing {
                terminator: None,
                event: None,
            },
        }],
    }),
    responses: &[],
    security: &[],
    max_body_bytes: 1 << 20,
};

#[derive(Debug, Serialize, Deserialize)]
pub struct Item {
    name: String,
}
#[derive(Debug, Deserialize)]
pub struct CreateItemParameters {
    #[allow(dead_code)]
    shop: String,
}

pub struct CreateItemOk {
    body: Item,
}
pub enum CreateItemResponse {
    Ok(CreateItemOk),
}
impl rt::IntoReply for CreateItemResponse {
    fn into_reply(self, accept: &rt::Accept) -> rt::Reply {
        match self {
            CreateItemResponse::Ok(CreateItemOk { body }) => rt::Reply::negotiated(
                rt::http::StatusCode::OK,
                &["application/json"],
                accept,
                &body,
            ),
        }
    }
}

pub trait Security: Sized + Send + Sync + 'static {
    type Context: rt::dropshot::ServerContext + rt::Observe;
    type AccessToken: Send;
    fn access_token(
        call: &rt::Call<Self::Context>,
        credentials: rt::Bearer,
        scopes: &'static [&'static str],
    ) -> impl Future<Output = Result<Self::AccessToken, rt::Denied>> + Send;
    fn reject(call: &rt::Call<Self::Context>, rejection: rt::Rejection) -> rt::Reply;
}
pub trait Shop: Security {
    fn create_item(
        call: rt::Call<Self::Context>,
        caller: Self::AccessToken,
        parameters: CreateItemParameters,
        body: Item,
    ) -> impl Future<Output = Result<CreateItemResponse, std::convert::Infallible>> + Send;
}

pub enum CreateItemOperation {}
impl rt::OperationMarker for CreateItemOperation {
    const OPERATION: &'static Operation = &CREATE_ITEM;
    const API: &'static Api = &API;
}

async fn create_item_handler<A: Shop>(
    rqctx: rt::dropshot::RequestContext<A::Context>,
    request: rt::Kept<CreateItemOperation>,
) -> Result<rt::Served<CreateItemOperation>, rt::dropshot::HttpError> {
    rt::serve(
        &API,
        &CREATE_ITEM,
        rqctx,
        request,
        A::reject,
        |mut exchange: rt::Exchange<A::Context>| async move {
            let caller = {
                let mut refused = rt::Refusals::new();
                'caller: {
                    if let Some(credentials) = exchange.bearer() {
                        match A::access_token(exchange.call(), credentials, &["items.write"]).await
                        {
                            Ok(caller) => break 'caller caller,
                            Err(denied) => refused.push(denied),
                        }
                    }
                    return Err(refused.into_rejection());
                }
            };
            let accept = exchange.accept().clone();
            let request = exchange.read().await?;
            let parameters: CreateItemParameters = request.parameters()?;
            let body: Item = request.body()?;
            let outcome = A::create_item(exchange.into_call(), caller, parameters, body).await;
            Ok(rt::into_reply(outcome, accept))
        },
    )
    .await
}

async fn folded_0<A: Shop>(
    rqctx: rt::dropshot::RequestContext<A::Context>,
    request: rt::Kept<CreateItemOperation>,
) -> Result<rt::Served<CreateItemOperation>, rt::dropshot::HttpError> {
    match rt::select(&[&CREATE_ITEM], &request) {
        Some(0) => Ok(create_item_handler::<A>(rqctx, request.retag())
            .await?
            .retag()),
        _ => rt::refuse(&API, rqctx, request, A::reject, rt::Rejection::NotFound).await,
    }
}

pub fn register<A: Shop>(
    api: &mut rt::dropshot::ApiDescription<A::Context>,
) -> Result<(), rt::RegisterError> {
    let mut routes = rt::Routes::new(api, &API, A::reject);
    if false {
        routes.folded(&[&CREATE_ITEM], folded_0::<A>)?;
    }
    routes.operation(&CREATE_ITEM, create_item_handler::<A>)?;
    routes.finish()
}
