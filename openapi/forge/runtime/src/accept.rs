//! Negotiates the media type of a response by the `Accept` header (RFC 9110, section 12.5.1).
//!
//! A server may ignore the header, but not half of it: ranges, parameters and quality values
//! all count. The most specific range decides, and the order of the document among equals. Most
//! operations return one media type only, so the header is not parsed until it is needed.

use http::{HeaderMap, HeaderValue, header};

use crate::media::{MediaRange, parse_list};

/// The `Accept` headers of a request. Without the header, every media type is acceptable.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Accept {
    /// Empty if every media type is acceptable.
    lines: Vec<HeaderValue>,
}

impl Accept {
    /// Accepts every media type.
    pub fn any() -> Self {
        Accept::default()
    }

    /// Whether every media type is acceptable.
    pub fn is_any(&self) -> bool {
        self.lines.is_empty()
    }

    /// Reads all `Accept` headers. Skips elements that are not media ranges.
    pub fn from_headers(headers: &HeaderMap) -> Self {
        let lines = headers.get_all(header::ACCEPT).iter().cloned().collect();
        Accept { lines }
    }

    /// The quality of a media type in thousandths, from 0 (not acceptable) to 1000.
    pub fn quality(&self, media_type: &str) -> u16 {
        quality(&self.ranges(), media_type)
    }

    /// Whether the caller names this media type itself, and not only a range that includes it.
    pub fn names(&self, media_type: &str) -> bool {
        let Some(offered) = MediaRange::parse(media_type) else {
            return false;
        };
        self.ranges()
            .iter()
            .any(|(range, quality)| *quality > 0 && range.is_exact() && range.includes(&offered))
    }

    /// The index of the media type with the highest quality, the first of equals. `None` if none
    /// is acceptable.
    pub fn best(&self, offered: &[&str]) -> Option<usize> {
        let ranges = self.ranges();
        let mut best = None;
        for (index, media_type) in offered.iter().enumerate() {
            let quality = quality(&ranges, media_type);
            if quality > 0 && best.is_none_or(|(_, most)| quality > most) {
                best = Some((index, quality));
            }
        }
        best.map(|(index, _)| index)
    }

    /// The ranges with their quality. Empty if every media type is acceptable.
    fn ranges(&self) -> Vec<(MediaRange, u16)> {
        self.lines
            .iter()
            .filter_map(|line| line.to_str().ok())
            .flat_map(parse_list)
            .collect()
    }
}

fn quality(ranges: &[(MediaRange, u16)], media_type: &str) -> u16 {
    if ranges.is_empty() {
        return 1000;
    }
    let Some(offered) = MediaRange::parse(media_type) else {
        return 0;
    };
    ranges
        .iter()
        .filter(|(range, _)| range.includes(&offered))
        .max_by_key(|(range, _)| range.specificity())
        .map_or(0, |(_, quality)| *quality)
}

#[cfg(test)]
mod tests {
    use super::*;

    const JSON: &str = "application/json;charset=utf-8";
    const VENDOR: &str = "application/vnd.accord.model+json;type=singular";

    fn accept(value: &str) -> Accept {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT, value.parse().unwrap());
        Accept::from_headers(&headers)
    }

    #[test]
    fn without_the_header_the_first_type_is_sent() {
        assert_eq!(Accept::any().best(&[JSON, VENDOR]), Some(0));
    }

    #[test]
    fn quality_values_decide_and_the_documents_order_breaks_ties() {
        let offered = [JSON, VENDOR];
        for (value, expected) in [
            ("*/*", Some(0)),
            ("application/*", Some(0)),
            ("application/json", Some(0)),
            ("application/json; charset=utf-8", Some(0)),
            ("application/vnd.accord.model+json", Some(1)),
            ("Application/VND.accord.model+JSON; Type=singular", Some(1)),
            ("application/vnd.accord.model+json;type=collection", None),
            (
                "application/json;q=0.5, application/vnd.accord.model+json",
                Some(1),
            ),
            ("*/*, application/json;q=0.1", Some(1)),
            ("application/json;q=0, */*;q=0.1", Some(1)),
            ("text/html", None),
            ("text/html, */*;q=0", None),
            ("application/json;q=0", None),
            ("", Some(0)),
            ("nonsense", Some(0)),
            ("text/*;q=0.3, text/html;q=0.7, */*;q=0.5", Some(0)),
        ] {
            assert_eq!(accept(value).best(&offered), expected, "{value}");
        }
    }

    #[test]
    fn a_parameter_of_the_range_must_be_there_with_its_value() {
        assert_eq!(accept("text/plain;format=flowed").quality("text/plain"), 0);
        assert_eq!(
            accept("text/plain;charset=utf-8").quality("text/plain"),
            1000
        );
        assert_eq!(
            accept("text/plain;charset=iso-8859-1").quality("text/plain"),
            0
        );
    }
}
