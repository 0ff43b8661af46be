//! All features of a page's blocks, in the order of the reference's names.

use crate::learned::counts::{count, Counts};
use crate::learned::declared::{compare, Declared};
use crate::learned::elements::Elements;
use crate::learned::outline::Outline;
use crate::learned::rows::Rows;
use crate::learned::tables::Tables;
use crate::learned::structure_rows::UnderRole;
use crate::learned::{position_rows, structure_rows, text_rows, units};
use crate::page::Page;
use crate::text::hidden::hidden;

/// What is read of the blocks of a page.
pub struct Features {
    /// A row for each feature, one after the other, a column for each block.
    pub rows: Vec<f32>,
    pub words: Vec<i64>,
    /// The unit of each block, -1 for none.
    pub unit_of: Vec<i64>,
    /// What is known of the page and not of its blocks: shares of roles, and facts of its head.
    pub page: Vec<f32>,
}

/// Values of the page that are the same for all blocks.
const PAGE_VALUES: usize = 13;

/// Return the features; None where they are left to the reference.
pub fn compute(
    page: &Page,
    tables: &Tables,
    outline: &Outline,
    declared: &Declared,
) -> Option<Features> {
    let counts = count(page, tables, outline)?;
    let repeated = compare(&counts.lines, &counts.heading, declared, &tables.settings)?;
    let hidden = hidden(page, &tables.characters);
    let blocks = 0..outline.len();
    let is_hidden: Vec<bool> = blocks.map(|block| hidden[outline.first_node(block)]).collect();
    let elements = Elements::new(page, outline, &tables.settings);
    let levels = structure_rows::levels(page, outline, &elements, tables);
    let sums = position_rows::Sums::new(&counts);

    let settings = &tables.settings;
    let mut rows = Rows::new(outline.len(), tables);
    text_rows::write(&mut rows, &counts, tables, &repeated.in_title, &is_hidden);
    position_rows::write_order(&mut rows, page, outline, &counts, &sums, tables);
    position_rows::write_declared(&mut rows, &repeated, &sums, tables);
    position_rows::write_neighbours(&mut rows, &counts, tables);
    position_rows::write_windows(&mut rows, &sums, tables);
    structure_rows::write_levels(&mut rows, page, &elements, &levels, &sums, tables);
    structure_rows::write_upper(&mut rows, page, outline, &elements, &sums, tables);
    position_rows::write_sections(&mut rows, &counts, tables);
    structure_rows::write_holders(&mut rows, page, &elements, &counts, tables);
    structure_rows::write_signatures(&mut rows, page, outline, &elements, &counts, tables);
    let words = &counts.words;
    let under_role =
        structure_rows::write_roles(&mut rows, page, outline, &elements, &levels, words, tables);
    let alike_mean = structure_rows::alike_mean(&elements, &levels, outline.len(), tables);
    for value in page_values(&counts, tables, alike_mean) {
        rows.add(|_| value);
    }

    let weight = words.iter().sum::<i64>() as f64 + settings.block_weight * outline.len() as f64;
    let share = |role: &UnderRole| {
        let held = role.words as f64 + settings.block_weight * role.blocks as f64;
        (held / weight) as f32
    };
    let mut of_page: Vec<f32> = under_role.iter().map(share).collect();
    of_page.extend(declared.facts);
    let unit_of = units::find(page, tables, &elements, words);
    Some(Features {
        rows: rows.into_values(),
        words: counts.words,
        unit_of,
        page: of_page,
    })
}

fn page_values(counts: &Counts, tables: &Tables, alike_mean: f64) -> [f32; PAGE_VALUES] {
    let sum = |row: &[i64]| row.iter().sum::<i64>();
    let number = |values: &mut dyn Iterator<Item = bool>| {
        values.filter(|&is_counted| is_counted).count() as i64
    };
    let long = counts.words.iter().zip(&counts.is_long);
    let long_words: i64 = long.filter(|(_, &is_long)| is_long).map(|(&words, _)| words).sum();
    let short = tables.settings.short_words;
    let short = number(&mut counts.words.iter().map(|&words| words <= short));
    let headings = number(&mut counts.heading.iter().map(|&level| level > 0));
    let top_headings = number(&mut counts.heading.iter().map(|&level| level == 1));

    let words = sum(&counts.words);
    let blocks = counts.words.len() as i64;
    let of_words = |count: i64| (count as f64 / words.max(1) as f64) as f32;
    let log = |count: i64| tables.logarithms.of(count as f32);
    [
        log(words),
        log(blocks),
        of_words(sum(&counts.linked)),
        of_words(sum(&counts.punctuation)),
        log(number(&mut counts.is_long.iter().copied())),
        of_words(long_words),
        log(sum(&counts.images)),
        log(sum(&counts.forms)),
        top_headings as f32,
        log(headings),
        log(sum(&counts.signs[0])),
        (short as f64 / blocks as f64) as f32,
        alike_mean as f32,
    ]
}
