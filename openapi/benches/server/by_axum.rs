//! The same operations, written by hand on axum.

use std::net::SocketAddr;

use axum::extract::Query;
use axum::routing::{get, post};
use axum::{Json, Router};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use uuid::Uuid;

use crate::by_dropshot::{
    CreateUserRequest, CreateUserResponse, ListQuery, OrganizationDetails, created, listed,
};
use crate::data;

fn authorized(headers: &HeaderMap) -> Result<(), StatusCode> {
    match data::is_authorized(headers) {
        true => Ok(()),
        false => Err(StatusCode::UNAUTHORIZED),
    }
}

/// The headers of an answer.
type Headers = [(HeaderName, HeaderValue); 1];

fn named() -> Headers {
    let name = HeaderName::from_static(data::REQUEST_ID);
    let id = HeaderValue::try_from(Uuid::new_v4().to_string());
    [(name, id.expect("a header"))]
}

async fn create_user(
    headers: HeaderMap,
    Json(body): Json<CreateUserRequest>,
) -> Result<(Headers, Json<CreateUserResponse>), StatusCode> {
    authorized(&headers)?;
    let created = created(body).ok_or(StatusCode::BAD_REQUEST)?;
    Ok((named(), Json(created)))
}

async fn list_organizations(
    headers: HeaderMap,
    Query(query): Query<ListQuery>,
) -> Result<(Headers, Json<Vec<OrganizationDetails>>), StatusCode> {
    authorized(&headers)?;
    Ok((named(), Json(listed(&query))))
}

pub async fn serve(address: SocketAddr) {
    let router = Router::new()
        .route(data::CREATE, post(create_user))
        .route(data::LIST, get(list_organizations));
    let listener = tokio::net::TcpListener::bind(address)
        .await
        .expect("a socket");
    axum::serve(listener, router).await.expect("it serves");
}
