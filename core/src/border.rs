//! The border to Python: the only module that is unsafe. No panic crosses it; where one
//! was, as where the core declines, Python asks the reference.

use std::panic::{catch_unwind, AssertUnwindSafe};
use std::slice;

use crate::anchors;
use crate::boosting::{self, Ensemble};
use crate::learned::declared::Declared;
use crate::learned::outline::Outline;
use crate::learned::tables::Tables;
use crate::learned::method::{self, Selected};
use crate::learned::prediction::{self, Model};
use crate::learned::features;
use crate::econ;
use crate::flat::Flat;
use crate::head;
use crate::headings::{Bounds, Shown};
use crate::element_names;
use crate::page::Page;
use crate::parse;
use crate::paths;
use crate::records::comparisons::Members;
use crate::records::elements::Elements;
use crate::records::{candidates, comparisons};
use crate::structures;
use crate::templates::forms::Bounds as FormBounds;
use crate::templates::hashes;
use crate::templates::parts::{self, Parts};
use crate::text::tables::TextTables;
use crate::text::words::{SignSearch, WordSearch};
use crate::text::{class_names, counts, junk, lower, plain, repeats, threads, visible};

/// The version of the interface: Python uses a library of its own version only.
const INTERFACE: u32 = 13;
/// What a call returns where it leaves the work to the reference.
const DECLINED: isize = -1;

/// An array of Python, which stays there while a call lasts.
#[repr(C)]
pub struct Array {
    start: *mut u8,
    length: usize,
}

impl Array {
    /// Return the array as numbers; none where they would not be aligned.
    ///
    /// # Safety
    ///
    /// There must be `length` readable numbers of this type, which nobody writes.
    unsafe fn read<'a, T>(&self) -> &'a [T] {
        let start: *const T = self.start.cast();
        if self.length == 0 || start.align_offset(std::mem::align_of::<T>()) != 0 {
            return &[];
        }
        unsafe { slice::from_raw_parts(start, self.length) }
    }

    /// Return the array as numbers to be written.
    ///
    /// # Safety
    ///
    /// As for `read`, and nobody else may read or write them.
    unsafe fn written<'a, T>(&self) -> &'a mut [T] {
        let start: *mut T = self.start.cast();
        if self.length == 0 || start.align_offset(std::mem::align_of::<T>()) != 0 {
            return &mut [];
        }
        unsafe { slice::from_raw_parts_mut(start, self.length) }
    }

    /// Return the array as a text in UTF-8; none where it is not.
    ///
    /// # Safety
    ///
    /// As for `read`, of bytes.
    unsafe fn text<'a>(&self) -> Option<&'a str> {
        std::str::from_utf8(unsafe { self.read() }).ok()
    }

    /// Return the array as the page whose block it is.
    ///
    /// # Safety
    ///
    /// As for `read`, of bytes; where it is a block, its texts and values are in UTF-8, as
    /// `scythe_parse` checks once, and as Python writes texts that it changed.
    unsafe fn page<'a>(&self) -> Option<Page<'a>> {
        let of_size = |size: usize| Array {
            start: self.start,
            length: self.length / size,
        };
        let numbers = unsafe { of_size(4).read() };
        let halves = unsafe { of_size(2).read() };
        let as_text = |text| unsafe { std::str::from_utf8_unchecked(text) };
        Page::new(numbers, halves, unsafe { self.read() }, as_text)
    }
}

/// Return what `scythe_visible` wrote for a page; None where it is of another.
///
/// # Safety
///
/// As for `Array::read`, of bytes and of numbers of 32 bits.
unsafe fn seen<'a>(page: &Page, visible: &Array, lengths: &Array) -> Option<visible::Seen<'a>> {
    let seen = visible::Seen {
        visible: unsafe { visible.read() },
        lengths: unsafe { lengths.read() },
    };
    let is_whole = seen.visible.len() == page.len() && seen.lengths.len() == page.len();
    is_whole.then_some(seen)
}

/// Return what a call gives, `DECLINED` where it declines or panics.
fn guarded(call: impl FnOnce() -> Option<usize>) -> isize {
    let outcome = catch_unwind(AssertUnwindSafe(call));
    outcome.ok().flatten().map_or(DECLINED, |count| count as isize)
}

/// Return `INTERFACE`.
#[no_mangle]
pub extern "C" fn scythe_interface() -> u32 {
    INTERFACE
}

/// Return the number of characters of a page of `length` bytes; `DECLINED` where it is not in
/// UTF-8.
///
/// # Safety
///
/// `page` must be `length` readable bytes.
#[no_mangle]
pub unsafe extern "C" fn scythe_utf8_length(page: *const u8, length: usize) -> isize {
    let page = unsafe { slice::from_raw_parts(page, length) };
    guarded(|| std::str::from_utf8(page).ok().map(|text| text.chars().count()))
}

/// Parse a page of `length` bytes. Return what its block is made of and write the size of
/// the block; null where the page is declined. It is given back to `scythe_block`.
///
/// # Safety
///
/// `page` must be `length` readable bytes, `size` writable.
#[no_mangle]
pub unsafe extern "C" fn scythe_parse(
    page: *const u8,
    length: usize,
    max_nodes: usize,
    size: *mut usize,
) -> *mut Flat {
    let page = unsafe { slice::from_raw_parts(page, length) };
    let Ok(Some(flat)) = catch_unwind(|| parse(page, max_nodes)) else {
        return std::ptr::null_mut();
    };
    unsafe { *size = flat.size() };
    Box::into_raw(Box::new(flat))
}

/// Write a block of `scythe_parse`, and free what it was made of. Return 0.
///
/// # Safety
///
/// `flat` must be what a call of `scythe_parse` gave, and given back once; `block` must have
/// as many writable bytes as that call wrote.
#[no_mangle]
pub unsafe extern "C" fn scythe_block(flat: *mut Flat, block: *mut u8) -> isize {
    let flat = unsafe { Box::from_raw(flat) };
    let block = unsafe { slice::from_raw_parts_mut(block, flat.size()) };
    guarded(|| {
        flat.write(block);
        Some(0)
    })
}

/// Return the tables of a description, which stay until the process ends; null where it is
/// of another form.
///
/// # Safety
///
/// `description` must be `length` readable bytes.
#[no_mangle]
pub unsafe extern "C" fn scythe_tables(description: *const u8, length: usize) -> *const Tables {
    let description = unsafe { slice::from_raw_parts(description, length) };
    match catch_unwind(|| Tables::new(description)) {
        Ok(Some(tables)) => Box::into_raw(Box::new(tables)),
        _ => std::ptr::null(),
    }
}

/// Write the outline of a page into arrays that have a place for each text node. Return
/// how many blocks there are.
///
/// `arrays` are: the block of the page; nodes, blocks of nodes, first nodes and containers;
/// one place for the number of nodes.
///
/// # Safety
///
/// `tables` must be of `scythe_tables`, and `arrays` of these types.
#[no_mangle]
pub unsafe extern "C" fn scythe_outline(tables: *const Tables, arrays: &[Array; 6]) -> isize {
    let [block, nodes, block_of, first, container, count] = arrays;
    let tables = unsafe { &*tables };
    guarded(|| {
        let outline = Outline::new(&unsafe { block.page() }?, tables);
        copied(&outline.nodes, unsafe { nodes.written() })?;
        copied(&outline.block_of, unsafe { block_of.written() })?;
        copied(&outline.first, unsafe { first.written() })?;
        copied(&outline.container, unsafe { container.written() })?;
        *unsafe { count.written::<i64>() }.first_mut()? = outline.nodes.len() as i64;
        Some(outline.len())
    })
}

/// Write numbers to the beginning of an array; None where they have no place.
fn copied<T: Copy>(numbers: &[T], places: &mut [T]) -> Option<()> {
    places.get_mut(..numbers.len())?.copy_from_slice(numbers);
    Some(())
}

/// Return what the head of a page declares.
///
/// # Safety
///
/// As for `Array::read`: bytes, bytes and numbers of 32 bits.
unsafe fn declared<'a>(title: &Array, text: &Array, facts: &Array) -> Option<Declared<'a>> {
    Some(Declared {
        title: unsafe { title.text() }?,
        text: unsafe { text.text() }?,
        facts: unsafe { facts.read() },
    })
}

/// Write the features of a page's blocks. Return 0.
///
/// `arrays` are: the block of the page; title and descriptions in UTF-8, and facts; rows,
/// words and units of blocks, and the features of the page.
///
/// # Safety
///
/// `tables` must be of `scythe_tables`, and `arrays` of these types.
#[no_mangle]
pub unsafe extern "C" fn scythe_features(tables: *const Tables, arrays: &[Array; 8]) -> isize {
    let [block, title, text, facts, rows, words, unit_of, of_page] = arrays;
    let tables = unsafe { &*tables };
    guarded(|| {
        let page = unsafe { block.page() }?;
        let outline = Outline::new(&page, tables);
        let declared = unsafe { declared(title, text, facts) }?;
        let features = features::compute(&page, tables, &outline, &declared)?;
        copied(&features.rows, unsafe { rows.written() })?;
        copied(&features.words, unsafe { words.written() })?;
        copied(&features.unit_of, unsafe { unit_of.written() })?;
        copied(&features.page, unsafe { of_page.written() })?;
        Some(0)
    })
}

/// The arrays of an ensemble: features, where their borders begin, and borders; features and
/// borders of questions; leaves.
const OF_ENSEMBLE: usize = 6;

/// Return an ensemble of trees of one depth.
///
/// # Safety
///
/// As for `Array::read`, of the types of `Ensemble`.
unsafe fn ensemble<'a>(arrays: &[Array], depth: usize) -> Option<Ensemble<'a>> {
    let [features, border_start, borders, asked, rank, leaves] = arrays else {
        return None;
    };
    unsafe {
        Some(Ensemble {
            depth,
            features: features.read(),
            border_start: border_start.read(),
            borders: borders.read(),
            asked: asked.read(),
            rank: rank.read(),
            leaves: leaves.read(),
        })
    }
}

/// Write the nodes that the learned method selects. Return 0.
///
/// `arrays` are: the ensembles for types, prose, mixed pages and the confidence, their depths
/// and biases; the settings of the decision and of the prediction; bits of tags without text,
/// and of lists and paragraphs; the bounds of enclosed lists; the block of the page; title and
/// descriptions in UTF-8, and facts; a byte for each block, 1 where it is declared, or nothing;
/// what `scythe_visible` wrote; a byte for each node, to be 1 where it is selected; places for
/// the confidence and for how likely each type of page is.
///
/// # Safety
///
/// `tables` must be of `scythe_tables`, and `arrays` of these types.
#[no_mangle]
pub unsafe extern "C" fn scythe_learned(tables: *const Tables, arrays: &[Array; 40]) -> isize {
    let (ensembles, rest) = arrays.split_at(4 * OF_ENSEMBLE);
    let [depths, biases, decision_numbers, numbers, rest @ ..] = rest else {
        return DECLINED;
    };
    let [textless, enclosed_tags, bounds, block, title, text, facts, rest @ ..] = rest else {
        return DECLINED;
    };
    let [is_declared, visible, lengths, nodes, outcome] = rest else {
        return DECLINED;
    };
    let tables = unsafe { &*tables };
    guarded(|| {
        let depths: &[i64] = unsafe { depths.read() };
        let ensemble = |number: usize| unsafe {
            let arrays = &ensembles[number * OF_ENSEMBLE..(number + 1) * OF_ENSEMBLE];
            ensemble(arrays, *depths.get(number)? as usize)
        };
        let model = Model {
            types: ensemble(0)?,
            prose: ensemble(1)?,
            mixed: ensemble(2)?,
            confidence: ensemble(3)?,
            biases: unsafe { biases.read() }.try_into().ok()?,
        };
        let decision_numbers: &[f64] = unsafe { decision_numbers.read() };
        let numbers: &[f64] = unsafe { numbers.read() };
        let settings = prediction::Settings::new(
            decision_numbers.try_into().ok()?,
            numbers.try_into().ok()?,
        );
        let bounds: &[f64] = unsafe { bounds.read() };
        let page = unsafe { block.page() }?;
        let declared = unsafe { declared(title, text, facts) }?;
        let is_declared = unsafe { is_declared.read() };
        let selected = Selected {
            nodes: unsafe { nodes.written() },
            textless: &page.tag_bits(unsafe { textless.read() })?,
            enclosed: &page.tag_bits(unsafe { enclosed_tags.read() })?,
            bounds: bounds.try_into().ok()?,
            seen: unsafe { seen(&page, visible, lengths) }?,
        };
        let asked = method::Asked { model, settings, declared, is_declared };
        let found = method::select(&page, tables, &asked, selected)?;
        let places: &mut [f64] = unsafe { outcome.written() };
        copied(&[found.confidence], places)?;
        copied(&found.types, places.get_mut(1..)?)?;
        Some(0)
    })
}

/// Write where the head of a page declares what. Return how many texts of scripts there are.
///
/// `arrays` are: the block of the page; names of `<meta>`, separated by zeros; the sign of
/// scripts; a place for each name, one for the canonical address and one for the title;
/// places for texts, as many as there are.
///
/// # Safety
///
/// As for `scythe_visible`.
#[no_mangle]
pub unsafe extern "C" fn scythe_head(tables: *const TextTables, arrays: &[Array; 5]) -> isize {
    let [block, names, sign, places, texts] = arrays;
    let tables = unsafe { &*tables };
    guarded(|| {
        let page = unsafe { block.page() }?;
        let names: Vec<&[u8]> = unsafe { names.read() }.split(|&byte| byte == 0).collect();
        let found = head::find(&page, &tables.characters, &names, unsafe { sign.text() }?);
        let places: &mut [i32] = unsafe { places.written() };
        places.get_mut(..names.len())?.copy_from_slice(&found.contents);
        places.get_mut(names.len()..)?.copy_from_slice(&[found.canonical, found.title]);
        let count = found.structured.len();
        unsafe { texts.written() }.get_mut(..count)?.copy_from_slice(&found.structured);
        Some(count)
    })
}

/// Write a text in lower case. Return how many bytes it has.
///
/// `arrays` are: the text in UTF-8; a place for the other, which may be longer.
///
/// # Safety
///
/// Every array must be what it is said to be.
#[no_mangle]
pub unsafe extern "C" fn scythe_lower(_: *const u8, arrays: &[Array; 2]) -> isize {
    let [text, place] = arrays;
    guarded(|| {
        let lower = lower::lower(unsafe { text.text() }?)?;
        let place: &mut [u8] = unsafe { place.written() };
        place.get_mut(..lower.len())?.copy_from_slice(lower.as_bytes());
        Some(lower.len())
    })
}

/// Add the scores of an ensemble of trees of one depth. Return 0.
///
/// `arrays` are: those of the ensemble, rows and scores, which has as many rows as there are
/// outputs and a column for each of `cases`.
///
/// # Safety
///
/// `arrays` must be of these types.
#[no_mangle]
pub unsafe extern "C" fn scythe_scores(
    depth: usize,
    cases: usize,
    arrays: &[Array; OF_ENSEMBLE + 2],
) -> isize {
    let (of_ensemble, of_cases) = arrays.split_at(OF_ENSEMBLE);
    guarded(|| {
        let ensemble = unsafe { ensemble(of_ensemble, depth) }?;
        let rows = unsafe { of_cases[0].read() };
        boosting::scores(&ensemble, rows, cases, unsafe { of_cases[1].written() }).then_some(0)
    })
}

/// Return the tables for texts of a description, which stay until the process ends; null
/// where it is of another form.
///
/// # Safety
///
/// `description` must be `length` readable bytes.
#[no_mangle]
pub unsafe extern "C" fn scythe_text_tables(
    description: *const u8,
    length: usize,
) -> *const TextTables {
    let description = unsafe { slice::from_raw_parts(description, length) };
    match catch_unwind(|| TextTables::new(description)) {
        Ok(Some(tables)) => Box::into_raw(Box::new(tables)),
        _ => std::ptr::null(),
    }
}

/// Write what a reader sees. Return 0.
///
/// `arrays` are: the block of the page; a byte for each node, 1 where it is visible; the
/// characters of each node.
///
/// # Safety
///
/// `tables` must be of `scythe_text_tables`, and `arrays` of these types.
#[no_mangle]
pub unsafe extern "C" fn scythe_visible(tables: *const TextTables, arrays: &[Array; 3]) -> isize {
    let [block, is_visible, lengths] = arrays;
    let tables = unsafe { &*tables };
    guarded(|| {
        let page = unsafe { block.page() }?;
        visible::write(&page, tables, unsafe { is_visible.written() }, unsafe { lengths.written() });
        Some(0)
    })
}

/// Write the counts of characters of chosen text nodes. Return 0.
///
/// `arrays` are: the block of the page; a byte for each node, 1 where it is chosen; the
/// characters of each node that are no white space; its periods and commas.
///
/// # Safety
///
/// As for `scythe_visible`.
#[no_mangle]
pub unsafe extern "C" fn scythe_counts(tables: *const TextTables, arrays: &[Array; 4]) -> isize {
    let [block, chosen, non_space, punctuation] = arrays;
    let tables = unsafe { &*tables };
    guarded(|| {
        let page = unsafe { block.page() }?;
        let non_space = unsafe { non_space.written() };
        let punctuation = unsafe { punctuation.written() };
        counts::write(&page, tables, unsafe { chosen.read() }, non_space, punctuation);
        Some(0)
    })
}

/// Write the text of chosen nodes in UTF-8. Return how long it is.
///
/// `arrays` are: the block of the page; a byte for each node, 1 where it is chosen; places
/// for as many bytes as the texts of the page have, and one more.
///
/// # Safety
///
/// As for `scythe_visible`.
#[no_mangle]
pub unsafe extern "C" fn scythe_plain_text(tables: *const TextTables, arrays: &[Array; 3]) -> isize {
    let [block, chosen, text] = arrays;
    let tables = unsafe { &*tables };
    guarded(|| {
        let page = unsafe { block.page() }?;
        let found = plain::plain_text(&page, tables, unsafe { chosen.read() });
        unsafe { text.written::<u8>() }.get_mut(..found.len())?.copy_from_slice(&found);
        Some(found.len())
    })
}

/// Write texts or values of attributes in UTF-8, each with a zero behind it. Return how long
/// they are.
///
/// `arrays` are: the block of the page; one place, 0 for texts and 1 for values; the numbers
/// of texts or positions of attributes; places for bytes.
///
/// # Safety
///
/// `arrays` must be of these types.
#[no_mangle]
pub unsafe extern "C" fn scythe_parts(_tables: *const TextTables, arrays: &[Array; 4]) -> isize {
    let [block, kind, numbers, parts] = arrays;
    guarded(|| {
        let page = unsafe { block.page() }?;
        let are_values = *unsafe { kind.read::<i64>() }.first()? != 0;
        let numbers: &[i64] = unsafe { numbers.read() };
        page.copy_parts(are_values, numbers, unsafe { parts.written() })
    })
}

/// Return the search for the groups of words of a description, which stays until the
/// process ends; null where it is of another form.
///
/// # Safety
///
/// `description` must be `length` readable bytes.
#[no_mangle]
pub unsafe extern "C" fn scythe_word_search(
    description: *const u8,
    length: usize,
) -> *const WordSearch {
    let description = unsafe { slice::from_raw_parts(description, length) };
    match catch_unwind(|| WordSearch::new(description)) {
        Ok(Some(search)) => Box::into_raw(Box::new(search)),
        _ => std::ptr::null(),
    }
}

/// Write the positions of attributes whose values have words, and of which groups. Return
/// how many there are.
///
/// `arrays` are: the block of the page; places for positions and for groups, as many as
/// there are attributes.
///
/// # Safety
///
/// `search` must be of `scythe_word_search`, and `arrays` of these types.
#[no_mangle]
pub unsafe extern "C" fn scythe_find_words(search: *const WordSearch, arrays: &[Array; 3]) -> isize {
    let [block, positions, groups] = arrays;
    let search = unsafe { &*search };
    guarded(|| {
        let page = unsafe { block.page() }?;
        let positions: &mut [u32] = unsafe { positions.written() };
        let groups: &mut [u64] = unsafe { groups.written() };
        let hits = search.find(&page);
        let places = positions.get_mut(..hits.len())?.iter_mut().zip(groups);
        for ((position, group), &(found, of_groups)) in places.zip(&hits) {
            *position = found;
            *group = of_groups;
        }
        Some(hits.len())
    })
}

/// Return the search for the groups of signs of a description, which stays until the
/// process ends; null where it is of another form.
///
/// # Safety
///
/// `description` must be `length` readable bytes.
#[no_mangle]
pub unsafe extern "C" fn scythe_sign_search(
    description: *const u8,
    length: usize,
) -> *const SignSearch {
    let description = unsafe { slice::from_raw_parts(description, length) };
    match catch_unwind(|| SignSearch::new(description)) {
        Ok(Some(search)) => Box::into_raw(Box::new(search)),
        _ => std::ptr::null(),
    }
}

/// Write the groups that chosen texts have signs of, as bits. Return 0.
///
/// `arrays` are: the block of the page; a byte for each node, 1 where it is chosen; one
/// place for the groups.
///
/// # Safety
///
/// `search` must be of `scythe_sign_search`, and `arrays` of these types.
#[no_mangle]
pub unsafe extern "C" fn scythe_find_signs(search: *const SignSearch, arrays: &[Array; 3]) -> isize {
    let [block, chosen, groups] = arrays;
    let search = unsafe { &*search };
    guarded(|| {
        let page = unsafe { block.page() }?;
        let found = search.find(&page, unsafe { chosen.read() });
        *unsafe { groups.written::<u64>() }.first_mut()? = found;
        Some(0)
    })
}

/// Write the elements whose text has signs. Return how many there are.
///
/// `arrays` are: the block of the page; the first bit of tags, 1 for the elements asked for;
/// a place for each node.
///
/// # Safety
///
/// As for `scythe_find_signs`.
#[no_mangle]
pub unsafe extern "C" fn scythe_elements_with(search: *const SignSearch, arrays: &[Array; 3]) -> isize {
    let [block, tags, nodes] = arrays;
    let search = unsafe { &*search };
    guarded(|| {
        let page = unsafe { block.page() }?;
        let bits = page.tag_bits(unsafe { tags.read() })?;
        let found = search.elements(&page, &bits, 1);
        unsafe { nodes.written() }.get_mut(..found.len())?.copy_from_slice(&found);
        Some(found.len())
    })
}

/// Write what chosen texts have that may be no content. Return how many texts have a
/// neighbour.
///
/// `arrays` are: the block of the page; bits of tags; a byte for each node, 1 where it is
/// chosen; the search of `scythe_sign_search`, in place of an array; signs for links; one
/// place with the characters of such a sign; three places for groups of signs, whether there are
/// signs for links, and the number of labels; places for neighbours and labels, one after the
/// other, and for kinds of texts, one for each text.
///
/// # Safety
///
/// As for `scythe_visible`.
#[no_mangle]
pub unsafe extern "C" fn scythe_junk(tables: *const TextTables, arrays: &[Array; 9]) -> isize {
    let [block, tags, chosen, signs, link_signs, max_link_sign, found, neighbours, kinds] = arrays;
    let tables = unsafe { &*tables };
    guarded(|| {
        let page = unsafe { block.page() }?;
        let bits = page.tag_bits(unsafe { tags.read() })?;
        let sought = junk::Sought {
            signs: unsafe { &*signs.start.cast() },
            link_signs: unsafe { link_signs.read() },
            max_link_sign: *unsafe { max_link_sign.read::<i64>() }.first()?,
        };
        let junk = junk::find(&page, tables, &bits, unsafe { chosen.read() }, &sought);
        let places: &mut [u64] = unsafe { found.written() };
        let labels = junk.labels.len();
        let has_link_signs = u64::from(junk.has_link_signs);
        places.get_mut(..3)?.copy_from_slice(&[junk.groups, has_link_signs, labels as u64]);
        unsafe { kinds.written() }.get_mut(..junk.kinds.len())?.copy_from_slice(&junk.kinds);
        let count = junk.neighbours.len();
        let places: &mut [i32] = unsafe { neighbours.written() };
        places.get_mut(..count)?.copy_from_slice(&junk.neighbours);
        places.get_mut(count..count + labels)?.copy_from_slice(&junk.labels);
        Some(count)
    })
}

/// Write the texts of a page as threads read them. Return how many there are.
///
/// `arrays` are: the block of the page; a byte for each node, 1 where it may be read; one
/// place with the characters of a date; the search of `scythe_sign_search` for signs of
/// dates, in place of an array; places for nodes, their words, and whether they may be dates,
/// one for each text of the page.
///
/// # Safety
///
/// As for `scythe_visible`.
#[no_mangle]
pub unsafe extern "C" fn scythe_thread_texts(tables: *const TextTables, arrays: &[Array; 7]) -> isize {
    let [block, is_read, max_date, signs, nodes, words, may_be_dates] = arrays;
    let tables = unsafe { &*tables };
    guarded(|| {
        let page = unsafe { block.page() }?;
        let dates = threads::Dates {
            signs: unsafe { &*signs.start.cast() },
            max_length: *unsafe { max_date.read::<i64>() }.first()? as usize,
        };
        let out = threads::Written {
            nodes: unsafe { nodes.written() },
            words: unsafe { words.written() },
            may_be_dates: unsafe { may_be_dates.written() },
        };
        threads::write(&page, tables, unsafe { is_read.read() }, &dates, out)
    })
}

/// Write a number for the first class of every node. Return 0.
///
/// `arrays` are: the block of the page; a place for each node.
///
/// # Safety
///
/// As for `scythe_visible`.
#[no_mangle]
pub unsafe extern "C" fn scythe_class_names(tables: *const TextTables, arrays: &[Array; 2]) -> isize {
    let [block, numbers] = arrays;
    let tables = unsafe { &*tables };
    guarded(|| {
        let page = unsafe { block.page() }?;
        class_names::write(&page, tables, unsafe { numbers.written() });
        Some(0)
    })
}

/// Write the elements that hold one date or name each. Return how many candidates there are.
///
/// `arrays` are: the block of the page; the key of every node; the marks, group after group,
/// and where each group ends; the share of marks that must have an element of their own; places
/// for the elements, and for where those of each candidate end.
///
/// # Safety
///
/// Every array must be what it is said to be.
#[no_mangle]
pub unsafe extern "C" fn scythe_anchors(_: *const u8, arrays: &[Array; 7]) -> isize {
    let [block, keys, marks, group_ends, least_share, nodes, ends] = arrays;
    guarded(|| {
        let page = unsafe { block.page() }?;
        let marks = anchors::Marks {
            nodes: unsafe { marks.read() },
            group_ends: unsafe { group_ends.read() },
            keys: unsafe { keys.read() },
            least_share: *unsafe { least_share.read::<f64>() }.first()?,
        };
        let written = anchors::Written {
            nodes: unsafe { nodes.written() },
            ends: unsafe { ends.written() },
        };
        written.write(&anchors::find(&page, &marks)?)
    })
}

/// Write the candidates of a page. Return how many there are.
///
/// `arrays` are: the block of the page; a byte for each node, 1 where it can be a record;
/// running sums of words; the bounds of the reference, whole numbers and shares; logarithms; a
/// byte for each tag, 1 for headings; places for where the records begin and end, for how many each candidate has, for its kind,
/// and for whether its records share a class.
///
/// # Safety
///
/// As for `scythe_visible`.
#[no_mangle]
pub unsafe extern "C" fn scythe_candidates(tables: *const TextTables, arrays: &[Array; 12]) -> isize {
    let [block, filled, words, bounds, shares, logarithms, headings, places @ ..] = arrays;
    let [starts, stops, sizes, kinds, by_class] = places;
    let tables = unsafe { &*tables };
    guarded(|| {
        let page = unsafe { block.page() }?;
        let bounds = candidates::Bounds {
            numbers: unsafe { bounds.read() }.try_into().ok()?,
            shares: unsafe { shares.read() }.try_into().ok()?,
            logarithms: unsafe { logarithms.read() },
            is_heading: &page.tag_bits(unsafe { headings.read() })?,
        };
        let elements = Elements::new(&page, tables, unsafe { filled.read() }, bounds.classes())?;
        let found = candidates::find(&elements, unsafe { words.read() }, &bounds)?;
        let written = candidates::Written {
            starts: unsafe { starts.written() },
            stops: unsafe { stops.written() },
            sizes: unsafe { sizes.written() },
            kinds: unsafe { kinds.written() },
            by_class: unsafe { by_class.written() },
        };
        written.write(&found)
    })
}

/// Write how the members of candidates compare with each other, and candidates with what is
/// around them. Return how many candidates there are.
///
/// `arrays` are: the block of the page; a byte for each node, 1 where it can be a record; the
/// bounds of the reference, whole numbers and others; how many members each candidate has, where
/// they begin and end, and a byte for each candidate, 1 where they are runs; places for the rows
/// of members and of candidates.
///
/// # Safety
///
/// As for `scythe_visible`.
#[no_mangle]
pub unsafe extern "C" fn scythe_comparisons(tables: *const TextTables, arrays: &[Array; 10]) -> isize {
    let [block, filled, bounds, shares, sizes, starts, stops, are_runs, of_members, of_candidates] =
        arrays;
    let tables = unsafe { &*tables };
    guarded(|| {
        let page = unsafe { block.page() }?;
        let (&numbers, &unlike) = unsafe { (bounds.read().first_chunk::<5>()?, shares.read().first()?) };
        let bounds = comparisons::Bounds::new(numbers, unlike);
        let elements = Elements::new(&page, tables, unsafe { filled.read() }, bounds.classes)?;
        let members = Members {
            sizes: unsafe { sizes.read() },
            starts: unsafe { starts.read() },
            stops: unsafe { stops.read() },
            are_runs: unsafe { are_runs.read() },
        };
        let (of_members, of_candidates) = unsafe { (of_members.written(), of_candidates.written()) };
        comparisons::write(&elements, &members, &bounds, of_members, of_candidates)
    })
}

/// Write the parts of a page that templates see. Return 0.
///
/// `arrays` are: the block of the page; the bounds of the reference; places for page nodes and
/// their ends, of texts for the characters of labels and for forms, for links, images and
/// properties, for strings; seven places for their numbers.
///
/// # Safety
///
/// As for `scythe_visible`.
#[no_mangle]
pub unsafe extern "C" fn scythe_page_parts(tables: *const TextTables, arrays: &[Array; 11]) -> isize {
    let [block, bounds, nodes, ends, label_lengths, forms, rest @ ..] = arrays;
    let [links, images, properties, strings, counts] = rest;
    let tables = unsafe { &*tables };
    guarded(|| {
        let page = unsafe { block.page() }?;
        let bounds = FormBounds::new(unsafe { bounds.read() })?;
        let parts = Parts {
            nodes: unsafe { nodes.written() },
            ends: unsafe { ends.written() },
            label_lengths: unsafe { label_lengths.written() },
            forms: unsafe { forms.written() },
            links: unsafe { links.written() },
            images: unsafe { images.written() },
            properties: unsafe { properties.written() },
            strings: unsafe { strings.written() },
            counts: unsafe { counts.written() },
        };
        parts::write(&page, tables, bounds, parts)
    })
}

/// Write a hash for every subtree of a page as templates see it. Return 0.
///
/// `arrays` are: the end of the subtree of each page node; what each is by itself; a place for
/// each.
///
/// # Safety
///
/// As for `scythe_visible`; there are no tables.
#[no_mangle]
pub unsafe extern "C" fn scythe_subtree_hashes(_: *const TextTables, arrays: &[Array; 3]) -> isize {
    let [ends, own, hashes] = arrays;
    guarded(|| {
        let (ends, own) = unsafe { (ends.read(), own.read()) };
        hashes::write(ends, own, unsafe { hashes.written() })
    })
}

/// Number the names of elements, of tag, id and classes. Return how many there are.
///
/// `arrays` are: the block of the page; places for the number of each node; for the tag of
/// each number; for its id and classes, each with a zero behind it, and for the bytes of these.
///
/// # Safety
///
/// As for `scythe_visible`; there are no tables.
#[no_mangle]
pub unsafe extern "C" fn scythe_element_names(_: *const TextTables, arrays: &[Array; 5]) -> isize {
    let [block, numbers, tags, strings, size] = arrays;
    guarded(|| {
        let page = unsafe { block.page() }?;
        let names = element_names::Names {
            numbers: unsafe { numbers.written() },
            tags: unsafe { tags.written() },
            strings: unsafe { strings.written() },
            size: unsafe { size.written() },
        };
        element_names::number(&page, names)
    })
}

/// Write a number for the path of each chosen element. Return 0.
///
/// `arrays` are: the block of the page; a byte for each node, 1 where it is chosen; a number
/// for each tag; a place for each node.
///
/// # Safety
///
/// As for `scythe_visible`; there are no tables.
#[no_mangle]
pub unsafe extern "C" fn scythe_paths(_: *const TextTables, arrays: &[Array; 4]) -> isize {
    let [block, chosen, tag_hashes, hashes] = arrays;
    guarded(|| {
        let page = unsafe { block.page() }?;
        let (chosen, tag_hashes) = unsafe { (chosen.read(), tag_hashes.read()) };
        paths::write(&page, chosen, tag_hashes, unsafe { hashes.written() })
    })
}

/// Write which nodes are in copies of block-level elements. Return 1 where any is, else 0.
///
/// `arrays` are: the block of the page; bits of tags; a byte for each node, 1 where it is
/// chosen; two places, with the characters of a copy beside what it is of, and elsewhere; a
/// place for each node.
///
/// # Safety
///
/// As for `scythe_visible`.
#[no_mangle]
pub unsafe extern "C" fn scythe_copies(tables: *const TextTables, arrays: &[Array; 5]) -> isize {
    let [block, tags, chosen, least, copies] = arrays;
    let tables = unsafe { &*tables };
    guarded(|| {
        let page = unsafe { block.page() }?;
        let bits = page.tag_bits(unsafe { tags.read() })?;
        let least: &[i64] = unsafe { least.read() };
        let &[beside, apart] = least else {
            return None;
        };
        let least = repeats::Least { beside, apart };
        let copies = unsafe { copies.written() }.get_mut(..page.len())?;
        let chosen = unsafe { chosen.read() };
        Some(usize::from(repeats::find(&page, tables, &bits, chosen, &least, copies)))
    })
}

/// Write the text of chosen nodes in UTF-8, its words separated by one space each. Return
/// how long it is.
///
/// `arrays` are those of `scythe_plain_text`.
///
/// # Safety
///
/// As for `scythe_visible`.
#[no_mangle]
pub unsafe extern "C" fn scythe_one_line(tables: *const TextTables, arrays: &[Array; 3]) -> isize {
    let [block, chosen, text] = arrays;
    let tables = unsafe { &*tables };
    guarded(|| {
        let page = unsafe { block.page() }?;
        let found = plain::one_line(&page, tables, unsafe { chosen.read() });
        unsafe { text.written::<u8>() }.get_mut(..found.len())?.copy_from_slice(&found);
        Some(found.len())
    })
}

/// Return the characters of chosen texts.
///
/// `arrays` are: the block of the page; a byte for each node, 1 where it is chosen.
///
/// # Safety
///
/// As for `scythe_visible`.
#[no_mangle]
pub unsafe extern "C" fn scythe_characters(_tables: *const TextTables, arrays: &[Array; 2]) -> isize {
    let [block, chosen] = arrays;
    guarded(|| {
        let page = unsafe { block.page() }?;
        Some(counts::characters(&page, unsafe { chosen.read() }))
    })
}

/// Write the nodes that ECON selects. Return 1 where it found content, 0 where it took all
/// readable texts.
///
/// `arrays` are: the block of the page; bits of tags; a byte for each node, to be 1 where it
/// is selected; two places, for the periods and commas of what was selected and of the page.
///
/// # Safety
///
/// As for `scythe_visible`.
#[no_mangle]
pub unsafe extern "C" fn scythe_econ(tables: *const TextTables, arrays: &[Array; 4]) -> isize {
    let [block, tags, nodes, punc_num] = arrays;
    let tables = unsafe { &*tables };
    guarded(|| {
        let page = unsafe { block.page() }?;
        let bits = page.tag_bits(unsafe { tags.read() })?;
        let Some(found) = econ::select(&page, tables, bits, unsafe { nodes.written() }) else {
            return Some(0);
        };
        let places = unsafe { punc_num.written::<i64>() }.get_mut(..2)?;
        places.copy_from_slice(&[found.summary_node, found.page]);
        Some(1)
    })
}

/// Make the structures of a selection whole. Return 0.
///
/// `arrays` are: the block of the page; bits of tags; what classes of captions have in
/// common; the bounds of the reference; what `scythe_visible` wrote; a byte for each node, 1
/// where it is selected, to be changed; one for each node, to be 1 for pictures and captions
/// where the page has figures; three places for the outcome.
///
/// # Safety
///
/// As for `scythe_visible`.
#[no_mangle]
pub unsafe extern "C" fn scythe_structures(tables: *const TextTables, arrays: &[Array; 9]) -> isize {
    let [block, tags, caption, bounds, visible, lengths, nodes, media, outcome] = arrays;
    let tables = unsafe { &*tables };
    guarded(|| {
        let page = unsafe { block.page() }?;
        let bits = page.tag_bits(unsafe { tags.read() })?;
        let bounds: &[f64] = unsafe { bounds.read() };
        let bounds = bounds.try_into().ok()?;
        let (nodes, media) = (unsafe { nodes.written() }, unsafe { media.written() });
        let caption = unsafe { caption.read() };
        let seen = unsafe { seen(&page, visible, lengths) }?;
        let found = structures::complete(&page, tables, &bits, caption, bounds, &seen, nodes, media);
        let places: &mut [i64] = unsafe { outcome.written() };
        places.get_mut(..3)?.copy_from_slice(&[
            i64::from(found.has_figures),
            i64::from(found.depends_on_images),
            i64::from(found.has_images),
        ]);
        Some(0)
    })
}

/// Write the headings whose section was left out of a selection. Return how many they are.
///
/// `arrays` are: the block of the page; bits of tags; a byte for each node, 1 where it is
/// selected; the characters of visible texts; three bounds; places for headings, one for
/// each node.
///
/// # Safety
///
/// As for `scythe_visible`.
#[no_mangle]
pub unsafe extern "C" fn scythe_lost_headings(_tables: *const TextTables, arrays: &[Array; 6]) -> isize {
    let [block, tags, selected, lengths, bounds, headings] = arrays;
    guarded(|| {
        let page = unsafe { block.page() }?;
        let bounds: &[i64] = unsafe { bounds.read() };
        let &[min_section, max_heading, max_bare] = bounds else {
            return None;
        };
        let bits = page.tag_bits(unsafe { tags.read() })?;
        let shown = Shown {
            page: &page,
            bits: &bits,
            selected: unsafe { selected.read() },
            lengths: unsafe { lengths.read() },
        };
        let lost = shown.lost(&Bounds { min_section, max_heading, max_bare });
        let places = unsafe { headings.written::<i32>() }.get_mut(..lost.len())?;
        for (place, heading) in places.iter_mut().zip(&lost) {
            *place = *heading as i32;
        }
        Some(lost.len())
    })
}
