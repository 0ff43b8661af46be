//! Elements as runs of blocks, and what their tags and classes have in common (the
//! reference: `spans.py`).

use crate::hashing::{mix, Numbering};
use crate::learned::outline::Outline;
use crate::learned::tables::Settings;
use crate::page::{Page, TEXT};

const NO_ELEMENT: u32 = u32::MAX;

pub struct Elements<'p> {
    /// How many blocks begin before each node, and before the end of the page.
    pub begun: Vec<i32>,
    /// The highest element that holds the same blocks as each node.
    pub highest: Vec<i32>,
    /// The elements that have readable text below, in document order.
    pub nodes: Vec<u32>,
    /// The position in `nodes` of each node.
    position: Vec<u32>,
    /// The number of the class and of the id of each element, in `names`.
    pub classes: Vec<u32>,
    pub ids: Vec<u32>,
    /// Different classes and ids; the first is that of elements without one.
    pub names: Vec<&'p [u8]>,
    /// A number for the path of each element: its tags and first class words.
    pub path: Vec<u64>,
    /// How many siblings of each element have its tag and first class word.
    pub alike: Vec<i64>,
}

impl<'p> Elements<'p> {
    pub fn new(page: &Page<'p>, outline: &Outline, settings: &Settings) -> Elements<'p> {
        let begun = begun(page, outline);
        let highest = highest(page, &begun);
        let (nodes, position) = with_text(page, outline);
        let mut numbering = Numbering::expecting(256);
        let mut names: Vec<&'p [u8]> = vec![b""];
        numbering.number(names[0]);
        let mut numbers = |attribute: &str| {
            let mut numbers = vec![0; nodes.len()];
            for number in page.attributes(attribute) {
                let element = position[page.attribute_node[number] as usize];
                if element != NO_ELEMENT {
                    let name = beginning(page.value_bytes(number), settings.longest_name);
                    let (number, is_new) = numbering.number(name);
                    if is_new {
                        names.push(name);
                    }
                    numbers[element as usize] = number as u32;
                }
            }
            numbers
        };
        let classes = numbers("class");
        let ids = numbers("id");
        let mut elements = Elements {
            begun,
            highest,
            classes,
            ids,
            names,
            path: Vec::with_capacity(nodes.len()),
            alike: Vec::new(),
            nodes,
            position,
        };
        elements.compare(page);
        elements
    }

    /// Return the position of a node among the elements with text.
    pub fn position(&self, node: usize) -> usize {
        self.position[node] as usize
    }

    /// Return the first block of a node and one past its last.
    pub fn span(&self, page: &Page, node: usize) -> (i32, i32) {
        (self.begun[node], self.begun[page.end[node] as usize])
    }

    /// Number the kinds of elements, their paths, and like siblings.
    fn compare(&mut self, page: &Page) {
        let mut words = Numbering::expecting(64);
        let mut word_of_name = Vec::with_capacity(self.names.len());
        for name in &self.names {
            let first_word = name.split(|&byte| byte == b' ').next().unwrap_or(b"");
            word_of_name.push(words.number(first_word).0);
        }
        let mut siblings = Numbering::expecting(self.nodes.len());
        let mut sibling_of = Vec::with_capacity(self.nodes.len());
        let mut counts: Vec<i64> = Vec::new();
        for (&node, &class) in self.nodes.iter().zip(&self.classes) {
            let node = node as usize;
            let word = word_of_name[class as usize];
            let kind = mix(u64::from(page.tag[node]).wrapping_add((word as u64) << 16));

            let parent = page.parent[node];
            let above = if parent < 0 { 0 } else { self.path[self.position(parent as usize)] };
            let own = mix(kind.wrapping_add(page.depth[node] as u64));
            self.path.push(above.wrapping_add(own));

            let key = mix(kind.wrapping_add(i64::from(parent) as u64));
            let (sibling, is_new) = siblings.number(key);
            if is_new {
                counts.push(0);
            }
            counts[sibling] += 1;
            sibling_of.push(sibling);
        }
        self.alike = sibling_of.iter().map(|&sibling| counts[sibling]).collect();
    }
}

/// Return the first characters of a text in UTF-8.
fn beginning(text: &[u8], characters: usize) -> &[u8] {
    if text.len() <= characters {
        return text;
    }
    let is_start = |byte: u8| byte & 0xc0 != 0x80;
    let mut starts = text.iter().enumerate().filter(|(_, &byte)| is_start(byte));
    match starts.nth(characters) {
        Some((end, _)) => &text[..end],
        None => text,
    }
}

fn begun(page: &Page, outline: &Outline) -> Vec<i32> {
    let mut begun = Vec::with_capacity(page.len() + 1);
    for block in 0..outline.len() {
        begun.resize(outline.first_node(block) + 1, block as i32);
    }
    begun.resize(page.len() + 1, outline.len() as i32);
    begun
}

fn highest(page: &Page, begun: &[i32]) -> Vec<i32> {
    let mut highest: Vec<i32> = Vec::with_capacity(page.len());
    let size = |node: usize| begun[page.end[node] as usize] - begun[node];
    for node in 0..page.len() {
        let parent = page.parent[node];
        let adds_none = parent >= 0 && size(parent as usize) == size(node);
        highest.push(if adds_none { highest[parent as usize] } else { node as i32 });
    }
    highest
}

fn with_text(page: &Page, outline: &Outline) -> (Vec<u32>, Vec<u32>) {
    let mut has_text = vec![false; page.len()];
    for &node in &outline.nodes {
        let mut above = page.parent[node as usize];
        while above >= 0 && !has_text[above as usize] {
            has_text[above as usize] = true;
            above = page.parent[above as usize];
        }
    }
    let mut nodes = Vec::new();
    let mut position = vec![NO_ELEMENT; page.len()];
    for node in 0..page.len() {
        if has_text[node] && page.tag[node] != TEXT {
            position[node] = nodes.len() as u32;
            nodes.push(node as u32);
        }
    }
    (nodes, position)
}
