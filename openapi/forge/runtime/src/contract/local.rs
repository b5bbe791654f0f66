//! A server for the tests of its contract, in the process of the tests.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use bytes::Bytes;
use dropshot::{ApiDescription, ConfigDropshot, ServerBuilder, ServerContext};
use http::{HeaderValue, Request, Response, header};
use http_body_util::{BodyExt, Full};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::runtime::Runtime;

/// How long a response may take.
const TIMEOUT: Duration = Duration::from_secs(30);

/// A running server, at a free port of this machine. It ends when it is dropped.
#[derive(Debug)]
pub struct LocalServer {
    address: SocketAddr,
    runtime: Runtime,
}

impl LocalServer {
    /// Starts a server of the operations that are registered in `api`.
    ///
    /// # Errors
    ///
    /// Why it cannot start.
    pub fn start<C: ServerContext>(api: ApiDescription<C>, context: C) -> Result<Self, String> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .map_err(|error| error.to_string())?;
        let entered = runtime.enter();
        let config = ConfigDropshot {
            bind_address: (Ipv4Addr::LOCALHOST, 0).into(),
            ..ConfigDropshot::default()
        };
        let log = slog::Logger::root(slog::Discard, slog::o!());
        let server = ServerBuilder::new(api, context, log)
            .config(config)
            .start()
            .map_err(|error| error.to_string())?;
        let address = server.local_addr();
        runtime.spawn(server);
        drop(entered);
        Ok(LocalServer { address, runtime })
    }

    /// The address that the server listens at.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Sends a request whose target is a path and query, and reads the whole response, as a
    /// [`Subject`](super::Subject) must.
    ///
    /// # Errors
    ///
    /// Why there is no response.
    pub fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, String> {
        let outcome = self.runtime.block_on(async {
            tokio::time::timeout(TIMEOUT, exchange(self.address, request)).await
        });
        match outcome {
            Ok(Ok(response)) => Ok(response),
            Ok(Err(error)) => Err(error.to_string()),
            Err(_) => Err(format!("no response within {} s", TIMEOUT.as_secs())),
        }
    }
}

async fn exchange(
    address: SocketAddr,
    mut request: Request<Bytes>,
) -> Result<Response<Bytes>, Box<dyn std::error::Error + Send + Sync>> {
    let stream = TcpStream::connect(address).await?;
    let (mut sender, connection) =
        hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
    let connection = tokio::spawn(connection);
    let host = HeaderValue::from_str(&address.to_string())?;
    request.headers_mut().entry(header::HOST).or_insert(host);
    let response = sender.send_request(request.map(Full::new)).await?;
    let (head, body) = response.into_parts();
    let body = body.collect().await?.to_bytes();
    connection.abort();
    Ok(Response::from_parts(head, body))
}
