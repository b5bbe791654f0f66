//! HAProxy in front of the replicas, with the recipe that operators copy.
//!
//! The recipe is rewritten where operators rewrite it: addresses, ports, the path of the certificate, and
//! one more replica.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, ensure};
use reqwest::Certificate;

use super::processes::{Folder, Process, free_address, installed};
use super::replicas::Replica;

const RECIPE: &str = include_str!("../../../server/deploy/haproxy.cfg");

/// The time in which HAProxy finds a replica that is ready: two checks, a second apart.
pub const FOUND: Duration = Duration::from_secs(3);

/// The address of the service, and the certificate of its own authority.
#[derive(Clone)]
pub struct Endpoint {
    /// `https://…`
    pub url: String,
    /// What callers trust.
    pub certificate: Certificate,
}

impl Endpoint {
    /// A builder of HTTP clients that trust the certificate.
    pub fn http(&self) -> reqwest::ClientBuilder {
        reqwest::Client::builder().tls_certs_merge([self.certificate.clone()])
    }
}

/// HAProxy that is not started yet, because replicas need its address.
pub struct Balancer {
    pub endpoint: Endpoint,
    tls: String,
    plain: String,
}

impl Balancer {
    /// Chooses addresses and creates a certificate.
    pub async fn prepare(folder: &Folder) -> anyhow::Result<Balancer> {
        let tls = free_address()?;
        let openssl = installed("openssl");
        let openssl = openssl.context("OpenSSL is missing; on Debian: apt-get install openssl")?;
        let mut create = Command::new(openssl);
        create
            .args(["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days"])
            .args(["2", "-subj", "/CN=accord", "-addext"])
            .args(["subjectAltName=IP:127.0.0.1", "-addext"])
            .arg("basicConstraints=critical,CA:FALSE")
            .args(["-keyout", "key.pem", "-out", "certificate.pem"])
            .current_dir(folder.path());
        folder.run("openssl", create).await?;
        let read = |name| std::fs::read_to_string(folder.path().join(name));
        let certificate = read("certificate.pem")?;
        let both = certificate.clone() + &read("key.pem")?;
        std::fs::write(folder.path().join("accord.pem"), both)?;
        Ok(Balancer {
            endpoint: Endpoint {
                url: format!("https://{tls}"),
                certificate: Certificate::from_pem(certificate.as_bytes())?,
            },
            tls,
            plain: free_address()?,
        })
    }

    /// Starts HAProxy.
    pub fn start(&self, folder: &Folder, replicas: &[Replica]) -> anyhow::Result<Process> {
        let program = installed("haproxy");
        let program = program.context("HAProxy is missing; on Debian: apt-get install haproxy")?;
        let file = folder.path().join("haproxy.cfg");
        let certificate = folder.path().join("accord.pem");
        let text = rewritten(RECIPE, &self.tls, &self.plain, &certificate)?;
        std::fs::write(&file, text)?;
        let mut command = Command::new(program);
        command.arg("-db").arg("-f").arg(&file);
        for replica in replicas {
            let variable = format!("ACCORD_{}", replica.name.to_uppercase());
            command.env(variable, &replica.address);
        }
        folder.start("haproxy", "TERM", command)
    }
}

/// The recipe with these addresses, this certificate and a third replica.
fn rewritten(recipe: &str, tls: &str, plain: &str, certificate: &Path) -> anyhow::Result<String> {
    const SECOND: &str = "    server two \"${ACCORD_TWO-127.0.0.1:8081}\"\n";
    let certificate = format!("crt {} ", certificate.display());
    let third = SECOND.replace("two", "three").replace("TWO", "THREE");
    let mut text = recipe.to_owned();
    for (from, to) in [
        ("bind :443 ", format!("bind {tls} ")),
        ("bind :80\n", format!("bind {plain}\n")),
        ("crt /etc/haproxy/accord.pem ", certificate),
        (SECOND, SECOND.to_owned() + &third),
    ] {
        ensure!(
            text.contains(from),
            "server/deploy/haproxy.cfg does not contain {from:?}"
        );
        text = text.replace(from, &to);
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_and_the_path_of_the_certificate_differ_from_the_recipe() {
        let path = Path::new("/tmp/accord.pem");
        let text = rewritten(RECIPE, "127.0.0.1:1", "127.0.0.1:2", path).expect("a configuration");
        let lines: Vec<_> = RECIPE.lines().collect();
        let added: Vec<_> = text.lines().filter(|line| !lines.contains(line)).collect();
        assert_eq!(
            added,
            [
                "    bind 127.0.0.1:1 ssl crt /tmp/accord.pem alpn h2,http/1.1",
                "    bind 127.0.0.1:2",
                "    server three \"${ACCORD_THREE-127.0.0.1:8081}\"",
                "    server three \"${ACCORD_THREE-127.0.0.1:8081}\"",
            ]
        );
        let removed = lines.iter().filter(|line| !text.contains(**line));
        assert_eq!(removed.count(), 2);
    }

    #[test]
    fn a_recipe_without_an_expected_line_is_an_error() {
        let recipe = RECIPE.replace("bind :80\n", "");
        let error = rewritten(&recipe, "a", "b", Path::new("c")).expect_err("an error");
        assert!(error.to_string().contains("bind :80"), "{error}");
    }
}
