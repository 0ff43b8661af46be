//! A selection in units that a reader sees: figures whole, no heading without its section
//! (the reference: `with_whole_structures` in `content/whole.py`).

use crate::figures::{self, FigurePage};
use crate::headings::{self, Shown};
use crate::page::Page;
use crate::scan;
use crate::tables::tag;
use crate::text::tables::TextTables;
use crate::text::visible::Seen;

/// The bounds of the reference, in the order in which Python gives them.
pub const BOUNDS: usize = 9;

/// What was done to a selection.
pub struct Outcome {
    /// Whether the page has figures, so that media were written.
    pub has_figures: bool,
    /// Whether selected images must be looked at before headings are left out, which then
    /// was not done.
    pub depends_on_images: bool,
    /// Whether any image is selected.
    pub has_images: bool,
}

/// Make the structures of a selection whole; `caption` is what classes of captions have in
/// common.
pub fn complete(
    page: &Page,
    tables: &TextTables,
    bits: &[u8],
    caption: &[u8],
    bounds: &[f64; BOUNDS],
    seen: &Seen,
    nodes: &mut [u8],
    media: &mut [u8],
) -> Outcome {
    let [min_section, max_heading, max_bare, ref of_figures @ ..] = *bounds;
    let [max_caption, max_other_text, max_levels, min_prose, card_links, max_standfirst] = *of_figures;
    let figure_bounds = figures::Bounds {
        max_caption: max_caption as i64,
        max_other_text: max_other_text as i64,
        max_levels: max_levels as i64,
        min_prose: min_prose as i64,
        card_links,
        max_standfirst: max_standfirst as usize,
    };
    let has_picture = bits.iter().any(|bits| bits & figures::PICTURE != 0);
    let named_captions = if has_picture { named(page, caption) } else { Vec::new() };
    let figure_page = FigurePage {
        page,
        bits,
        visible: seen.visible,
        lengths: seen.lengths,
        named_captions: &named_captions,
        bounds: &figure_bounds,
    };
    let has_figures = figure_page.select(tables, nodes, media);
    let is_image = |node: usize| u32::from(page.tag[node]) == tag::IMG && nodes[node] != 0;
    let has_images = (0..page.len()).any(is_image);
    let shown = Shown { page, bits, selected: nodes, lengths: seen.lengths };
    let of_headings = headings::Bounds {
        min_section: min_section as i64,
        max_heading: max_heading as i64,
        max_bare: max_bare as i64,
    };
    let lost = shown.lost_whatever_images(has_images, &of_headings);
    for &heading in lost.iter().flatten() {
        nodes[heading..page.end[heading] as usize].fill(0);
    }
    Outcome {
        has_figures,
        depends_on_images: lost.is_none(),
        has_images,
    }
}

/// Return the elements whose class has a word of small letters of ASCII, in any case.
fn named(page: &Page, word: &[u8]) -> Vec<usize> {
    let positions = page.attributes("class");
    let named = positions.filter(|&position| has_word(page.value_bytes(position), word));
    named.map(|position| page.attribute_node[position] as usize).collect()
}

fn has_word(value: &[u8], word: &[u8]) -> bool {
    let Some(&first) = word.first() else {
        return false;
    };
    let mut at = 0;
    while value.len() - at >= word.len() {
        at = scan::find(value, at, |byte| byte | 0x20 == first);
        match value.get(at..at + word.len()) {
            Some(part) if part.eq_ignore_ascii_case(word) => return true,
            Some(_) => at += 1,
            None => return false,
        }
    }
    false
}
