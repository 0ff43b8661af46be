//! The readable text of a page, split into blocks (the reference: `blocks.py`).

use crate::learned::tables::{Tables, BLOCK, BREAKING, UNREAD};
use crate::page::{Page, TEXT};

/// The blocks of a page in document order, as `Blocks` in Python.
#[derive(Default)]
pub struct Outline {
    /// The text nodes that are not blank.
    pub nodes: Vec<i32>,
    /// The block of each of `nodes`.
    pub block_of: Vec<i32>,
    /// The position in `nodes` where each block begins.
    pub first: Vec<i32>,
    /// The deepest block-level element around each block.
    pub container: Vec<i32>,
}

impl Outline {
    /// Return the outline of a page.
    pub fn new(page: &Page, tables: &Tables) -> Outline {
        let mut outline = Outline::default();
        let mut unread_until = 0;
        let mut borders = Borders::default();
        let mut last_border = 0;
        let mut containers: Vec<(usize, i32)> = Vec::new();
        for (node, &tag) in page.tag.iter().enumerate() {
            let end = page.end[node] as usize;
            borders.pass(node);
            while containers.last().is_some_and(|&(end, _)| end <= node) {
                containers.pop();
            }
            if tag != TEXT {
                let bits = tables.tag(tag);
                if bits & UNREAD != 0 && node >= unread_until {
                    unread_until = end;
                }
                if bits & BREAKING != 0 {
                    borders.begin(end);
                }
                if bits & BLOCK != 0 {
                    containers.push((end, node as i32));
                }
                continue;
            }
            if node < unread_until || tables.characters.is_all_blank(page.text(node)) {
                continue;
            }
            if outline.nodes.is_empty() || borders.count != last_border {
                let container = containers.last().map_or(0, |&(_, element)| element);
                outline.first.push(outline.nodes.len() as i32);
                outline.container.push(container);
            }
            last_border = borders.count;
            outline.nodes.push(node as i32);
            outline.block_of.push(outline.first.len() as i32 - 1);
        }
        outline
    }

    pub fn len(&self) -> usize {
        self.first.len()
    }

    pub fn first_node(&self, block: usize) -> usize {
        self.nodes[self.first[block] as usize] as usize
    }

    /// Return the text nodes of a block.
    pub fn nodes_of(&self, block: usize) -> &[i32] {
        let start = self.first[block] as usize;
        let stop = self.first.get(block + 1);
        let stop = stop.map_or(self.nodes.len(), |&first| first as usize);
        &self.nodes[start..stop]
    }
}

/// How many elements that break lines have begun or ended.
#[derive(Default)]
struct Borders {
    count: usize,
    open: Vec<usize>,
}

impl Borders {
    fn begin(&mut self, end: usize) {
        self.count += 1;
        self.open.push(end);
    }

    fn pass(&mut self, node: usize) {
        while self.open.last().is_some_and(|&end| end <= node) {
            self.open.pop();
            self.count += 1;
        }
    }
}
