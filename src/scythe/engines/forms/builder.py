"""From a form element to the `SearchForm` that is sent for a query."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urldefrag, urljoin, urlsplit

from scythe.engines.forms.controls import SUBMIT_KINDS, PageControl, default_values
from scythe.engines.forms.form import MULTIPART, URLENCODED, Control, SearchForm
from scythe.engines.forms.keywords import SEARCH
from scythe.tree.encoding import codec_of
from scythe.tree.links import page_base_url
from scythe.tree.tree import Tree


@dataclass(frozen=True, eq=False)
class FormPage:
    """A page with forms: its address and its charset decide what they send."""

    tree: Tree
    url: str
    charset: str

    def absolute(self, address: str) -> str | None:
        """Return an address of the page as an absolute one, None if it is not of the web.

        An empty one is that of the page.
        """
        address = address.strip()
        try:
            base = page_base_url(self.tree, self.url)
            absolute = urljoin(base, address) if address else self.url
            whole = urldefrag(absolute).url
            parts = urlsplit(whole)
            has_web_scheme = parts.scheme.lower() in ("http", "https")
            is_web = has_web_scheme and bool(parts.hostname)
            if is_web:
                _ = parts.port  # raises for a port that is no number
        except ValueError:
            return None
        if not is_web:
            return None
        return whole


def build_form(
    page: FormPage,
    form: int,
    controls: Sequence[PageControl],
    query: PageControl,
    button: PageControl | None = None,
) -> SearchForm | None:
    """Return what a browser would send.

    None where the form leads nowhere: to a script, to mail, or to no valid address.
    `button` is the one that is pressed, by default the one that searches.
    """
    submit = button or _default_submit(controls)
    own_attributes = page.tree.attributes(form)
    attributes = _effective_attributes(own_attributes, submit)
    action = page.absolute(attributes.get("action", ""))
    if action is None or not query.name:
        return None

    method = attributes.get("method", "").strip().lower()
    enctype = attributes.get("enctype", "").strip().lower()
    if method != "post":
        method = "get"
    if method == "get" or enctype != MULTIPART:
        enctype = URLENCODED

    charset = _accepted_charset(attributes) or page.charset
    sent: list[Control] = []
    for control in controls:
        if control is query:
            sent.append(Control(control.name, "", control.kind))
        elif control is submit and control.name:
            sent += _pressed(control)
        elif control.name == "_charset_" and control.kind == "hidden":
            sent.append(Control(control.name, charset, control.kind))
        elif _is_sent(control, query):
            for value in default_values(page.tree, control):
                sent.append(Control(control.name, value, control.kind))
    return SearchForm(action, query.name, method, tuple(sent), charset, enctype)


def _is_sent(control: PageControl, query: PageControl) -> bool:
    """Return whether a browser sends a control that nobody touches."""
    if not control.name or control.disabled:
        return False
    return control.name != query.name


def _effective_attributes(
    attributes: Mapping[str, str], submit: PageControl | None
) -> dict[str, str]:
    """Return a form's attributes, with those that its submit button overrides."""
    effective = dict(attributes)
    if submit is None:
        return effective
    for name in ("action", "method", "enctype"):
        override = submit.attributes.get(f"form{name}")
        if override is not None:
            effective[name] = override
    return effective


def _accepted_charset(attributes: Mapping[str, str]) -> str | None:
    """Return the first charset that the form accepts and that exists."""
    accepted = attributes.get("accept-charset", "")
    for label in re.split(r"[\s,]+", accepted):
        codec = codec_of(label)
        if not codec:
            continue
        if codec.startswith("utf-16"):
            return "utf-8"
        return codec
    return None


def _default_submit(controls: Sequence[PageControl]) -> PageControl | None:
    """Return the button that is pressed.

    It is the first one, as with the enter key, unless another one names a search.
    """
    first: PageControl | None = None
    for control in controls:
        if control.kind not in SUBMIT_KINDS or control.disabled:
            continue
        if SEARCH.search(f"{control.label} {control.name}"):
            return control
        first = first or control
    return first


def _pressed(button: PageControl) -> list[Control]:
    """Return what a button sends; one that is a picture sends where it was pressed."""
    if button.kind == "image":
        return [Control(f"{button.name}.{axis}", "1", "submit") for axis in "xy"]
    value = button.attributes.get("value", "")
    return [Control(button.name, value, "submit")]
