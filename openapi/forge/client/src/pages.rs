//! Lists that a service returns page by page, as streams.
//!
//! A response header has the value of a query parameter for the next page (`x-dropforge-next-page` of the document). The
//! header is absent on the last page.

use futures::{
    Stream, StreamExt, TryStreamExt,
    future::BoxFuture,
    stream::{self, BoxStream},
};
use progenitor_client::ResponseValue;
use std::{
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
enum Next<R> {
    First(R),
    /// The request, and the value of its parameter for the page.
    Page(R, String),
}

impl<'a, T: Send + 'a, E: Send + 'a> Pages<'a, T, E> {
    /// The pages that begin with this request. `turn` sets the parameter of the page to a value of `header`.
    pub fn new<R: Clone + Send + 'a>(
        request: R,
        header: &'static str,
        turn: fn(R, String) -> R,
        call: fn(R) -> BoxFuture<'a, Result<ResponseValue<T>, E>>,
    ) -> Self {
        let pages = stream::try_unfold(Some(Next::First(request)), move |next| async move {
            let (request, sent) = match next {
                None => return Ok(None),
                Some(Next::First(request)) => (request, None),
                Some(Next::Page(request, page)) => (request, Some(page)),
            };
            let wanted = match &sent {
                None => request.clone(),
                Some(page) => turn(request.clone(), page.clone()),
            };
            let response = call(wanted).await?;
            let named = response.headers().get(header);
            let next = named.and_then(|page| page.to_str().ok());
            // A page that names itself would never end.
            let next = next.filter(|page| !page.is_empty() && sent.as_deref() != Some(*page));
            let next = next.map(|page| Next::Page(request, page.to_owned()));
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
    use futures::FutureExt;
    use reqwest::{
        StatusCode,
        header::{HeaderMap, HeaderName, HeaderValue},
    };

    /// A page: its items, and the value for the next page.
    type Page = (Vec<u8>, Option<&'static str>);

    fn page((items, next): Page) -> ResponseValue<Vec<u8>> {
        let header = |value| {
            let name = HeaderName::from_static("next");
            (name, HeaderValue::from_static(value))
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
    async fn a_page_that_names_itself_is_the_last_one() {
        let pages = list(|_| Ok((vec![1], Some("a"))));
        assert_eq!(pages.items().collect_all().await, Ok(vec![1, 1]));
    }
}
