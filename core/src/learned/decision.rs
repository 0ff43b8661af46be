//! From the probability of every block to a set of blocks (the reference: `decision.py`).
//!
//! Sums are added in the order of the reference, so that they are the same, bit by bit.

/// Numbers that Python gives, in this order.
pub const SETTINGS: usize = 18;
pub const NEGLIGIBLE_SHARE: usize = 7;
pub const BLOCK_WEIGHT: usize = 9;

/// The features that are read, as rows, and the constants of the reference.
pub struct Settings {
    heading_row: usize,
    ending_row: usize,
    from_title_row: usize,
    linked_row: usize,
    first_alike_row: usize,
    colon: f32,
    min_column: i64,
    negligible_share: f64,
    declared: f64,
    block_weight: f64,
    unit_links: f64,
    unit_reach: i64,
    unit_between: f64,
    unit_beside: f64,
    unit_share: f64,
    unit_alike: f64,
    heading_over_text: f64,
    heading_over_unit: f64,
    beta: f64,
    /// By what beta is multiplied on a page of this type, but for blocks in units.
    type_beta: f64,
}

impl Settings {
    pub fn new(numbers: &[f64; SETTINGS], beta: f64, type_beta: f64) -> Settings {
        Settings {
            heading_row: numbers[0] as usize,
            ending_row: numbers[1] as usize,
            from_title_row: numbers[2] as usize,
            linked_row: numbers[3] as usize,
            first_alike_row: numbers[4] as usize,
            colon: numbers[5] as f32,
            min_column: numbers[6] as i64,
            negligible_share: numbers[NEGLIGIBLE_SHARE],
            declared: numbers[8],
            block_weight: numbers[BLOCK_WEIGHT],
            unit_links: numbers[10],
            unit_reach: numbers[11] as i64,
            unit_between: numbers[12],
            unit_beside: numbers[13],
            unit_share: numbers[14],
            unit_alike: numbers[15],
            heading_over_text: numbers[16],
            heading_over_unit: numbers[17],
            beta,
            type_beta,
        }
    }
}

/// The blocks of a page, as far as a decision reads them.
pub struct Blocks<'b> {
    words: &'b [i64],
    unit_of: &'b [i64],
    is_declared: &'b [u8],
    linked: &'b [f32],
    is_heading: Vec<bool>,
    is_headline: Vec<bool>,
    ends_with_colon: Vec<bool>,
    column_of: Vec<usize>,
    settings: &'b Settings,
}

impl<'b> Blocks<'b> {
    /// Return the blocks of these features; None where they are of another form.
    pub fn new(
        rows: &'b [f32],
        words: &'b [i64],
        unit_of: &'b [i64],
        is_declared: &'b [u8],
        settings: &'b Settings,
    ) -> Option<Blocks<'b>> {
        let n = words.len();
        if n == 0 || unit_of.len() != n {
            return None;
        }
        let row = |number: usize| rows.get(number * n..(number + 1) * n);
        let heading = row(settings.heading_row)?;
        let from_title = row(settings.from_title_row)?;
        let first_alike = row(settings.first_alike_row)?;
        let columns = first_alike.iter().map(|&first| rounded(first * n as f32));
        let column_of: Vec<usize> = columns.collect();
        let is_headline = heading.iter().zip(from_title).map(|(&level, &far)| level > 0.0 && far == 0.0);
        let colons = row(settings.ending_row)?.iter().map(|&ending| ending == settings.colon);
        Some(Blocks {
            words,
            unit_of,
            is_declared,
            linked: row(settings.linked_row)?,
            is_heading: heading.iter().map(|&level| level > 0.0).collect(),
            is_headline: is_headline.collect(),
            ends_with_colon: colons.collect(),
            column_of,
            settings,
        })
    }

    /// Change probabilities as columns and declared texts have it; return the blocks with
    /// the greatest expected F-beta, and these with whole units and their headings.
    pub fn decide(
        &self,
        probability: &mut [f64],
        list_share: f64,
        is_article: bool,
    ) -> (Vec<bool>, Vec<bool>) {
        if list_share >= self.settings.negligible_share {
            self.pool_columns(probability, list_share);
        }
        for (value, &is_declared) in probability.iter_mut().zip(self.is_declared) {
            if is_declared != 0 {
                *value = value.max(self.settings.declared);
            }
        }
        let chosen = self.choose(probability);
        let mut selected = self.with_whole_units(probability, &chosen, is_article);
        self.add_section_headings(probability, &mut selected);
        if is_article {
            let is_body = |block: usize| selected[block] && !self.is_headline[block];
            let body: Vec<bool> = (0..selected.len()).map(is_body).collect();
            if body.contains(&true) {
                selected = body;
            }
        }
        (chosen, selected)
    }

    fn pool_columns(&self, probability: &mut [f64], list_share: f64) {
        let n = probability.len();
        let columns = self.column_of.iter().max().map_or(0, |&last| last + 1);
        let (mut size, mut sum) = (vec![0_i64; columns], vec![0.0; columns]);
        for (&column, &value) in self.column_of.iter().zip(&*probability) {
            size[column] += 1;
            sum[column] += value;
        }
        let in_column = |block: usize| size[self.column_of[block]] >= self.settings.min_column;
        for (block, value) in probability.iter_mut().enumerate() {
            if in_column(block) {
                let column = self.column_of[block];
                let mean = sum[column] / size[column].max(1) as f64;
                *value = list_share * mean + (1.0 - list_share) * *value;
            }
        }
        let is_name = |block: usize| self.is_heading[block] && in_column(block);
        // From the first one: what a heading goes with is not changed yet.
        for block in 0..n.saturating_sub(1) {
            if is_name(block) && !is_name(block + 1) {
                let own = probability[block];
                let with_text = list_share * probability[block + 1] + (1.0 - list_share) * own;
                probability[block] = own.max(with_text);
            }
        }
    }

    fn choose(&self, probability: &[f64]) -> Vec<bool> {
        let Settings { beta, type_beta, .. } = *self.settings;
        let mut chosen = self.select(probability, beta * type_beta);
        if type_beta != 1.0 {
            let by_units = self.select(probability, beta);
            for (block, is_chosen) in chosen.iter_mut().enumerate() {
                *is_chosen |= by_units[block] && self.unit_of[block] >= 0;
            }
        }
        chosen
    }

    fn select(&self, probability: &[f64], beta: f64) -> Vec<bool> {
        let n = probability.len();
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by(|&one, &other| probability[other].total_cmp(&probability[one]));
        let (mut right, mut selected) = (Vec::with_capacity(n), Vec::with_capacity(n));
        let (mut right_sum, mut selected_sum) = (0.0, 0_i64);
        for (rank, &block) in order.iter().enumerate() {
            let expected = self.words[block] as f64 * probability[block];
            right_sum = if rank == 0 { expected } else { right_sum + expected };
            selected_sum += self.words[block];
            right.push(right_sum);
            selected.push(selected_sum);
        }
        let weight = beta * beta;
        let (mut best, mut best_rank) = (f64::NEG_INFINITY, 0);
        for rank in 0..n {
            let divisor = selected[rank] as f64 + weight * right_sum + 1e-9;
            let expected = (1.0 + weight) * right[rank] / divisor;
            if expected > best {
                best = expected;
                best_rank = rank;
            }
        }
        let mut is_chosen = vec![false; n];
        for &block in &order[..=best_rank] {
            is_chosen[block] = true;
        }
        is_chosen
    }

    fn with_whole_units(&self, probability: &[f64], chosen: &[bool], is_article: bool) -> Vec<bool> {
        let units = self.units();
        let mut completed = chosen.to_vec();
        if units.is_empty() {
            return completed;
        }
        let settings = self.settings;
        let is_one = |flags: &[bool], block: Option<usize>| block.is_some_and(|block| flags.get(block) == Some(&true));
        let distances = is_article.then(|| Distances::new(self, chosen));
        let probabilities: Vec<f64> =
            units.iter().map(|unit| self.mean(unit, |block| probability[block])).collect();
        let mut is_content = Vec::with_capacity(units.len());
        for (unit, &mean_probability) in units.iter().zip(&probabilities) {
            let before = unit.first.checked_sub(1);
            let mut follows = is_one(chosen, before);
            let mut precedes = is_one(chosen, Some(unit.after));
            if let Some(distances) = &distances {
                if self.mean(unit, |block| f64::from(self.linked[block])) <= settings.unit_links {
                    follows |= distances.before(unit.first).is_some_and(|far| far <= settings.unit_reach);
                    precedes |= distances.behind(unit.after).is_some_and(|far| far <= settings.unit_reach);
                }
            }
            let is_between = follows && (precedes || is_one(&self.ends_with_colon, before));
            let least = if is_between { settings.unit_between } else { settings.unit_beside };
            let is_expected = (follows || precedes) && mean_probability > least;
            let share = self.mean(unit, |block| f64::from(u8::from(chosen[block])));
            is_content.push(is_expected || share > settings.unit_share);
        }
        self.add_units_like_content(&units, &probabilities, &mut is_content);
        for (unit, &is_content) in units.iter().zip(&is_content) {
            completed[unit.first..unit.after].fill(is_content);
        }
        completed
    }

    /// Return the units of the page, in document order.
    fn units(&self) -> Vec<Unit> {
        let mut units: Vec<Unit> = Vec::new();
        let mut last = -1;
        for (block, &number) in self.unit_of.iter().enumerate() {
            if number < 0 {
                continue;
            }
            let weight = self.weight(block);
            match units.last_mut() {
                Some(unit) if number == last => {
                    unit.total += weight;
                    unit.after = block + 1;
                }
                _ => units.push(Unit { first: block, after: block + 1, total: weight }),
            }
            last = number;
        }
        units
    }

    fn weight(&self, block: usize) -> f64 {
        self.words[block] as f64 + self.settings.block_weight
    }

    /// Return the mean over a unit of a value of every block.
    fn mean(&self, unit: &Unit, value: impl Fn(usize) -> f64) -> f64 {
        let mut sum = 0.0;
        for block in unit.first..unit.after {
            sum += self.weight(block) * value(block);
        }
        sum / unit.total
    }

    /// Take units that are laid out like one that is content, where all of that layout are
    /// likely enough.
    fn add_units_like_content(&self, units: &[Unit], probabilities: &[f64], is_content: &mut [bool]) {
        let layout = |unit: &Unit| self.column_of[unit.first];
        let layouts = units.iter().map(layout).max().map_or(0, |last| last + 1);
        let mut totals = vec![(0.0, 0.0, 0.0); layouts];
        for ((unit, probability), &is_content) in units.iter().zip(probabilities).zip(&*is_content) {
            let (total, content, expected) = &mut totals[layout(unit)];
            *total += unit.total;
            *content += unit.total * f64::from(u8::from(is_content));
            *expected += unit.total * probability;
        }
        for (unit, is_content) in units.iter().zip(is_content) {
            let (total, content, expected) = totals[layout(unit)];
            *is_content |= content > 0.0 && expected > self.settings.unit_alike * total;
        }
    }

    /// Let headings go with the text that they stand over.
    fn add_section_headings(&self, probability: &[f64], selected: &mut [bool]) {
        let n = selected.len();
        let Some(begin) = selected.iter().position(|&is_selected| is_selected) else {
            return;
        };
        let mut is_over_unit: Vec<bool> = (1..=n)
            .map(|below| self.unit_of.get(below).is_some_and(|&unit| unit >= 0))
            .collect();
        for block in (0..n - 1).rev().filter(|&block| self.is_heading[block]) {
            let below = block + 1;
            if self.is_heading[below] {
                is_over_unit[block] = is_over_unit[below];
            }
            let least = if is_over_unit[block] {
                self.settings.heading_over_unit
            } else {
                self.settings.heading_over_text
            };
            if probability[block] > least && block >= begin {
                selected[block] |= selected[below];
            }
        }
    }
}

/// A table, a list or another thing that is content as a whole: a run of blocks.
struct Unit {
    first: usize,
    after: usize,
    /// The weight of its blocks.
    total: f64,
}

/// How many words that are no headings stand between blocks and chosen ones.
struct Distances {
    words_before: Vec<i64>,
    chosen: Vec<usize>,
}

impl Distances {
    fn new(blocks: &Blocks, chosen: &[bool]) -> Distances {
        let mut sum = 0;
        let mut words_before = vec![0];
        for (&words, &is_heading) in blocks.words.iter().zip(&blocks.is_heading) {
            sum += if is_heading { 0 } else { words };
            words_before.push(sum);
        }
        let chosen = (0..chosen.len()).filter(|&block| chosen[block]).collect();
        Distances { words_before, chosen }
    }

    fn before(&self, first: usize) -> Option<i64> {
        let count = self.chosen.partition_point(|&block| block < first);
        let previous = self.chosen[count.checked_sub(1)?];
        Some(self.words_before[first] - self.words_before[previous + 1])
    }

    fn behind(&self, after: usize) -> Option<i64> {
        let count = self.chosen.partition_point(|&block| block < after);
        let following = *self.chosen.get(count)?;
        Some(self.words_before[following] - self.words_before[after])
    }
}

/// Return the nearest whole number, of two the even one.
fn rounded(value: f32) -> usize {
    let below = value.floor();
    let part = value - below;
    let is_up = part > 0.5 || part == 0.5 && below % 2.0 != 0.0;
    below as usize + usize::from(is_up)
}
