//! Device logins: a code, its approval in a browser, a token, a call with it, and its revocation.

use std::sync::Arc;
use std::time::Duration;

use accord_client::Accord;
use secrecy::ExposeSecret as _;
use tokio::sync::oneshot;
use tokio::time::Instant;

use super::revoked::try_token_everywhere;
use super::rotations::REVOKED_WITHIN;
use super::{Context, client, demo};
use crate::browser::{Browser, Unexpected};
use crate::journal::{Failed, Kind};

/// The pause between two logins.
const PAUSE: Duration = Duration::from_millis(200);
/// How long an approval may take.
const APPROVAL_TIMEOUT: Duration = Duration::from_secs(60);

/// Logs in and out until the load is stopped.
pub async fn logins(context: Arc<Context>) -> anyhow::Result<()> {
    let mut browser = Browser::new(context.endpoint.http())?;
    while context.is_running() {
        // Failures are in the journal.
        if once(&context, &mut browser).await.is_err() {
            browser = Browser::new(context.endpoint.http())?;
        }
        tokio::time::sleep(PAUSE).await;
    }
    Ok(())
}

async fn once(context: &Context, browser: &mut Browser) -> Result<(), Failed> {
    let accord = client(&context.endpoint).build();
    let accord = accord.map_err(|error| Failed::new(error.to_string()))?;
    let journal = &context.journal;
    let login = log_in(&accord, browser, &["accounts.read"]);
    journal.call(Kind::Login, login).await?;
    let organizations = async {
        let listed = accord.accounts().list_organizations().call().await;
        listed.map(drop).map_err(|error| Failed::of(&error))
    };
    journal.call(Kind::Organizations, organizations).await?;
    let login = accord.remembered_login().await;
    let login = login.map_err(|error| Failed::new(error.to_string()))?;
    let logout = async { accord.logout().await.map_err(Failed::from) };
    journal.call(Kind::Login, logout).await?;
    let acknowledged = Instant::now();
    if let Some(login) = login {
        tokio::time::sleep_until(acknowledged + REVOKED_WITHIN).await;
        try_token_everywhere(context, login.access_token.expose_secret()).await;
    }
    Ok(())
}

/// Logs in on a device, whose code the user approves in the browser.
pub async fn log_in(accord: &Accord, browser: &mut Browser, scopes: &[&str]) -> Result<(), Failed> {
    let (send, shown) = oneshot::channel();
    let login = async {
        let login = accord.login(demo::CLIENT, scopes, |prompt| {
            // The login may have ended; then nobody waits for the code.
            let _ = send.send(prompt.clone());
        });
        login.await.map(drop).map_err(Failed::from)
    };
    let approval = async {
        let Ok(prompt) = shown.await else {
            // The login has failed and says why.
            return Ok(());
        };
        let approval = browser.approve(
            &prompt.verification_uri_complete,
            &prompt.user_code,
            demo::USERNAME,
            demo::PASSWORD,
        );
        let approval = tokio::time::timeout(APPROVAL_TIMEOUT, approval).await;
        let approval = approval.map_err(|_| Failed::new("the approval does not end"))?;
        approval.map_err(|error| Failed {
            status: error
                .downcast_ref::<Unexpected>()
                .map(|unexpected| unexpected.status.as_u16()),
            text: format!("{error:#}"),
        })
    };
    tokio::try_join!(login, approval).map(drop)
}
