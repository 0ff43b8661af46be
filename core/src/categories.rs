//! What tree construction asks of tags, as a table of bits.

use crate::tables::{tag, NAMES};

pub const SPECIAL: u16 = 1;
pub const SCOPING: u16 = 1 << 1;
pub const FORMATTING: u16 = 1 << 2;
/// Elements whose end tag may be left out.
pub const IMPLIED_END: u16 = 1 << 3;
pub const VOID: u16 = 1 << 4;
/// Start tags after which the page can be no frameset.
pub const NOT_FRAMESET: u16 = 1 << 5;
/// Start tags that end a paragraph.
pub const ENDS_PARAGRAPH: u16 = 1 << 6;
/// End tags that end all that is open in their element.
pub const BLOCK_END: u16 = 1 << 7;
/// Start tags that end SVG and MathML.
pub const BREAKOUT: u16 = 1 << 8;
pub const HEADING: u16 = 1 << 9;
/// `<base>`, `<link>` and the like.
pub const METADATA: u16 = 1 << 10;
/// `<table>` and the parts in which no text may stand.
pub const TABLE_PART: u16 = 1 << 11;

#[rustfmt::skip]
const LISTS: [(u16, &[u32]); 12] = {
    use tag::*;
    [
    (SPECIAL, &[
        ADDRESS, APPLET, AREA, ARTICLE, ASIDE, BASE, BASEFONT, BGSOUND, BLOCKQUOTE, BODY,
        BR, BUTTON, CAPTION, CENTER, COL, COLGROUP, COMMAND, DD, DETAILS, DIR, DIV, DL, DT,
        EMBED, FIELDSET, FIGCAPTION, FIGURE, FOOTER, FORM, FRAME, FRAMESET, H1, H2, H3, H4,
        H5, H6, HEAD, HEADER, HGROUP, HR, HTML, IFRAME, IMAGE, IMG, INPUT, ISINDEX, KEYGEN,
        LI, LINK, LISTING, MAIN, MARQUEE, MENU, META, NAV, NOEMBED, NOFRAMES, NOSCRIPT,
        OBJECT, OL, P, PARAM, PLAINTEXT, PRE, SCRIPT, SEARCH, SECTION, SELECT, SOURCE,
        STYLE, SUMMARY, TABLE, TBODY, TD, TEMPLATE, TEXTAREA, TFOOT, TH, THEAD, TITLE, TR,
        TRACK, UL, WBR, XMP,
    ]),
    (SCOPING, &[APPLET, CAPTION, HTML, MARQUEE, OBJECT, SELECT, TABLE, TD, TEMPLATE, TH]),
    (FORMATTING, &[
        A, B, BIG, CODE, EM, FONT, I, NOBR, S, SMALL, STRIKE, STRONG, TT, U,
    ]),
    (IMPLIED_END, &[DD, DT, LI, OPTION, OPTGROUP, P, RB, RP, RT, RTC]),
    (VOID, &[
        AREA, BASE, BASEFONT, BGSOUND, BR, COL, EMBED, HR, IMG, INPUT, KEYGEN, LINK, META,
        PARAM, SOURCE, TRACK, WBR,
    ]),
    (NOT_FRAMESET, &[
        AREA, BR, EMBED, IMG, IMAGE, KEYGEN, WBR, HR, TEXTAREA, XMP, IFRAME, SELECT, TABLE,
        APPLET, MARQUEE, OBJECT, PRE, LISTING, LI, DD, DT, BUTTON, BODY,
    ]),
    (ENDS_PARAGRAPH, &[
        ADDRESS, ARTICLE, ASIDE, BLOCKQUOTE, CENTER, DETAILS, DIALOG, DIR, DIV, DL,
        FIELDSET, FIGCAPTION, FIGURE, FOOTER, HEADER, HGROUP, MAIN, MENU, NAV, OL, P,
        SEARCH, SECTION, SUMMARY, UL,
    ]),
    (BLOCK_END, &[
        ADDRESS, ARTICLE, ASIDE, BLOCKQUOTE, BUTTON, CENTER, DETAILS, DIALOG, DIR, DIV, DL,
        FIELDSET, FIGCAPTION, FIGURE, FOOTER, HEADER, HGROUP, LISTING, MAIN, MENU, NAV, OL,
        PRE, SEARCH, SECTION, SELECT, SUMMARY, UL,
    ]),
    (BREAKOUT, &[
        B, BIG, BLOCKQUOTE, BODY, BR, CENTER, CODE, DD, DIV, DL, DT, EM, EMBED, H1, H2, H3,
        H4, H5, H6, HEAD, HR, I, IMG, LI, LISTING, MENU, META, NOBR, OL, P, PRE, RUBY, S,
        SMALL, SPAN, STRONG, STRIKE, SUB, SUP, TABLE, TT, U, UL, VAR,
    ]),
    (HEADING, &[H1, H2, H3, H4, H5, H6]),
    (METADATA, &[BASE, BASEFONT, BGSOUND, LINK, META]),
    (TABLE_PART, &[TABLE, TBODY, TFOOT, THEAD, TR]),
    ]
};

static CATEGORIES: [u16; NAMES.len()] = {
    let mut categories = [0; NAMES.len()];
    let mut list = 0;
    while list < LISTS.len() {
        let (category, tags) = LISTS[list];
        let mut index = 0;
        while index < tags.len() {
            categories[tags[index] as usize] |= category;
            index += 1;
        }
        list += 1;
    }
    categories
};

pub fn has(tag: u32, category: u16) -> bool {
    match CATEGORIES.get(tag as usize) {
        Some(categories) => categories & category != 0,
        None => false,
    }
}
