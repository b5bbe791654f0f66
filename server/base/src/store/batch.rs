//! Statements for several rows. Most of the cost of a short statement does not depend on
//! its number of rows.

/// The number of rows of such a statement.
pub const BATCH: usize = 32;

/// The placeholders for one value of each row, beginning with `$first`, as in `IN ($2,
/// $3, …)`.
pub fn places(first: usize) -> String {
    let places: Vec<_> = (first..first + BATCH)
        .map(|place| format!("${place}"))
        .collect();
    places.join(", ")
}

/// Splits rows into batches. A short batch repeats its first row, which has no effect, so
/// that there is only one statement to prepare.
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
    fn no_rows_are_no_batch() {
        assert_eq!(batches::<u8>(&[]).count(), 0);
    }
}
