//! Active formatting elements: `<b>`, `<i>`, `<a>` and their like, which are opened again
//! where the end of another element cut them.

use super::{Builder, MOST_FORMATTING};
use crate::dom::{NodeId, NONE};

/// Times that the adoption agency goes round, by the standard.
const ADOPTION_ROUNDS: usize = 8;
/// Formatting elements between a block and the one that ends which stay formatting, by
/// the standard.
const ADOPTED: usize = 3;
/// Like elements that are active at once, by the standard.
const MOST_ALIKE: usize = 3;

impl Builder<'_> {
    /// Make the current element an active formatting element.
    pub fn add_formatting(&mut self, id: NodeId) {
        let mut alike = 0;
        let mut earliest = 0;
        for (index, &entry) in self.formatting.iter().enumerate().rev() {
            if entry == NONE {
                break;
            }
            if self.is_alike(entry, id) {
                alike += 1;
                earliest = index;
            }
        }
        if alike >= MOST_ALIKE {
            self.formatting.remove(earliest);
        }
        self.formatting.push(id);
        self.is_declined |= self.formatting.len() > MOST_FORMATTING;
    }

    /// Return whether two elements have the same tag and attributes. The order counts, as
    /// the reference.
    fn is_alike(&self, one: NodeId, other: NodeId) -> bool {
        if self.dom.node(one).tag != self.dom.node(other).tag {
            return false;
        }
        let ones = self.dom.attributes_of(one);
        let others = self.dom.attributes_of(other);
        let mut pairs = ones.iter().zip(others);
        ones.len() == others.len()
            && pairs.all(|(one, other)| {
                one.name == other.name
                    && self.tokenizer.bytes(one.value) == self.tokenizer.bytes(other.value)
            })
    }

    pub fn add_marker(&mut self) {
        self.formatting.push(NONE);
        self.is_declined |= self.formatting.len() > MOST_FORMATTING;
    }

    pub fn clear_to_marker(&mut self) {
        while let Some(entry) = self.formatting.pop() {
            if entry == NONE {
                return;
            }
        }
    }

    fn formatting_index(&self, id: NodeId) -> Option<usize> {
        self.formatting.iter().rposition(|&entry| entry == id)
    }

    /// Return the last active formatting element of a tag, after the last marker.
    pub fn active_formatting(&self, tag: u32) -> Option<NodeId> {
        let active = self.formatting.iter().rev().take_while(|&&entry| entry != NONE);
        active.copied().find(|&entry| self.dom.node(entry).tag == tag)
    }

    pub fn remove_formatting(&mut self, id: NodeId) {
        if let Some(index) = self.formatting_index(id) {
            self.formatting.remove(index);
        }
    }

    /// Open the active formatting elements again that are not open any more.
    pub fn reconstruct(&mut self) {
        let is_there = |entry: NodeId| entry == NONE || self.dom.node(entry).is_open;
        let closed = self.formatting.iter().rev().take_while(|&&entry| !is_there(entry));
        let first = self.formatting.len() - closed.count();
        for index in first..self.formatting.len() {
            let clone = self.dom.clone_element(self.formatting[index]);
            self.dom.insert(self.place(), clone);
            self.push(clone);
            self.formatting[index] = clone;
        }
    }

    /// The adoption agency: the end tag of a formatting element that is not the current
    /// one. Return false where the tag is to be taken as any other end tag.
    pub fn adopt(&mut self, tag: u32) -> bool {
        let current = self.current();
        if self.current_tag() == tag && self.formatting_index(current).is_none() {
            self.pop();
            return true;
        }
        for _ in 0..ADOPTION_ROUNDS {
            let Some(element) = self.active_formatting(tag) else {
                return false;
            };
            let Some(element_index) = self.open_index(element) else {
                self.remove_formatting(element);
                return true;
            };
            if !self.has_node_in_scope(element) {
                return true;
            }
            let above = &self.open[element_index + 1..];
            let Some(offset) = above.iter().position(|open| open.is_special) else {
                while self.open.len() > element_index {
                    self.pop();
                }
                self.remove_formatting(element);
                return true;
            };
            self.adopt_block(element, element_index, element_index + 1 + offset);
        }
        true
    }

    /// Take a block out of the formatting element that it is in, and put a copy of that
    /// around what is in the block.
    fn adopt_block(&mut self, element: NodeId, element_index: usize, block_index: usize) {
        let block = self.open[block_index].id;
        let common_ancestor = self.open[element_index - 1].id;
        let mut bookmark = self.formatting_index(element).unwrap_or(0);
        let mut last = block;
        for (distance, index) in (element_index + 1..block_index).rev().enumerate() {
            let node = self.open[index].id;
            let mut listed = self.formatting_index(node);
            if let Some(position) = listed.filter(|_| distance >= ADOPTED) {
                self.formatting.remove(position);
                bookmark -= usize::from(position < bookmark);
                listed = None;
            }
            let Some(position) = listed else {
                self.remove_open(index);
                continue;
            };
            let clone = self.dom.clone_element(node);
            self.formatting[position] = clone;
            self.replace_open(index, clone);
            if last == block {
                bookmark = position + 1;
            }
            self.dom.remove(last);
            self.dom.append(clone, last);
            last = clone;
        }
        self.dom.remove(last);
        self.dom.insert(self.place_in(common_ancestor), last);

        let clone = self.dom.clone_element(element);
        self.dom.move_children(block, clone);
        self.dom.append(block, clone);
        if let Some(position) = self.formatting_index(element) {
            bookmark -= usize::from(position < bookmark);
            self.formatting.remove(position);
        }
        self.formatting.insert(bookmark.min(self.formatting.len()), clone);
        if let Some(index) = self.open_index(element) {
            self.remove_open(index);
        }
        if let Some(index) = self.open_index(block) {
            self.insert_open(index + 1, clone);
        }
    }
}
