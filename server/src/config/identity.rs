//! The `[identity]` section of the configuration.

/// Lifetimes of what this area gives out. Times are in seconds.
#[derive(Debug, Clone, confique::Config)]
pub struct IdentityConfig {
    /// How long a user has to approve a device.
    #[config(default = 300, env = "ACCORD_DEVICE_CODE_SECONDS", validate = device_code_seconds)]
    pub device_code_seconds: i64,
    /// How long a device must wait between two polls.
    #[config(default = 5, env = "ACCORD_POLL_SECONDS", validate = poll_seconds)]
    pub poll_seconds: i64,
    /// How long an access token lasts, for clients that are registered without
    /// a lifetime of their own: a minute to a year.
    #[config(default = 3600, env = "ACCORD_ACCESS_TOKEN_SECONDS", validate = access_token_seconds)]
    pub access_token_seconds: i64,
    /// How long a refresh token waits for its use.
    #[config(default = 604_800, env = "ACCORD_REFRESH_TOKEN_SECONDS", validate = lifetime)]
    pub refresh_token_seconds: i64,
    /// How long a user stays signed in on the pages.
    #[config(default = 28_800, env = "ACCORD_SESSION_SECONDS", validate = lifetime)]
    pub session_seconds: i64,
}

fn within(value: i64, least: i64, most: i64) -> Result<(), String> {
    match (least..=most).contains(&value) {
        true => Ok(()),
        false => Err(format!("must be {least} to {most} seconds")),
    }
}

fn device_code_seconds(value: &i64) -> Result<(), String> {
    within(*value, 30, 1800)
}

fn poll_seconds(value: &i64) -> Result<(), String> {
    within(*value, 1, 60)
}

fn access_token_seconds(value: &i64) -> Result<(), String> {
    within(*value, 60, 31_536_000)
}

fn lifetime(value: &i64) -> Result<(), String> {
    within(*value, 60, 31_536_000)
}
