"""Pages that one element swallows: after `<iframe ... />` or a `<title>` that is never
closed, HTML5 reads the rest of the page as the text of that element.

Programs that write XML write such iframes, mostly inside `<noscript>`, where browsers
that run scripts never see them. The element is closed where it should be, and the page
is parsed again.
"""

from __future__ import annotations

import re

from scythe.tree.tags import TagSet
from scythe.tree.tree import Tree

MAX_SHARE = 0.1
"""Of the characters of a page: more of it in one element that holds no markup is no
content of a frame or title. A plain bound: pages that have nothing to close are only
parsed twice.
"""

_RAW = TagSet("iframe title textarea noframes noembed xmp")
_MARKUP = re.compile(r"</?(?:p|div|td|li|h[1-6]|script|body|br)[\s/>]", re.IGNORECASE)
_SELF_CLOSED = re.compile(
    r"<(iframe|title|textarea|noframes|noembed)((?:\s[^<>]{0,4000})?)/>", re.IGNORECASE
)
_TITLE = re.compile(r"<title(?:\s[^<>]{0,4000})?>", re.IGNORECASE)
_TITLE_END = re.compile(r"</title\b", re.IGNORECASE)


def is_swallowed(tree: Tree, length: int) -> bool:
    """Return whether most of a page of this length is the text of one element that
    holds no markup.
    """
    texts = tree.long_texts(_RAW, MAX_SHARE * length)
    return any(map(_MARKUP.search, texts))


def close_raw_text(html: str) -> str:
    """Return a page with its self-closed frames and its unclosed title closed."""
    html = _SELF_CLOSED.sub(r"<\1\2></\1>", html)
    title = _TITLE.search(html)
    if title is None or _TITLE_END.search(html, title.end()):
        return html
    next_tag = html.find("<", title.end())
    if next_tag < 0:
        return html
    return f"{html[:next_tag]}</title>{html[next_tag:]}"
