//! Counting the bits of many words.
//!
//! The compiler vectorises these loops. Carry-save adders by hand took 0.6 to 0.8 of the time, which
//! is 3 of the 10 µs that a million documents take.

/// Words that fit in the nearest cache while one set after the other is applied to them.
const BLOCK: usize = 64;

/// How many bits of `words` are set.
pub(super) fn count_ones(words: &[u64]) -> usize {
    words.iter().map(|word| word.count_ones() as usize).sum()
}

/// How many bits are set in both; they are equally long.
pub(super) fn count_ones_common(a: &[u64], b: &[u64]) -> usize {
    a.iter().zip(b).map(|(a, b)| (a & b).count_ones() as usize).sum()
}

/// How many bits of `words` are set in all of `others` but not in `without`; all are equally long.
pub(super) fn count_ones_beyond(words: &[u64], without: &[u64], others: &[&[u64]]) -> usize {
    let mut count = 0;
    for (start, words) in (0..).step_by(BLOCK).zip(words.chunks(BLOCK)) {
        let mut kept = [0; BLOCK];
        let end = start + words.len();
        for (kept, (word, without)) in kept.iter_mut().zip(words.iter().zip(&without[start..end])) {
            *kept = word & !without;
        }
        for other in others {
            kept.iter_mut().zip(&other[start..end]).for_each(|(kept, other)| *kept &= other);
        }
        count += count_ones(&kept);
    }
    count
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_left_of_each_word_is_counted(
            words in proptest::collection::vec(any::<[u64; 4]>(), 0..300),
        ) {
            let column = |place: usize| words.iter().map(|word| word[place]).collect::<Vec<u64>>();
            let [a, without, b, c] = [0, 1, 2, 3].map(column);
            let left = |left: fn(&[u64; 4]) -> u64| -> usize {
                words.iter().map(|word| left(word).count_ones() as usize).sum()
            };
            prop_assert_eq!(count_ones(&a), left(|word| word[0]));
            prop_assert_eq!(count_ones_common(&a, &b), left(|word| word[0] & word[2]));
            let beyond = |others: &[&[u64]]| count_ones_beyond(&a, &without, others);
            prop_assert_eq!(beyond(&[]), left(|word| word[0] & !word[1]));
            prop_assert_eq!(beyond(&[&b]), left(|word| word[0] & !word[1] & word[2]));
            prop_assert_eq!(beyond(&[&b, &c]), left(|word| word[0] & !word[1] & word[2] & word[3]));
        }
    }
}
