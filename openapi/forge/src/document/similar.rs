//! Similar keys, for the proposals of `did you mean`.

use strsim::osa_distance;

/// The key that an author probably meant by `wanted`: the nearest one, if at most `tolerance`
/// characters differ, ignoring case. Two neighbors that are swapped count as one difference.
pub(crate) fn nearest<'k>(
    keys: impl IntoIterator<Item = &'k str>,
    wanted: &str,
    tolerance: usize,
) -> Option<&'k str> {
    let wanted = wanted.to_lowercase();
    let length = wanted.chars().count();
    keys.into_iter()
        .map(|key| (key.to_lowercase(), key))
        // Keys whose lengths differ by more than that cannot be near enough.
        .filter(|(lowercase, _)| lowercase.chars().count().abs_diff(length) <= tolerance)
        .map(|(lowercase, key)| (osa_distance(&lowercase, &wanted), key))
        .filter(|(distance, _)| *distance <= tolerance)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, key)| key)
}

/// [`nearest`] for names of authors, of any length: every fourth character may differ, and one more.
pub(crate) fn nearest_name<'k>(
    names: impl IntoIterator<Item = &'k str>,
    wanted: &str,
) -> Option<&'k str> {
    nearest(names, wanted, 1 + wanted.chars().count() / 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_key_is_proposed_if_it_is_near_enough() {
        let keys = ["maxLength", "minLength", "pattern"];
        for (wanted, tolerance, found) in [
            ("minLenght", 1, Some("minLength")),
            ("MINLENGTH", 0, Some("minLength")),
            ("maxLengths", 1, Some("maxLength")),
            ("patern", 1, Some("pattern")),
            ("axLenght", 1, None),
            ("axLenght", 2, Some("maxLength")),
            ("", 2, None),
        ] {
            assert_eq!(nearest(keys, wanted, tolerance), found, "{wanted}");
        }
    }
}
