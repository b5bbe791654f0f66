//! Pages of lists.

/// The first `limit` rows, and whether more follow: a query reads one row more than its page has.
pub fn cut_page<T>(mut rows: Vec<T>, limit: i64) -> (Vec<T>, bool) {
    let limit = usize::try_from(limit).unwrap_or_default();
    let more = rows.len() > limit;
    rows.truncate(limit);
    (rows, more)
}

#[cfg(test)]
mod tests {
    use super::cut_page;

    #[test]
    fn one_row_more_than_the_page_has_says_that_more_follow() {
        for (limit, expected) in [(1, (vec![1], true)), (2, (vec![1, 2], false))] {
            assert_eq!(cut_page(vec![1, 2], limit), expected);
        }
        assert_eq!(cut_page(vec![1], i64::MAX), (vec![1], false));
    }
}
