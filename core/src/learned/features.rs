//! All features of a page's blocks, in the order of the reference's names.

use crate::learned::counts::{count, Counts};
use crate::learned::declared::{compare, Declared};
use crate::learned::elements::Elements;
use crate::learned::outline::Outline;
use crate::learned::rows::Rows;
use crate::learned::tables::Tables;
use crate::learned::{position_rows, structure_rows, text_rows, units};
use crate::page::Page;
use crate::text::hidden::hidden;

/// Where features are written.
pub struct Written<'o> {
    /// Row after row; those of the page as a whole are not written.
    pub rows: &'o mut [f32],
    pub words: &'o mut [i64],
    pub unit_of: &'o mut [i64],
    pub page_totals: &'o mut [i64],
    /// Words and then blocks under each role.
    pub under_role: &'o mut [i64],
}

/// Counts over all blocks that the features of the page are computed from.
pub const PAGE_TOTALS: usize = 11;

/// Write the features; return how many rows were written, and where logarithms are left to
/// the reference. None where all is left to it.
pub fn write(
    page: &Page,
    tables: &Tables,
    outline: &Outline,
    declared: &Declared,
    out: Written,
) -> Option<(usize, Vec<u32>)> {
    let counts = count(page, tables, outline)?;
    let repeated = compare(&counts.lines, &counts.heading, declared, &tables.settings)?;
    let hidden = hidden(page, &tables.characters);
    let blocks = 0..outline.len();
    let is_hidden: Vec<bool> = blocks.map(|block| hidden[outline.first_node(block)]).collect();
    let elements = Elements::new(page, outline, &tables.settings);
    let levels = structure_rows::levels(page, outline, &elements, tables);
    let sums = position_rows::Sums::new(&counts);

    let mut rows = Rows::new(out.rows, outline.len(), tables);
    text_rows::write(&mut rows, &counts, tables, &repeated.in_title, &is_hidden);
    position_rows::write_order(&mut rows, page, outline, &counts, &sums, tables);
    position_rows::write_declared(&mut rows, &repeated, &sums, tables);
    position_rows::write_neighbours(&mut rows, &counts, tables);
    position_rows::write_windows(&mut rows, &sums, tables);
    structure_rows::write_levels(&mut rows, page, &elements, &levels, &sums, tables);
    structure_rows::write_upper(&mut rows, page, outline, &elements, &sums, tables);
    position_rows::write_sections(&mut rows, &counts);
    structure_rows::write_holders(&mut rows, page, &elements, &counts, tables);
    structure_rows::write_signatures(&mut rows, page, outline, &elements, &counts);
    structure_rows::write_roles(
        &mut rows,
        page,
        outline,
        &elements,
        &levels,
        &counts.words,
        tables,
        out.under_role,
    );
    out.words.copy_from_slice(&counts.words);
    out.page_totals.copy_from_slice(&page_totals(&counts, tables));
    units::write(page, tables, &elements, &counts.words, out.unit_of);
    Some((rows.written(), rows.left))
}

fn page_totals(counts: &Counts, tables: &Tables) -> [i64; PAGE_TOTALS] {
    let sum = |row: &[i64]| row.iter().sum::<i64>();
    let long = counts.words.iter().zip(&counts.is_long);
    let long_words = long.filter(|(_, &is_long)| is_long).map(|(&words, _)| words);
    let number = |values: &mut dyn Iterator<Item = bool>| {
        values.filter(|&is_counted| is_counted).count() as i64
    };
    let short = tables.settings.short_words;
    let currency = &counts.signs[0];
    [
        sum(&counts.words),
        sum(&counts.linked),
        sum(&counts.punctuation),
        sum(&counts.images),
        sum(&counts.forms),
        number(&mut counts.heading.iter().map(|&level| level > 0)),
        number(&mut counts.is_long.iter().copied()),
        long_words.sum(),
        number(&mut counts.heading.iter().map(|&level| level == 1)),
        sum(currency),
        number(&mut counts.words.iter().map(|&words| words <= short)),
    ]
}
