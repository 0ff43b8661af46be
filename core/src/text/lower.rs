//! Texts in lower case, as Python has them.

use std::borrow::Cow;

/// Return a text in lower case; None where Python may see another: where characters depend on
/// their neighbours, or on the version of Unicode.
pub fn lower(text: &str) -> Option<Cow<'_, str>> {
    if text.is_ascii() {
        let has_capital = text.bytes().any(|byte| byte.is_ascii_uppercase());
        return Some(if has_capital {
            Cow::Owned(text.to_ascii_lowercase())
        } else {
            Cow::Borrowed(text)
        });
    }
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let ascii = rest.bytes().position(|byte| !byte.is_ascii()).unwrap_or(rest.len());
        if ascii > 0 {
            let start = out.len();
            out.push_str(&rest[..ascii]);
            out[start..].make_ascii_lowercase();
            rest = &rest[ascii..];
            continue;
        }
        if !is_plain(character) {
            return None;
        }
        out.extend(character.to_lowercase());
        rest = &rest[character.len_utf8()..];
    }
    Some(Cow::Owned(out))
}

fn is_plain(character: char) -> bool {
    match character {
        '\u{130}' | '\u{3a3}' => false,
        // Blocks that got new pairs of capital and small letters of late.
        '\u{1c80}'..='\u{1cbf}' | '\u{2c00}'..='\u{2c5f}' | '\u{a720}'..='\u{a7ff}' => false,
        '\u{1f000}'..='\u{1faff}' | '\u{20000}'..='\u{3ffff}' => true,
        _ => character < '\u{10000}',
    }
}
