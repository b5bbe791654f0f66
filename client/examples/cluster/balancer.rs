//! HAProxy in front of the replicas.
//!
//! Health checks ask for readiness. If no replica is ready, a second backend takes every replica that
//! is alive: a database that is away makes all of them unready, and model calls continue without it.

use std::process::Command;

use anyhow::Context;

use super::processes::{Folder, Process, installed};
use super::replicas::Replica;

/// Two checks of half a second notice that a replica will stop.
const CONFIGURATION: &str = "\
global
    maxconn 2000
defaults
    mode http
    timeout connect 1s
    timeout check 3s
    timeout client 120s
    timeout server 120s
    timeout http-keep-alive 120s
    # A replica that refuses the connection has not seen the request.
    retries 3
    option redispatch 1
    default-server check inter 500ms fall 2 rise 1
frontend public
    bind {listen}
    use_backend alive if { nbsrv(ready) eq 0 }
    default_backend ready
backend ready
    option httpchk
    http-check send meth GET uri /readyz ver HTTP/1.1 hdr Host accord
{common}
backend alive
    option httpchk
    http-check send meth GET uri /healthz ver HTTP/1.1 hdr Host accord
{common}
";

const COMMON: &str = "    \
    option forwardfor
    http-request set-header X-Forwarded-Proto http
    http-request set-header X-Forwarded-Host %[req.hdr(host)]
";

/// Starts HAProxy at an address.
pub fn start(folder: &Folder, listen: &str, replicas: &[Replica]) -> anyhow::Result<Process> {
    let program =
        installed("haproxy").context("HAProxy is missing; on Debian: apt-get install haproxy")?;
    let servers = replicas
        .iter()
        .map(|replica| format!("    server {} {}\n", replica.name, replica.address));
    let common = COMMON.to_owned() + &servers.collect::<String>();
    let text = CONFIGURATION
        .replace("{listen}", listen)
        .replace("{common}", &common);
    let file = folder.path().join("haproxy.cfg");
    std::fs::write(&file, text)?;
    let mut command = Command::new(program);
    command.arg("-db").arg("-f").arg(&file);
    folder.start("haproxy", "TERM", command)
}
