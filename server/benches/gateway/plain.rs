//! nginx and HAProxy as plain proxies, which neither authenticate nor count calls.
//!
//! Both reuse connections to the upstream, write no access log, and forward events as they
//! arrive. Their rates are for comparison, and are not a target.

use std::net::SocketAddr;
use std::path::Path;
use std::process::{Command, Stdio};

use super::servers::{Running, free, running};

pub const NGINX: &str = "nginx";
pub const HAPROXY: &str = "haproxy";
const PATH: &str = "/v1/chat/completions";

/// nginx with as many workers as processors, the default of its package.
pub fn nginx(program: &Path, upstream: SocketAddr) -> anyhow::Result<Running> {
    let address = free()?;
    let directory = tempfile::tempdir()?;
    let folder = directory.path();
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|what| format!("  {what}_temp_path {}/{what};\n", folder.display()))
        .concat();
    let config = format!(
        "daemon off;\nworker_processes auto;\npid {}/nginx.pid;\nerror_log stderr crit;\n\
         events {{ worker_connections 8192; }}\n\
         http {{\n  access_log off;\n  keepalive_timeout 3600s;\n  \
         keepalive_requests 1000000000;\n{temporary}  \
         upstream model {{\n    server {upstream};\n    keepalive 512;\n    \
         keepalive_requests 1000000000;\n  }}\n  \
         server {{\n    listen {address};\n    location / {{\n      \
         proxy_pass http://model;\n      proxy_http_version 1.1;\n      \
         proxy_set_header Connection \"\";\n      proxy_buffering off;\n      \
         proxy_read_timeout 3600s;\n    }}\n  }}\n}}\n",
        folder.display()
    );
    let file = folder.join("nginx.conf");
    std::fs::write(&file, config)?;
    let mut command = Command::new(program);
    command
        .arg("-p")
        .arg(folder)
        .arg("-c")
        .arg(&file)
        .args(["-e", "stderr"])
        .stderr(Stdio::null());
    let mut proxy = running(NGINX, address, PATH, command)?;
    proxy.keep(directory);
    Ok(proxy)
}

/// HAProxy with as many threads as processors, which is its default.
pub fn haproxy(program: &Path, upstream: SocketAddr) -> anyhow::Result<Running> {
    let address = free()?;
    let directory = tempfile::tempdir()?;
    let config = format!(
        "global\n  maxconn 8192\n\
         defaults\n  mode http\n  no log\n  http-reuse always\n  timeout connect 5s\n  \
         timeout client 3600s\n  timeout server 3600s\n\
         frontend callers\n  bind {address}\n  default_backend model\n\
         backend model\n  server one {upstream}\n"
    );
    let file = directory.path().join("haproxy.cfg");
    std::fs::write(&file, config)?;
    let mut command = Command::new(program);
    command
        .args(["-db", "-q", "-f"])
        .arg(&file)
        .stderr(Stdio::null());
    let mut proxy = running(HAPROXY, address, PATH, command)?;
    proxy.keep(directory);
    Ok(proxy)
}
