//! Keys that resemble another one: what `did you mean` proposes.

/// The one of `keys` that was probably meant by `wanted`: the nearest, if no more than
/// `tolerance` characters differ, case aside.
pub(crate) fn nearest<'k>(
    keys: impl IntoIterator<Item = &'k str>,
    wanted: &str,
    tolerance: usize,
) -> Option<&'k str> {
    keys.into_iter()
        .map(|key| (distance(key, wanted), key))
        .filter(|(distance, _)| *distance <= tolerance)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, key)| key)
}

/// How many characters have to be inserted, removed or replaced to turn `a` into `b`, case aside.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.to_lowercase().chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.to_lowercase().chars().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
