//! The compiled core of Scythe: from the text of a page to the arrays of a `Tree`, and from
//! these to the blocks, features and scores of the learned method.
//!
//! Optional. Python is its reference: `scythe.tree.construction`, `scythe.content.methods.learned`
//! and `scythe.boosting` give the same without it. Nothing here recurses over depth.

mod anchors;
mod boosting;
mod border;
mod builder;
mod categories;
mod characters;
mod doctype;
mod dom;
mod econ;
mod enclosed;
mod figures;
mod flat;
mod hashing;
mod head;
mod headings;
mod element_names;
mod learned;
mod names;
mod page;
mod paths;
mod records;
mod references;
mod scan;
mod script;
mod sections;
mod selection;
mod structures;
mod tables;
mod templates;
mod text;
mod tokenizer;

use std::borrow::Cow;

/// Longer pages are declined: positions are numbers of 32 bits.
const LONGEST: usize = 1 << 28;
/// Nodes under construction beyond which a page is declined, as a multiple of those that
/// a tree may have.
const SPARE_NODES: usize = 4;

/// Return what the block of a page in UTF-8 is made of; None where the page is for the
/// reference.
pub fn parse(page: &[u8], max_nodes: usize) -> Option<flat::Flat> {
    if page.len() > LONGEST {
        return None;
    }
    let input = with_line_feeds(page);
    let most_nodes = max_nodes.saturating_mul(SPARE_NODES).saturating_add(1 << 16);
    let mut builder = builder::Builder::new(&input, most_nodes);
    let root = builder.build()?;
    flat::flatten(&builder, root, max_nodes)
}

/// Return a page whose lines end in line feeds only.
fn with_line_feeds(page: &[u8]) -> Cow<'_, [u8]> {
    let first = scan::find(page, 0, |byte| byte == b'\r');
    if first == page.len() {
        return Cow::Borrowed(page);
    }
    let mut out = Vec::with_capacity(page.len());
    let mut start = 0;
    let mut at = first;
    while at < page.len() {
        out.extend_from_slice(&page[start..at]);
        out.push(b'\n');
        let is_pair = page.get(at + 1) == Some(&b'\n');
        start = at + 1 + usize::from(is_pair);
        at = scan::find(page, start, |byte| byte == b'\r');
    }
    out.extend_from_slice(&page[start.min(page.len())..]);
    Cow::Owned(out)
}
