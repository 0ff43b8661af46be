//! From the features of a page to the decision about its blocks, by the trained model (the
//! reference: `model.py`, `page_types.py`, `facts.py`). Sums are added from the first to the
//! last, and exponentials are those of the C library, on both sides.

use crate::boosting::{scores, Ensemble};
use crate::learned::decision::{self, Blocks};
use crate::learned::features::Features;

pub const PAGE_TYPES: usize = 7;
/// What the confidence of a page is read from.
const FACTS: usize = 8 + PAGE_TYPES + 3;
/// Beyond this, exponentials no longer matter.
const FARTHEST: f64 = 40.0;

/// The trained model: four ensembles, and the score of each of their outputs before any
/// tree, in this order.
pub struct Model<'m> {
    pub types: Ensemble<'m>,
    pub prose: Ensemble<'m>,
    pub mixed: Ensemble<'m>,
    pub confidence: Ensemble<'m>,
    pub biases: &'m [f64; PAGE_TYPES + 3],
}

/// Numbers that Python gives beside those of the decision, in this order.
pub const SETTINGS: usize = 6 + 3 * PAGE_TYPES;

/// The constants of the reference.
pub struct Settings<'s> {
    pub decision: &'s [f64; decision::SETTINGS],
    undecided: f64,
    article_slope: f64,
    article_shift: f64,
    article: usize,
    beta: f64,
    /// Pages with more blocks are left to the reference.
    pub max_blocks: usize,
    /// By page type: what of the score is that of prose, whether it lays out records, and by
    /// what beta is multiplied.
    prose_shares: &'s [f64],
    is_record_type: &'s [f64],
    type_betas: &'s [f64],
}

impl<'s> Settings<'s> {
    pub fn new(
        decision: &'s [f64; decision::SETTINGS],
        numbers: &'s [f64; SETTINGS],
    ) -> Settings<'s> {
        let (numbers, by_type) = numbers.split_at(SETTINGS - 3 * PAGE_TYPES);
        let (prose_shares, by_type) = by_type.split_at(PAGE_TYPES);
        let (is_record_type, type_betas) = by_type.split_at(PAGE_TYPES);
        Settings {
            decision,
            undecided: numbers[0],
            article_slope: numbers[1],
            article_shift: numbers[2],
            article: numbers[3] as usize,
            beta: numbers[4],
            max_blocks: numbers[5] as usize,
            prose_shares,
            is_record_type,
            type_betas,
        }
    }
}

/// What the model predicts of a page.
pub struct Prediction {
    /// Which blocks are content.
    pub selected: Vec<bool>,
    pub confidence: f64,
    /// How likely the page is of each type.
    pub types: [f64; PAGE_TYPES],
}

/// Return the prediction for a page with blocks, some of which it declares as its content;
/// None where that is left to the reference.
pub fn predict(
    model: &Model,
    settings: &Settings,
    features: &Features,
    is_declared: &[u8],
) -> Option<Prediction> {
    let types = page_types(model, settings, features)?;
    let likeliest = likeliest(&types);
    let blocks_settings =
        decision::Settings::new(settings.decision, settings.beta, settings.type_betas[likeliest]);
    let blocks = Blocks::new(
        &features.rows,
        &features.words,
        &features.unit_of,
        is_declared,
        &blocks_settings,
    )?;
    let mut probability = score_blocks(model, settings, features, &types)?;
    let article = types[settings.article];
    let slope = 1.0 + settings.article_slope * article;
    let shift = settings.article_shift * article;
    for score in &mut probability {
        let calibrated = (*score * slope + shift).clamp(-FARTHEST, FARTHEST);
        *score = 1.0 / (1.0 + (-calibrated).exp());
    }
    let list_share = weighted(&types, settings.is_record_type);
    let is_article = likeliest == settings.article;
    let (chosen, selected) = blocks.decide(&mut probability, list_share, is_article);

    let facts = page_facts(settings, &features.words, &probability, &chosen, &selected, &types);
    let mut confidence = [model.biases[PAGE_TYPES + 2]];
    scores(&model.confidence, &facts, 1, &mut confidence).then_some(())?;
    Some(Prediction {
        selected,
        confidence: confidence[0].clamp(0.0, 1.0),
        types,
    })
}

/// Return how likely a page is of each type.
fn page_types(model: &Model, settings: &Settings, features: &Features) -> Option<[f64; PAGE_TYPES]> {
    let mut types = [0.0; PAGE_TYPES];
    types.copy_from_slice(&model.biases[..PAGE_TYPES]);
    let block_weight = settings.decision[decision::BLOCK_WEIGHT];
    let column = type_rows(features, model.types.features, block_weight)?;
    scores(&model.types, &column, 1, &mut types).then_some(())?;
    let highest = types.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    for score in &mut types {
        *score = (*score - highest).exp();
    }
    let total = weighted(&types, &[1.0; PAGE_TYPES]);
    for power in &mut types {
        *power /= total;
    }
    Some(types)
}

/// Rows whose means are taken together, so that none waits for the sum of another.
const TOGETHER: usize = 8;

/// Return the features of the page, and the means of the asked ones of its blocks, weighted by
/// words.
fn type_rows(features: &Features, asked: &[i32], block_weight: f64) -> Option<Vec<f32>> {
    let words = &features.words;
    let n = words.len();
    let total = words.iter().sum::<i64>() as f64 + block_weight * n as f64;
    let weight = |&words: &i64| ((words as f64 + block_weight) / total) as f32;
    let weights: Vec<f32> = words.iter().map(weight).collect();

    let of_page = features.page.len();
    let mut column = features.page.clone();
    column.resize(of_page + features.rows.len() / n, 0.0);
    let of_blocks: Vec<usize> = asked
        .iter()
        .filter_map(|&row| (row as usize).checked_sub(of_page))
        .collect();
    for numbers in of_blocks.chunks(TOGETHER) {
        let mut rows = [&features.rows[..n]; TOGETHER];
        for (row, &number) in rows.iter_mut().zip(numbers) {
            *row = features.rows.get(number * n..(number + 1) * n)?;
        }
        let mut sums = [0.0_f32; TOGETHER];
        for (block, &weight) in weights.iter().enumerate() {
            for (sum, row) in sums.iter_mut().zip(&rows) {
                *sum += row[block] * weight;
            }
        }
        for (&number, sum) in numbers.iter().zip(sums) {
            column[of_page + number] = sum;
        }
    }
    Some(column)
}

/// Return the score of each block; an ensemble whose share is negligible is not evaluated.
fn score_blocks(
    model: &Model,
    settings: &Settings,
    features: &Features,
    types: &[f64; PAGE_TYPES],
) -> Option<Vec<f64>> {
    let n = features.words.len();
    let by = |ensemble: &Ensemble, bias: f64| {
        let mut found = vec![bias; n];
        scores(ensemble, &features.rows, n, &mut found).then_some(found)
    };
    let of_prose = || by(&model.prose, model.biases[PAGE_TYPES]);
    let of_mixed = || by(&model.mixed, model.biases[PAGE_TYPES + 1]);
    let share = weighted(types, settings.prose_shares);
    let negligible = settings.decision[decision::NEGLIGIBLE_SHARE];
    if share > 1.0 - negligible {
        return of_prose();
    }
    if share < negligible {
        return of_mixed();
    }
    let mut found = of_prose()?;
    for (prose, mixed) in found.iter_mut().zip(of_mixed()?) {
        *prose = share * *prose + (1.0 - share) * mixed;
    }
    Some(found)
}

/// Return what is known of the decision as a whole.
fn page_facts(
    settings: &Settings,
    words: &[i64],
    probability: &[f64],
    chosen: &[bool],
    selected: &[bool],
    types: &[f64; PAGE_TYPES],
) -> [f32; FACTS] {
    let (mut content, mut selected_content, mut doubtful) = (0.0, 0.0, 0.0);
    let (mut total, mut of_selected, mut undecided, mut added, mut removed) = (0, 0, 0, 0, 0);
    for (block, (&words, &likely)) in words.iter().zip(probability).enumerate() {
        let expected = words as f64 * likely;
        content += expected;
        doubtful += words as f64 * likely.min(1.0 - likely);
        total += words;
        if selected[block] {
            selected_content += expected;
            of_selected += words;
        }
        if (likely - 0.5).abs() < settings.undecided {
            undecided += words;
        }
        match (chosen[block], selected[block]) {
            (false, true) => added += words,
            (true, false) => removed += words,
            _ => {}
        }
    }
    let total = (total as f64).max(1.0);
    let of_selected = of_selected as f64;
    let at_least_one = of_selected.max(1.0);
    let mut facts = [0.0; FACTS];
    facts[..8].copy_from_slice(&[
        2.0 * selected_content / (of_selected + content + 1e-9),
        selected_content / at_least_one,
        undecided as f64 / at_least_one,
        doubtful / at_least_one,
        of_selected / total,
        total.ln_1p(),
        of_selected.ln_1p(),
        (words.len() as f64).ln_1p(),
    ]);
    facts[8..8 + PAGE_TYPES].copy_from_slice(types);
    facts[8 + PAGE_TYPES..].copy_from_slice(&[
        types[likeliest(types)],
        added as f64 / at_least_one,
        removed as f64 / at_least_one,
    ]);
    facts.map(|fact| fact as f32)
}

/// Return the first of the most likely types.
fn likeliest(types: &[f64; PAGE_TYPES]) -> usize {
    let mut best = 0;
    for (number, &likely) in types.iter().enumerate() {
        if likely > types[best] {
            best = number;
        }
    }
    best
}

/// Return the sum of numbers, each as often as its weight.
fn weighted(numbers: &[f64; PAGE_TYPES], weights: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (number, weight) in numbers.iter().zip(weights) {
        sum += number * weight;
    }
    sum
}
