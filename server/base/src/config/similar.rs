//! Proposals for misspelled keys and variables.

use confique::Config as _;
use confique::meta::{FieldKind, Meta};
use strsim::osa_distance;

use super::Config;

impl Config {
    /// A warning for each variable of this process that has no effect, and resembles one of the configuration.
    pub fn misspelled_variables() -> Vec<String> {
        let set = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
        misspelled(set)
    }
}

fn misspelled(set: impl Iterator<Item = String>) -> Vec<String> {
    let mut known = vec!["ACCORD_CONFIG"];
    collect_variables(&Config::META, &mut known);
    let warning = |name: String| {
        let is_known = known.contains(&name.as_str());
        let meant = nearest(&name, known.iter().copied()).filter(|_| !is_known)?;
        Some(format!(
            "the variable {name} has no effect: did you mean {meant}?"
        ))
    };
    set.filter(|name| name.starts_with("ACCORD_"))
        .filter_map(warning)
        .collect()
}

fn collect_variables(meta: &Meta, names: &mut Vec<&'static str>) {
    for field in meta.fields {
        match &field.kind {
            FieldKind::Nested { meta } => collect_variables(meta, names),
            FieldKind::Leaf { env, .. } => names.extend(*env),
        }
    }
}

/// The name that was probably meant: the nearest one, if it differs in at most two characters. Two neighbors that are
/// swapped count as one.
pub(super) fn nearest<'n>(
    wanted: &str,
    names: impl IntoIterator<Item = &'n str>,
) -> Option<&'n str> {
    let tolerance = wanted.len().min(4) / 2;
    let distances = names
        .into_iter()
        .map(|name| (osa_distance(wanted, name), name));
    let (distance, name) = distances.min_by_key(|(distance, _)| *distance)?;
    (distance <= tolerance).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_near_name_is_proposed() {
        let names = ["url", "migrate", "connections"];
        for (wanted, found) in [
            ("urll", Some("url")),
            ("conections", Some("connections")),
            ("migraet", Some("migrate")),
            ("conectoins", Some("connections")),
            ("x", None),
            ("", None),
            ("password", None),
        ] {
            assert_eq!(nearest(wanted, names), found, "{wanted}");
        }
    }

    #[test]
    fn a_variable_is_misspelled_if_it_resembles_one_of_the_service() {
        let set = [
            "ACCORD_LISTEN",
            "ACCORD_LISEN",
            "ACCORD_CONFIG",
            // The command `accord` has these, and Kubernetes sets the others for a service `accord`.
            "ACCORD_URL",
            "ACCORD_API_KEY",
            "ACCORD_TOKEN",
            "ACCORD_PORT",
            "ACCORD_SERVICE_HOST",
            "HOME",
        ];
        assert_eq!(
            misspelled(set.into_iter().map(str::to_owned)),
            ["the variable ACCORD_LISEN has no effect: did you mean ACCORD_LISTEN?"]
        );
    }
}
