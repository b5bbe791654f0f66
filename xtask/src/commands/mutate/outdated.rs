//! Whether a committed page has about the number of edits that the documents have now.
//!
//! A full run takes too long for each edit of a document, so a page may be somewhat older than the documents. How many
//! mutants or typos there are is known without a run. A page with a very different number has to be written again.

use crate::repository;

/// By how much the numbers may differ, in percent.
const TOLERANCE: usize = 2;

/// The message about a page whose row counts another number than there is now. The first `columns` numbers of the row add
/// up to its number.
pub(super) fn message(page: &str, row: &str, columns: usize, now: usize) -> Option<String> {
    // An unreadable page counts nothing.
    let text = std::fs::read_to_string(repository::root().join(page)).unwrap_or_default();
    let counted = counted(&text, row, columns);
    let is_close = counted.abs_diff(now) * 100 <= now * TOLERANCE;
    (!is_close).then(|| {
        format!(
            "{page} is out of date: its row `{row}` counts {counted}, and there are {now} now. Write it again with --write."
        )
    })
}

fn counted(text: &str, row: &str, columns: usize) -> usize {
    let begin = format!("| {row} |");
    let found = text.lines().find_map(|line| line.strip_prefix(&*begin));
    let cells = found.unwrap_or_default().split('|');
    let numbers = cells.filter_map(|cell| cell.trim().parse::<usize>().ok());
    numbers.take(columns).sum()
}

#[cfg(test)]
mod tests {
    use super::{counted, message};
    use crate::repository;

    const TEXT: &str = "\
| Edit | lint | survived | equivalent | score |
|---|---|---|---|---|
| area a | 90 | 6 | 4 | 93.8 % |
| all | 900 | 60 | 40 | 93.8 % |
";

    #[test]
    fn the_numbers_of_a_row_add_up() {
        assert_eq!(counted(TEXT, "area a", 3), 100);
        assert_eq!(counted(TEXT, "all", 1), 900);
        assert_eq!(counted(TEXT, "area", 3), 0);
    }

    #[test]
    fn a_page_is_out_of_date_if_its_number_is_far_from_the_present_one() {
        for (page, row, columns) in [
            ("openapi/MUTANTS.md", "area inference", 10),
            ("openapi/TYPOS.md", "all", 1),
        ] {
            let text = std::fs::read_to_string(repository::root().join(page));
            let number = counted(&text.expect("a page"), row, columns);
            assert!(number > 1000, "{page} counts {number}");
            assert_eq!(message(page, row, columns, number), None);
            assert_eq!(message(page, row, columns, number + number / 100), None);
            let message = message(page, row, columns, number + number / 10);
            assert!(message.is_some_and(|message| message.starts_with(page)));
        }
    }
}
