//! The same operations, written by hand on axum.

use std::net::SocketAddr;

use axum::extract::Query;
use axum::routing::{get, post};
use axum::{Json, Router};
use http::{HeaderMap, StatusCode};

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

async fn create_user(
    headers: HeaderMap,
    Json(body): Json<CreateUserRequest>,
) -> Result<Json<CreateUserResponse>, StatusCode> {
    authorized(&headers)?;
    created(body).map(Json).ok_or(StatusCode::BAD_REQUEST)
}

async fn list_organizations(
    headers: HeaderMap,
    Query(query): Query<ListQuery>,
) -> Result<Json<Vec<OrganizationDetails>>, StatusCode> {
    authorized(&headers)?;
    Ok(Json(listed(&query)))
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
