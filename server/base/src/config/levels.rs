//! The levels of log lines: `log.level`.

use tracing_subscriber::filter::{LevelFilter, Targets};

/// The levels; each includes the ones before it.
const LEVELS: [&str; 6] = ["off", "error", "warn", "info", "debug", "trace"];
/// The crates of the service, with their modules.
const OWN: [(&str, &[&str]); 3] = [
    (
        "accord_areas",
        &[
            "accounts",
            "backup",
            "demo",
            "erasure",
            "identity",
            "inference",
            "mail",
            "patterns",
            "retention",
            "rights",
            "rotation",
            "setup",
        ],
    ),
    (
        "accord_base",
        &["area", "audit", "config", "connections", "kernel", "store"],
    ),
    (
        "accord_server",
        &[
            "api", "app", "commands", "contract", "ops", "pages", "publish", "serve",
        ],
    ),
];
/// The other crates that write log lines.
const OTHERS: [&str; 9] = [
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

fn checked(text: &str) -> Result<&str, String> {
    let mut path = text.split("::");
    let (name, module) = (path.next().unwrap_or_default(), path.next());
    let own = OWN.into_iter().find(|(own, _)| *own == name);
    let is_known = match (own, module) {
        (Some((_, modules)), Some(module)) => modules.contains(&module),
        (own, _) => own.is_some() || OTHERS.contains(&name),
    };
    if is_known {
        return Ok(text);
    }
    let has = |modules: &[&str]| module.is_some_and(|module| modules.contains(&module));
    let other = OWN.into_iter().find(|(_, modules)| has(modules));
    Err(match (own, other, module) {
        (Some(_), Some((right, _)), Some(module)) => {
            format!("{text:?} is not a module: expected {right}::{module}")
        }
        (Some((_, modules)), ..) => format!(
            "{text:?} is not a module: those of {name} are {}",
            modules.join(", ")
        ),
        _ => format!(
            "{text:?} is not a module that logs: expected one of {}, {}, or a module of it such as \
             accord_base::store",
            OWN.map(|(own, _)| own).join(", "),
            OTHERS.join(", ")
        ),
    })
}

#[cfg(test)]
mod tests {
    use tracing::Level;

    use super::*;

    #[test]
    fn a_level_applies_to_all_modules_without_their_own() {
        let targets = parse("info, accord_base::store=DEBUG,hyper=off").unwrap();
        for (module, level, enabled) in [
            ("accord_server::serve", Level::INFO, true),
            ("accord_server::serve", Level::DEBUG, false),
            ("accord_base::store", Level::DEBUG, true),
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

    #[test]
    fn a_module_that_does_not_exist_is_refused() {
        for (text, expected) in [
            ("accord_server::store=debug", "accord_base::store"),
            ("accord_areas::stores=debug", "accounts, backup"),
            ("tokio=debug", "accord_areas, accord_base, accord_server, "),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn the_modules_of_each_crate_are_known() {
        let roots = [
            include_str!("../../../areas/src/lib.rs"),
            include_str!("../lib.rs"),
            // The program has the name of the library.
            concat!(
                include_str!("../../../src/lib.rs"),
                include_str!("../../../src/main.rs")
            ),
        ];
        for ((name, modules), roots) in OWN.into_iter().zip(roots) {
            let declared = roots.lines().filter_map(|line| {
                let line = line.strip_prefix("pub ").unwrap_or(line);
                line.strip_prefix("mod ")?.strip_suffix(';')
            });
            let mut declared: Vec<_> = declared.collect();
            declared.sort_unstable();
            assert_eq!(modules, declared, "{name}");
        }
    }
}
