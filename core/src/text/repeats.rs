//! Texts that stand on a page more than once (the reference: `content/junk/repeats.py`).

use crate::hashing::Numbering;
use crate::page::{Page, TEXT};
use crate::text::tables::TextTables;

/// Return the characters of the longest run of chosen texts that all stand elsewhere among
/// them too, white space at their ends left out.
pub fn longest_run(page: &Page, tables: &TextTables, chosen: &[u8]) -> usize {
    let is_chosen = |node: &usize| page.tag[*node] == TEXT && chosen[*node] != 0;
    let nodes: Vec<usize> = (0..page.len()).filter(is_chosen).collect();
    let mut numbers = Numbering::expecting(nodes.len());
    let mut counts: Vec<u32> = Vec::new();
    let mut texts = Vec::with_capacity(nodes.len());
    for node in nodes {
        let text = tables.characters.strip(page.text(node));
        let (number, is_new) = numbers.number(text.as_bytes());
        if is_new {
            counts.push(0);
        }
        counts[number] += 1;
        texts.push((number, text));
    }
    let (mut longest, mut run) = (0, 0);
    for (number, text) in texts {
        run = if counts[number] > 1 { run + text.chars().count() } else { 0 };
        longest = longest.max(run);
    }
    longest
}
