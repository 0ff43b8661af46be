//! ECON: the content of a news page from periods and commas alone (the reference:
//! `content/methods/econ.py`, which explains the steps and has the names of the paper).

use crate::page::{Page, TEXT};
use crate::text::counts;
use crate::text::tables::TextTables;

/// Bits of a tag, as Python gives them.
const SKIPPED: u8 = 1;
const BIG: u8 = 2;
const BLOCK: u8 = 4;

/// The periods and commas of what was selected, and of the whole page.
pub struct PuncNum {
    pub summary_node: i64,
    pub page: i64,
}

/// Write which nodes are content, given the bits of the tag of each. None where no text has a period or comma between words:
/// then all readable texts are.
pub fn select(page: &Page, tables: &TextTables, bits: Vec<u8>, nodes: &mut [u8]) -> Option<PuncNum> {
    let elements = Elements::new(page, tables, bits);
    let sets = TextNodeSets::new(page, &elements);
    let Some(snippet_node) = sets.snippet_node() else {
        for (node, place) in nodes.iter_mut().enumerate() {
            *place = u8::from(elements.readable[node] && page.tag[node] == TEXT);
        }
        return None;
    };
    let summary_node = elements.backtrack(page, snippet_node);
    let is_noise = pruned(page, &elements, &sets);
    let inside = summary_node..page.end[summary_node] as usize;
    for (node, place) in nodes.iter_mut().enumerate() {
        *place = u8::from(inside.contains(&node) && elements.readable[node] && !is_noise[node]);
    }
    Some(PuncNum {
        summary_node: elements.punc_num(page, summary_node),
        page: elements.punc_num(page, 0),
    })
}

/// What is known of every node.
struct Elements {
    bits: Vec<u8>,
    readable: Vec<bool>,
    big_node: Vec<bool>,
    /// Periods and commas of each text itself.
    own_punc_num: Vec<i32>,
    /// Running sums over nodes: differences are those of subtrees.
    punc_sums: Vec<i64>,
    length_sums: Vec<i64>,
}

impl Elements {
    fn new(page: &Page, tables: &TextTables, bits: Vec<u8>) -> Elements {
        let is_skipped: Vec<bool> = bits.iter().map(|bits| bits & SKIPPED != 0).collect();
        let readable: Vec<bool> = below(page, &is_skipped).iter().map(|&inside| !inside).collect();
        let chosen: Vec<u8> = readable.iter().map(|&readable| u8::from(readable)).collect();
        let mut length = vec![0; page.len()];
        let mut own_punc_num = vec![0; page.len()];
        counts::write(page, tables, &chosen, &mut length, &mut own_punc_num);

        let mut big_node: Vec<bool> = bits.iter().map(|bits| bits & BIG != 0).collect();
        for node in (0..page.len()).filter(|&node| length[node] > 0) {
            big_node[page.parent_or_root(node)] = true;
        }
        Elements {
            bits,
            readable,
            big_node,
            punc_sums: sums(&own_punc_num),
            length_sums: sums(&length),
            own_punc_num,
        }
    }

    fn punc_num(&self, page: &Page, node: usize) -> i64 {
        self.punc_sums[page.end[node] as usize] - self.punc_sums[node]
    }

    fn length(&self, page: &Page, node: usize) -> i64 {
        self.length_sums[page.end[node] as usize] - self.length_sums[node]
    }

    fn is_block(&self, node: usize) -> bool {
        self.bits[node] & BLOCK != 0
    }

    /// Return the summary-node.
    fn backtrack(&self, page: &Page, snippet_node: usize) -> usize {
        let mut node = page.parent_or_root(snippet_node);
        while node != 0 && self.punc_num(page, page.parent_or_root(node)) != self.punc_num(page, node) {
            node = page.parent_or_root(node);
        }
        node
    }
}

/// A run of adjacent big-nodes under one parent, with its text-para.
struct TextNodeSet {
    parent: usize,
    first: usize,
    length: i64,
    punc_num: i64,
}

struct TextNodeSets {
    sets: Vec<TextNodeSet>,
    /// The big-nodes that are in a set, and which.
    nodes: Vec<(usize, usize)>,
}

impl TextNodeSets {
    /// The algorithm Joint-para: siblings meet in document order, so that a parent's last
    /// set is all that must be remembered of it.
    fn new(page: &Page, elements: &Elements) -> TextNodeSets {
        let mut found = TextNodeSets { sets: Vec::new(), nodes: Vec::new() };
        // By parent, the set that its last child with text is in.
        let mut open: Vec<Option<usize>> = vec![None; page.len()];
        for node in (0..page.len()).filter(|&node| page.tag[node] != TEXT) {
            // The root is no child of itself: it is in a set of its own.
            let parent = page.parent_or_root(node);
            if !elements.big_node[node] {
                if elements.length(page, node) > 0 && node != 0 {
                    open[parent] = None;
                }
                continue;
            }
            let known = if node == 0 { None } else { open[parent] };
            let set = known.unwrap_or_else(|| {
                found.sets.push(TextNodeSet { parent, first: node, length: 0, punc_num: 0 });
                found.sets.len() - 1
            });
            if node != 0 {
                open[parent] = Some(set);
            }
            found.sets[set].length += elements.length(page, node);
            found.sets[set].punc_num += elements.punc_num(page, node);
            found.nodes.push((node, set));
        }
        found
    }

    /// Return the first node of the set with the longest text-para; of equals, that of the
    /// first parent.
    fn snippet_node(&self) -> Option<usize> {
        let with_marks = self.sets.iter().filter(|set| set.punc_num > 0 && set.length > 0);
        let longest = with_marks.max_by_key(|set| {
            let earlier = (std::cmp::Reverse(set.first != 0), std::cmp::Reverse(set.parent));
            (set.length, earlier, std::cmp::Reverse(set.first))
        });
        longest.map(|set| set.first)
    }
}

/// Return the nodes under text-node-sets without periods and commas, but for inline pieces
/// of a set that has some.
fn pruned(page: &Page, elements: &Elements, sets: &TextNodeSets) -> Vec<bool> {
    let mut is_noise = vec![false; page.len()];
    let mut content_root = vec![false; page.len()];
    for &(node, set) in &sets.nodes {
        let has_marks = sets.sets[set].punc_num != 0;
        content_root[node] = has_marks;
        is_noise[node] = !has_marks;
    }
    let in_sentence = in_sentences(page, elements);
    for &(node, _) in &sets.nodes {
        if !is_noise[node] || elements.is_block(node) {
            continue;
        }
        let parent = page.parent_or_root(node);
        let mut ancestor = parent;
        while ancestor != 0 && !content_root[ancestor] && !elements.is_block(ancestor) {
            ancestor = page.parent_or_root(ancestor);
        }
        if content_root[parent] || (content_root[ancestor] && in_sentence[node]) {
            is_noise[node] = false;
        }
    }
    below(page, &is_noise)
}

/// Return which nodes stand in a paragraph with a period or comma: a run of nodes without
/// the border of a block between them.
fn in_sentences(page: &Page, elements: &Elements) -> Vec<bool> {
    let mut in_sentence = vec![false; page.len()];
    let mut open: Vec<usize> = Vec::new();
    let (mut start, mut marks) = (0, 0);
    let mut end_paragraph = |start: usize, stop: usize, marks: i32| {
        in_sentence[start..stop].fill(marks > 0);
    };
    for node in 0..page.len() {
        let mut is_border = elements.is_block(node);
        while open.last().is_some_and(|&end| end <= node) {
            open.pop();
            is_border = true;
        }
        if is_border {
            end_paragraph(start, node, marks);
            (start, marks) = (node, 0);
        }
        if elements.is_block(node) {
            open.push(page.end[node] as usize);
        }
        marks += elements.own_punc_num[node];
    }
    end_paragraph(start, page.len(), marks);
    in_sentence
}

/// Return which nodes are one of `roots` or lie under one.
fn below(page: &Page, roots: &[bool]) -> Vec<bool> {
    let mut until = 0;
    let is_inside = roots.iter().enumerate().map(|(node, &is_root)| {
        if is_root {
            until = until.max(page.end[node] as usize);
        }
        node < until
    });
    is_inside.collect()
}

fn sums(values: &[i32]) -> Vec<i64> {
    let mut sum = 0;
    let running = values.iter().map(|&value| {
        sum += i64::from(value);
        sum
    });
    std::iter::once(0).chain(running).collect()
}
