//! Texts that stand on a page more than once (the reference: `content/junk/repeats.py`).

use std::collections::{HashMap, HashSet};

use crate::hashing::{mix, Numbering};
use crate::page::{Page, TEXT};
use crate::text::counts::length;
use crate::text::tables::TextTables;

/// Bits of a tag, as Python gives them.
const BLOCK: u8 = 1;
const MAY_REPEAT: u8 = 2;

/// Characters that make a copy of a block beside it, and of one elsewhere.
pub struct Least {
    pub beside: i64,
    pub apart: i64,
}

/// Write 1 for every node of the block-level elements that are copies, 0 for all others; return
/// whether there are any. A copy has enough characters, white space at its ends and what may
/// repeat left out, and all chosen texts in it are those of an earlier element.
pub fn find(
    page: &Page,
    tables: &TextTables,
    bits: &[u8],
    chosen: &[u8],
    least: &Least,
    copies: &mut [u8],
) -> bool {
    copies.fill(0);
    let texts = Texts::new(page, tables, chosen);
    if texts.repeated_length() < least.beside {
        return false; // as on most pages
    }
    let sums = Sums::new(page, bits, &texts);
    let mut first_of_key: HashMap<u64, usize> = HashMap::new();
    let mut keys_of_parents: HashSet<(u64, i32)> = HashSet::new();
    let mut has_copies = false;
    for node in (0..page.len()).filter(|&node| bits[node] & BLOCK != 0) {
        let end = page.end[node] as usize;
        let length = sums.lengths[end] - sums.lengths[node];
        if sums.singles[end] != sums.singles[node] || length < least.beside {
            continue;
        }
        let key = sums.key(node, end);
        let first = *first_of_key.entry(key).or_insert(node);
        let is_apart = length >= least.apart && node >= page.end[first] as usize;
        let is_beside = !keys_of_parents.insert((key, page.parent[node]));
        if (is_apart || is_beside) && copies[node] == 0 {
            copies[node..end].fill(1);
            has_copies = true;
        }
    }
    has_copies
}

/// Running sums over the nodes of a page.
struct Sums {
    /// Characters that count.
    lengths: Vec<i64>,
    /// Texts that stand nowhere else.
    singles: Vec<i64>,
    /// Texts that are not blank, each times the power of its position.
    keys: Vec<u64>,
    /// Texts that are not blank.
    positions: Vec<u32>,
    /// What undoes the power of a position.
    undone: Vec<u64>,
}

/// Odd, so that powers of it can be undone, and its inverse.
const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
const INVERSE: u64 = 0xF1DE_83E1_9937_733D;

impl Sums {
    fn new(page: &Page, bits: &[u8], texts: &Texts) -> Sums {
        let size = page.len() + 1;
        let mut sums = Sums {
            lengths: Vec::with_capacity(size),
            singles: Vec::with_capacity(size),
            keys: Vec::with_capacity(size),
            positions: Vec::with_capacity(size),
            undone: vec![1],
        };
        let (mut length_sum, mut single_sum, mut key, mut position) = (0, 0, 0_u64, 0);
        let (mut power, mut undone) = (1_u64, 1_u64);
        let mut may_repeat_until = 0;
        let mut next = 0;
        for node in 0..size {
            sums.lengths.push(length_sum);
            sums.singles.push(single_sum);
            sums.keys.push(key);
            sums.positions.push(position);
            if node < page.len() && bits[node] & MAY_REPEAT != 0 {
                may_repeat_until = may_repeat_until.max(page.end[node] as usize);
            }
            if texts.nodes.get(next) != Some(&node) {
                continue;
            }
            let (number, length) = texts.numbers[next];
            next += 1;
            single_sum += i64::from(texts.counts[number] == 1);
            length_sum += if node < may_repeat_until { 0 } else { length };
            if length > 0 {
                key = key.wrapping_add(mix(number as u64).wrapping_mul(power));
                power = power.wrapping_mul(FACTOR);
                undone = undone.wrapping_mul(INVERSE);
                sums.undone.push(undone);
                position += 1;
            }
        }
        sums
    }

    /// Return a number that stands for the texts of a subtree, in their order.
    fn key(&self, node: usize, end: usize) -> u64 {
        let sum = self.keys[end].wrapping_sub(self.keys[node]);
        sum.wrapping_mul(self.undone[self.positions[node] as usize])
    }
}

/// The chosen texts of a page.
struct Texts {
    nodes: Vec<usize>,
    /// By text, a number that equal texts share, and how many characters it has.
    numbers: Vec<(usize, i64)>,
    /// By number, how many texts there are.
    counts: Vec<u32>,
}

impl Texts {
    fn new(page: &Page, tables: &TextTables, chosen: &[u8]) -> Texts {
        let is_chosen = |node: &usize| page.tag[*node] == TEXT && chosen[*node] != 0;
        let nodes: Vec<usize> = (0..page.len()).filter(is_chosen).collect();
        let mut numbering = Numbering::expecting(nodes.len());
        let mut counts: Vec<u32> = Vec::new();
        let mut numbers = Vec::with_capacity(nodes.len());
        for &node in &nodes {
            let text = tables.characters.strip(page.text(node));
            let (number, is_new) = numbering.number(text.as_bytes());
            if is_new {
                counts.push(0);
            }
            counts[number] += 1;
            numbers.push((number, length(text) as i64));
        }
        Texts { nodes, numbers, counts }
    }

    /// Return the characters of all texts that stand elsewhere too.
    fn repeated_length(&self) -> i64 {
        let repeated = self.numbers.iter().filter(|(number, _)| self.counts[*number] > 1);
        repeated.map(|(_, length)| length).sum()
    }
}
