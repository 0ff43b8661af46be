//! The learned method from the arrays of a page to the nodes it selects (the reference:
//! `method.py`).

use crate::enclosed;
use crate::learned::declared::Declared;
use crate::learned::features;
use crate::learned::outline::Outline;
use crate::learned::prediction::{predict, Model, Prediction, Settings};
use crate::learned::tables::Tables;
use crate::page::Page;
use crate::selection;
use crate::text::visible::Seen;

/// By what a page is asked, and what it declares.
pub struct Asked<'a> {
    pub model: Model<'a>,
    pub settings: Settings<'a>,
    pub declared: Declared<'a>,
    /// A byte for each block, 1 where the page declares it as its content; or nothing.
    pub is_declared: &'a [u8],
}

/// Where the selection is written, and what the reference gives for that.
pub struct Selected<'s> {
    pub nodes: &'s mut [u8],
    /// Bits of tags for `selection` and for `enclosed`.
    pub textless: &'s [u8],
    pub enclosed: &'s [u8],
    pub bounds: &'s [f64; enclosed::BOUNDS],
    pub seen: Seen<'s>,
}

/// Write the selection of a page; return what was predicted of it. None where it is left to
/// the reference.
pub fn select(page: &Page, tables: &Tables, asked: &Asked, out: Selected) -> Option<Prediction> {
    let outline = Outline::new(page, tables);
    let is_declined = !tables.computes_alike || out.nodes.len() != page.len();
    let is_within = (1..=asked.settings.max_blocks).contains(&outline.len());
    if is_declined || !is_within {
        return None;
    }
    let features = features::compute(page, tables, &outline, &asked.declared)?;
    let found = predict(&asked.model, &asked.settings, &features, asked.is_declared)?;
    let block_of = outline.block_of.iter();
    let is_selected: Vec<u8> = block_of.map(|&block| u8::from(found.selected[block as usize])).collect();
    let characters = &tables.characters;
    selection::write(page, characters, out.textless, &outline.nodes, &is_selected, out.nodes);
    enclosed::select(page, out.enclosed, out.bounds, &out.seen, out.nodes);
    Some(found)
}
