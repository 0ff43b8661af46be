//! Features of the elements around each block (the reference: `structure_features.py`).

use crate::learned::counts::Counts;
use crate::learned::elements::Elements;
use crate::hashing::Numbering;
use crate::learned::outline::Outline;
use crate::learned::position_rows::Sums;
use crate::learned::roles::PathRoles;
use crate::learned::rows::{share, Rows};
use crate::learned::tables::Tables;
use crate::page::Page;

/// Runs of blocks on several levels, block by block on each.
pub struct Spans {
    low: Vec<usize>,
    high: Vec<usize>,
}

impl Spans {
    /// Return spans of the blocks themselves.
    fn own(levels: usize, blocks: usize) -> Spans {
        let low: Vec<usize> = (0..levels).flat_map(|_| 0..blocks).collect();
        let high = low.iter().map(|&block| block + 1).collect();
        Spans { low, high }
    }

    fn set(&mut self, at: usize, span: (i32, i32)) {
        self.low[at] = span.0 as usize;
        self.high[at] = span.1.max(span.0 + 1) as usize;
    }

    fn start(&self, at: usize) -> f32 {
        self.low[at] as f32
    }

    fn size(&self, at: usize) -> f32 {
        (self.high[at] - self.low[at]) as f32
    }

    fn totals(&self, sums: &[f32]) -> Vec<f32> {
        let spans = self.low.iter().zip(&self.high);
        spans.map(|(&low, &high)| sums[high] - sums[low]).collect()
    }
}

/// Return for each block its container and the next distinct elements above it, level
/// after level; the root again at the end.
pub fn levels(page: &Page, outline: &Outline, elements: &Elements, tables: &Tables) -> Vec<u32> {
    let n = outline.len();
    let mut levels: Vec<u32> = Vec::with_capacity(n * tables.settings.levels);
    for &container in &outline.container {
        levels.push(elements.highest[container as usize] as u32);
    }
    for at in n..n * tables.settings.levels {
        let parent = page.parent_or_root(levels[at - n] as usize);
        levels.push(elements.highest[parent] as u32);
    }
    levels
}

pub fn write_levels(
    rows: &mut Rows,
    page: &Page,
    elements: &Elements,
    levels: &[u32],
    sums: &Sums,
    tables: &Tables,
) {
    let count = tables.settings.levels;
    let n = levels.len() / count;
    let mut spans = Spans::own(count, n);
    for (at, &element) in levels.iter().enumerate() {
        spans.set(at, elements.span(page, element as usize));
    }
    let page_words = sums.page_words();
    let words = spans.totals(&sums.words);
    let linked = spans.totals(&sums.linked);
    let images = spans.totals(&sums.images);
    let forms = spans.totals(&sums.forms);
    let headings = spans.totals(&sums.headings);
    let long = spans.totals(&sums.long);
    let alike = |at: usize| elements.alike[elements.position(levels[at] as usize)] as f32;

    add_level_logs(rows, n, count, |at, _| words[at]);
    add_levels(rows, n, count, |at, _| words[at] / page_words);
    add_levels(rows, n, count, |at, _| share(linked[at], words[at]));
    add_level_logs(rows, n, count, |at, _| words[at] / spans.size(at));
    add_level_logs(rows, n, count, |at, _| images[at]);
    add_level_logs(rows, n, count, |at, _| forms[at]);
    add_levels(rows, n, count, |at, _| headings[at] / spans.size(at));
    add_level_logs(rows, n, count, |at, _| long[at]);
    add_levels(rows, n, count, |at, block| (block - spans.start(at)) / spans.size(at));
    add_level_logs(rows, n, count, |at, _| alike(at));
    add_levels(rows, n, count, |at, _| spans.start(at) / n as f32);
    add_level_logs(rows, n, count, |at, _| spans.size(at));
}

/// Return the mean of the logarithms of like siblings on the first levels. They are of whole
/// numbers and of 32 bits, so that their sum is exact in any order.
pub fn alike_mean(elements: &Elements, levels: &[u32], n: usize, tables: &Tables) -> f64 {
    let count = tables.settings.alike_levels * n;
    let alike = levels[..count].iter().map(|&level| elements.alike[elements.position(level as usize)]);
    let logs = alike.map(|alike| f64::from(tables.logarithms.of(alike as f32)));
    logs.sum::<f64>() / count as f64
}

/// Write a row for each level, of what stands at a position of the spans for a block.
fn add_levels(rows: &mut Rows, n: usize, levels: usize, value: impl Fn(usize, f32) -> f32) {
    for level in 0..levels {
        rows.add(|block| value(level * n + block, block as f32));
    }
}

/// As `add_levels`, of logarithms.
fn add_level_logs(rows: &mut Rows, n: usize, levels: usize, value: impl Fn(usize, f32) -> f32) {
    for level in 0..levels {
        rows.add_logs(|block| value(level * n + block, block as f32));
    }
}

/// Write what the distinct elements on the first levels below the root hold.
pub fn write_upper(
    rows: &mut Rows,
    page: &Page,
    outline: &Outline,
    elements: &Elements,
    sums: &Sums,
    tables: &Tables,
) {
    let n = outline.len();
    let levels = tables.settings.upper_levels;
    let mut spans = Spans::own(levels, n);
    let mut path = Vec::new();
    for block in 0..n {
        path.clear();
        let mut node = page.parent_or_root(outline.first_node(block));
        loop {
            let element = elements.highest[node];
            path.push(element as usize);
            if page.parent[element as usize] < 0 {
                break;
            }
            node = page.parent[element as usize] as usize;
        }
        let below_root = path.iter().rev().skip(1).take(levels);
        for (level, &element) in below_root.enumerate() {
            spans.set(level * n + block, elements.span(page, element));
        }
    }
    let page_words = sums.page_words();
    let words = spans.totals(&sums.words);
    let linked = spans.totals(&sums.linked);
    add_levels(rows, n, levels, |at, _| words[at] / page_words);
    add_levels(rows, n, levels, |at, _| share(linked[at], words[at]));
    add_level_logs(rows, n, levels, |at, _| words[at] / spans.size(at));
    add_levels(rows, n, levels, |at, _| spans.start(at) / n as f32);
    add_level_logs(rows, n, levels, |at, _| spans.size(at));
}

/// Write where blocks stand to the element that holds most of the running text.
pub fn write_holders(
    rows: &mut Rows,
    page: &Page,
    elements: &Elements,
    counts: &Counts,
    tables: &Tables,
) {
    let n = counts.words.len();
    let mut sum = 0;
    let mut sums = vec![0];
    for (&words, &is_long) in counts.words.iter().zip(&counts.is_long) {
        sum += if is_long { words } else { 0 };
        sums.push(sum);
    }
    for &held_share in &tables.held_shares {
        let least = held_share * sum as f64;
        let holds = |node: &usize| {
            let (low, high) = elements.span(page, *node);
            (sums[high as usize] - sums[low as usize]) as f64 >= least
        };
        let deepest = (0..page.len()).rev().find(holds).unwrap_or(0);
        let (low, high) = elements.span(page, deepest);
        rows.add(|block| {
            let block = block as i32;
            f32::from(i8::from(block >= high) - i8::from(block < low))
        });
        rows.add(|_| (f64::from(high - low) / n as f64) as f32);
    }
}

#[derive(Default)]
struct Alike {
    size: i64,
    words: i64,
    linked: i64,
    punctuation: i64,
    first: usize,
    last: usize,
}

/// Write what blocks with the same tags and classes above have together.
pub fn write_signatures(
    rows: &mut Rows,
    page: &Page,
    outline: &Outline,
    elements: &Elements,
    counts: &Counts,
) {
    let n = outline.len();
    let page_words = counts.words.iter().sum::<i64>().max(1) as f64;
    let mut numbers = Numbering::expecting(n);
    let mut groups: Vec<Alike> = Vec::new();
    let (mut group_of, mut rank) = (Vec::with_capacity(n), Vec::with_capacity(n));
    for block in 0..n {
        let parent = page.parent_or_root(outline.first_node(block));
        let (number, is_new) = numbers.number(elements.path[elements.position(parent)]);
        if is_new {
            groups.push(Alike {
                first: block,
                ..Alike::default()
            });
        }
        let group = &mut groups[number];
        group_of.push(number);
        rank.push(group.size);
        group.size += 1;
        group.words += counts.words[block];
        group.linked += counts.linked[block];
        group.punctuation += counts.punctuation[block];
        group.last = block;
    }
    let of = |block: usize| &groups[group_of[block]];
    rows.add_logs(|block| of(block).size as f32);
    rows.add_logs(|block| of(block).words as f32);
    rows.add_logs(|block| (of(block).words as f64 / of(block).size as f64) as f32);
    rows.add(|block| share(of(block).linked as f32, of(block).words as f32));
    rows.add(|block| share(of(block).punctuation as f32, of(block).words as f32));
    rows.add(|block| (of(block).words as f64 / page_words) as f32);
    rows.add(|block| ((of(block).last - of(block).first + 1) as f64 / n as f64) as f32);
    rows.add(|block| (of(block).first as f64 / n as f64) as f32);
    rows.add_logs(|block| rank[block] as f32);
}

/// What of a page stands under a role.
#[derive(Clone, Copy, Default)]
pub struct UnderRole {
    pub words: i64,
    pub blocks: i64,
}

/// Write the roles close to each block and on its whole path; return what of the page is
/// under each role.
pub fn write_roles(
    rows: &mut Rows,
    page: &Page,
    outline: &Outline,
    elements: &Elements,
    levels: &[u32],
    words: &[i64],
    tables: &Tables,
) -> Vec<UnderRole> {
    let n = outline.len();
    let settings = &tables.settings;
    let path_roles = PathRoles::new(page, tables, elements);
    let above = |level: usize, block: usize| {
        let parent = page.parent_or_root(levels[level * n + block] as usize);
        path_roles.on_path(elements.position(parent))
    };
    let mut under_role = vec![UnderRole::default(); settings.roles];
    let values = rows.add_zeros(3 * settings.roles);
    for block in 0..n {
        let parent = page.parent_or_root(outline.first_node(block));
        let on_path = path_roles.on_path(elements.position(parent));
        let above_near = above(settings.near_level, block);
        let above_middle = above(settings.middle_level, block);
        for column in 0..tables.columns {
            let counters = [
                on_path[column].wrapping_sub(above_near[column]),
                on_path[column].wrapping_sub(above_middle[column]),
                on_path[column],
            ];
            for (reach, &packed) in counters.iter().enumerate() {
                let mut rest = u64::from_le_bytes(packed.to_ne_bytes());
                while rest != 0 {
                    let byte = rest.trailing_zeros() as usize / 8;
                    let count = (rest >> (8 * byte)) as u8;
                    rest &= !(0xff << (8 * byte));
                    let role = 8 * column + byte;
                    if role >= settings.roles {
                        continue;
                    }
                    let row = reach * settings.roles + role;
                    values[row * n + block] = f32::from(count.min(settings.max_role_count));
                    if reach == 2 {
                        under_role[role].words += words[block];
                        under_role[role].blocks += 1;
                    }
                }
            }
        }
    }
    under_role
}
