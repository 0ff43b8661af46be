//! The nodes of a page that hold something for a reader or stand above such, its texts and
//! its addresses (the reference: `templates/matching/page_parts.py`).

use crate::page::Page;
use crate::templates::forms::{Bounds, Forms};
use crate::templates::leaves::{Leaves, BASE, IMAGE, LINK};
use crate::text::tables::TextTables;

/// Places for what is found.
pub struct Parts<'a> {
    /// The node of each page node, and where its subtree ends.
    pub nodes: &'a mut [i32],
    pub ends: &'a mut [i32],
    /// For every text the characters of its label, and what it looks like.
    pub label_lengths: &'a mut [i32],
    pub forms: &'a mut [i32],
    /// The page nodes that have an address, and those that say which property they are.
    pub links: &'a mut [i32],
    pub images: &'a mut [i32],
    pub properties: &'a mut [i32],
    /// The texts, the addresses of links and images, the properties, and what the first
    /// `<base>` says, each with a zero behind.
    pub strings: &'a mut [u8],
    /// How many page nodes, texts, links, images, properties and bases there are, and how
    /// many bytes of strings.
    pub counts: &'a mut [i64],
}

/// Write the parts of a page. Return 0; None where there is no place for all.
pub fn write(page: &Page, tables: &TextTables, bounds: Bounds, parts: Parts) -> Option<usize> {
    let characters = &tables.characters;
    let forms = Forms { characters, bounds };
    let leaves = Leaves::new(page, tables, &forms)?;
    let nodes = write_nodes(page, &leaves.is_leaf, parts.nodes, parts.ends)?;

    let mut strings = Vec::new();
    let mut texts = 0;
    leaves.write_texts(&mut strings, |text| {
        let label_length = forms.label_length(text);
        *parts.label_lengths.get_mut(texts)? = label_length as i32;
        *parts.forms.get_mut(texts)? = forms.form(text, label_length);
        texts += 1;
        Some(())
    })?;

    let found = parts.nodes.get(..nodes)?;
    let is_of = |bit: u8| move |tag: u16| tables.tag(tag) & bit != 0;
    let links = write_values(page, found, "href", is_of(LINK), parts.links, &mut strings)?;
    let images = write_values(page, found, "src", is_of(IMAGE), parts.images, &mut strings)?;
    let properties = write_values(page, found, "itemprop", |_| true, parts.properties, &mut strings)?;
    let base = base(page, tables);
    if let Some(base) = base {
        strings.extend_from_slice(base.as_bytes());
        strings.push(0);
    }

    parts.strings.get_mut(..strings.len())?.copy_from_slice(&strings);
    let bases = usize::from(base.is_some());
    let counts = [nodes, texts, links, images, properties, bases, strings.len()];
    for (place, count) in parts.counts.iter_mut().zip(counts) {
        *place = count as i64;
    }
    Some(0)
}

/// Write the values that an attribute has in page nodes of some tags, but empty ones, and
/// which nodes these are; return how many.
fn write_values(
    page: &Page,
    nodes: &[i32],
    name: &str,
    is_wanted: impl Fn(u16) -> bool,
    places: &mut [i32],
    strings: &mut Vec<u8>,
) -> Option<usize> {
    let mut positions = page.attributes(name).peekable();
    let mut count = 0;
    for (page_node, &node) in nodes.iter().enumerate() {
        let node_of = |position: usize| page.attribute_node[position];
        while positions.next_if(|&position| node_of(position) < node).is_some() {}
        if positions.peek().is_none() {
            break;
        }
        let own = positions.next_if(|&position| node_of(position) == node);
        let value = own.map_or("", |position| page.value(position));
        if !value.is_empty() && is_wanted(page.tag[node as usize]) {
            *places.get_mut(count)? = page_node as i32;
            strings.extend_from_slice(value.as_bytes());
            strings.push(0);
            count += 1;
        }
    }
    Some(count)
}

/// Return the address that the first `<base>` with one says.
fn base<'p>(page: &'p Page, tables: &TextTables) -> Option<&'p str> {
    let name = page.name_number("href");
    let is_base = |node: &usize| tables.tag(page.tag[*node]) & BASE != 0;
    let mut found = (0..page.len()).filter(is_base).filter_map(|node| page.attribute_of(node, name));
    found.next().map(|position| page.value(position))
}

/// Write the leaves, all nodes above them, and the root; return how many these are.
fn write_nodes(page: &Page, is_leaf: &[bool], nodes: &mut [i32], ends: &mut [i32]) -> Option<usize> {
    let mut is_kept = is_leaf.to_vec();
    *is_kept.first_mut()? = true;
    for node in (1..page.len()).rev() {
        if is_kept[node] {
            is_kept[page.parent_or_root(node)] = true;
        }
    }
    let mut kept_before = Vec::with_capacity(page.len() + 1);
    let mut count = 0i32;
    for &kept in &is_kept {
        kept_before.push(count);
        count += i32::from(kept);
    }
    kept_before.push(count);

    for node in (0..page.len()).filter(|&node| is_kept[node]) {
        let page_node = kept_before[node] as usize;
        *nodes.get_mut(page_node)? = node as i32;
        *ends.get_mut(page_node)? = kept_before[page.end[node] as usize];
    }
    Some(count as usize)
}
