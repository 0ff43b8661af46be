//! Where nodes go: into the current element, its template content, or before the table
//! in which they may not stand.

use super::{has, part, Builder, Merged};
use crate::categories::TABLE_PART;
use crate::dom::{Kind, Namespace, NodeId, Place, NONE};
use crate::scan::is_space;
use crate::tables::tag;
use crate::tokenizer::Span;

impl Builder<'_> {
    pub fn place(&self) -> Place {
        self.place_in(self.current())
    }

    /// Return where a node goes that is to be in `target`.
    pub fn place_in(&self, target: NodeId) -> Place {
        let node = self.dom.node(target);
        if node.tag == tag::TEMPLATE && node.namespace == Namespace::Html {
            return at_end_of(node.first_child);
        }
        if self.is_fostering && has(node.tag, TABLE_PART) {
            return self.foster_place();
        }
        at_end_of(target)
    }

    fn foster_place(&self) -> Place {
        for (index, open) in self.open.iter().enumerate().rev() {
            if open.is_html(tag::TEMPLATE) {
                return at_end_of(self.dom.node(open.id).first_child);
            }
            if open.is_html(tag::TABLE) {
                let parent = self.dom.node(open.id).parent;
                if parent == NONE {
                    return at_end_of(self.open[index.saturating_sub(1)].id);
                }
                return Place {
                    parent,
                    before: open.id,
                };
            }
        }
        at_end_of(self.open[0].id)
    }

    /// Insert an element with the attributes of the last start tag, without opening it.
    pub fn insert(&mut self, tag: u32, namespace: Namespace) -> NodeId {
        self.is_declined |= tag == tag::SELECTEDCONTENT;
        let id = self.dom.add_element(tag, namespace);
        self.dom.set_attributes(id, &self.tokenizer.attributes);
        self.dom.insert(self.place(), id);
        id
    }

    pub fn insert_html(&mut self, tag: u32) -> NodeId {
        self.insert(tag, Namespace::Html)
    }

    /// Insert an element with the attributes of the last start tag, and open it.
    pub fn open_html(&mut self, tag: u32) -> NodeId {
        let id = self.insert_html(tag);
        self.push(id);
        id
    }

    /// Insert an element that no tag stands for, without opening it.
    pub fn insert_implied(&mut self, tag: u32) -> NodeId {
        let id = self.dom.add_element(tag, Namespace::Html);
        self.dom.insert(self.place(), id);
        id
    }

    pub fn open_implied(&mut self, tag: u32) -> NodeId {
        let id = self.insert_implied(tag);
        self.push(id);
        id
    }

    pub fn insert_comment(&mut self) {
        let id = self.dom.add(Kind::Comment);
        self.dom.insert(self.place(), id);
    }

    pub fn insert_comment_in(&mut self, parent: NodeId) {
        let id = self.dom.add(Kind::Comment);
        self.dom.append(parent, id);
    }

    /// Insert text without its zeros.
    pub fn insert_text(&mut self, span: Span) {
        let span = match self.has_zeros && self.tokenizer.bytes(span).contains(&0) {
            true => self.filtered(span, |byte| byte != 0),
            false => span,
        };
        if span.len > 0 {
            self.dom.insert_text(self.place(), span, &self.tokenizer);
        }
    }

    /// Insert only the white space of a text.
    pub fn insert_spaces(&mut self, span: Span) {
        let spaces = self.filtered(span, is_space);
        self.insert_text(spaces);
    }

    /// Insert the white space that a text begins with, and return the rest.
    pub fn insert_leading_spaces(&mut self, span: Span) -> Span {
        let count = self.leading_spaces(span);
        self.insert_text(part(span, 0, count));
        part(span, count, span.len)
    }

    pub fn leading_spaces(&self, span: Span) -> u32 {
        let bytes = self.tokenizer.bytes(span);
        let spaces = bytes.iter().take_while(|byte| is_space(**byte));
        spaces.count() as u32
    }

    pub fn is_space(&self, span: Span) -> bool {
        self.leading_spaces(span) == span.len
    }

    fn filtered(&mut self, span: Span, keeps: impl Fn(u8) -> bool) -> Span {
        let kept: Vec<u8> = {
            let bytes = self.tokenizer.bytes(span).iter().copied();
            bytes.filter(|byte| keeps(*byte)).collect()
        };
        let start = self.tokenizer.pool.len() as u32;
        self.tokenizer.pool.extend_from_slice(&kept);
        Span {
            start,
            len: kept.len() as u32,
            in_pool: true,
        }
    }

    /// Give an element, `<html>` or `<body>`, those attributes of the last start tag that
    /// it does not have. They are kept apart until the page ends, so that each is looked at
    /// once however many such tags there are.
    pub fn merge_attributes(&mut self, id: NodeId) {
        let known = self.merged.iter().position(|merged| merged.id == id);
        let index = known.unwrap_or_else(|| {
            let present = self.dom.attributes_of(id).iter();
            let names = present.map(|attribute| attribute.name).collect();
            self.merged.push(Merged { id, names, added: Vec::new() });
            self.merged.len() - 1
        });
        let merged = &mut self.merged[index];
        for attribute in &self.tokenizer.attributes {
            if merged.names.insert(attribute.name) {
                merged.added.push(*attribute);
            }
        }
    }

    /// Write the attributes that were kept apart.
    pub fn finish_merging(&mut self) {
        for merged in std::mem::take(&mut self.merged) {
            if !merged.added.is_empty() {
                let mut attributes = self.dom.attributes_of(merged.id).to_vec();
                attributes.extend(merged.added);
                self.dom.set_attributes(merged.id, &attributes);
            }
        }
    }
}

fn at_end_of(parent: NodeId) -> Place {
    Place {
        parent,
        before: NONE,
    }
}
