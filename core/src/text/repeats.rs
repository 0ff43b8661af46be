//! Texts that stand on a page more than once (the reference: `content/junk/repeats.py`).

use crate::hashing::Numbering;
use crate::page::{Page, TEXT};
use crate::text::counts::length;
use crate::text::tables::TextTables;

/// Bits of a tag, as Python gives them.
const BLOCK: u8 = 1;
const MAY_REPEAT: u8 = 2;

/// Return whether a block-level element may be a copy: all chosen texts in it stand
/// elsewhere among them too, and have at least so many characters, white space at their
/// ends and what may repeat left out.
pub fn has_copy(page: &Page, tables: &TextTables, bits: &[u8], chosen: &[u8], least: i64) -> bool {
    let texts = Texts::new(page, tables, chosen);
    // Running sums over nodes of characters, and of texts that stand nowhere else.
    let (mut lengths, mut singles) = (vec![0_i64], vec![0_i64]);
    let (mut length_sum, mut single_sum) = (0, 0);
    let mut may_repeat_until = 0;
    let mut next = 0;
    for node in 0..page.len() {
        if bits[node] & MAY_REPEAT != 0 {
            may_repeat_until = may_repeat_until.max(page.end[node] as usize);
        }
        if texts.nodes.get(next) == Some(&node) {
            let (number, length) = texts.numbers[next];
            single_sum += i64::from(texts.counts[number] == 1);
            length_sum += if node < may_repeat_until { 0 } else { length };
            next += 1;
        }
        lengths.push(length_sum);
        singles.push(single_sum);
    }
    (0..page.len()).any(|node| {
        let end = page.end[node] as usize;
        bits[node] & BLOCK != 0
            && singles[end] == singles[node]
            && lengths[end] - lengths[node] >= least
    })
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
}
