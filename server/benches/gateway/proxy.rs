//! A bare proxy on hyper: what is left of a gateway when it does nothing.

use std::net::SocketAddr;

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::{Request, Response, Uri};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::net::TcpListener;

type Pool = Client<HttpConnector, Full<Bytes>>;

/// Serves until the process is ended.
pub async fn serve(listen: SocketAddr, upstream: SocketAddr) -> anyhow::Result<()> {
    let mut connector = HttpConnector::new();
    connector.set_nodelay(true);
    let pool: Pool = Client::builder(TokioExecutor::new()).build(connector);
    let listener = TcpListener::bind(listen).await?;
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let pool = pool.clone();
        tokio::spawn(async move {
            let service = service_fn(move |request| pass(pool.clone(), upstream, request));
            let connection = hyper::server::conn::http1::Builder::new();
            let _ = connection
                .serve_connection(TokioIo::new(stream), service)
                .await;
        });
    }
}

async fn pass(
    pool: Pool,
    upstream: SocketAddr,
    request: Request<Incoming>,
) -> anyhow::Result<Response<Incoming>> {
    let (head, body) = request.into_parts();
    let body = body.collect().await?.to_bytes();
    let uri: Uri = format!("http://{upstream}{}", head.uri.path()).parse()?;
    let request = Request::post(uri)
        .header("content-type", "application/json")
        .body(Full::new(body))?;
    Ok(pool.request(request).await?)
}
