"""From a form element to the `Form` that is sent for a query."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urldefrag, urljoin, urlsplit

from scythe.engines.forms.controls import SUBMITS, Item, values_of
from scythe.engines.forms.form import MULTIPART, URLENCODED, Control, Form
from scythe.engines.forms.words import SEARCH
from scythe.tree.encoding import codec_of
from scythe.tree.links import base_url
from scythe.tree.tree import Tree


@dataclass(frozen=True, eq=False)
class FormPage:
    """A page with forms: its address and the charset it is in decide what they send."""

    tree: Tree
    url: str
    charset: str

    def absolute(self, address: str) -> str | None:
        """An address of the page as a whole one, None if it is not of the web. An empty
        one is that of the page.
        """
        try:
            base = base_url(self.tree, self.url)
            whole = urldefrag(
                urljoin(base, address.strip()) if address.strip() else self.url
            ).url
            parts = urlsplit(whole)
            usable = (
                parts.scheme.lower() in ("http", "https")
                and bool(parts.hostname)
                and (parts.port or 1) > 0
            )
        except ValueError:
            return None
        return whole if usable else None


def build_form(
    page: FormPage,
    form: int,
    items: Sequence[Item],
    query: Item,
    button: Item | None = None,
) -> Form | None:
    """What a browser would send, None where the form leads nowhere: to a script, to
    mail, or to no valid address.

    `button` is the one that is pressed, by default the one that searches.
    """
    attributes = dict(page.tree.attributes(form))
    submit = button or _submit(items)
    for name in ("action", "method", "enctype"):
        if submit is not None and f"form{name}" in submit.attributes:
            attributes[name] = submit.attributes[f"form{name}"]
    action = page.absolute(attributes.get("action", ""))
    if action is None or not query.name:
        return None
    post = attributes.get("method", "").strip().lower() == "post"
    enctype = (
        MULTIPART
        if post and attributes.get("enctype", "").strip().lower() == MULTIPART
        else URLENCODED
    )
    charset = _accepted(attributes) or page.charset
    controls = tuple(_controls(page.tree, items, query, submit, charset))
    return Form(
        action, query.name, "post" if post else "get", controls, charset, enctype
    )


def _accepted(attributes: Mapping[str, str]) -> str | None:
    """The first charset that the form accepts and that exists."""
    labels = re.split(r"[\s,]+", attributes.get("accept-charset", ""))
    found = next((codec for label in labels if (codec := codec_of(label))), None)
    return "utf-8" if found is not None and found.startswith("utf-16") else found


def _submit(items: Sequence[Item]) -> Item | None:
    """The button that is pressed: the first one, as with the enter key, unless another
    says that it searches.
    """
    submits = [item for item in items if item.kind in SUBMITS and not item.disabled]
    saying = [item for item in submits if SEARCH.search(f"{item.label} {item.name}")]
    return next(iter(saying or submits), None)


def _controls(
    tree: Tree, items: Sequence[Item], query: Item, submit: Item | None, charset: str
) -> Iterator[Control]:
    """All that is sent, in document order, the field of the query with an empty value."""
    for item in items:
        if item is query:
            yield Control(item.name, "", item.kind)
        elif item is submit and item.name:
            yield from _pressed(item)
        elif item.name == "_charset_" and item.kind == "hidden":
            yield Control(item.name, charset, item.kind)
        elif item.name and item.name != query.name and not item.disabled:
            yield from (
                Control(item.name, value, item.kind) for value in values_of(tree, item)
            )


def _pressed(item: Item) -> Iterator[Control]:
    """What a button sends; one that is a picture tells where it was pressed."""
    if item.kind == "image":
        yield from (Control(f"{item.name}.{axis}", "1", "submit") for axis in "xy")
    else:
        yield Control(item.name, item.attributes.get("value", ""), "submit")
