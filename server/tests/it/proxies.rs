//! Behind a real nginx and a real HAProxy, configured as `server/deploy` says, with a
//! caller who forges what proxies say.

use std::net::{IpAddr, SocketAddr};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use accord_server::config::{ClientAddressHeader, ForwardedHeader, Layer};
use accord_server::params;
use accord_server::store::Tx;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::harness::{Database, Server, commands, http};
use crate::identity::browser::Browser;
use crate::identity::client::{ANA, PASSWORD};
use crate::serving::own_address;

/// The recipes for operators.
const NGINX: &str = include_str!("../../deploy/nginx.conf");
const HAPROXY: &str = include_str!("../../deploy/haproxy.cfg");

/// Who attacks, and who does not.
const EVIL: [u8; 4] = [127, 0, 7, 7];
const GOOD: [u8; 4] = [127, 0, 9, 9];

/// A proxy that ends with the test.
struct Proxy {
    child: Child,
    address: SocketAddr,
    _directory: tempfile::TempDir,
}

impl Drop for Proxy {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Nginx,
    HaProxy,
    /// HAProxy that writes `Forwarded`.
    HaProxyForwarded,
}

impl Kind {
    const ALL: [Kind; 3] = [Kind::Nginx, Kind::HaProxy, Kind::HaProxyForwarded];

    fn header(self) -> ClientAddressHeader {
        match self {
            Kind::Nginx | Kind::HaProxy => ClientAddressHeader::XForwardedFor,
            Kind::HaProxyForwarded => ClientAddressHeader::Forwarded,
        }
    }

    /// The other headers that the recipe configures.
    fn forwarded(self) -> Vec<ForwardedHeader> {
        match self {
            Kind::Nginx | Kind::HaProxy => vec![ForwardedHeader::Proto, ForwardedHeader::Host],
            Kind::HaProxyForwarded => Vec::new(),
        }
    }

    /// A complete configuration around the backend of the recipe, with one replica, and without
    /// lines that contain one of these words.
    fn configuration(
        self,
        directory: &Path,
        listen: SocketAddr,
        to: SocketAddr,
        without: &[&str],
    ) -> String {
        let part = |recipe, first| {
            let own = |line: &&str| {
                !line.contains("127.0.0.1:8081") && !without.iter().any(|word| line.contains(word))
            };
            let text = block(recipe, first).replace("127.0.0.1:8080", &to.to_string());
            text.lines().filter(own).collect::<Vec<_>>().join("\n")
        };
        // The rules for the paths of operators.
        let rules = |recipe: &'static str| {
            let lines = recipe.lines().filter(|line| line.contains("|healthz)"));
            lines.collect::<Vec<_>>().join("\n")
        };
        let directory = directory.display();
        match self {
            Kind::Nginx => format!(
                "daemon off; master_process off; pid {directory}/pid; error_log stderr;\n\
                 events {{}}\nhttp {{ access_log off; client_body_temp_path {directory}/body;\n\
                 proxy_temp_path {directory}/proxy; fastcgi_temp_path {directory}/fastcgi;\n\
                 uwsgi_temp_path {directory}/uwsgi; scgi_temp_path {directory}/scgi;\n\
                 {}\nserver {{ listen {listen};\n{}\n{}\n}} }}\n",
                part(NGINX, "upstream accord {"),
                rules(NGINX),
                part(NGINX, "location / {")
            ),
            Kind::HaProxy | Kind::HaProxyForwarded => {
                let mut backend = part(HAPROXY, "backend accord");
                if self == Kind::HaProxyForwarded {
                    let own = |line: &&str| !line.contains("orward");
                    backend = backend.lines().filter(own).collect::<Vec<_>>().join("\n");
                    backend.push_str(
                        "\n    http-request add-header Forwarded \
                         'for=%[src];proto=http;host=\"%[req.hdr(host)]\"'\n",
                    );
                }
                format!(
                    "defaults\n    mode http\n    timeout connect 5s\n    timeout client 30s\n    \
                     timeout server 30s\nfrontend public\n    bind {listen}\n{}\n    \
                     default_backend accord\n{backend}\n",
                    rules(HAPROXY)
                )
            }
        }
    }

    /// Starts it in front of a service.
    fn start(self, to: SocketAddr) -> Proxy {
        self.start_without(to, &[])
    }

    /// The same without the lines of the recipe that contain one of these words.
    fn start_without(self, to: SocketAddr, without: &[&str]) -> Proxy {
        let directory = tempfile::tempdir().unwrap();
        let address = own_address();
        let file = directory.path().join("proxy.conf");
        let configuration = self.configuration(directory.path(), address, to, without);
        std::fs::write(&file, configuration).unwrap();
        let (program, flag) = match self {
            Kind::Nginx => ("nginx", "-c"),
            Kind::HaProxy | Kind::HaProxyForwarded => ("haproxy", "-f"),
        };
        let mut child = Command::new(program)
            .env(
                "PATH",
                "/usr/local/sbin:/usr/sbin:/sbin:/usr/local/bin:/usr/bin:/bin",
            )
            .arg(flag)
            .arg(&file)
            .stdin(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| {
                panic!("{program}: {error}; on Debian: apt-get install {program}")
            });
        let deadline = Instant::now() + Duration::from_secs(60);
        while std::net::TcpStream::connect(address).is_err() {
            let ended = child.try_wait().unwrap();
            assert!(ended.is_none(), "{program} ended: {ended:?}");
            assert!(Instant::now() < deadline, "{program} does not listen");
            std::thread::sleep(Duration::from_millis(20));
        }
        Proxy {
            child,
            address,
            _directory: directory,
        }
    }
}

/// The lines of a block in a recipe, from its first line to the next line that is not indented
/// further.
fn block(recipe: &str, first: &str) -> String {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut lines = recipe.lines().skip_while(|line| line.trim() != first);
    let opening = lines.next().unwrap_or_else(|| panic!("no {first}"));
    let mut block = vec![opening];
    for line in lines {
        let is_inside = indent(line) > indent(opening);
        if is_inside || line.trim() == "}" {
            block.push(line);
        }
        if !is_inside {
            break;
        }
    }
    block.join("\n")
}

/// A service that trusts a proxy at 127.0.0.1, and only that.
async fn service(kind: Kind, change: impl FnOnce(&mut Layer) + Send) -> Server {
    Server::start_with(Database::Sqlite, |layer| {
        layer.server.trusted_proxies = Some(vec!["127.0.0.1".parse().unwrap()]);
        layer.server.client_address_header = Some(kind.header());
        layer.server.forwarded_headers = Some(kind.forwarded());
        change(layer);
    })
    .await
}

/// What a caller at this address sends, forged headers included.
struct Client {
    http: reqwest::Client,
    to: SocketAddr,
}

impl Client {
    fn at(address: [u8; 4], to: SocketAddr) -> Client {
        let http = http().local_address(IpAddr::from(address)).build();
        Client {
            http: http.unwrap(),
            to,
        }
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.to)
    }

    /// A request with every header that proxies write, forged in several ways.
    fn forging(request: reqwest::RequestBuilder) -> reqwest::RequestBuilder {
        request
            .header("x-forwarded-for", "203.0.113.1, 127.0.0.1")
            .header("x-forwarded-for", "203.0.113.2")
            .header("forwarded", "for=203.0.113.3;host=evil.example;proto=https")
            .header("forwarded", "for=\"203.0.113.4")
            .header("x-forwarded-host", "evil.example")
            .header("x-forwarded-proto", "https")
            .header("x-real-ip", "203.0.113.5")
            .header("client-ip", "203.0.113.6")
    }

    /// Starts a device; the code that its user enters.
    async fn ask(&self) -> String {
        let form = [
            ("response_type", "device_code"),
            ("client_id", "accord-cli"),
        ];
        let request = self.http.post(self.url("/oauth2/v1/device")).form(&form);
        let response = Self::forging(request).send().await.unwrap();
        let status = response.status();
        let body: serde_json::Value = response.json().await.unwrap();
        let code = body["user_code"].as_str();
        code.unwrap_or_else(|| panic!("{status}: {body}"))
            .to_owned()
    }
}

/// From where the last device was asked for.
async fn last_origin(server: &Server) -> String {
    let read = |tx: &mut Tx<'_>| {
        let sql = "SELECT origin FROM device_grants ORDER BY created_at DESC, id LIMIT 1";
        let row = tx.query_opt(sql, params![])?;
        row.map_or(Ok(String::new()), |row| row.get(0))
    };
    server.read(read).await
}

async fn the_caller_is_seen_behind(kind: Kind) {
    let server = service(kind, |_| {}).await;
    let proxy = kind.start(server.address());
    let evil = Client::at(EVIL, proxy.address);
    let code = evil.ask().await;
    assert_eq!(last_origin(&server).await, "127.0.7.7", "{kind:?}");

    // Whoever passes the proxy by is not one.
    Client::at(EVIL, server.address()).ask().await;
    assert_eq!(last_origin(&server).await, "127.0.7.7", "{kind:?}");

    // The page says that the request is from somewhere else, and that this one is not.
    let mut victim = Browser::through(&server, proxy.address, GOOD);
    victim.sign_in(ANA, PASSWORD).await;
    let page = victim
        .submit("/ui/v1/device", &[("user_code", &code)])
        .await;
    assert!(page.body.contains("127.0.7.7"), "{}", page.body);
    assert!(!page.body.contains("the same as yours"), "{}", page.body);
    let own = Client::at(GOOD, proxy.address).ask().await;
    let page = victim.submit("/ui/v1/device", &[("user_code", &own)]).await;
    assert!(
        page.body.contains("127.0.9.9 (the same as yours)"),
        "{}",
        page.body
    );

    // Documents name the address that the proxy was called at, and not the forged one.
    let request = evil.http.get(evil.url("/openapi/accounts.json"));
    let document: serde_json::Value = Client::forging(request)
        .send()
        .await
        .unwrap()
        .json()
        .await
        .unwrap();
    let url = format!("http://{}/api", proxy.address);
    assert_eq!(document["servers"][0]["url"], url.as_str(), "{kind:?}");

    // The session and the audit trail know the browser's address.
    let page = victim.get("/ui/v1/account").await;
    assert!(page.body.contains("127.0.9.9"), "{}", page.body);
    let arguments = ["audit", "list", "--action", "identity.session.started"];
    let told = commands::json(&server, &arguments).await.to_string();
    assert!(told.contains("127.0.9.9"), "{kind:?}: {told}");
    assert!(!told.contains("127.0.0.1"), "{kind:?}: {told}");
    assert!(!told.contains("203.0.113"), "{kind:?}: {told}");
    assert_eq!(server.stop().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn behind_nginx_the_caller_is_seen_whatever_it_claims() {
    the_caller_is_seen_behind(Kind::Nginx).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn behind_haproxy_the_caller_is_seen_whatever_it_claims() {
    the_caller_is_seen_behind(Kind::HaProxy).await;
    the_caller_is_seen_behind(Kind::HaProxyForwarded).await;
}

/// A proxy that does not write a header passes on the caller's.
#[tokio::test(flavor = "multi_thread")]
async fn a_header_that_the_proxy_does_not_write_is_not_believed() {
    for kind in [Kind::Nginx, Kind::HaProxy] {
        for (written, without) in [
            (vec![], &["Forwarded-Proto", "Forwarded-Host"][..]),
            (vec![ForwardedHeader::Proto], &["Forwarded-Host"][..]),
        ] {
            let server = service(kind, |layer| {
                layer.server.forwarded_headers = Some(written);
            })
            .await;
            let proxy = kind.start_without(server.address(), without);
            let evil = Client::at(EVIL, proxy.address);
            let request = evil.http.get(evil.url("/openapi/accounts.json"));
            let response = Client::forging(request).send().await.unwrap();
            let vary = response.headers()["vary"].to_str().unwrap();
            assert!(!vary.contains("X-Forwarded-Host"), "{vary}");
            let document: serde_json::Value = response.json().await.unwrap();
            let url = format!("http://{}/api", proxy.address);
            assert_eq!(document["servers"][0]["url"], url.as_str(), "{kind:?}");
            evil.ask().await;
            assert_eq!(last_origin(&server).await, "127.0.7.7", "{kind:?}");
            assert_eq!(server.stop().await, Vec::<String>::new());
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn behind_a_proxy_nobody_locks_others_out() {
    for kind in Kind::ALL {
        let server = service(kind, |_| {}).await;
        let proxy = kind.start(server.address());
        let mut evil = Browser::through(&server, proxy.address, EVIL);
        evil.get("/ui/v1/signin").await;
        for _ in 0..10 {
            let fields = [("username", "nobody@north.example"), ("password", "wrong")];
            assert_eq!(evil.submit("/ui/v1/signin", &fields).await.status, 400);
        }
        let fields = [("username", ANA), ("password", PASSWORD)];
        assert_eq!(evil.submit("/ui/v1/signin", &fields).await.status, 429);
        Browser::through(&server, proxy.address, GOOD)
            .sign_in(ANA, PASSWORD)
            .await;
        assert_eq!(server.stop().await, Vec::<String>::new());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_trusted_proxy_no_header_is_believed_and_nothing_is_called_the_same() {
    let server = Server::start_with(Database::Sqlite, |layer| {
        layer.server.public_url = Some("http://accord.example".parse().unwrap());
    })
    .await;
    let code = Client::at(EVIL, server.address()).ask().await;
    assert_eq!(last_origin(&server).await, "127.0.7.7");
    let mut browser = Browser::through(&server, server.address(), EVIL);
    browser.sign_in(ANA, PASSWORD).await;
    let page = browser
        .submit("/ui/v1/device", &[("user_code", &code)])
        .await;
    assert!(page.body.contains("127.0.7.7"), "{}", page.body);
    assert!(!page.body.contains("the same as yours"), "{}", page.body);
    assert_eq!(server.stop().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_paths_of_operators_are_not_public() {
    for kind in Kind::ALL {
        let server = service(kind, |_| {}).await;
        let proxy = kind.start(server.address());
        let paths = "/metrics /metrics?all //metrics /metrics/ /%6detrics /%6Detrics// /./metrics \
             /%2e/metrics /docs/../metrics /%2Fmetrics /readyz/ /healthz/";
        for path in paths.split(' ') {
            let response = get_unchanged(proxy.address, path).await;
            assert!(
                response.starts_with("HTTP/1.1 4"),
                "{kind:?}, {path}: {response}"
            );
        }
        let found = get_unchanged(proxy.address, "/openapi").await;
        assert!(found.starts_with("HTTP/1.1 200"), "{kind:?}: {found}");
        assert_eq!(server.stop().await, Vec::<String>::new());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_is_too_large_is_rejected_before_it_has_arrived() {
    for kind in Kind::ALL {
        let server = service(kind, |_| {}).await;
        let proxy = kind.start(server.address());
        let mut stream = tokio::net::TcpStream::connect(proxy.address).await.unwrap();
        let beginning = "POST /oauth2/v1/device HTTP/1.1\r\nHost: accord\r\n\
                         Content-Type: application/x-www-form-urlencoded\r\n\
                         Content-Length: 1000000000\r\n\r\nclient_id=accord-cli";
        stream.write_all(beginning.as_bytes()).await.unwrap();
        let mut status = [0; 12];
        let read = tokio::time::timeout(Duration::from_secs(60), stream.read_exact(&mut status));
        let read = read
            .await
            .unwrap_or_else(|_| panic!("{kind:?} waits for the rest"));
        read.unwrap();
        assert_eq!(&status, b"HTTP/1.1 413", "{kind:?}");
        drop(stream);
        assert_eq!(server.stop().await, Vec::<String>::new());
    }
}

/// The response to a path that no library has normalized.
async fn get_unchanged(to: SocketAddr, path: &str) -> String {
    let mut stream = tokio::net::TcpStream::connect(to).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: accord\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut response = Vec::new();
    stream.read_to_end(&mut response).await.unwrap();
    String::from_utf8_lossy(&response).into_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn documents_that_name_the_callers_host_say_so() {
    let server = Server::start(Database::Sqlite).await;
    for path in [
        "/openapi",
        "/openapi/accounts.json",
        "/openapi/accounts.yaml",
    ] {
        let response = server.get(path).await;
        assert_eq!(response.headers()["vary"], "Host", "{path}");
    }
    let request = server.http().get(server.url("/openapi/accounts.json"));
    let document = request
        .header("host", "Accord.Example.:81")
        .send()
        .await
        .unwrap();
    let document: serde_json::Value = document.json().await.unwrap();
    assert_eq!(
        document["servers"][0]["url"],
        "http://accord.example:81/api"
    );
    assert_eq!(server.stop().await, Vec::<String>::new());
}
