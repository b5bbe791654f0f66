//! The lines above each operation: its handler, its callers and its tests.

use gen_lsp_types::{CodeLens, Command, Location, Uri};
use serde_json::json;

use super::files;
use super::operation::Operation;
use super::sources::Use;
use super::state::State;

/// The command of a lens: opens its places.
pub(super) const OPEN: &str = "accord.open";

/// The maximum number of places that a lens names.
const MAX_NAMED: usize = 3;

/// The lenses of a document.
pub(super) fn lenses(state: &mut State, uri: &Uri) -> Vec<CodeLens> {
    let Some(path) = files::path(uri) else {
        return Vec::new();
    };
    let mut lenses = Vec::new();
    for operation in Operation::all(state, &path) {
        let [handlers, callers, tests] = operation.uses(state);
        for (one, several, uses) in [
            ("handler", "handlers", handlers),
            ("caller", "callers", callers),
            ("test", "tests", tests),
        ] {
            let title = match uses.len() {
                0 => format!("no {one}"),
                1 => format!("{one}: {}", named(&uses)),
                count => format!("{count} {several}: {}", named(&uses)),
            };
            let locations = uses.iter();
            let locations: Vec<Location> = locations
                .filter_map(|one| state.files.line(&one.path, one.line))
                .collect();
            let command = Command {
                title,
                tooltip: Some(operation.route.clone()),
                command: OPEN.to_owned(),
                arguments: Some(vec![json!(locations)]),
            };
            lenses.push(CodeLens {
                range: operation.key.range,
                command: Some(command),
                data: None,
            });
        }
    }
    lenses
}

/// The first places, for people.
fn named(uses: &[&Use]) -> String {
    let mut names: Vec<String> = uses
        .iter()
        .take(MAX_NAMED)
        .map(|one| format!("{}:{}", files::name(&one.path), one.line))
        .collect();
    if uses.len() > MAX_NAMED {
        names.push("…".to_owned());
    }
    names.join(", ")
}
