//! The login of the user: `login`, `logout`, `whoami`.

use super::{
    identity::{Identity, refusal, scopes_of},
    times::time,
};
use crate::failure::{of_login, without_login};
use crate::output::{Output, line, note};
use accord_client::Accord;
use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::json;
use std::{io::IsTerminal, time::Duration};

/// The scopes that the commands need.
const SCOPES: [&str; 7] = [
    "accounts.read",
    "accounts.write",
    "apikeys.read",
    "apikeys.write",
    "patterns.read",
    "patterns.write",
    "offline_access",
];

/// The time between two pictures of the line that moves.
const TICK: Duration = Duration::from_millis(120);

/// Log in: approve this device in a browser
#[derive(Args)]
#[command(after_help = "\
Shows a code and an address. Open the address anywhere, sign in, enter the code and approve. The
command waits for this. The login is stored in a file that only you can read, and refreshed when it
expires.")]
pub struct Login {
    /// A scope to request; may be given several times [default: all that the commands need]
    #[arg(long = "scope", value_name = "SCOPE")]
    scopes: Vec<String>,
}

impl Login {
    pub async fn run(
        self,
        accord: &Accord,
        output: &Output,
        client_id: &str,
    ) -> anyhow::Result<()> {
        let scopes: Vec<&str> = match self.scopes.as_slice() {
            [] => SCOPES.to_vec(),
            scopes => scopes.iter().map(String::as_str).collect(),
        };
        let mut waiting = None;
        let login = accord.login(client_id, &scopes, |prompt| {
            // The prompt goes to the standard error, the result to the standard output.
            note(format!("Open   {}", prompt.verification_uri));
            note(format!("Enter  {}", halves(&prompt.user_code)));
            note(format!("or open {}", prompt.verification_uri_complete));
            waiting = Some(wait(prompt.expires_in));
        });
        let login = login.await;
        drop(waiting);
        let login = login.map_err(of_login)?;
        let scopes = scopes_of(&login.scope);
        if output.json {
            return output.value(&json!({ "scopes": scopes, "expiresAt": login.expires_at }));
        }
        line(&format!("Logged in, with {}.", scopes.join(", ")))
    }
}

/// Says that the command waits: in a terminal with a line that moves until it is dropped, else once.
fn wait(valid: Duration) -> Option<ProgressBar> {
    let text = format!(
        "Waiting; the code is valid for {} seconds.",
        valid.as_secs()
    );
    if !std::io::stderr().is_terminal() {
        note(text);
        return None;
    }
    let spinner = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    let spinner = styled(spinner, text);
    spinner.enable_steady_tick(TICK);
    Some(spinner)
}

fn styled(spinner: ProgressBar, text: String) -> ProgressBar {
    if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg}") {
        spinner.set_style(style);
    }
    spinner.with_message(text)
}

/// A code is easier to read in two halves. The page accepts it with or without the dash.
fn halves(code: &str) -> String {
    match code.len() {
        8 if code.is_ascii() => format!("{}-{}", &code[..4], &code[4..]),
        _ => code.to_owned(),
    }
}

/// Log out: revoke the login and forget it
#[derive(Args)]
pub struct Logout {}

impl Logout {
    pub async fn run(self, accord: &Accord, output: &Output) -> anyhow::Result<()> {
        match accord.logout().await.map_err(of_login)? {
            true => output.done(&json!({ "loggedOut": true }), "Logged out."),
            false => output.done(&json!({ "loggedOut": false }), "Nobody was logged in."),
        }
    }
}

/// Show who is logged in, or whose access token was given
#[derive(Args)]
pub struct Whoami {}

impl Whoami {
    pub async fn run(
        self,
        accord: &Accord,
        output: &Output,
        given: Option<&str>,
    ) -> anyhow::Result<()> {
        let identity = Identity::in_use(accord, given).await?;
        let identity = identity.ok_or_else(without_login)?;
        let refused = refusal(accord).await.map(|error| error.to_string());
        let shown = json!({
            "subject": identity.subject,
            "name": identity.name,
            "client": identity.client,
            "identity": identity.identity,
            "scopes": identity.scopes(),
            "expiresAt": identity.expires_at,
            "refused": refused,
        });
        output.one(
            &shown,
            &[
                ("user", identity.name.or(identity.subject.clone())),
                ("subject", identity.subject),
                ("client", identity.client),
                ("service", identity.identity),
                ("scopes", identity.scope),
                ("expires", identity.expires_at.map(time)),
                ("refused", refused),
            ],
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::Terminal;

    #[test]
    fn the_line_of_a_login_that_waits_moves_and_disappears() {
        let terminal = Terminal::default();
        let target = ProgressDrawTarget::term_like(Box::new(terminal.clone()));
        let spinner = ProgressBar::with_draw_target(None, target);
        let spinner = styled(spinner, "Waiting.".to_owned());
        let drawn = || {
            spinner.tick();
            spinner.force_draw();
            terminal.text()
        };
        let (first, second) = (drawn(), drawn());
        assert!(first.contains("Waiting."), "{first:?}");
        assert_ne!(first, second);
        drop(spinner);
        assert_eq!(terminal.text().trim(), "");
    }

    #[test]
    fn a_code_is_shown_in_two_halves() {
        assert_eq!(halves("KLMRTVWX"), "KLMR-TVWX");
        assert_eq!(halves("KLMRT"), "KLMRT");
    }
}
