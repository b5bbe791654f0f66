//! The options of every command: the address of the service, and the credentials.

use crate::{output::Output, secret, verbose::Verbose};
use accord_client::{Accord, TokenFile};
use anyhow::bail;
use clap::Args;
use std::{
    path::{Path, PathBuf},
    time::Duration,
};

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
    /// File with the secret of an API key, which counts more than --api-key; `-` reads a line of the standard input
    #[arg(long, global = true, value_name = "FILE", help_heading = "Credentials")]
    api_key_file: Option<PathBuf>,
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
    /// File with the access token, which counts more than --token; `-` reads a line of the standard input
    #[arg(long, global = true, value_name = "FILE", help_heading = "Credentials")]
    token_file: Option<PathBuf>,
    /// Name of the login to use, if you have several [default: default]
    #[arg(
        long,
        global = true,
        env = "ACCORD_PROFILE",
        value_name = "NAME",
        help_heading = "Credentials"
    )]
    profile: Option<String>,
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
    /// Print a line for each request to the standard error: method, path, status, time and request id
    #[arg(long, short, global = true)]
    verbose: bool,
}

/// The secrets of the options, also from files.
pub struct Secrets {
    api_key: Option<String>,
    /// The access token to use instead of the login.
    pub token: Option<String>,
}

impl Options {
    /// The secrets. An empty variable counts as unset.
    pub fn secrets(&self) -> anyhow::Result<Secrets> {
        let files = [&self.api_key_file, &self.token_file];
        if files
            .iter()
            .all(|file| file.as_deref().is_some_and(secret::is_standard_input))
        {
            bail!("the standard input has only one secret; write the other one to a file");
        }
        Ok(Secrets {
            api_key: secret(self.api_key_file.as_deref(), self.api_key.as_deref())?,
            token: secret(self.token_file.as_deref(), self.token.as_deref())?,
        })
    }

    /// The file that remembers logins.
    pub fn login_file(&self) -> anyhow::Result<TokenFile> {
        Ok(match &self.login_file {
            Some(path) => TokenFile::at(path),
            None => TokenFile::of_user()?,
        })
    }

    /// The client that the options describe.
    pub fn client(&self, secrets: &Secrets) -> anyhow::Result<Accord> {
        let mut builder = Accord::builder()
            .base_url(&self.url)
            .timeout(Duration::from_secs(self.timeout))
            .deadline(Duration::from_secs(self.timeout))
            .token_file(self.login_file()?)
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
        if let Some(secret) = &secrets.api_key {
            builder = builder.api_key(secret);
        }
        if let Some(token) = &secrets.token {
            builder = builder.access_token(token);
        }
        if let Some(name) = self.profile.as_ref().filter(|name| !name.is_empty()) {
            builder = builder.profile(name);
        }
        if self.verbose {
            builder = builder.transport(Verbose);
        }
        Ok(builder.build()?)
    }

    /// The output format.
    pub fn output(&self) -> Output {
        Output { json: self.json }
    }
}

/// The secret in the file, else the given one.
fn secret(file: Option<&Path>, given: Option<&str>) -> anyhow::Result<Option<String>> {
    match file {
        Some(file) => secret::read(file).map(Some),
        None => Ok(given.filter(|text| !text.is_empty()).map(str::to_owned)),
    }
}
