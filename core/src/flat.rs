//! The document as the arrays of a tree, in one block of bytes.
//!
//! A header of `HEADER` numbers of 32 bits, then parents, ends, depths, how many text nodes
//! stand before each node, the elements and names of attributes, and where the texts of text nodes and the values of attributes end
//! (32 bits each), tags (16 bits each), and four texts whose parts are separated by zeros,
//! which no part has: texts of text nodes, values of attributes, names of attributes, tag
//! names beyond the known ones. `page` reads it again.

use crate::builder::{adjusted_element, Builder};
use crate::dom::{Kind, Namespace, NodeId, NONE};
use crate::tables::{tag, KNOWN};

/// Numbers at the start of a block: nodes, attributes, text nodes, greatest depth, whether
/// nodes were cut, the longest text but for scripts and style sheets, and the lengths of the
/// four texts.
pub const HEADER: usize = 10;

/// The largest tag code; names beyond it share it, as the reference.
const LAST_CODE: u32 = 32_000;

/// The arrays of a document, and what `block` is written of.
#[derive(Default)]
pub struct Flat {
    parent: Vec<i32>,
    end: Vec<i32>,
    depth: Vec<i32>,
    texts_before: Vec<i32>,
    tag: Vec<i16>,
    attribute_node: Vec<i32>,
    attribute_name: Vec<i32>,
    text_end: Vec<i32>,
    value_end: Vec<i32>,
    texts: Vec<u8>,
    values: Vec<u8>,
    names: Vec<u8>,
    extra_names: Vec<u8>,
    deepest: i32,
    longest_text: usize,
    is_cut: bool,
}

/// Return the document below `root`, at most `max_nodes` of its nodes; None where its texts
/// are not in UTF-8.
pub fn flatten(builder: &Builder, root: NodeId, max_nodes: usize) -> Option<Flat> {
    let mut walk = Walk::new(builder, root, max_nodes);
    walk.run();
    for id in 0..builder.tokenizer.attribute_names.len() {
        push_part(&mut walk.flat.names, builder.tokenizer.attribute_names.get(id as u32));
    }
    std::str::from_utf8(&walk.flat.texts).ok()?;
    std::str::from_utf8(&walk.flat.values).ok()?;
    Some(walk.flat)
}

struct Walk<'b> {
    builder: &'b Builder<'b>,
    flat: Flat,
    root: NodeId,
    max_nodes: usize,
    /// Nodes met so far, also those that a tree leaves out.
    met: usize,
    /// Nodes of the tree that are not ended.
    open: Vec<i32>,
    /// By name of the builder, the code in this tree; 0 where it has none yet.
    codes: Vec<u32>,
    extra_codes: u32,
    /// The content of templates within which the walk is.
    fragments: usize,
}

impl<'b> Walk<'b> {
    fn new(builder: &'b Builder, root: NodeId, max_nodes: usize) -> Walk<'b> {
        let mut flat = Flat::default();
        let nodes = builder.dom.nodes.len();
        flat.parent.reserve(nodes);
        flat.end.reserve(nodes);
        flat.depth.reserve(nodes);
        flat.texts_before.reserve(nodes);
        flat.tag.reserve(nodes);
        flat.text_end.reserve(nodes);
        flat.texts.reserve(builder.tokenizer.input.len() / 2);
        flat.values.reserve(builder.tokenizer.input.len() / 2);
        Walk {
            builder,
            flat,
            root,
            max_nodes,
            met: 0,
            open: Vec::new(),
            codes: vec![0; 2 * builder.tokenizer.tag_names.len()],
            extra_codes: 0,
            fragments: 0,
        }
    }

    fn run(&mut self) {
        let dom = &self.builder.dom;
        let mut id = self.root;
        loop {
            if !self.enter(id) {
                break;
            }
            let child = dom.node(id).first_child;
            if child != NONE {
                id = child;
                continue;
            }
            loop {
                self.leave(id);
                if id == self.root {
                    return;
                }
                let node = dom.node(id);
                if node.next != NONE {
                    id = node.next;
                    break;
                }
                id = node.parent;
            }
        }
        let size = self.flat.tag.len() as i32;
        for &open in &self.open {
            self.flat.end[open as usize] = size;
        }
    }

    /// Take a node; return false where there may be no more.
    fn enter(&mut self, id: NodeId) -> bool {
        let node = self.builder.dom.node(id);
        let code = match node.kind {
            Kind::Element => self.code(node.tag, node.namespace),
            _ => 0,
        };
        if self.met == self.max_nodes {
            self.flat.is_cut = true;
            return false;
        }
        self.met += 1;
        match node.kind {
            Kind::Fragment => self.fragments += 1,
            Kind::Element if self.fragments == 0 => {
                self.add(code);
                self.add_attributes(id);
            }
            Kind::Text if self.fragments == 0 => {
                let text = self.builder.dom.text(id, &self.builder.tokenizer);
                if !self.is_in_script() {
                    self.flat.longest_text = self.flat.longest_text.max(text.len());
                }
                self.add(0);
                self.flat.text_end.push((self.flat.texts.len() + text.len()) as i32);
                push_part(&mut self.flat.texts, text);
            }
            _ => {}
        }
        true
    }

    fn add(&mut self, code: u32) {
        let flat = &mut self.flat;
        let index = flat.tag.len() as i32;
        let depth = self.open.len() as i32;
        flat.parent.push(self.open.last().copied().unwrap_or(-1));
        flat.end.push(index + 1);
        flat.depth.push(depth);
        flat.texts_before.push(flat.text_end.len() as i32);
        flat.tag.push(code.min(LAST_CODE) as i16);
        flat.deepest = flat.deepest.max(depth);
        if code != 0 {
            self.open.push(index);
        }
    }

    /// Return whether the walk is in a script or style sheet.
    fn is_in_script(&self) -> bool {
        let parent = self.open.last().map_or(0, |&parent| self.flat.tag[parent as usize]);
        [tag::SCRIPT, tag::STYLE].contains(&(parent as u32))
    }

    fn add_attributes(&mut self, id: NodeId) {
        let node = self.flat.tag.len() as i32 - 1;
        for attribute in self.builder.dom.attributes_of(id) {
            self.flat.attribute_node.push(node);
            self.flat.attribute_name.push(attribute.name as i32);
            let value = self.builder.tokenizer.bytes(attribute.value);
            let end = self.flat.values.len() + value.len();
            self.flat.value_end.push(end as i32);
            push_part(&mut self.flat.values, value);
        }
    }

    fn leave(&mut self, id: NodeId) {
        match self.builder.dom.node(id).kind {
            Kind::Fragment => self.fragments -= 1,
            Kind::Element if self.fragments == 0 => {
                if let Some(index) = self.open.pop() {
                    self.flat.end[index as usize] = self.flat.tag.len() as i32;
                }
            }
            _ => {}
        }
    }

    /// Return the code of a tag name.
    fn code(&mut self, tag: u32, namespace: Namespace) -> u32 {
        let is_svg = namespace == Namespace::Svg;
        let slot = 2 * tag as usize + usize::from(is_svg);
        if self.codes[slot] == 0 {
            let names = &self.builder.tokenizer.tag_names;
            self.codes[slot] = match adjusted_element(names.get(tag)) {
                Some(adjusted) if is_svg => self.extra_code(adjusted.as_bytes()),
                _ if tag < KNOWN => tag,
                _ if is_svg => self.code(tag, Namespace::Html),
                _ => self.extra_code(names.get(tag)),
            };
        }
        self.codes[slot]
    }

    /// Number a name beyond the known ones, in the order of the page.
    fn extra_code(&mut self, name: &[u8]) -> u32 {
        push_part(&mut self.flat.extra_names, name);
        self.extra_codes += 1;
        KNOWN + self.extra_codes - 1
    }
}

/// Add a part to a text, with the zero that ends it.
fn push_part(text: &mut Vec<u8>, part: &[u8]) {
    text.extend_from_slice(part);
    text.push(0);
}

impl Flat {
    /// Return how many bytes the block has.
    pub fn size(&self) -> usize {
        4 * HEADER
            + self.columns().iter().map(|column| 4 * column.len()).sum::<usize>()
            + 2 * self.tag.len()
            + self.parts().iter().map(|text| text.len()).sum::<usize>()
    }

    /// Write the block into as many bytes as it has.
    pub fn write(&self, block: &mut [u8]) {
        let mut rest = block;
        let [texts, values, names, extra_names] = self.parts().map(<[u8]>::len);
        let header: [usize; HEADER] = [
            self.tag.len(),
            self.attribute_node.len(),
            self.text_end.len(),
            self.deepest as usize,
            usize::from(self.is_cut),
            self.longest_text,
            texts,
            values,
            names,
            extra_names,
        ];
        let header = header.map(|number| number as i32);
        write_all(&mut rest, &header, i32::to_ne_bytes);
        for column in self.columns() {
            write_all(&mut rest, column, i32::to_ne_bytes);
        }
        write_all(&mut rest, &self.tag, i16::to_ne_bytes);
        for part in self.parts() {
            take(&mut rest, part.len()).copy_from_slice(part);
        }
    }

    fn columns(&self) -> [&[i32]; 8] {
        [
            &self.parent,
            &self.end,
            &self.depth,
            &self.texts_before,
            &self.attribute_node,
            &self.attribute_name,
            &self.text_end,
            &self.value_end,
        ]
    }

    fn parts(&self) -> [&[u8]; 4] {
        [&self.texts, &self.values, &self.names, &self.extra_names]
    }
}

/// Write numbers as their bytes at the beginning of what is left.
fn write_all<T: Copy, const SIZE: usize>(
    rest: &mut &mut [u8],
    numbers: &[T],
    to_bytes: fn(T) -> [u8; SIZE],
) {
    let places = take(rest, SIZE * numbers.len()).chunks_exact_mut(SIZE);
    for (place, &number) in places.zip(numbers) {
        place.copy_from_slice(&to_bytes(number));
    }
}

/// Take so many bytes from the beginning of what is left.
fn take<'b>(rest: &mut &'b mut [u8], size: usize) -> &'b mut [u8] {
    let (taken, left) = std::mem::take(rest).split_at_mut(size);
    *rest = left;
    taken
}
