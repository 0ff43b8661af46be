//! Lists that stand between selected paragraphs (the reference: `with_enclosed_lists` in
//! `content/methods/learned/units.py`).

use std::collections::HashMap;

use crate::page::{Page, TEXT};
use crate::text::visible::Seen;

/// Bits of tags, as Python gives them.
const LIST: u8 = 1;
const PARAGRAPH: u8 = 1 << 1;

/// The bounds of the reference, in the order in which Python gives them.
pub const BOUNDS: usize = 3;

/// The paragraphs of an element that are selected.
struct Paragraphs {
    first: usize,
    last: usize,
    length: i64,
}

/// Select what a reader sees of lists that were left out between selected paragraphs of the
/// same element.
pub fn select(page: &Page, bits: &[u8], bounds: &[f64; BOUNDS], seen: &Seen, selected: &mut [u8]) {
    let [max_selected, min_paragraph, max_list] = *bounds;
    let sums = Sums::new(seen.lengths, selected);
    let mut below: HashMap<i32, Paragraphs> = HashMap::new();
    let mut lists = Vec::new();
    for (node, &bits) in bits.iter().enumerate() {
        if bits & (LIST | PARAGRAPH) == 0 {
            continue;
        }
        let (length, selected_length) = sums.of(node, page.end[node] as usize);
        if bits & LIST != 0 {
            if length > 0 && selected_length as f64 <= max_selected * length as f64 {
                lists.push((node, length));
            }
        } else if 2 * selected_length > length && selected_length as f64 >= min_paragraph {
            let paragraphs = below.entry(page.parent[node]).or_insert(Paragraphs {
                first: node,
                last: node,
                length: 0,
            });
            paragraphs.last = node;
            paragraphs.length += selected_length;
        }
    }
    for (list, length) in lists {
        let Some(around) = below.get(&page.parent[list]) else {
            continue;
        };
        let is_between = around.first < list && list < around.last;
        if is_between && length as f64 <= max_list * around.length as f64 {
            for node in list..page.end[list] as usize {
                if page.tag[node] == TEXT && seen.visible[node] != 0 {
                    selected[node] = 1;
                }
            }
        }
    }
}

/// Running sums of the characters of visible texts, and of those that are selected.
struct Sums {
    all: Vec<i64>,
    selected: Vec<i64>,
}

impl Sums {
    fn new(lengths: &[i32], selected: &[u8]) -> Sums {
        let mut sums = Sums {
            all: Vec::with_capacity(lengths.len() + 1),
            selected: Vec::with_capacity(lengths.len() + 1),
        };
        let (mut all, mut of_selected) = (0, 0);
        sums.all.push(all);
        sums.selected.push(of_selected);
        for (&length, &is_selected) in lengths.iter().zip(selected) {
            all += i64::from(length);
            of_selected += i64::from(length) * i64::from(is_selected != 0);
            sums.all.push(all);
            sums.selected.push(of_selected);
        }
        sums
    }

    fn of(&self, node: usize, end: usize) -> (i64, i64) {
        (self.all[end] - self.all[node], self.selected[end] - self.selected[node])
    }
}
