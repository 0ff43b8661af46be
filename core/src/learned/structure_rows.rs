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

/// A run of blocks, and what stands in it.
struct Span {
    start: f32,
    size: f32,
    low: usize,
    high: usize,
}

impl Span {
    /// Return a span of at least one block.
    fn new((low, high): (i32, i32)) -> Span {
        let high = high.max(low + 1);
        Span {
            start: low as f32,
            size: (high - low) as f32,
            low: low as usize,
            high: high as usize,
        }
    }

    fn total(&self, sums: &[f32]) -> f32 {
        sums[self.high] - sums[self.low]
    }
}

/// Rows that are written together, a value of each at a time.
struct Columns<'r, const ROWS: usize> {
    rows: [&'r mut [f32]; ROWS],
}

impl<'r, const ROWS: usize> Columns<'r, ROWS> {
    /// Return the rows of space that is as long as all of them.
    fn new(space: &'r mut [f32]) -> Columns<'r, ROWS> {
        let length = space.len() / ROWS;
        let mut rows = space.chunks_exact_mut(length.max(1));
        Columns {
            rows: std::array::from_fn(|_| rows.next().unwrap_or_default()),
        }
    }

    #[inline]
    fn set(&mut self, at: usize, values: &[f32; ROWS]) {
        for (row, &value) in self.rows.iter_mut().zip(values) {
            row[at] = value;
        }
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

/// Rows for each level, and which of them says where a block stands in the element.
const LEVEL_ROWS: usize = 12;
const PLACE: usize = 8;

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
    let page_words = sums.page_words();
    let log = |number: f32| tables.logarithms.of(number);
    let values_of = |element: u32, span: &Span| {
        let words = span.total(&sums.words);
        let alike = elements.alike[elements.position(element as usize)];
        [
            log(words),
            words / page_words,
            share(span.total(&sums.linked), words),
            log(words / span.size),
            log(span.total(&sums.images)),
            log(span.total(&sums.forms)),
            span.total(&sums.headings) / span.size,
            log(span.total(&sums.long)),
            0.0,
            log(alike as f32),
            span.start / n as f32,
            log(span.size),
        ]
    };
    let mut columns: Columns<LEVEL_ROWS> = Columns::new(rows.add_zeros(LEVEL_ROWS * count));
    for (level, elements_of_blocks) in levels.chunks_exact(n).enumerate() {
        let mut known = None;
        let mut span = Span::new((0, 1));
        let mut values = [0.0; LEVEL_ROWS];
        for (block, &element) in elements_of_blocks.iter().enumerate() {
            if known != Some(element) {
                known = Some(element);
                span = Span::new(elements.span(page, element as usize));
                values = values_of(element, &span);
            }
            values[PLACE] = (block as f32 - span.start) / span.size;
            columns.set(level * n + block, &values);
        }
    }
}

/// Return the mean of the logarithms of like siblings on the first levels. They are of whole
/// numbers and of 32 bits, so that their sum is exact in any order.
pub fn alike_mean(elements: &Elements, levels: &[u32], n: usize, tables: &Tables) -> f64 {
    let count = tables.settings.alike_levels * n;
    let alike = levels[..count].iter().map(|&level| elements.alike[elements.position(level as usize)]);
    let logs = alike.map(|alike| f64::from(tables.logarithms.of(alike as f32)));
    logs.sum::<f64>() / count as f64
}

const UPPER_ROWS: usize = 5;

/// Write what the distinct elements on the first levels below the root hold; of blocks that
/// are not so deep what they have themselves.
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
    let page_words = sums.page_words();
    let log = |number: f32| tables.logarithms.of(number);
    let values_of = |span: &Span| {
        let words = span.total(&sums.words);
        [
            words / page_words,
            share(span.total(&sums.linked), words),
            log(words / span.size),
            span.start / n as f32,
            log(span.size),
        ]
    };
    let mut columns: Columns<UPPER_ROWS> = Columns::new(rows.add_zeros(UPPER_ROWS * levels));
    let mut known = vec![(0, [0.0; UPPER_ROWS]); levels];
    let mut path = Vec::new();
    for block in 0..n {
        path.clear();
        let mut node = page.parent_or_root(outline.first_node(block));
        loop {
            let element = elements.highest[node] as usize;
            path.push(element);
            if page.parent[element] < 0 {
                break;
            }
            node = page.parent[element] as usize;
        }
        path.pop();
        for (level, (element, values)) in known.iter_mut().enumerate() {
            let at = level * n + block;
            match path.len().checked_sub(level + 1) {
                None => {
                    let own = Span::new((block as i32, block as i32 + 1));
                    columns.set(at, &values_of(&own));
                }
                Some(position) => {
                    if *element != path[position] {
                        *element = path[position];
                        *values = values_of(&Span::new(elements.span(page, *element)));
                    }
                    columns.set(at, values);
                }
            }
        }
    }
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

/// Rows of what blocks that are alike have together.
const ALIKE_ROWS: usize = 8;

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
    tables: &Tables,
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
    let log = |number: f32| tables.logarithms.of(number);
    let values_of = |group: &Alike| {
        let words = group.words as f32;
        [
            log(group.size as f32),
            log(words),
            log((group.words as f64 / group.size as f64) as f32),
            share(group.linked as f32, words),
            share(group.punctuation as f32, words),
            (group.words as f64 / page_words) as f32,
            ((group.last - group.first + 1) as f64 / n as f64) as f32,
            (group.first as f64 / n as f64) as f32,
        ]
    };
    let values: Vec<[f32; ALIKE_ROWS]> = groups.iter().map(values_of).collect();
    let mut columns: Columns<ALIKE_ROWS> = Columns::new(rows.add_zeros(ALIKE_ROWS));
    for (block, &group) in group_of.iter().enumerate() {
        columns.set(block, &values[group]);
    }
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
