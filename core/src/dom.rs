//! The document under construction: nodes in an arena, linked by number.

use crate::tokenizer::{Attribute, Span, Tokenizer};

pub type NodeId = u32;
pub const NONE: NodeId = u32::MAX;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Element,
    Text,
    /// A comment, or something that a tree leaves out as it does comments.
    Comment,
    /// What is in a `<template>`; the document itself is of this kind, too.
    Fragment,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Namespace {
    Html,
    Svg,
    MathMl,
}

/// The text of a node: a part of the input or pool, or one that has grown.
#[derive(Clone, Copy, Debug)]
pub enum Text {
    Span(Span),
    Merged(u32),
}

#[derive(Clone, Copy, Debug)]
pub struct Node {
    pub kind: Kind,
    pub namespace: Namespace,
    pub tag: u32,
    pub parent: NodeId,
    pub first_child: NodeId,
    pub last_child: NodeId,
    pub previous: NodeId,
    pub next: NodeId,
    /// Whether the element is on the stack of open elements.
    pub is_open: bool,
    /// Of an element: its part of `Dom::attributes`.
    pub attributes: (u32, u32),
    pub text: Text,
}

pub struct Dom {
    pub nodes: Vec<Node>,
    pub attributes: Vec<Attribute>,
    /// Texts that were put together from several tokens.
    pub merged: Vec<Vec<u8>>,
}

pub const DOCUMENT: NodeId = 0;

impl Dom {
    /// Return an empty document, for as many nodes and attributes as are expected.
    pub fn expecting(nodes: usize) -> Dom {
        let mut dom = Dom {
            nodes: Vec::with_capacity(nodes),
            attributes: Vec::with_capacity(nodes),
            merged: Vec::new(),
        };
        dom.add(Kind::Fragment);
        dom
    }

    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id as usize]
    }

    pub fn add(&mut self, kind: Kind) -> NodeId {
        let nothing = Span {
            start: 0,
            len: 0,
            in_pool: false,
        };
        self.nodes.push(Node {
            kind,
            namespace: Namespace::Html,
            tag: 0,
            parent: NONE,
            first_child: NONE,
            last_child: NONE,
            previous: NONE,
            next: NONE,
            is_open: false,
            attributes: (0, 0),
            text: Text::Span(nothing),
        });
        self.nodes.len() as NodeId - 1
    }

    pub fn add_element(&mut self, tag: u32, namespace: Namespace) -> NodeId {
        let id = self.add(Kind::Element);
        let node = self.node_mut(id);
        node.tag = tag;
        node.namespace = namespace;
        id
    }

    /// Add an element like another: its tag and attributes, without what is in it.
    pub fn clone_element(&mut self, of: NodeId) -> NodeId {
        let original = *self.node(of);
        let id = self.add_element(original.tag, original.namespace);
        self.node_mut(id).attributes = original.attributes;
        id
    }

    pub fn set_attributes(&mut self, id: NodeId, attributes: &[Attribute]) {
        let start = self.attributes.len() as u32;
        self.attributes.extend_from_slice(attributes);
        self.node_mut(id).attributes = (start, self.attributes.len() as u32);
    }

    pub fn attributes_of(&self, id: NodeId) -> &[Attribute] {
        let (start, end) = self.node(id).attributes;
        &self.attributes[start as usize..end as usize]
    }

    pub fn append(&mut self, parent: NodeId, id: NodeId) {
        let last = self.node(parent).last_child;
        let node = self.node_mut(id);
        node.parent = parent;
        node.previous = last;
        node.next = NONE;
        match last {
            NONE => self.node_mut(parent).first_child = id,
            _ => self.node_mut(last).next = id,
        }
        self.node_mut(parent).last_child = id;
    }

    /// Insert before a child of the parent, or at the end where that is `NONE`.
    pub fn insert(&mut self, place: Place, id: NodeId) {
        if place.before == NONE {
            return self.append(place.parent, id);
        }
        let previous = self.node(place.before).previous;
        let node = self.node_mut(id);
        node.parent = place.parent;
        node.previous = previous;
        node.next = place.before;
        self.node_mut(place.before).previous = id;
        match previous {
            NONE => self.node_mut(place.parent).first_child = id,
            _ => self.node_mut(previous).next = id,
        }
    }

    pub fn remove(&mut self, id: NodeId) {
        let Node {
            parent,
            previous,
            next,
            ..
        } = *self.node(id);
        if parent == NONE {
            return;
        }
        match previous {
            NONE => self.node_mut(parent).first_child = next,
            _ => self.node_mut(previous).next = next,
        }
        match next {
            NONE => self.node_mut(parent).last_child = previous,
            _ => self.node_mut(next).previous = previous,
        }
        let node = self.node_mut(id);
        node.parent = NONE;
        node.previous = NONE;
        node.next = NONE;
    }

    pub fn move_children(&mut self, from: NodeId, to: NodeId) {
        let mut child = self.node(from).first_child;
        while child != NONE {
            let next = self.node(child).next;
            self.append(to, child);
            child = next;
        }
        let node = self.node_mut(from);
        node.first_child = NONE;
        node.last_child = NONE;
    }

    /// Insert text, at the end of the text that is there if there is one.
    pub fn insert_text(&mut self, place: Place, span: Span, tokenizer: &Tokenizer) {
        let before = match place.before {
            NONE => self.node(place.parent).last_child,
            next => self.node(next).previous,
        };
        if before != NONE && self.node(before).kind == Kind::Text {
            return self.extend_text(before, span, tokenizer);
        }
        let id = self.add(Kind::Text);
        self.node_mut(id).text = Text::Span(span);
        self.insert(place, id);
    }

    fn extend_text(&mut self, id: NodeId, span: Span, tokenizer: &Tokenizer) {
        let index = match self.node(id).text {
            Text::Merged(index) => index,
            Text::Span(first) => {
                self.merged.push(tokenizer.bytes(first).to_vec());
                let index = self.merged.len() as u32 - 1;
                self.node_mut(id).text = Text::Merged(index);
                index
            }
        };
        self.merged[index as usize].extend_from_slice(tokenizer.bytes(span));
    }

    pub fn text<'t>(&'t self, id: NodeId, tokenizer: &'t Tokenizer) -> &'t [u8] {
        match self.node(id).text {
            Text::Span(span) => tokenizer.bytes(span),
            Text::Merged(index) => &self.merged[index as usize],
        }
    }

    pub fn child_with_tag(&self, parent: NodeId, tag: u32) -> Option<NodeId> {
        let mut child = self.node(parent).first_child;
        while child != NONE {
            let node = self.node(child);
            if node.kind == Kind::Element && node.tag == tag {
                return Some(child);
            }
            child = node.next;
        }
        None
    }
}

/// Where a node is inserted.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub parent: NodeId,
    pub before: NodeId,
}
