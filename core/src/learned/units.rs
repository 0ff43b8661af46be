//! Tables, lists, quotes and code that a reader takes as one thing (the reference:
//! `units.py`).

use crate::learned::elements::Elements;
use crate::learned::tables::{Settings, Tables, CELL, DEFINITION, ITEM, LIST, ROW, UNIT};
use crate::page::Page;
use crate::tables::tag;

/// Return the number of the unit that each block stands in, -1 for none.
pub fn find(page: &Page, tables: &Tables, elements: &Elements, words: &[i64]) -> Vec<i64> {
    let mut unit_of = vec![-1; words.len()];
    let mut held: Option<Held> = None;
    let mut number = 0;
    let mut stop = 0;
    for (node, &element) in page.tag.iter().enumerate() {
        let bits = tables.tag(element);
        if bits & UNIT == 0 {
            continue;
        }
        let (first, last) = elements.span(page, node);
        if last - first < 2 || first < stop {
            continue;
        }
        let held = held.get_or_insert_with(|| Held::new(page, tables, words));
        let (start, end) = (first as usize, last as usize);
        if held.is_unit(page, &tables.settings, node, bits, start..end) {
            unit_of[start..end].fill(number);
            number += 1;
            stop = last;
        }
    }
    unit_of
}

/// What stands before each node, and how many words before each block.
struct Held {
    /// Tables, and then each of `PARTS`.
    sums: Vec<[u32; PARTS.len() + 1]>,
    words: Vec<i64>,
}

/// What is counted in tables and lists.
const PARTS: [u32; 4] = [ROW, CELL, ITEM, DEFINITION];

impl Held {
    fn new(page: &Page, tables: &Tables, words: &[i64]) -> Held {
        let mut before = [0_u32; PARTS.len() + 1];
        let mut sums = Vec::with_capacity(page.len() + 1);
        sums.push(before);
        for &element in page.tag {
            let bits = tables.tag(element);
            before[0] += u32::from(u32::from(element) == tag::TABLE);
            for (sum, set) in before[1..].iter_mut().zip(PARTS) {
                *sum += u32::from(bits & set != 0);
            }
            sums.push(before);
        }
        let mut word_sums = vec![0];
        let mut sum = 0;
        for &count in words {
            sum += count;
            word_sums.push(sum);
        }
        Held {
            sums,
            words: word_sums,
        }
    }

    fn is_unit(
        &self,
        page: &Page,
        settings: &Settings,
        node: usize,
        bits: u32,
        blocks: std::ops::Range<usize>,
    ) -> bool {
        let end = page.end[node] as usize;
        let below = |part: usize| self.sums[end][part] - self.sums[node + 1][part];
        let [tables, rows, cells, items, definitions] = std::array::from_fn(below);
        let is_plain = |most: f64| blocks.len() as f64 <= most && tables == 0;
        let element = u32::from(page.tag[node]);
        if element == tag::TABLE {
            let cells = f64::from(cells);
            let is_grid = rows > 1 && cells >= settings.min_cells_per_row * f64::from(rows);
            return is_grid && is_plain(settings.max_blocks_per_cell * cells);
        }
        if bits & LIST != 0 || element == tag::DL {
            let parts = if element == tag::DL { definitions } else { items };
            return parts > 1 && is_plain(settings.max_blocks_per_item * f64::from(parts));
        }
        let words = self.words[blocks.end] - self.words[blocks.start];
        let page_words = self.words[self.words.len() - 1];
        (words as f64) < settings.max_page_share * page_words as f64
    }
}
