"""Marks: what tags, classes and ids say about the role of an element, counted along the
way from the root.

A mark is a group of tag names or of words that site builders put into class and id. The
words are those of mark-up, not of the text: they are English on pages of every
language. Each mark has one byte in a row of 64-bit counters, so that the counts along
the path to every node are one running sum of the counters that begin and end.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from scythe.content.methods.learned.outline import Outline
from scythe.tree.tags import CODES, KNOWN
from scythe.tree.tree import Ints

TAG_MARKS: tuple[str, ...] = (
    "p", "li", "ul", "ol", "table", "td", "th", "dl dt dd", "blockquote q", "pre listing xmp", "code kbd samp tt", "article",
    "main", "section", "aside", "nav menu", "header hgroup", "footer", "form fieldset", "figure picture", "figcaption caption",
    "details summary", "a", "button", "label legend", "address", "h1", "h2", "h3", "h4 h5 h6", "noscript", "dialog", "span",
    "b strong", "em i cite", "time", "small sup sub",
)  # fmt: skip

WORD_MARKS: tuple[str, ...] = (
    "comment comments commentlist disqus respond replies reply discussion cmt",
    "sidebar side aside rail secondary complementary",
    "footer foot bottom colophon footnote copyright legal",
    "nav navigation navbar menu submenu menubar topbar mainmenu topnav dropdown megamenu offcanvas drawer",
    "header head masthead banner top hero jumbotron",
    "related recommended recommendations similar more also suggested popular trending latest recent upsell alsolike",
    "share sharing social follow addthis sharedaddy facebook twitter pinterest linkedin whatsapp",
    "cookie cookies consent gdpr onetrust privacy",
    "ad ads advert advertisement sponsor sponsored promo promotion adsense dfp outbrain taboola",
    "newsletter subscribe subscription signup optin mailchimp subscriber",
    "modal popup overlay lightbox dialog tooltip toast offscreen flyout",
    "breadcrumb breadcrumbs crumb crumbs",
    "pagination pager paging paginate pages next prev previous",
    "tag tags category categories cat topics keywords labels taxonomy",
    "author byline bio avatar writer authors profile username user",
    "date time datetime timestamp published posted meta postmeta info byline",
    "title headline heading subtitle subhead name",
    "content contents body text main primary maincontent bodytext",
    "article story post entry blog single hentry articlebody",
    "page container wrapper wrap inner outer layout site",
    "product products woocommerce item sku pdp",
    "price prices cost amount currency sale discount offer money",
    "cart checkout basket buy add wishlist bag minicart",
    "review reviews rating ratings stars testimonial testimonials",
    "description desc summary excerpt teaser intro lead abstract dek standfirst blurb",
    "details detail spec specs specification specifications features feature attributes",
    "tab tabs tabpanel pane panel accordion collapse toggle collapsible faq",
    "list listing lists results result archive loop feed stream",
    "card cards tile tiles grid col column columns row",
    "gallery carousel slider slide slideshow swiper slick owl thumbs thumbnail",
    "image images img photo picture media figure wp video player embed",
    "caption credit figcaption source attribution",
    "search searchform query filter filters facet facets sort refine refinement",
    "form input field fields select option control contact",
    "button buttons btn cta action actions link links",
    "login signin account register auth user loginform password",
    "hidden hide sr screen only visually invisible collapsed none accessibility skip assistive",
    "thread threads topic forum board post posts message messages msg",
    "signature sig quote quoted quotes blockquote bbcode",
    "vote votes like likes upvote score count counts counter views stats",
    "answer answers question questions qa accepted",
    "toc table contents index outline",
    "code highlight syntax snippet pre example listing",
    "docs doc documentation markdown md rst sphinx guide tutorial api reference",
    "section block module component region area widget widgets",
    "elementor vc fusion et divi wp block gutenberg sqs wixui builder",
    "job jobs event events location address map venue",
    "recipe ingredients ingredient instructions steps directions nutrition",
    "language lang languages locale region country translate",
    "alert notice warning message error notification info callout note tip",
    "print email edit report permalink tools toolbar options",
    "left right center middle full wide half",
    "icon icons logo brand svg fa symbol badge",
    "desktop mobile tablet responsive small large xs sm md lg",
    "team member people person staff about company partner partners client clients",
    "service services solution solutions benefits why plan plans pricing",
    "collection category subcategory catalog plp shop store",
    "shipping delivery returns return warranty payment size sizes variant variants swatch",
    "stock availability quantity qty available",
)
"""Chosen by reading the class words that are frequent over many domains; the training
decides what each group means.
"""

_WIDTH = 8
_COUNT = len(TAG_MARKS) + len(WORD_MARKS)
_COLUMNS = -(-_COUNT // _WIDTH)
NAMES = tuple("<" + mark.split()[0] + ">" for mark in TAG_MARKS) + tuple(
    "." + mark.split()[0] for mark in WORD_MARKS
)

_BORDER = b"\0"
_CAMEL = re.compile(rb"(?<=[a-z])(?=[A-Z])")
_LETTERS = bytes(
    byte | 32 if chr(byte).isalpha() and byte < 128 else 0 if not byte else 32
    for byte in range(256)
)
"""Bytes as the words are read: letters in lower case, everything else a space, the
border of two names itself.
"""


def _vocabulary() -> tuple[dict[bytes, int], NDArray[np.int64]]:
    """A number for each word, and the marks of each number; the last column of marks is
    one for words without meaning.
    """
    meanings: dict[bytes, list[int]] = {_BORDER: []}
    for index, mark in enumerate(WORD_MARKS, len(TAG_MARKS)):
        for word in mark.split():
            meanings.setdefault(word.encode(), []).append(index)
    marks = np.full(
        (len(meanings) + 1, max(map(len, meanings.values()))),
        _COLUMNS * _WIDTH,
        dtype=np.int64,
    )
    for row, found in zip(marks[1:], meanings.values(), strict=True):
        row[: len(found)] = found
    return {word: number for number, word in enumerate(meanings, 1)}, marks


_NUMBERS, _MARKS_OF = _vocabulary()


def _row(marks: Sequence[int]) -> NDArray[np.uint64]:
    row = np.zeros(_COLUMNS * _WIDTH, dtype=np.uint8)
    row[list(marks)] = 1
    return row.view(np.uint64)


def _tag_rows() -> NDArray[np.uint64]:
    rows = np.zeros((len(KNOWN) + 1, _COLUMNS), dtype=np.uint64)
    for index, names in enumerate(TAG_MARKS):
        for name in names.split():
            rows[CODES[name]] += _row([index])
    return rows


_TAG_ROWS = _tag_rows()


def path_counts(outline: Outline, nodes: Ints) -> NDArray[np.uint64]:
    """For each of `nodes` the packed counts of marks on the path from the root to it,
    itself included.
    """
    tree, elements = outline.tree, outline.elements
    own = _TAG_ROWS[np.minimum(tree.tag[elements], len(KNOWN))]
    for names in (outline.classes, outline.ids):
        own |= _name_rows(names.kinds)[names.of_element]
    return outline.path_sums(own, nodes)


def unpack(counts: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """One column for each mark."""
    return (
        np.ascontiguousarray(counts).view(np.uint8).reshape(len(counts), -1)[:, :_COUNT]
    )


def _name_rows(names: Sequence[str]) -> NDArray[np.uint64]:
    """The marks of each name."""
    text = b" \0 ".join([name.encode("ascii", "replace") for name in names])
    words = (
        (text if text.islower() else _CAMEL.sub(b" ", text)).translate(_LETTERS).split()
    )
    number = np.fromiter(
        map(_NUMBERS.get, words, repeat(0)), dtype=np.int64, count=len(words)
    )
    name_of = np.cumsum(number == _NUMBERS[_BORDER])
    known = number > _NUMBERS[_BORDER]
    rows = np.zeros((len(names), _COLUMNS * _WIDTH + 1), dtype=np.uint8)
    rows[name_of[known, None], _MARKS_OF[number[known]]] = 1
    return np.ascontiguousarray(rows[:, :-1]).view(np.uint64)
