//! Elements that call themselves alike: by tag, id and classes (the reference:
//! `tree/compiled/element_names.py`).

use crate::hashing::Numbering;
use crate::page::{Page, TEXT};

/// Places for what is found.
pub struct Names<'a> {
    /// For every node the number of its name; -1 of texts.
    pub numbers: &'a mut [i32],
    /// For every number the first node that has it.
    pub first: &'a mut [i32],
    /// For every number the positions of the attributes in the table; -1 where there is none.
    pub ids: &'a mut [i32],
    pub classes: &'a mut [i32],
}

/// Number the names of all elements in the order in which they are first met; return how
/// many there are. None where there is no place for all.
pub fn number(page: &Page, names: Names) -> Option<usize> {
    let mut numbering = Numbering::expecting(256);
    let mut ids = page.attributes("id").peekable();
    let mut classes = page.attributes("class").peekable();
    let mut count = 0;
    for (node, &tag) in page.tag.iter().enumerate() {
        let is_own = |&position: &usize| page.attribute_node[position] as usize == node;
        let id = ids.next_if(is_own);
        let class = classes.next_if(is_own);
        let place = names.numbers.get_mut(node)?;
        if tag == TEXT {
            *place = -1;
            continue;
        }
        let value = |position: usize| page.value_bytes(position);
        let (number, is_new) = numbering.number((tag, id.map(value), class.map(value)));
        *place = number as i32;
        if is_new {
            let position = |position: Option<usize>| position.map_or(-1, |found| found as i32);
            *names.first.get_mut(number)? = node as i32;
            *names.ids.get_mut(number)? = position(id);
            *names.classes.get_mut(number)? = position(class);
            count = number + 1;
        }
    }
    Some(count)
}
