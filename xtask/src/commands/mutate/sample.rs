//! A random sample that depends only on the seed.

/// Draws `size` elements, which depend only on the seed (Fisher and Yates, with the generator
/// SplitMix64), in their original order.
pub(super) fn sample<T>(all: &mut Vec<T>, size: usize, seed: u64) {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut word = state;
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        word ^ (word >> 31)
    };
    let size = size.min(all.len());
    let mut indices: Vec<usize> = (0..all.len()).collect();
    for at in 0..size {
        let left = (indices.len() - at) as u64;
        let other = at + usize::try_from(next() % left).unwrap_or(0);
        indices.swap(at, other);
    }
    let mut wanted = vec![false; all.len()];
    for index in &indices[..size] {
        wanted[*index] = true;
    }
    let mut wanted = wanted.into_iter();
    all.retain(|_| wanted.next().unwrap_or(false));
}

#[cfg(test)]
mod tests {
    use super::sample;

    #[test]
    fn a_sample_is_the_same_for_the_same_seed_and_keeps_the_order() {
        let chosen = |seed| {
            let mut all: Vec<u32> = (0..1000).collect();
            sample(&mut all, 50, seed);
            all
        };
        assert_eq!(chosen(1), chosen(1));
        assert_ne!(chosen(1), chosen(2));
        assert_eq!(chosen(3).len(), 50);
        assert!(chosen(3).is_sorted());
        let mut few = vec![1, 2];
        sample(&mut few, 50, 1);
        assert_eq!(few, [1, 2]);
    }
}
