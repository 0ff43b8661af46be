//! Scores of oblivious trees (the reference: `scythe/boosting.py`).
//!
//! A question is whether a feature is above a border. All features of some cases are first
//! turned into the number of borders that they are above, one byte each, so that a
//! question compares bytes. Leaves are multiples of a small power of two, so that their
//! sums are exact and the same in every order.

/// Cases that are scored together: their answers stay in registers, and all their bytes
/// near the processor.
const TILE: usize = 64;
/// Cases that are scored one by one.
const FEW: usize = 2;
/// Trees whose leaves are added together: sums are exact, whatever their order.
const TOGETHER: usize = 4;

/// An ensemble, as `TreeEnsemble` describes it.
pub struct Ensemble<'e> {
    pub depth: usize,
    /// The features that any question is about, and where the borders of each begin.
    pub features: &'e [i32],
    pub border_start: &'e [i32],
    /// The borders of one feature after the other, in rising order.
    pub borders: &'e [f32],
    /// Which of `features` each question is about, and which of its borders, tree after
    /// tree.
    pub asked: &'e [i32],
    pub rank: &'e [u8],
    /// The values of all leaves, tree after tree, for one output after the other.
    pub leaves: &'e [f64],
}

impl Ensemble<'_> {
    /// Return whether all numbers are of things that are there.
    fn is_whole(&self, rows: &[f32], cases: usize) -> bool {
        let rows = rows.len() / cases;
        let is_row = |&feature: &i32| (feature as usize) < rows;
        let is_asked = |&asked: &i32| (asked as usize) < self.features.len();
        let is_border = |&start: &i32| (start as usize) <= self.borders.len();
        self.features.iter().all(is_row)
            && self.asked.iter().all(is_asked)
            && self.border_start.iter().all(is_border)
            && self.border_start.len() == self.features.len() + 1
            && self.rank.len() == self.asked.len()
    }
}

/// Add the values of leaves to `scores`, for one output after the other; `rows` has a row
/// for each feature and a column for each case. Return false where a question is about no
/// row.
pub fn scores(ensemble: &Ensemble, rows: &[f32], cases: usize, scores: &mut [f64]) -> bool {
    #[cfg(target_arch = "x86_64")]
    if std::is_x86_feature_detected!("avx2") {
        return unsafe { add_leaves_avx2(ensemble, rows, cases, scores) };
    }
    add_leaves(ensemble, rows, cases, scores)
}

/// As `add_leaves`, with instructions for more cases at a time.
///
/// # Safety
///
/// The processor must have AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn add_leaves_avx2(
    ensemble: &Ensemble,
    rows: &[f32],
    cases: usize,
    scores: &mut [f64],
) -> bool {
    add_leaves(ensemble, rows, cases, scores)
}

#[inline(always)]
fn add_leaves(ensemble: &Ensemble, rows: &[f32], cases: usize, scores: &mut [f64]) -> bool {
    if !ensemble.is_whole(rows, cases) {
        return false;
    }
    if cases <= FEW {
        return add_few(ensemble, rows, cases, scores);
    }
    match ensemble.depth {
        1 => add_tiles::<2>(ensemble, rows, cases, scores),
        2 => add_tiles::<4>(ensemble, rows, cases, scores),
        3 => add_tiles::<8>(ensemble, rows, cases, scores),
        4 => add_tiles::<16>(ensemble, rows, cases, scores),
        5 => add_tiles::<32>(ensemble, rows, cases, scores),
        6 => add_tiles::<64>(ensemble, rows, cases, scores),
        7 => add_tiles::<128>(ensemble, rows, cases, scores),
        8 => add_tiles::<256>(ensemble, rows, cases, scores),
        _ => return false,
    }
    true
}

/// Add the leaves of a few cases, question by question: a tile would be mostly empty.
fn add_few(ensemble: &Ensemble, rows: &[f32], cases: usize, scores: &mut [f64]) -> bool {
    if ensemble.depth == 0 {
        return false;
    }
    let trees = ensemble.asked.len() / ensemble.depth;
    let leaves = 1 << ensemble.depth;
    for case in 0..cases {
        for tree in 0..trees {
            let questions = tree * ensemble.depth..(tree + 1) * ensemble.depth;
            let asked = ensemble.asked[questions.clone()].iter();
            let mut answers = 0;
            for (level, (&number, &rank)) in asked.zip(&ensemble.rank[questions]).enumerate() {
                let feature = ensemble.features[number as usize] as usize;
                let border = ensemble.border_start[number as usize] as usize + usize::from(rank);
                let is_above = rows[feature * cases + case] > ensemble.borders[border];
                answers |= usize::from(is_above) << level;
            }
            let outputs = scores.chunks_exact_mut(cases);
            for (scores, values) in outputs.zip(ensemble.leaves.chunks_exact(trees * leaves)) {
                scores[case] += values[tree * leaves + answers];
            }
        }
    }
    true
}

/// Add the leaves of trees that have so many each.
#[inline(always)]
fn add_tiles<const LEAVES: usize>(
    ensemble: &Ensemble,
    rows: &[f32],
    cases: usize,
    scores: &mut [f64],
) {
    let trees = ensemble.asked.len() / ensemble.depth;
    let nothing = [0.0; LEAVES];
    let mut above = vec![[0_u8; TILE]; ensemble.features.len()];
    for start in (0..cases).step_by(TILE) {
        let tile = start..(start + TILE).min(cases);
        count_borders(ensemble, rows, cases, tile.clone(), &mut above);
        for first in (0..trees).step_by(TOGETHER) {
            let group = first..(first + TOGETHER).min(trees);
            let mut answers_of = [[0_u8; TILE]; TOGETHER];
            for (place, tree) in answers_of.iter_mut().zip(group.clone()) {
                *place = answers(ensemble, &above, tree);
            }
            let outputs = scores.chunks_exact_mut(cases);
            for (scores, values) in outputs.zip(ensemble.leaves.chunks_exact(trees * LEAVES)) {
                let mut of_trees = [&nothing; TOGETHER];
                let values = values[first * LEAVES..].chunks_exact(LEAVES);
                for (place, values) in of_trees.iter_mut().zip(values) {
                    *place = values.try_into().expect("leaves of one tree");
                }
                let [one, two, three, four] = of_trees;
                let [of_one, of_two, of_three, of_four] = &answers_of;
                let answers = of_one.iter().zip(of_two).zip(of_three.iter().zip(of_four));
                for (score, answers) in scores[tile.clone()].iter_mut().zip(answers) {
                    let ((first, second), (third, fourth)) = answers;
                    let first_two = one[*first as usize % LEAVES] + two[*second as usize % LEAVES];
                    let last_two = three[*third as usize % LEAVES] + four[*fourth as usize % LEAVES];
                    *score += first_two + last_two;
                }
            }
        }
    }
}

/// Count for each feature of each case of a tile the borders that it is above.
#[inline(always)]
fn count_borders(
    ensemble: &Ensemble,
    rows: &[f32],
    cases: usize,
    tile: std::ops::Range<usize>,
    above: &mut [[u8; TILE]],
) {
    for (number, counts) in above.iter_mut().enumerate() {
        let first = ensemble.features[number] as usize * cases;
        let row = &rows[first + tile.start..first + tile.end];
        let start = ensemble.border_start[number] as usize;
        let stop = ensemble.border_start[number + 1] as usize;
        let borders = &ensemble.borders[start..stop];
        if row.iter().fold(true, |is_same, value| is_same & (*value == row[0])) {
            let below = borders.iter().filter(|&&border| row[0] > border);
            *counts = [below.count() as u8; TILE];
            continue;
        }
        let mut values = [0.0; TILE];
        values[..tile.len()].copy_from_slice(row);
        // As wide as values, so that one instruction counts for many.
        let mut wide = [0_u32; TILE];
        for &border in borders {
            for (count, &value) in wide.iter_mut().zip(&values) {
                *count += u32::from(value > border);
            }
        }
        for (count, &wide) in counts.iter_mut().zip(&wide) {
            *count = wide as u8;
        }
    }
}

/// Return the leaf of each case of a tile: the answers to a tree's questions are the bits
/// of its number.
#[inline(always)]
fn answers(ensemble: &Ensemble, above: &[[u8; TILE]], tree: usize) -> [u8; TILE] {
    let mut answers = [0; TILE];
    let questions = tree * ensemble.depth..(tree + 1) * ensemble.depth;
    let asked = ensemble.asked[questions.clone()].iter();
    for (level, (&feature, &rank)) in asked.zip(&ensemble.rank[questions]).enumerate() {
        let bit = 1 << level;
        for (answer, &count) in answers.iter_mut().zip(&above[feature as usize]) {
            *answer |= if count > rank { bit } else { 0 };
        }
    }
    answers
}
