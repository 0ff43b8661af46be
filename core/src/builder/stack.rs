//! The stack of open elements, and what is in scope on it.

use super::{has, Builder, MOST_OPEN};
use crate::categories::{FORMATTING, IMPLIED_END, SCOPING, SPECIAL};
use crate::dom::{Namespace, NodeId, DOCUMENT};
use crate::tables::tag;

#[derive(Clone, Copy, Debug)]
pub struct Open {
    pub id: NodeId,
    pub tag: u32,
    pub namespace: Namespace,
    pub is_special: bool,
    pub is_scoping: bool,
}

impl Open {
    pub fn is_html(&self, tag: u32) -> bool {
        self.tag == tag && self.namespace == Namespace::Html
    }
}

impl Builder<'_> {
    fn open_entry(&self, id: NodeId) -> Open {
        let node = self.dom.node(id);
        let (is_special, is_scoping) = match node.namespace {
            Namespace::Html => (has(node.tag, SPECIAL), has(node.tag, SCOPING)),
            namespace => {
                let is_boundary = is_foreign_boundary(node.tag, namespace);
                (is_boundary, is_boundary)
            }
        };
        Open {
            id,
            tag: node.tag,
            namespace: node.namespace,
            is_special,
            is_scoping,
        }
    }

    pub fn push(&mut self, id: NodeId) {
        self.insert_open(self.open.len(), id);
    }

    pub fn insert_open(&mut self, index: usize, id: NodeId) {
        let entry = self.open_entry(id);
        self.open_paragraphs += usize::from(entry.is_html(tag::P));
        self.dom.node_mut(id).is_open = true;
        self.open.insert(index, entry);
        self.is_declined |= self.open.len() > MOST_OPEN;
    }

    pub fn pop(&mut self) {
        if let Some(entry) = self.open.pop() {
            self.close(entry);
        }
    }

    pub fn remove_open(&mut self, index: usize) {
        let entry = self.open.remove(index);
        self.close(entry);
    }

    pub fn replace_open(&mut self, index: usize, id: NodeId) {
        self.close(self.open[index]);
        self.open[index] = self.open_entry(id);
        self.open_paragraphs += usize::from(self.open[index].is_html(tag::P));
        self.dom.node_mut(id).is_open = true;
    }

    fn close(&mut self, entry: Open) {
        self.dom.node_mut(entry.id).is_open = false;
        self.open_paragraphs -= usize::from(entry.is_html(tag::P));
    }

    pub fn current(&self) -> NodeId {
        self.open.last().map_or(DOCUMENT, |open| open.id)
    }

    pub fn current_tag(&self) -> u32 {
        self.open.last().map_or(0, |open| open.tag)
    }

    pub fn current_namespace(&self) -> Namespace {
        self.open.last().map_or(Namespace::Html, |open| open.namespace)
    }

    pub fn open_index(&self, id: NodeId) -> Option<usize> {
        if !self.dom.node(id).is_open {
            return None;
        }
        self.open.iter().rposition(|open| open.id == id)
    }

    /// Return whether an element of the tag is open, of whatever namespace.
    pub fn is_tag_open(&self, tag: u32) -> bool {
        self.open.iter().any(|open| open.tag == tag)
    }

    pub fn has_in_scope(&self, tag: u32) -> bool {
        self.has_up_to(|open| open.is_html(tag), |open| open.is_scoping)
    }

    pub fn has_node_in_scope(&self, id: NodeId) -> bool {
        self.has_up_to(|open| open.id == id, |open| open.is_scoping)
    }

    pub fn has_in_list_scope(&self, tag: u32) -> bool {
        let ends = |open: &Open| {
            open.is_scoping || open.is_html(tag::OL) || open.is_html(tag::UL)
        };
        self.has_up_to(|open| open.is_html(tag), ends)
    }

    pub fn has_in_table_scope(&self, tag: u32) -> bool {
        let ends = |open: &Open| {
            let is_boundary = matches!(open.tag, tag::TABLE | tag::TEMPLATE | tag::HTML);
            is_boundary && open.namespace == Namespace::Html
        };
        self.has_up_to(|open| open.is_html(tag), ends)
    }

    fn has_paragraph_in_button_scope(&self) -> bool {
        let ends = |open: &Open| open.is_scoping || open.is_html(tag::BUTTON);
        self.open_paragraphs > 0 && self.has_up_to(|open| open.is_html(tag::P), ends)
    }

    /// Return whether an open element is wanted before one that ends the search.
    pub fn has_up_to(
        &self,
        wanted: impl Fn(&Open) -> bool,
        ends: impl Fn(&Open) -> bool,
    ) -> bool {
        for open in self.open.iter().rev() {
            if wanted(open) {
                return true;
            }
            if ends(open) {
                return false;
            }
        }
        false
    }

    /// Pop elements through the nearest of the tag.
    pub fn pop_until(&mut self, tag: u32) {
        while let Some(&open) = self.open.last() {
            self.pop();
            if open.is_html(tag) {
                return;
            }
        }
    }

    /// Pop elements while their end tag may be left out; 0 excepts none.
    pub fn imply_end_tags(&mut self, except: u32) {
        while has(self.current_tag(), IMPLIED_END) && self.current_tag() != except {
            self.pop();
        }
    }

    /// End the paragraph that is open in button scope; return whether there was one.
    pub fn end_paragraph(&mut self) -> bool {
        let is_open = self.has_paragraph_in_button_scope();
        if is_open {
            self.imply_end_tags(tag::P);
            self.pop_until(tag::P);
        }
        is_open
    }

    /// Pop elements down to one of the tags, or to what holds it.
    pub fn clear_to(&mut self, tags: &[u32]) {
        while let Some(open) = self.open.last() {
            let stops = tags.contains(&open.tag)
                || matches!(open.tag, tag::HTML | tag::TEMPLATE);
            if stops && open.namespace == Namespace::Html {
                return;
            }
            self.pop();
        }
    }

    /// Pop elements through the nearest of the tag, unless a special one is nearer.
    pub fn end_any_other(&mut self, tag: u32) {
        for index in (0..self.open.len()).rev() {
            let open = self.open[index];
            if open.is_html(tag) {
                self.imply_end_tags(tag);
                while self.open.len() > index {
                    self.pop();
                }
                return;
            }
            if open.is_special {
                return;
            }
        }
    }
}

/// Return whether an element of SVG or MathML is one in which HTML may stand.
pub fn is_foreign_boundary(tag: u32, namespace: Namespace) -> bool {
    use tag::*;
    match namespace {
        Namespace::Html => false,
        Namespace::MathMl => matches!(tag, MI | MO | MN | MS | MTEXT | ANNOTATION_XML),
        Namespace::Svg => matches!(tag, FOREIGNOBJECT | DESC | TITLE),
    }
}

/// Return whether the tag is one of those that are opened again where they were cut.
pub fn is_formatting(tag: u32) -> bool {
    has(tag, FORMATTING)
}
