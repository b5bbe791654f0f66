//! Similar keys, for the proposals of `did you mean`.

use std::cell::Cell;

use strsim::osa_distance;

/// How many names the proposals of one document are compared with. A single proposal is compared with all names of its
/// list, even beyond this number.
const MAX_COMPARED: usize = 100_000;

/// The maximum number of characters of a name that is compared. The time of a comparison grows with the
/// square of the length.
const MAX_LENGTH: usize = 200;

/// The proposals of one document. A name is compared with every name that may be meant, so that the time would grow with
/// the square of the document. After [`MAX_COMPARED`] comparisons, there are no proposals.
#[derive(Debug, Default)]
pub(crate) struct Proposals {
    compared: Cell<usize>,
}

impl Proposals {
    /// The names that a proposal is compared with: none after the limit.
    pub(crate) fn limited<'k>(
        &self,
        names: impl IntoIterator<Item = &'k str>,
    ) -> impl Iterator<Item = &'k str> {
        let is_within = self.compared.get() < MAX_COMPARED;
        let names = names.into_iter().take_while(move |_| is_within);
        names.inspect(move |_| self.compared.set(self.compared.get() + 1))
    }

    /// [`nearest`], within the limit.
    pub(crate) fn nearest<'k>(
        &self,
        keys: impl IntoIterator<Item = &'k str>,
        wanted: &str,
        tolerance: usize,
    ) -> Option<&'k str> {
        nearest(self.limited(keys), wanted, tolerance)
    }

    /// [`nearest_name`], within the limit.
    pub(crate) fn nearest_name<'k>(
        &self,
        names: impl IntoIterator<Item = &'k str>,
        wanted: &str,
    ) -> Option<&'k str> {
        self.nearest(names, wanted, tolerance_of(wanted))
    }
}

/// The key that an author probably meant by `wanted`: the nearest one, if at most `tolerance`
/// characters differ, ignoring case. Two neighbors that are swapped count as one difference. Long
/// texts have none.
pub(crate) fn nearest<'k>(
    keys: impl IntoIterator<Item = &'k str>,
    wanted: &str,
    tolerance: usize,
) -> Option<&'k str> {
    let wanted = wanted.to_lowercase();
    let length = wanted.chars().count();
    if length > MAX_LENGTH {
        return None;
    }
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
    nearest(names, wanted, tolerance_of(wanted))
}

fn tolerance_of(wanted: &str) -> usize {
    1 + wanted.chars().count() / 4
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

    #[test]
    fn a_long_name_has_no_proposal() {
        for (length, found) in [(MAX_LENGTH, true), (MAX_LENGTH + 1, false)] {
            let (name, wanted) = ("a".repeat(length), "a".repeat(length - 1) + "b");
            assert_eq!(nearest_name([name.as_str()], &wanted).is_some(), found);
        }
    }

    #[test]
    fn the_proposals_of_a_document_have_a_limit_together() {
        let proposals = Proposals::default();
        let names = ["maxLength"; 1000];
        let mut made = 0;
        while proposals.nearest_name(names, "maxLenght").is_some() {
            made += 1;
        }
        assert_eq!(made, MAX_COMPARED / names.len());
        assert_eq!(proposals.nearest(["minimum"], "minimun", 1), None);
        assert_eq!(proposals.compared.get(), MAX_COMPARED);
    }
}
