//! The options of every command: the address of the service, and the credentials.

use crate::output::Output;
use accord_client::{Accord, TokenFile};
use clap::Args;
use std::{path::PathBuf, time::Duration};

#[derive(Args)]
pub struct Options {
    /// Address of the service
    #[arg(
        long,
        global = true,
        env = "ACCORD_URL",
        value_name = "URL",
        default_value = "http://127.0.0.1:8080",
        help_heading = "Service"
    )]
    url: String,
    /// Address of the accounts area, if it has one of its own
    #[arg(
        long,
        global = true,
        env = "ACCORD_ACCOUNTS_URL",
        value_name = "URL",
        help_heading = "Service",
        hide_short_help = true
    )]
    accounts_url: Option<String>,
    /// Address of the identity area, if it has one of its own
    #[arg(
        long,
        global = true,
        env = "ACCORD_IDENTITY_URL",
        value_name = "URL",
        help_heading = "Service",
        hide_short_help = true
    )]
    identity_url: Option<String>,
    /// Address of the inference area, if it has one of its own
    #[arg(
        long,
        global = true,
        env = "ACCORD_INFERENCE_URL",
        value_name = "URL",
        help_heading = "Service",
        hide_short_help = true
    )]
    inference_url: Option<String>,
    /// Address of the patterns area, if it has one of its own
    #[arg(
        long,
        global = true,
        env = "ACCORD_PATTERNS_URL",
        value_name = "URL",
        help_heading = "Service",
        hide_short_help = true
    )]
    patterns_url: Option<String>,
    /// Seconds until a call times out
    #[arg(
        long,
        global = true,
        value_name = "SECONDS",
        default_value_t = 120,
        help_heading = "Service",
        hide_short_help = true
    )]
    timeout: u64,
    /// Secret of an API key, for models
    #[arg(
        long,
        global = true,
        env = "ACCORD_API_KEY",
        value_name = "SECRET",
        hide_env_values = true,
        help_heading = "Credentials"
    )]
    api_key: Option<String>,
    /// Access token to use instead of the login
    #[arg(
        long,
        global = true,
        env = "ACCORD_TOKEN",
        value_name = "TOKEN",
        hide_env_values = true,
        help_heading = "Credentials"
    )]
    token: Option<String>,
    /// Where the login is remembered [default: accord/login.json in the directory for state]
    #[arg(
        long,
        global = true,
        env = "ACCORD_LOGIN_FILE",
        value_name = "FILE",
        help_heading = "Credentials"
    )]
    login_file: Option<PathBuf>,
    /// Print JSON
    #[arg(long, global = true)]
    json: bool,
}

impl Options {
    /// The client that the options describe.
    pub fn client(&self) -> anyhow::Result<Accord> {
        let file = match &self.login_file {
            Some(path) => TokenFile::at(path),
            None => TokenFile::of_user()?,
        };
        let mut builder = Accord::builder()
            .base_url(&self.url)
            .timeout(Duration::from_secs(self.timeout))
            .deadline(Duration::from_secs(self.timeout))
            .token_file(file)
            .user_agent(concat!("accord/", env!("CARGO_PKG_VERSION")));
        if let Some(address) = &self.accounts_url {
            builder = builder.accounts_url(address);
        }
        if let Some(address) = &self.identity_url {
            builder = builder.identity_url(address);
        }
        if let Some(address) = &self.inference_url {
            builder = builder.inference_url(address);
        }
        if let Some(address) = &self.patterns_url {
            builder = builder.patterns_url(address);
        }
        if let Some(secret) = self.api_key.as_ref().filter(|secret| !secret.is_empty()) {
            builder = builder.api_key(secret);
        }
        if let Some(token) = self.token() {
            builder = builder.access_token(token);
        }
        Ok(builder.build()?)
    }

    /// The access token to use instead of the login. An empty variable counts as unset.
    pub fn token(&self) -> Option<&str> {
        self.token.as_deref().filter(|token| !token.is_empty())
    }

    /// The output format.
    pub fn output(&self) -> Output {
        Output { json: self.json }
    }
}
