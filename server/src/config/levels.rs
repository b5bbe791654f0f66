//! The levels of log lines: `log.level`.

use tracing_subscriber::filter::{LevelFilter, Targets};

/// The levels; each includes the ones before it.
const LEVELS: [&str; 6] = ["off", "error", "warn", "info", "debug", "trace"];
/// The crates that write log lines.
const CRATES: [&str; 10] = [
    "accord_server",
    "dropforge_runtime",
    "dropshot",
    "hyper",
    "hyper_util",
    "lettre",
    "opentelemetry_otlp",
    "opentelemetry_sdk",
    "rustls",
    "tokio_postgres",
];

/// Reads a level, or levels of modules, separated by commas.
///
/// # Errors
///
/// The invalid part, and the possible values.
pub fn parse(text: &str) -> Result<Targets, String> {
    let mut targets = Targets::new();
    for directive in text.split(',').map(str::trim) {
        targets = match directive.split_once('=') {
            None => targets.with_default(level(directive)?),
            Some((module, name)) => targets.with_target(checked(module)?, level(name)?),
        };
    }
    Ok(targets)
}

fn level(name: &str) -> Result<LevelFilter, String> {
    let is_known = LEVELS.iter().any(|level| name.eq_ignore_ascii_case(level));
    let level = name.parse().ok().filter(|_| is_known);
    level.ok_or_else(|| {
        format!(
            "{name:?} is not a level: expected {}, or MODULE=LEVEL, separated by commas",
            LEVELS.join(", ")
        )
    })
}

fn checked(module: &str) -> Result<&str, String> {
    let name = module.split("::").next().unwrap_or_default();
    match CRATES.contains(&name) {
        true => Ok(module),
        false => Err(format!(
            "{module:?} is not a module that logs: expected one of {}, or a module of it such as \
             accord_server::store",
            CRATES.join(", ")
        )),
    }
}

#[cfg(test)]
mod tests {
    use tracing::Level;

    use super::*;

    #[test]
    fn a_level_applies_to_all_modules_without_their_own() {
        let targets = parse("info, accord_server::store=DEBUG,hyper=off").unwrap();
        for (module, level, enabled) in [
            ("accord_server::serve", Level::INFO, true),
            ("accord_server::serve", Level::DEBUG, false),
            ("accord_server::store", Level::DEBUG, true),
            ("hyper::proto", Level::ERROR, false),
        ] {
            assert_eq!(targets.would_enable(module, &level), enabled, "{module}");
        }
    }

    #[test]
    fn unknown_levels_are_refused_with_the_possible_ones() {
        for text in ["loud", "info,loud", "", "info,", "accord_server=loud", "2"] {
            let error = parse(text).unwrap_err();
            assert!(
                error.contains("off, error, warn, info, debug, trace"),
                "{error}"
            );
        }
        for text in ["acord_server=debug", "info,=debug", "store=debug"] {
            let error = parse(text).unwrap_err();
            assert!(error.contains("accord_server, "), "{error}");
        }
    }
}
