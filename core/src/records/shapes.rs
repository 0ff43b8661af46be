//! How alike spans are, by the shapes of elements that each of them has (the reference:
//! `sections/shapes.py`).

use crate::hashing::Numbering;
use crate::page::{Page, TEXT};
use crate::records::classes::Classes;
use crate::records::elements::Span;

/// Bits of the sets of all elements beyond which a page is left to the reference.
const MAX_PAGE_BITS: usize = 1 << 28;
/// Bits of the sets of compared spans, the same.
const MAX_TABLE_CELLS: usize = 4_000_000;

/// Return a number for the tag of every element and its parent's; 0 for texts.
pub fn tag_shapes(page: &Page) -> Vec<u32> {
    numbered(page, |_| 0)
}

/// Return the same of tags and the first class.
pub fn shapes(page: &Page, classes: &Classes) -> Vec<u32> {
    numbered(page, |node| classes.of(node).first().copied().unwrap_or(0))
}

fn numbered(page: &Page, class_of: impl Fn(usize) -> u32) -> Vec<u32> {
    let mut numbering = Numbering::expecting(256);
    let last = page.len() - 1;
    let shape = |node: usize| {
        if page.tag[node] == TEXT {
            return 0;
        }
        let parent = usize::try_from(page.parent[node]).unwrap_or(last);
        let key = (page.tag[node], page.tag[parent], class_of(node));
        numbering.number(key).0 as u32 + 1
    };
    (0..page.len()).map(shape).collect()
}

/// The shapes of every element and all below it, as sets.
pub struct ShapeSets<'p> {
    end: &'p [i32],
    width: usize,
    bits: Vec<u64>,
}

impl<'p> ShapeSets<'p> {
    /// Return the sets of a page; None where it has too many shapes.
    pub fn new(page: &Page<'p>, shapes: &[u32]) -> Option<ShapeSets<'p>> {
        let count = shapes.iter().max().map_or(0, |&shape| shape as usize);
        let width = count.div_ceil(64).max(1);
        if 64 * width * shapes.len() > MAX_PAGE_BITS {
            return None;
        }
        let mut bits = vec![0; width * shapes.len()];
        for (node, &shape) in shapes.iter().enumerate() {
            if let Some(bit) = (shape as usize).checked_sub(1) {
                bits[node * width + bit / 64] |= 1 << (bit % 64);
            }
        }
        for node in (1..shapes.len()).rev() {
            let parent = page.parent[node] as usize;
            let (above, own) = bits.split_at_mut(node * width);
            let above = &mut above[parent * width..(parent + 1) * width];
            unite(above, &own[..width]);
        }
        Some(ShapeSets {
            end: page.end,
            width,
            bits,
        })
    }

    /// Return spans to be compared; None where they have too many shapes.
    pub fn compare(&self, spans: impl ExactSizeIterator<Item = Span>) -> Option<ComparedSpans> {
        let width = self.width;
        let mut rows = vec![0; width * spans.len()];
        if 64 * rows.len() > MAX_TABLE_CELLS {
            return None;
        }
        for (row, span) in rows.chunks_exact_mut(width).zip(spans) {
            let mut node = span.start;
            loop {
                unite(row, &self.bits[node * width..(node + 1) * width]);
                node = self.end[node] as usize;
                if node >= span.stop {
                    break;
                }
            }
        }
        Some(ComparedSpans { width, rows })
    }
}

fn unite(set: &mut [u64], other: &[u64]) {
    for (bits, others) in set.iter_mut().zip(other) {
        *bits |= others;
    }
}

/// Spans as sets of shapes. Likeness is the share of the shapes of either of two spans that
/// both have; 1 where neither has any.
pub struct ComparedSpans {
    width: usize,
    rows: Vec<u64>,
}

/// How spans compare with the shapes that at least half of them have.
pub struct Usual {
    /// The share of shapes that each span has in common with what is usual.
    pub likeness: Vec<f64>,
    /// The share of the usual shapes that each span has.
    pub share: Vec<f64>,
}

impl ComparedSpans {
    fn sets(&self) -> std::slice::ChunksExact<'_, u64> {
        self.rows.chunks_exact(self.width)
    }

    /// Return how alike each span is to the one behind it.
    pub fn like_next(&self) -> Vec<f64> {
        let pairs = self.sets().zip(self.sets().skip(1));
        pairs.map(|(one, other)| likeness(one, other)).collect()
    }

    /// Return how alike each span is to one of them.
    pub fn like(&self, index: usize) -> Vec<f64> {
        let other = &self.rows[index * self.width..(index + 1) * self.width];
        self.sets().map(|one| likeness(one, other)).collect()
    }

    /// Return how the spans compare with what is usual among them.
    pub fn usual(&self) -> Usual {
        let usual = self.usual_set();
        let size = count(usual.iter().copied()).max(1) as f64;
        let share = |one: &[u64]| in_both(one, &usual) as f64 / size;
        Usual {
            likeness: self.sets().map(|one| likeness(one, &usual)).collect(),
            share: self.sets().map(share).collect(),
        }
    }

    /// Return the shapes that at least half of the spans have.
    fn usual_set(&self) -> Vec<u64> {
        let mut counts = vec![0_usize; 64 * self.width];
        for set in self.sets() {
            for (counts, &bits) in counts.chunks_exact_mut(64).zip(set) {
                let mut left = bits;
                while left != 0 {
                    counts[left.trailing_zeros() as usize] += 1;
                    left &= left - 1;
                }
            }
        }
        let least = self.sets().len().div_ceil(2);
        let word = |counts: &[usize]| {
            let bits = counts.iter().enumerate();
            bits.fold(0, |word, (bit, &times)| word | u64::from(times >= least) << bit)
        };
        counts.chunks_exact(64).map(word).collect()
    }
}

fn likeness(one: &[u64], other: &[u64]) -> f64 {
    let either = count(one.iter().zip(other).map(|(bits, others)| bits | others));
    if either == 0 {
        return 1.0;
    }
    in_both(one, other) as f64 / either as f64
}

fn in_both(one: &[u64], other: &[u64]) -> u32 {
    count(one.iter().zip(other).map(|(bits, others)| bits & others))
}

fn count(words: impl Iterator<Item = u64>) -> u32 {
    words.map(u64::count_ones).sum()
}
