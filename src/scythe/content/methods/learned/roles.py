"""Roles: what tags, classes and ids declare about an element, counted along the path
from the root.

A role is a group of tag names or of words that site builders put into class and id. The
words are those of mark-up, not of the text: they are English on pages of every
language. Each role has one byte in a row of 64-bit counters, so that the counts along
the path to every node are one running sum of the counters that begin and end.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from scythe.content.methods.learned.spans import ElementSpans
from scythe.tree.tags import CODES, KNOWN
from scythe.tree.tree import Ints

TAG_ROLES: tuple[str, ...] = (
    "p",
    "li",
    "ul",
    "ol",
    "table",
    "td",
    "th",
    "dl dt dd",
    "blockquote q",
    "pre listing xmp",
    "code kbd samp tt",
    "article",
    "main",
    "section",
    "aside",
    "nav menu",
    "header hgroup",
    "footer",
    "form fieldset",
    "figure picture",
    "figcaption caption",
    "details summary",
    "a",
    "button",
    "label legend",
    "address",
    "h1",
    "h2",
    "h3",
    "h4 h5 h6",
    "noscript",
    "dialog",
    "span",
    "b strong",
    "em i cite",
    "time",
    "small sup sub",
)

WORD_ROLES: tuple[str, ...] = (
    "comment comments commentlist disqus respond replies reply discussion cmt",
    "sidebar side aside rail secondary complementary",
    "footer foot bottom colophon footnote copyright legal",
    (
        "nav navigation navbar menu submenu menubar topbar mainmenu topnav dropdown "
        "megamenu offcanvas drawer"
    ),
    "header head masthead banner top hero jumbotron",
    (
        "related recommended recommendations similar more also suggested popular "
        "trending latest recent upsell alsolike"
    ),
    (
        "share sharing social follow addthis sharedaddy facebook twitter pinterest "
        "linkedin whatsapp"
    ),
    "cookie cookies consent gdpr onetrust privacy",
    (
        "ad ads advert advertisement sponsor sponsored promo promotion adsense dfp "
        "outbrain taboola"
    ),
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
    (
        "details detail spec specs specification specifications features feature "
        "attributes"
    ),
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
    (
        "hidden hide sr screen only visually invisible collapsed none accessibility "
        "skip assistive"
    ),
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
    (
        "shipping delivery returns return warranty payment size sizes variant "
        "variants swatch"
    ),
    "stock availability quantity qty available",
)
"""Chosen by reading the class words that are frequent over many domains; the training
decides what each group means.
"""

NAMES = (
    *(f"<{tags.split()[0]}>" for tags in TAG_ROLES),
    *(f".{words.split()[0]}" for words in WORD_ROLES),
)
_COUNTERS_PER_COLUMN = 8
_COLUMNS = -(-len(NAMES) // _COUNTERS_PER_COLUMN)
COUNTERS = _COLUMNS * _COUNTERS_PER_COLUMN

_BORDER = b"\0"
_CAMEL_CASE = re.compile(rb"(?<=[a-z])(?=[A-Z])")


def _read_bytes() -> bytes:
    """Return bytes as the words are read: letters in lower case, everything else a
    space, the border of two names itself.
    """
    table = bytearray(b" " * 256)
    table[0] = 0
    for letter in b"abcdefghijklmnopqrstuvwxyz":
        table[letter] = table[letter - 32] = letter
    return bytes(table)


_READ_BYTES = _read_bytes()


def _vocabulary() -> tuple[dict[bytes, int], NDArray[np.int64]]:
    """Return a number for each word, and the roles of each number; the counter after
    the last one is that of words without a role.
    """
    roles_of_word: dict[bytes, list[int]] = {_BORDER: []}
    for role, words in enumerate(WORD_ROLES, len(TAG_ROLES)):
        for word in words.split():
            roles_of_word.setdefault(word.encode(), []).append(role)

    most_roles = max(map(len, roles_of_word.values()))
    shape = (len(roles_of_word) + 1, most_roles)
    role_table = np.full(shape, COUNTERS, dtype=np.int64)
    numbers = {}
    for number, (key, roles) in enumerate(roles_of_word.items(), 1):
        numbers[key] = number
        role_table[number, : len(roles)] = roles
    return numbers, role_table


_WORD_NUMBERS, _ROLES_OF_NUMBER = _vocabulary()
_BORDER_NUMBER = _WORD_NUMBERS[_BORDER]


def _tag_counters() -> NDArray[np.uint64]:
    """Return the counters of each tag."""
    counters = np.zeros((len(KNOWN) + 1, COUNTERS), dtype=np.uint8)
    for role, tags in enumerate(TAG_ROLES):
        for tag in tags.split():
            counters[CODES[tag], role] = 1
    return counters.view(np.uint64)


TAG_COUNTERS = _tag_counters()


def path_counts(spans: ElementSpans, nodes: Ints) -> NDArray[np.uint64]:
    """Return for each of `nodes` the packed counts of roles on the path from the root
    to it, itself included.
    """
    tags = spans.tree.tag[spans.elements]
    counters = TAG_COUNTERS[np.minimum(tags, len(KNOWN))]
    for names in (spans.classes, spans.ids):
        name_counters = _name_counters(names.values)
        counters |= name_counters[names.of_element]
    return spans.path_sums(counters, nodes)


def unpack(counts: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """Return packed counts with one column for each role."""
    counters = np.ascontiguousarray(counts).view(np.uint8)
    return counters.reshape(len(counts), -1)[:, : len(NAMES)]


def _name_counters(names: Sequence[str]) -> NDArray[np.uint64]:
    """Return the counters of each class or id."""
    encoded = [name.encode("ascii", "replace") for name in names]
    text = b" \0 ".join(encoded)
    if not text.islower():
        text = _CAMEL_CASE.sub(b" ", text)
    words = text.translate(_READ_BYTES).split()

    numbers = map(_WORD_NUMBERS.get, words, repeat(0))
    number = np.fromiter(numbers, dtype=np.int64, count=len(words))
    name_of = np.cumsum(number == _BORDER_NUMBER)
    has_role = number > _BORDER_NUMBER
    name = name_of[has_role, None]
    word_roles = _ROLES_OF_NUMBER[number[has_role]]
    counters = np.zeros((len(names), COUNTERS + 1), dtype=np.uint8)
    counters[name, word_roles] = 1
    known = np.ascontiguousarray(counters[:, :-1])
    return known.view(np.uint64)
