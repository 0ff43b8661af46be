//! Features of where each block stands (the reference: `position_features.py`).

use crate::learned::counts::Counts;
use crate::learned::declared::Repeated;
use crate::learned::outline::Outline;
use crate::learned::rows::{share, Rows};
use crate::learned::tables::Tables;
use crate::page::Page;

/// Running sums over the blocks, each one longer than there are blocks.
pub struct Sums {
    pub words: Vec<f32>,
    pub linked: Vec<f32>,
    pub images: Vec<f32>,
    pub forms: Vec<f32>,
    pub headings: Vec<f32>,
    pub long: Vec<f32>,
}

impl Sums {
    pub fn new(counts: &Counts) -> Sums {
        let is_heading = counts.heading.iter().map(|&level| i64::from(level > 0));
        let is_long = counts.is_long.iter().map(|&is_long| i64::from(is_long));
        Sums {
            words: running(counts.words.iter().copied()),
            linked: running(counts.linked.iter().copied()),
            images: running(counts.images.iter().copied()),
            forms: running(counts.forms.iter().copied()),
            headings: running(is_heading),
            long: running(is_long),
        }
    }

    /// Return the words of the page, at least one.
    pub fn page_words(&self) -> f32 {
        last(&self.words).max(1.0)
    }
}

fn running(values: impl Iterator<Item = i64>) -> Vec<f32> {
    let mut sum = 0.0_f32;
    let mut sums = vec![sum];
    sums.extend(values.map(|value| {
        sum += value as f32;
        sum
    }));
    sums
}

fn last(sums: &[f32]) -> f32 {
    sums[sums.len() - 1]
}

pub fn write_order(
    rows: &mut Rows,
    page: &Page,
    outline: &Outline,
    counts: &Counts,
    sums: &Sums,
    tables: &Tables,
) {
    let n = outline.len();
    let page_words = sums.page_words();
    let long_blocks = last(&sums.long).max(1.0);
    rows.add(|block| (block as f64 / n as f64) as f32);
    rows.add_logs(|block| block as f32);
    rows.add_logs(|block| (n - 1 - block) as f32);
    rows.add(|block| sums.words[block] / page_words);
    rows.add_logs(|block| sums.words[block]);
    rows.add(|block| page.depth[outline.container[block] as usize] as f32);

    let top_heading = counts.heading.iter().position(|&level| level == 1);
    write_distance(rows, top_heading, sums, tables);

    let last_heading = last_before(n, |block| counts.heading[block] > 0, -1);
    let no_heading = tables.settings.no_heading;
    rows.add_logs_or(|block| match last_heading[block] {
        -1 => Err(no_heading),
        heading => Ok((block as i64 - heading) as f32),
    });
    rows.add(|block| match last_heading[block] {
        -1 => 0.0,
        heading => counts.heading[heading as usize] as f32,
    });

    let last_long = last_before(n, |block| counts.is_long[block], -1);
    let next_long = next_after(n, |block| counts.is_long[block], 2 * n as i64);
    let long_words = running_long_words(counts);
    rows.add(|block| sums.long[block] / long_blocks);
    rows.add_logs(|block| long_words[block] as f32);
    rows.add_logs(|block| (block as i64 - last_long[block]) as f32);
    rows.add_logs(|block| (next_long[block] - block as i64) as f32);
}

/// Write the distance of all blocks from one, in blocks and in words.
fn write_distance(rows: &mut Rows, from: Option<usize>, sums: &Sums, tables: &Tables) {
    let Some(from) = from else {
        rows.add(|_| tables.settings.no_title);
        rows.add(|_| tables.settings.no_title);
        return;
    };
    rows.add_logs(|block| (block as i64 - from as i64) as f32);
    rows.add_logs(|block| sums.words[block] - sums.words[from]);
}

fn running_long_words(counts: &Counts) -> Vec<i64> {
    let mut sum = 0;
    let sums = counts.words.iter().zip(&counts.is_long).map(|(&words, &is_long)| {
        let before = sum;
        sum += if is_long { words } else { 0 };
        before
    });
    sums.collect()
}

/// Return the last chosen block up to each block, `none` before the first.
fn last_before(n: usize, is_chosen: impl Fn(usize) -> bool, none: i64) -> Vec<i64> {
    let mut last = none;
    let blocks = (0..n).map(|block| {
        if is_chosen(block) {
            last = block as i64;
        }
        last
    });
    blocks.collect()
}

/// Return the next chosen block from each block on, `none` after the last.
fn next_after(n: usize, is_chosen: impl Fn(usize) -> bool, none: i64) -> Vec<i64> {
    let mut next = vec![none; n];
    let mut found = none;
    for block in (0..n).rev() {
        if is_chosen(block) {
            found = block as i64;
        }
        next[block] = found;
    }
    next
}

pub fn write_declared(rows: &mut Rows, repeated: &Repeated, sums: &Sums, tables: &Tables) {
    let n = repeated.is_described.len();
    let most = tables.settings.max_distance;
    write_distance(rows, repeated.title_block, sums, tables);
    rows.add(|block| f32::from(u8::from(repeated.is_described[block])));
    let is_described = |block: usize| repeated.is_described[block];
    let last = last_before(n, is_described, -most);
    let next = next_after(n, is_described, n as i64 + most);
    rows.add_logs(|block| (block as i64 - last[block]).min(most) as f32);
    rows.add_logs(|block| (next[block] - block as i64).min(most) as f32);
}

pub fn write_neighbours(rows: &mut Rows, counts: &Counts, tables: &Tables) {
    let n = counts.words.len() as i64;
    for &step in &tables.neighbour_steps {
        let neighbour = |block: usize| {
            let other = block as i64 + step as i64;
            (0..n).contains(&other).then_some(other as usize)
        };
        rows.add_logs_or(|block| match neighbour(block) {
            Some(other) => Ok(counts.words[other] as f32),
            None => Err(-1.0),
        });
        rows.add(|block| match neighbour(block) {
            Some(other) => share(counts.linked[other] as f32, counts.words[other] as f32),
            None => -1.0,
        });
        rows.add(|block| match neighbour(block) {
            Some(other) => counts.heading[other] as f32,
            None => -1.0,
        });
    }
}

pub fn write_windows(rows: &mut Rows, sums: &Sums, tables: &Tables) {
    let n = sums.words.len() as i64 - 1;
    for &reach in &tables.windows {
        let reach = reach as i64;
        for (first, last) in [(-reach, 0), (1, reach + 1)] {
            let total = |sums: &[f32], block: usize| {
                let low = (block as i64 + first).clamp(0, n) as usize;
                let high = (block as i64 + last).clamp(0, n) as usize;
                sums[high] - sums[low]
            };
            rows.add_logs(|block| total(&sums.words, block));
            rows.add(|block| share(total(&sums.linked, block), total(&sums.words, block)));
        }
    }
}

/// Write what stands from one heading to the next, whatever elements it stands in.
pub fn write_sections(rows: &mut Rows, counts: &Counts, tables: &Tables) {
    #[derive(Default, Clone, Copy)]
    struct Section {
        words: i64,
        linked: i64,
        long: i64,
        blocks: i64,
    }
    let mut sections = vec![Section::default()];
    let mut section_of = Vec::with_capacity(counts.words.len());
    for block in 0..counts.words.len() {
        if counts.heading[block] > 0 {
            sections.push(Section::default());
        }
        let number = sections.len() - 1;
        let section = &mut sections[number];
        section.words += counts.words[block];
        section.linked += counts.linked[block];
        section.long += i64::from(counts.is_long[block]);
        section.blocks += 1;
        section_of.push(number);
    }
    let log = |count: i64| tables.logarithms.of(count as f32);
    let values_of = |section: &Section| {
        [
            log(section.words),
            share(section.linked as f32, section.words as f32),
            log(section.long),
            log(section.blocks),
        ]
    };
    let values: Vec<[f32; 4]> = sections.iter().map(values_of).collect();
    for row in 0..4 {
        rows.add(|block| values[section_of[block]][row]);
    }
}
