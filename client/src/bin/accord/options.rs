//! The options of every command: the address of the service, and the credentials.

use crate::{
    failure::Elsewhere,
    output::Output,
    saved_key::SavedKey,
    secret,
    setting_name::Name,
    settings::Settings,
    verbose::{Attempts, Verbose},
};
use accord_client::{Accord, BuildError, Builder, RetryPolicy, TokenFile, TokenFileError};
use anyhow::{Context, anyhow, bail};
use clap::{ArgMatches, Args, builder::FalseyValueParser};
use std::{
    path::{Path, PathBuf},
    time::Duration,
};

#[derive(Args)]
pub struct Options {
    /// Address of the service [default: http://127.0.0.1:8080]
    #[arg(
        long,
        global = true,
        env = "ACCORD_URL",
        value_name = "URL",
        help_heading = "Service"
    )]
    url: Option<String>,
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
    /// Send credentials unencrypted to http addresses of other machines, in a network that is trusted
    #[arg(
        long,
        global = true,
        env = "ACCORD_ALLOW_HTTP",
        value_parser = FalseyValueParser::new(),
        help_heading = "Service",
        hide_short_help = true
    )]
    allow_http: bool,
    /// Seconds until a call times out
    #[arg(
        long,
        global = true,
        value_name = "SECONDS",
        default_value_t = 120,
        value_parser = clap::value_parser!(u64).range(1..),
        help_heading = "Service",
        hide_short_help = true
    )]
    timeout: u64,
    /// Maximum number of retries of a call [default: 3]
    #[arg(
        long,
        global = true,
        value_name = "NUMBER",
        value_parser = clap::value_parser!(u32).range(..=100),
        help_heading = "Service",
        hide_short_help = true
    )]
    retry: Option<u32>,
    /// Send each request once
    #[arg(
        long,
        global = true,
        conflicts_with = "retry",
        help_heading = "Service",
        hide_short_help = true
    )]
    no_retry: bool,
    /// Secret of an API key, for models [default: that of `accord keys create --save`]
    #[arg(
        long,
        global = true,
        env = "ACCORD_API_KEY",
        value_name = "SECRET",
        hide_env_values = true,
        help_heading = "Credentials"
    )]
    api_key: Option<String>,
    /// File with the secret of an API key, which takes precedence over --api-key; `-` reads a line of the standard input
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
    /// File with the access token, which takes precedence over --token; `-` reads a line of the standard input
    #[arg(long, global = true, value_name = "FILE", help_heading = "Credentials")]
    token_file: Option<PathBuf>,
    /// Identifier of the OAuth client, for `login` and `tokens` [default: accord-cli]
    #[arg(
        long,
        global = true,
        env = "ACCORD_CLIENT_ID",
        value_name = "ID",
        help_heading = "Credentials",
        hide_short_help = true
    )]
    client_id: Option<String>,
    /// Secret of the OAuth client, if it is confidential
    #[arg(
        long,
        global = true,
        env = "ACCORD_CLIENT_SECRET",
        value_name = "SECRET",
        hide_env_values = true,
        help_heading = "Credentials",
        hide_short_help = true
    )]
    client_secret: Option<String>,
    /// File with the secret of the client, which takes precedence over --client-secret; `-` reads a line of the standard input
    #[arg(
        long,
        global = true,
        value_name = "FILE",
        help_heading = "Credentials",
        hide_short_help = true
    )]
    client_secret_file: Option<PathBuf>,
    /// Name of the login and of the settings to use, if you have several [default: default]
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
    /// Print JSON, also of errors
    #[arg(long, global = true)]
    json: bool,
    /// Print a line for each request to the standard error: method, path, status, time, attempt and request id
    #[arg(long, short, global = true)]
    verbose: bool,
}

/// The secrets of the options, also from files.
pub struct Secrets {
    api_key: Option<String>,
    /// The access token to use instead of the login.
    pub token: Option<String>,
    /// The secret of a confidential client.
    pub client: Option<String>,
}

impl Secrets {
    /// Whether requests of a user have a credential without a login.
    pub fn replace_login(&self) -> bool {
        self.api_key.is_some() || self.token.is_some()
    }

    /// Whether there is a credential.
    fn any(&self) -> bool {
        self.replace_login() || self.client.is_some()
    }
}

impl Options {
    /// The secrets. An empty variable counts as unset. A saved API key is used if no other one is given, and the command
    /// may need one.
    pub fn secrets(&self, settings: &Settings, needs_api_key: bool) -> anyhow::Result<Secrets> {
        let files = [
            &self.api_key_file,
            &self.token_file,
            &self.client_secret_file,
        ];
        let inputs = files.iter().filter_map(|file| file.as_deref());
        if inputs
            .filter(|file| secret::is_standard_input(file))
            .count()
            > 1
        {
            bail!("the standard input has only one secret; write the other one to a file");
        }
        let [api_key, token, client] = files.map(|file| file.as_deref());
        let given = secret(api_key, self.api_key.as_deref())?;
        let api_key = match given {
            None if needs_api_key => self.find_saved_key(settings)?,
            given => given,
        };
        Ok(Secrets {
            api_key,
            token: secret(token, self.token.as_deref())?,
            client: secret(client, self.client_secret.as_deref())?,
        })
    }

    /// The settings: of these options, whose origin `matches` knows, and of the configuration file.
    pub fn settings(&self, matches: &ArgMatches) -> anyhow::Result<Settings> {
        Settings::read(|name| {
            let (id, value) = match name {
                Name::Profile => ("profile", &self.profile),
                Name::Url => ("url", &self.url),
                Name::AccountsUrl => ("accounts_url", &self.accounts_url),
                Name::IdentityUrl => ("identity_url", &self.identity_url),
                Name::InferenceUrl => ("inference_url", &self.inference_url),
                Name::PatternsUrl => ("patterns_url", &self.patterns_url),
                Name::ClientId => ("client_id", &self.client_id),
            };
            Some((value.clone()?, matches.value_source(id)?))
        })
    }

    /// The file that remembers logins.
    pub fn login_file(&self) -> Result<TokenFile, TokenFileError> {
        match &self.login_file {
            Some(path) => Ok(TokenFile::at(path)),
            None => TokenFile::of_user(),
        }
    }

    /// The services that the profile is logged in to, if the one in use is none of them.
    pub fn logins_elsewhere(&self, settings: &Settings) -> Option<Elsewhere> {
        let (here, option) = match settings.find(Name::IdentityUrl) {
            Some(address) => (address, "--identity-url"),
            None => (settings.get(Name::Url), "--url"),
        };
        let here = here.trim_end_matches('/');
        let logins = self.login_file().ok()?.logins().ok()?;
        let profile = settings.get(Name::Profile);
        let own = logins.into_iter().filter(|(key, _)| key.profile == profile);
        let services: Vec<String> = own.map(|(key, _)| key.identity).collect();
        let is_elsewhere = !services.is_empty() && services.iter().all(|service| service != here);
        is_elsewhere.then(|| Elsewhere {
            here: here.to_owned(),
            services,
            option,
        })
    }

    /// The place of the saved API key: of the profile, and for the service of models in use.
    pub fn saved_key(&self, settings: &Settings) -> Result<SavedKey, TokenFileError> {
        let address = settings.find(Name::InferenceUrl);
        let address = address.unwrap_or(settings.get(Name::Url));
        let profile = settings.get(Name::Profile);
        Ok(SavedKey::new(&self.login_file()?, profile, address))
    }

    /// The saved API key. Without a home directory there is none.
    fn find_saved_key(&self, settings: &Settings) -> anyhow::Result<Option<String>> {
        match self.saved_key(settings) {
            Err(TokenFileError::NoHome) => Ok(None),
            saved => saved?.find(),
        }
    }

    /// The client that the options describe.
    pub fn client(&self, settings: &Settings, secrets: &Secrets) -> anyhow::Result<Accord> {
        let attempts = match (self.no_retry, self.retry) {
            (true, _) => 1,
            (false, Some(retries)) => retries + 1,
            (false, None) => RetryPolicy::default().attempts,
        };
        let mut builder = self
            .sender()
            .base_url(settings.get(Name::Url))
            .profile(settings.get(Name::Profile))
            .retry(RetryPolicy::default().attempts(attempts));
        if let Some(file) = needed(self.login_file(), secrets.any())? {
            builder = builder.token_file(file);
        }
        if let Some(address) = settings.find(Name::AccountsUrl) {
            builder = builder.accounts_url(address);
        }
        if let Some(address) = settings.find(Name::IdentityUrl) {
            builder = builder.identity_url(address);
        }
        if let Some(address) = settings.find(Name::InferenceUrl) {
            builder = builder.inference_url(address);
        }
        if let Some(address) = settings.find(Name::PatternsUrl) {
            builder = builder.patterns_url(address);
        }
        if let Some(secret) = &secrets.api_key {
            builder = builder.api_key(secret);
        }
        if let Some(token) = &secrets.token {
            builder = builder.access_token(token);
        }
        if let Some(secret) = &secrets.client {
            let id = settings.set(Name::ClientId);
            let id = id.context("a secret needs the client's identifier; add --client-id")?;
            builder = builder.client_credentials(id, secret);
        }
        if self.allow_http {
            builder = builder.allow_http();
        }
        builder.build().map_err(|error| match error {
            BuildError::Insecure { address } => anyhow!(
                "{address} would get credentials unencrypted; use https, or add --allow-http if the network is trusted"
            ),
            error => error.into(),
        })
    }

    /// A client of one address, which sends each request once and without credentials.
    pub fn probe(&self, address: &str) -> anyhow::Result<Accord> {
        let builder = self.sender().base_url(address).allow_http();
        Ok(builder.retry(RetryPolicy::never()).build()?)
    }

    fn sender(&self) -> Builder {
        let builder = Accord::builder()
            .timeout(Duration::from_secs(self.timeout))
            .deadline(Duration::from_secs(self.timeout))
            .user_agent(concat!("accord/", env!("CARGO_PKG_VERSION")));
        match self.verbose {
            true => builder.layer(Attempts).transport(Verbose),
            false => builder,
        }
    }

    /// The output format.
    pub fn output(&self) -> Output {
        Output { json: self.json }
    }
}

/// The file that remembers logins. Without a home directory there is none, which only matters without other credentials.
fn needed(
    file: Result<TokenFile, TokenFileError>,
    is_replaced: bool,
) -> Result<Option<TokenFile>, TokenFileError> {
    match file {
        Err(TokenFileError::NoHome) if is_replaced => Ok(None),
        file => file.map(Some),
    }
}

/// The secret in the file, else the given one.
fn secret(file: Option<&Path>, given: Option<&str>) -> anyhow::Result<Option<String>> {
    match file {
        Some(file) => secret::read(file).map(Some),
        None => Ok(given.filter(|text| !text.is_empty()).map(str::to_owned)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_command_that_may_need_a_login_needs_a_home_directory() {
        let without_home = || Err(TokenFileError::NoHome);
        assert_eq!(needed(without_home(), true).ok(), Some(None));
        assert!(needed(without_home(), false).is_err());
        let file = TokenFile::at("login.json");
        assert_eq!(needed(Ok(file.clone()), true).ok(), Some(Some(file)));
    }
}
