//! Lists that a service returns page by page, as streams.
//!
//! A response header has the value of a query parameter for the next page (`x-dropforge-next-page` of the document). The
//! header is absent on the last page.

use crate::{Failure, body::Buffered};
use bytes::Bytes;
use futures_util::{
    Stream, StreamExt, TryStreamExt,
    future::BoxFuture,
    stream::{self, BoxStream},
};
use progenitor_client::ResponseValue;
use std::{
    collections::HashSet,
    fmt,
    pin::Pin,
    task::{Context, Poll},
};

/// The pages of a list. Each page is requested when the stream is polled for it. The stream ends after an error.
///
/// This is a [`Stream`]; [`Pages::next_page`] needs no other trait.
pub struct Pages<'a, T, E>(BoxStream<'a, Result<ResponseValue<T>, E>>);

/// The items of a list, from all of its pages. The stream ends after an error.
///
/// This is a [`Stream`]; [`Items::next_item`] and [`Items::collect_all`] need no other trait.
pub struct Items<'a, T, E>(BoxStream<'a, Result<T, E>>);

/// A page of a list.
pub trait List {
    /// The type of the items.
    type Item: Send;

    /// The items of the page, in their order.
    fn into_items(self) -> Vec<Self::Item>;
}

impl<T: Send> List for Vec<T> {
    type Item = T;

    fn into_items(self) -> Vec<T> {
        self
    }
}

/// The next request of a list.
enum Next {
    First,
    /// The value of the parameter for the page.
    Page(String),
    /// The header of the last page does not lead to another one.
    Unreadable(Failure),
}

/// The request after a page, by the header of its response. `None` after the last page. A page that was requested
/// before would be returned without end.
fn next<T>(response: &ResponseValue<T>, header: &str, requested: &HashSet<String>) -> Option<Next> {
    let value = response.headers().get(header)?;
    let reason = match value.to_str() {
        Ok("") => return None,
        Ok(page) if !requested.contains(page) => return Some(Next::Page(page.to_owned())),
        Ok(_) => "names a page that was requested before",
        Err(_) => "is not visible ASCII",
    };
    let response = Buffered {
        status: response.status(),
        headers: response.headers().clone(),
        body: Bytes::new(),
    };
    Some(Next::Unreadable(
        response.unreadable(format!("the header `{header}` {reason}")),
    ))
}

impl<'a, T: Send + 'a, E: Send + 'a> Pages<'a, T, E> {
    /// The pages that begin with this request. `turn` sets the parameter of the page to a value of `header`. `fail` is the
    /// error of a header that leads to no page.
    pub fn new<R: Clone + Send + 'a>(
        request: R,
        header: &'static str,
        turn: fn(R, String) -> R,
        call: fn(R) -> BoxFuture<'a, Result<ResponseValue<T>, E>>,
        fail: fn(Failure) -> E,
    ) -> Self {
        let first = (Next::First, request, HashSet::new());
        let pages = stream::try_unfold(Some(first), move |state| async move {
            let Some((wanted, request, mut requested)) = state else {
                return Ok(None);
            };
            let asked = match wanted {
                Next::First => request.clone(),
                Next::Page(page) => {
                    requested.insert(page.clone());
                    turn(request.clone(), page)
                }
                Next::Unreadable(failure) => return Err(fail(failure)),
            };
            let response = call(asked).await?;
            let next = next(&response, header, &requested).map(|next| (next, request, requested));
            Ok(Some((response, next)))
        });
        Self(pages.boxed())
    }

    /// The items of all pages.
    pub fn items(self) -> Items<'a, T::Item, E>
    where
        T: List,
        T::Item: 'a,
    {
        let items = self.0.map_ok(|page| {
            let items = page.into_inner().into_items().into_iter();
            stream::iter(items.map(Ok::<T::Item, E>))
        });
        Items(items.try_flatten().boxed())
    }
}

impl<T, E> Pages<'_, T, E> {
    /// The next page; `None` after the last one.
    ///
    /// # Errors
    ///
    /// When the call of the page fails. There are no further pages then.
    pub async fn next_page(&mut self) -> Result<Option<ResponseValue<T>>, E> {
        self.0.next().await.transpose()
    }
}

impl<T, E> Items<'_, T, E> {
    /// The next item; `None` after the last one.
    ///
    /// # Errors
    ///
    /// When the call of a page fails. There are no further items then.
    pub async fn next_item(&mut self) -> Result<Option<T>, E> {
        self.0.next().await.transpose()
    }

    /// All items that are left. Lists can be long: [`Items::next_item`] keeps only one page in memory.
    ///
    /// # Errors
    ///
    /// When the call of a page fails.
    pub async fn collect_all(self) -> Result<Vec<T>, E> {
        self.0.try_collect().await
    }
}

impl<T, E> Stream for Pages<'_, T, E> {
    type Item = Result<ResponseValue<T>, E>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_next_unpin(context)
    }
}

impl<T, E> Stream for Items<'_, T, E> {
    type Item = Result<T, E>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_next_unpin(context)
    }
}

impl<T, E> fmt::Debug for Pages<'_, T, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pages").finish_non_exhaustive()
    }
}

impl<T, E> fmt::Debug for Items<'_, T, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Items").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;
    use reqwest::{
        StatusCode,
        header::{HeaderMap, HeaderName, HeaderValue},
    };

    /// A page: its items, and the value for the next page.
    type Page = (Vec<u8>, Option<&'static str>);

    fn page((items, next): Page) -> ResponseValue<Vec<u8>> {
        let header = |value: &str| {
            let name = HeaderName::from_static("next");
            let value = HeaderValue::from_bytes(value.as_bytes());
            (name, value.expect("a value of a header"))
        };
        let headers = HeaderMap::from_iter(next.map(header));
        ResponseValue::new(items, StatusCode::OK, headers)
    }

    /// The list whose page `respond` returns for the value of the parameter.
    fn list(respond: fn(Option<&str>) -> Result<Page, String>) -> Pages<'static, Vec<u8>, String> {
        type Request = (Option<String>, fn(Option<&str>) -> Result<Page, String>);
        let request: Request = (None, respond);
        Pages::new(
            request,
            "next",
            |request, page| (Some(page), request.1),
            |(asked, respond)| async move { respond(asked.as_deref()).map(page) }.boxed(),
            |failure| failure.to_string(),
        )
    }

    #[tokio::test]
    async fn a_list_is_read_to_its_last_page() {
        let pages = || {
            list(|asked| match asked {
                None => Ok((vec![1, 2], Some("b"))),
                // An empty page need not be the last one.
                Some("b") => Ok((vec![], Some("c"))),
                Some("c") => Ok((vec![3], None)),
                Some(other) => Err(other.to_owned()),
            })
        };
        assert_eq!(pages().count().await, 3);
        let items = pages().items();
        assert_eq!(items.collect_all().await, Ok(vec![1, 2, 3]));
    }

    #[tokio::test]
    async fn a_list_ends_after_an_error() {
        let pages = list(|asked| match asked {
            None => Ok((vec![1], Some("b"))),
            Some(_) => Err("busy".to_owned()),
        });
        let mut items = pages.items();
        assert_eq!(items.next_item().await, Ok(Some(1)));
        assert_eq!(items.next_item().await, Err("busy".to_owned()));
        assert_eq!(items.next_item().await, Ok(None));
    }

    #[tokio::test]
    async fn a_page_that_was_requested_before_is_an_error() {
        let pages = list(|asked| match asked {
            Some("a") => Ok((vec![2], Some("b"))),
            Some(_) => Ok((vec![3], Some("a"))),
            None => Ok((vec![1], Some("a"))),
        });
        let mut items = pages.items();
        for item in [1, 2, 3] {
            assert_eq!(items.next_item().await, Ok(Some(item)));
        }
        let error = items.next_item().await.expect_err("the pages repeat");
        assert!(
            error.contains("`next` names a page that was requested before"),
            "{error}"
        );
        assert_eq!(items.next_item().await, Ok(None));
    }

    #[tokio::test]
    async fn a_header_that_is_not_text_is_an_error() {
        let pages = list(|_| Ok((vec![1], Some("\u{e9}"))));
        let error = pages
            .items()
            .collect_all()
            .await
            .expect_err("a second page");
        assert!(error.contains("`next` is not visible ASCII"), "{error}");
    }
}
