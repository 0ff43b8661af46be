//! Scores of oblivious trees (the reference: `scythe/boosting.py`).
//!
//! Leaves are multiples of a small power of two, so that their sums are exact and the same
//! in every order.

/// Cases that are scored together: their answers stay in registers.
const TILE: usize = 32;

/// An ensemble, as the arrays of `TreeEnsemble`.
pub struct Ensemble<'e> {
    pub depth: usize,
    /// Which feature each question is about, tree after tree.
    pub features: &'e [i32],
    pub borders: &'e [f32],
    /// The values of all leaves, tree after tree, for one output after the other.
    pub leaves: &'e [f64],
}

/// Add the values of leaves to `scores`, for one output after the other; `rows` has a row
/// for each feature and a column for each case. Return false where a question is about no
/// row.
pub fn add_scores(ensemble: &Ensemble, rows: &[f32], cases: usize, scores: &mut [f64]) -> bool {
    let features = rows.len() / cases;
    let is_row = |&feature: &i32| (feature as usize) < features;
    if !ensemble.features.iter().all(is_row) {
        return false;
    }
    let trees = ensemble.features.len() / ensemble.depth;
    let leaves = 1 << ensemble.depth;
    for start in (0..cases).step_by(TILE) {
        let tile = start..(start + TILE).min(cases);
        for tree in 0..trees {
            let answers = answers(ensemble, rows, cases, tree, tile.clone());
            let outputs = scores.chunks_exact_mut(cases);
            let values = ensemble.leaves.chunks_exact(trees * leaves);
            for (scores, values) in outputs.zip(values) {
                let values = &values[tree * leaves..(tree + 1) * leaves];
                for (score, &leaf) in scores[tile.clone()].iter_mut().zip(&answers) {
                    *score += values[leaf as usize];
                }
            }
        }
    }
    true
}

/// Return the leaf of each case of a tile: the answers to a tree's questions are the bits
/// of its number.
#[inline(always)]
fn answers(
    ensemble: &Ensemble,
    rows: &[f32],
    cases: usize,
    tree: usize,
    tile: std::ops::Range<usize>,
) -> [u8; TILE] {
    let mut answers = [0; TILE];
    let questions = tree * ensemble.depth..(tree + 1) * ensemble.depth;
    let asked = ensemble.features[questions.clone()].iter();
    for (level, (&feature, &border)) in asked.zip(&ensemble.borders[questions]).enumerate() {
        let first = feature as usize * cases;
        let values = &rows[first + tile.start..first + tile.end];
        let bit = 1 << level;
        match <&[f32; TILE]>::try_from(values) {
            Ok(values) => answer(&mut answers, values, border, bit),
            Err(_) => {
                let mut padded = [0.0; TILE];
                padded[..values.len()].copy_from_slice(values);
                answer(&mut answers, &padded, border, bit);
            }
        }
    }
    answers
}

/// Set a bit where a value is above a border. The size is known, so that the compiler
/// compares several at once.
#[inline(always)]
fn answer(answers: &mut [u8; TILE], values: &[f32; TILE], border: f32, bit: u8) {
    for (answer, &value) in answers.iter_mut().zip(values) {
        *answer |= if value > border { bit } else { 0 };
    }
}
