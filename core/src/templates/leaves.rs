//! Which nodes of a page hold something for a reader: its images and texts (the reference:
//! `templates/matching/page_texts.py`).

use std::ops::Range;

use crate::page::{Page, TEXT};
use crate::templates::forms::{length, Forms};
use crate::text::plain::push_collapsed;
use crate::text::tables::TextTables;

/// Bits of a tag.
const DROPPED: u8 = 1;
const NOT_IN_PROSE: u8 = 1 << 1;
pub const LINK: u8 = 1 << 2;
pub const IMAGE: u8 = 1 << 3;
pub const BASE: u8 = 1 << 4;

/// A text that is not blank.
struct Written {
    node: usize,
    /// Where it is among all texts with white space collapsed.
    at: Range<usize>,
}

/// An element whose words run on through formatting and links: one text.
struct Prose {
    /// Its first own text, which stands for all.
    first: usize,
    element: usize,
}

pub struct Leaves<'p> {
    page: &'p Page<'p>,
    forms: &'p Forms<'p>,
    /// For every node whether it is an image or a meaningful text.
    pub is_leaf: Vec<bool>,
    collapsed: Vec<u8>,
    written: Vec<Written>,
    prose: Vec<Prose>,
}

impl<'p> Leaves<'p> {
    pub fn new(page: &'p Page<'p>, tables: &TextTables, forms: &'p Forms<'p>) -> Option<Leaves<'p>> {
        let mut leaves = Leaves {
            page,
            forms,
            is_leaf: vec![false; page.len()],
            collapsed: Vec::new(),
            written: Vec::new(),
            prose: Vec::new(),
        };
        leaves.find(tables)?;
        leaves.join_prose(tables)?;
        Some(leaves)
    }

    /// Write the text of every leaf that is one to `out`, each with a zero behind it, and give
    /// it to `each`.
    pub fn write_texts(&self, out: &mut Vec<u8>, mut each: impl FnMut(&str) -> Option<()>) -> Option<()> {
        let mut prose = self.prose.iter().peekable();
        for (number, written) in self.written.iter().enumerate() {
            if !self.is_leaf[written.node] {
                continue;
            }
            let start = out.len();
            match prose.next_if(|prose| prose.first == written.node) {
                Some(prose) => {
                    let end = self.page.end[prose.element] as usize;
                    let first = self.written.partition_point(|other| other.node < prose.element);
                    let inside = self.written[first..].iter().take_while(|other| other.node < end);
                    for (position, other) in inside.enumerate() {
                        if position > 0 {
                            out.push(b' ');
                        }
                        out.extend_from_slice(&self.collapsed[other.at.clone()]);
                    }
                }
                None => out.extend_from_slice(&self.collapsed[self.written[number].at.clone()]),
            }
            each(std::str::from_utf8(&out[start..]).ok()?)?;
            out.push(0);
        }
        Some(())
    }

    fn find(&mut self, tables: &TextTables) -> Option<()> {
        let page = self.page;
        let mut dropped_until = 0;
        for (node, &tag) in page.tag.iter().enumerate() {
            let bits = tables.tag(tag);
            if bits & DROPPED != 0 {
                dropped_until = dropped_until.max(page.end[node] as usize);
            }
            if node < dropped_until {
                continue;
            }
            if tag != TEXT {
                self.is_leaf[node] = bits & IMAGE != 0;
                continue;
            }
            let text = page.text(node);
            let start = self.collapsed.len();
            push_collapsed(&mut self.collapsed, text, &tables.characters);
            let at = start..self.collapsed.len();
            if at.is_empty() && !text.is_empty() {
                continue;
            }
            let text = std::str::from_utf8(&self.collapsed[at.clone()]).ok()?;
            self.is_leaf[node] = self.forms.is_meaningful(text);
            self.written.push(Written { node, at });
        }
        Some(())
    }

    /// Make one text of every element whose words run on.
    fn join_prose(&mut self, tables: &TextTables) -> Option<()> {
        for element in self.mixed_elements(tables) {
            if let Some(first) = self.prose_of(element)? {
                let end = self.page.end[element] as usize;
                self.is_leaf[element..end].fill(false);
                self.is_leaf[first] = true;
                self.prose.push(Prose { first, element });
            }
        }
        Some(())
    }

    /// Return the first own text of an element whose words run on; none for another.
    fn prose_of(&self, element: usize) -> Option<Option<usize>> {
        let end = self.page.end[element] as usize;
        let mut first = None;
        let mut own_texts = 0;
        let mut own_length = 0;
        let mut joins = 0;
        let mut before = "";
        let mut child = element + 1;
        while child < end {
            let child_end = self.page.end[child] as usize;
            if self.page.tag[child] == TEXT {
                before = self.text_of(child)?;
                if self.is_leaf[child] {
                    first = first.or(Some(child));
                    own_texts += 1;
                    own_length += length(before);
                }
            } else if self.is_leaf[child..child_end].contains(&true) {
                joins += usize::from(self.forms.runs_on(before));
                before = "";
            }
            child = child_end;
        }
        let is_prose = joins > 0 && own_texts > 1 && own_length >= self.forms.bounds.min_prose;
        Some(first.filter(|_| is_prose))
    }

    /// Return the text of a node, empty where it is blank.
    fn text_of(&self, node: usize) -> Option<&str> {
        let found = self.written.binary_search_by_key(&node, |written| written.node);
        let at = found.map_or(0..0, |number| self.written[number].at.clone());
        std::str::from_utf8(&self.collapsed[at]).ok()
    }

    /// Return elements with several texts of their own and leaves in other elements between
    /// them, but no block in them.
    fn mixed_elements(&self, tables: &TextTables) -> Vec<usize> {
        let page = self.page;
        let mut own_texts = vec![0u32; page.len()];
        let mut leaves_before = Vec::with_capacity(page.len() + 1);
        let mut blocks_before = Vec::with_capacity(page.len() + 1);
        let (mut leaves, mut blocks) = (0u32, 0u32);
        for (node, &tag) in page.tag.iter().enumerate() {
            leaves_before.push(leaves);
            blocks_before.push(blocks);
            leaves += u32::from(self.is_leaf[node]);
            blocks += u32::from(tables.tag(tag) & NOT_IN_PROSE != 0);
            if tag == TEXT && self.is_leaf[node] {
                own_texts[page.parent_or_root(node)] += 1;
            }
        }
        leaves_before.push(leaves);
        blocks_before.push(blocks);

        let is_mixed = |&element: &usize| {
            let end = page.end[element] as usize;
            let inside = leaves_before[end] - leaves_before[element];
            let has_block = blocks_before[end] != blocks_before[element + 1];
            own_texts[element] > 1 && inside > own_texts[element] && !has_block
        };
        (0..page.len()).filter(is_mixed).collect()
    }
}
