//! Several rows by one statement: most of what a short one costs is not its row.

/// How many rows such a statement takes.
pub const BATCH: usize = 32;

/// Places for one value of each row, of which the first is `$first`, as in
/// `IN ($2, $3, …)`.
pub fn places(first: usize) -> String {
    let places: Vec<_> = (first..first + BATCH)
        .map(|place| format!("${place}"))
        .collect();
    places.join(", ")
}

/// Cuts rows into batches. One that would be short repeats its first row, which changes
/// nothing, so that there is only one statement to prepare.
pub fn batches<T: Clone>(rows: &[T]) -> impl Iterator<Item = Vec<T>> {
    rows.chunks(BATCH).map(|some| {
        let filled = some.iter().chain(std::iter::repeat(&some[0]));
        filled.take(BATCH).cloned().collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_batch_fills_its_places() {
        assert!(places(3).starts_with("$3, $4, "));
        assert!(places(3).ends_with(", $34"));
        let rows: Vec<usize> = (0..=BATCH).collect();
        let batches: Vec<_> = batches(&rows).collect();
        assert_eq!(batches[0], rows[..BATCH]);
        assert_eq!(batches[1], [BATCH; BATCH]);
        assert_eq!(batches.len(), 2);
    }

    #[test]
    fn nothing_is_no_batch() {
        assert_eq!(batches::<u8>(&[]).count(), 0);
    }
}
