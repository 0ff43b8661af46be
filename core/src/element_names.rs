//! Elements that call themselves alike: by tag, id and classes (the reference:
//! `tree/compiled/element_names.py`).

use crate::hashing::Numbering;
use crate::page::{Page, TEXT};

/// Places for what is found.
pub struct Names<'a> {
    /// For every node the number of its name; -1 of texts.
    pub numbers: &'a mut [i32],
    /// For every number the tag.
    pub tags: &'a mut [i32],
    /// For every number the id and the classes, each with a zero behind it.
    pub strings: &'a mut [u8],
    /// One place, for how many bytes of strings there are.
    pub size: &'a mut [i64],
}

/// Number the names of all elements in the order in which they are first met; return how
/// many there are. None where there is no place for all.
pub fn number(page: &Page, names: Names) -> Option<usize> {
    let mut numbering = Numbering::expecting(256);
    let mut ids = page.attributes("id").peekable();
    let mut classes = page.attributes("class").peekable();
    let mut strings = Vec::new();
    let mut count = 0;
    for (node, &tag) in page.tag.iter().enumerate() {
        let is_own = |&position: &usize| page.attribute_node[position] as usize == node;
        let value = |position: usize| page.value_bytes(position);
        // Most elements have neither; nothing is hashed of what is not there.
        let id = ids.next_if(is_own).map(value).filter(|id| !id.is_empty());
        let class = classes.next_if(is_own).map(value).filter(|class| !class.is_empty());
        let place = names.numbers.get_mut(node)?;
        if tag == TEXT {
            *place = -1;
            continue;
        }
        let (number, is_new) = numbering.number((tag, id, class));
        *place = number as i32;
        if is_new {
            *names.tags.get_mut(number)? = i32::from(tag);
            for part in [id, class] {
                strings.extend_from_slice(part.unwrap_or(b""));
                strings.push(0);
            }
            count = number + 1;
        }
    }
    names.strings.get_mut(..strings.len())?.copy_from_slice(&strings);
    *names.size.first_mut()? = strings.len() as i64;
    Some(count)
}
