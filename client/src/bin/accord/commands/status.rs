//! The state of the service and of the login, for people and for monitors.

use super::{
    api::MAX_ERROR,
    identity::{Identity, refusal},
    times::time,
};
use crate::{
    failure::{failed, of_shown, without_login},
    options::{Options, Secrets},
    output::{Output, line},
    setting_name::Name,
    settings::Settings,
};
use accord_client::{
    Accord, Area, Buffered, CredentialKind,
    reqwest::{Method, Response, StatusCode},
};
use clap::Args;
use futures_util::future::join_all;
use serde::Serialize;
use serde_json::json;

/// Show whether the service is ready, and who is logged in
#[derive(Args)]
#[command(after_help = "\
The command requests /readyz of each address. Where another listener serves it, the readiness is
unknown: the service is reachable.

Exit codes:
  0  every address is reachable, none is unready, and the service accepts the login or token
  3  there is no login, token or API key, or the service rejects the login or token
  6  an address is unready or cannot be reached")]
pub struct Status {}

/// The service at one address.
#[derive(Serialize)]
struct Service {
    url: String,
    areas: Vec<&'static str>,
    reachable: bool,
    /// `None` if the address does not say.
    ready: Option<bool>,
    state: String,
    /// Why it is not ready.
    #[serde(skip)]
    error: Option<anyhow::Error>,
}

impl Status {
    pub async fn run(
        self,
        accord: &Accord,
        output: &Output,
        options: &Options,
        settings: &Settings,
        secrets: &Secrets,
    ) -> anyhow::Result<()> {
        let mut asked = Vec::new();
        for (url, areas) in addresses(settings) {
            asked.push(ask(options.probe(&url)?, url, areas));
        }
        let services = join_all(asked).await;
        let identity = Identity::in_use(accord, secrets.token.as_deref()).await?;
        let is_served = services.iter().all(|service| service.error.is_none());
        // A service that is away accepts nobody.
        let refused = match &identity {
            Some(_) if is_served => refusal(accord).await,
            _ => None,
        };
        let profile = settings.get(Name::Profile);
        show(
            output,
            profile,
            &services,
            identity.as_ref(),
            refused.as_ref(),
        )?;
        let unready = services.into_iter().find_map(|service| service.error);
        match unready.or(refused) {
            Some(error) => Err(error),
            None if identity.is_none() && !secrets.replace_login() => Err(without_login()),
            None => Ok(()),
        }
    }
}

/// The addresses of the four areas, each once.
fn addresses(settings: &Settings) -> Vec<(String, Vec<&'static str>)> {
    let mut all: Vec<(String, Vec<_>)> = Vec::new();
    for (area, name) in [
        ("accounts", Name::AccountsUrl),
        ("identity", Name::IdentityUrl),
        ("inference", Name::InferenceUrl),
        ("patterns", Name::PatternsUrl),
    ] {
        let url = settings.find(name).unwrap_or(settings.get(Name::Url));
        let url = url.trim_end_matches('/');
        match all.iter_mut().find(|(known, _)| known == url) {
            Some((_, areas)) => areas.push(area),
            None => all.push((url.to_owned(), vec![area])),
        }
    }
    all
}

/// Asks an address whether it is ready.
async fn ask(probe: Accord, url: String, areas: Vec<&'static str>) -> Service {
    let service = |reachable, ready, state: String, error| Service {
        url,
        areas,
        reachable,
        ready,
        state,
        error,
    };
    // The paths of this area have no prefix.
    let request = probe.request(Method::GET, Area::Identity, "/readyz");
    let sent = request.credential(CredentialKind::None).send().await;
    let response = match sent {
        Ok(response) => response,
        Err(error) => return service(false, None, "unreachable".to_owned(), Some(failed(error))),
    };
    let (status, headers) = (response.status(), response.headers().clone());
    if status == StatusCode::OK {
        return service(true, Some(true), "ready".to_owned(), None);
    }
    if !status.is_server_error() {
        return service(true, None, "reachable, readiness unknown".to_owned(), None);
    }
    let body = beginning(response).await;
    let reason = match body.len() {
        1..100 => String::from_utf8_lossy(&body).trim().to_owned(),
        _ => status.to_string(),
    };
    let state = format!("not ready: {reason}");
    let error = of_shown(Buffered::new(status, headers, body));
    service(true, Some(false), state, Some(error))
}

/// The beginning of the body of an error. One that ends early only lacks the reason.
async fn beginning(mut response: Response) -> Vec<u8> {
    let mut body = Vec::new();
    while body.len() < MAX_ERROR
        && let Ok(Some(part)) = response.chunk().await
    {
        body.extend_from_slice(&part);
    }
    body
}

/// The text of an empty list of addresses.
const NO_SERVICE: &str = "There is no address; `accord config set url URL` sets it.";

fn show(
    output: &Output,
    profile: &str,
    services: &[Service],
    identity: Option<&Identity>,
    refused: Option<&anyhow::Error>,
) -> anyhow::Result<()> {
    let refused = refused.map(ToString::to_string);
    if output.json {
        let login = identity.map(|identity| {
            json!({
                "subject": identity.subject,
                "name": identity.name,
                "client": identity.client,
                "scopes": identity.scopes(),
                "expiresAt": identity.expires_at,
                "renewed": identity.is_renewed,
                "refused": refused,
            })
        });
        return output.value(&json!({ "profile": profile, "services": services, "login": login }));
    }
    output.list(
        services,
        NO_SERVICE,
        ["service", "areas", "state"],
        |service| {
            [
                service.url.clone(),
                service.areas.join(" "),
                service.state.clone(),
            ]
        },
    )?;
    line("")?;
    let nobody = identity.is_none().then(|| "nobody".to_owned());
    let text = |get: fn(&Identity) -> Option<String>| identity.and_then(get);
    output.one(
        &(),
        &[
            ("profile", Some(profile.to_owned())),
            (
                "user",
                nobody.or(text(|one| {
                    let known = one.name.clone().or(one.subject.clone());
                    known.or(Some("unknown".to_owned()))
                })),
            ),
            ("client", text(|one| one.client.clone())),
            ("scopes", text(|one| one.scope.clone())),
            ("expires", text(expiry)),
            ("refused", refused),
        ],
    )
}

/// When the access token expires, and whether the login outlasts it.
fn expiry(identity: &Identity) -> Option<String> {
    let time = time(identity.expires_at?);
    Some(match identity.is_renewed {
        true => format!("{time}, renewed by itself"),
        false => time,
    })
}
