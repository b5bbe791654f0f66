//! Similar keys, for the proposals of `did you mean`.

/// The key that an author probably meant by `wanted`: the nearest one, if at most `tolerance`
/// characters differ, ignoring case.
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

/// The number of characters to insert, remove, replace or swap with their neighbor to turn `a` into
/// `b`, ignoring case (optimal string alignment).
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (
        a.to_lowercase().chars().collect(),
        b.to_lowercase().chars().collect(),
    );
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = replaced.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}
