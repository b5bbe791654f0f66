//! The entries of a generated table without a test.

use anyhow::{Context, ensure};

/// Reads entries, each on a line of its own, with the reason below it, indented by two spaces.
///
/// # Errors
///
/// When `entry` rejects an entry, when an entry has no reason, and when a reason has no entry.
pub(super) fn untested<T>(
    text: &str,
    entry: impl Fn(&str) -> anyhow::Result<T>,
) -> anyhow::Result<Vec<(T, String)>> {
    let mut found = Vec::<(&str, T, String)>::new();
    for line in text.lines() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match line.strip_prefix("  ") {
            Some(more) => {
                let (.., reason) = found.last_mut().context("a reason without an entry")?;
                reason.push_str(more);
            }
            None => found.push((line, entry(line)?, String::new())),
        }
    }
    let explained = found.into_iter().map(|(line, entry, reason)| {
        ensure!(!reason.is_empty(), "{line}: why is it not tested?");
        Ok((entry, reason))
    });
    explained.collect()
}
