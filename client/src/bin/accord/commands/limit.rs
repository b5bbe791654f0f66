//! The option for the length of a list.

use crate::failure::failed;
use accord_client::{Items, OperationError};
use clap::Args;
use futures_util::{StreamExt as _, TryStreamExt as _};
use std::num::NonZeroUsize;

#[derive(Args, Default)]
pub struct Limit {
    /// The maximum number of items, from the first one; all by default
    #[arg(long, value_name = "NUMBER", value_parser = number)]
    limit: Option<NonZeroUsize>,
}

impl Limit {
    /// The items of a list, within the limit. Only the pages with them are requested.
    pub async fn collect<T, E: OperationError>(
        &self,
        items: Items<'_, T, E>,
    ) -> anyhow::Result<Vec<T>> {
        let items = items.take(self.limit.map_or(usize::MAX, NonZeroUsize::get));
        items.try_collect().await.map_err(failed)
    }
}

fn number(text: &str) -> Result<NonZeroUsize, String> {
    let number = text.parse();
    number.map_err(|_| "write a number, 1 or more".to_owned())
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn a_limit_is_at_least_one() {
        assert_eq!(number("1").map(usize::from), Ok(1));
        for text in ["0", "-1", "all"] {
            let error = number(text).expect_err(text);
            assert_eq!(error, "write a number, 1 or more");
        }
    }
}
