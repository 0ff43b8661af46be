"""From a page to a document in one call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Literal

import numpy as np

from scythe import plugins
from scythe.content.document import Document
from scythe.content.junk import with_clean_captions, without_junk
from scythe.content.methods.coreex import coreex
from scythe.content.methods.econ import econ
from scythe.content.methods.econ_plus import econ_plus
from scythe.content.methods.lbda import Lbda
from scythe.content.methods.learned import Learned
from scythe.content.non_pages import read_non_page
from scythe.content.options import DEFAULT_OPTIONS, ExtractOptions, Focus
from scythe.content.selection import Selection
from scythe.content.status import WITHOUT_PAGE, Status, find_status
from scythe.content.whole import with_whole_structures
from scythe.errors import RenderError, UsageError
from scythe.logins import without_logins
from scythe.plugins import load_plugin, plugin_names
from scythe.tree import Limits, Tree, parse
from scythe.tree.parse import DEFAULT_LIMITS

Extractor = Callable[[Tree], Selection]
"""A user-defined method: anything that selects nodes of a tree."""

Method = str
"""The name of a method: `auto`, one of `METHODS`, or a plug-in."""

Render = Literal[True, False, "auto"]
"""Whether a browser runs the scripts of a page: always, never, or where it is a shell."""

METHODS: Mapping[str, Extractor] = {
    "learned": Learned(),
    "econ": econ,
    "econ+": econ_plus,
    "coreex": coreex,
    "lbda": Lbda(),
}

DEFAULT_METHOD = "learned"
"""What `auto` means: the method with the best mean F1 in docs/benchmarks.md."""

BETAS: Mapping[Focus, float] = {"precision": 0.5, "balanced": 1.0, "recall": 2.0}
"""The F-beta that a focus is for: the usual ones, not tuned."""


def extract(
    html: bytes | str,
    url: str | None = None,
    method: Method | Extractor = "auto",
    limits: Limits = DEFAULT_LIMITS,
    charset: str | None = None,
    options: ExtractOptions = DEFAULT_OPTIONS,
    *,
    render: Render = False,
) -> Document:
    """Return the main content of a page; of an input that is no page a document whose
    status says so.

    `url` makes links absolute. `method` names one of the methods or is one, such as
    `Lbda(site=...)`. `charset` is what the transport declared, if it did; a `str` needs
    none. `options` say how the content is chosen and written.

    `render=True` lets a browser run the scripts of the page first, with the network
    where `url` is given; `"auto"` does so only for a page that is a shell without them.
    """
    name, extractor = resolve_method(method, options.focus)
    non_page = read_non_page(html, url, limits, charset)
    if non_page is not None:
        return _without_other_language(replace(non_page, options=options))

    def render_page() -> Document:
        from scythe.render.shared import run_scripts

        tree = run_scripts(html, url, limits=limits, charset=charset)
        document = build_document(tree, extractor(tree), name, url, options)
        return replace(document, rendered=True)

    if render is True:
        return render_page()
    tree = parse(html, limits, charset)
    document = build_document(tree, extractor(tree), name, url, options)
    if render is False or document.status != Status.SHELL:
        return document
    try:
        return render_page()
    except RenderError as error:
        note = f"it builds its content by script, and could not be rendered: {error}"
        return replace(document, note=note)


def build_document(
    tree: Tree,
    selection: Selection,
    method: str,
    url: str | None,
    options: ExtractOptions = DEFAULT_OPTIONS,
) -> Document:
    """Return the document of a selection, with its status.

    Where the visible text holds no content, the document is built from the page's
    structured data instead, if that has any.
    """
    tree, kept = without_junk(tree, selection.nodes)
    selection = replace(selection, nodes=kept)
    if options.comments != "auto":
        from scythe.content.structures.comments import select_comments

        selection = select_comments(tree, selection, options.comments)
    selection = with_whole_structures(tree, selection)
    added = selection.with_same_text.nodes & ~kept
    if added.any():
        tree = with_clean_captions(tree, added)
    status, note = find_status(tree, selection, url)
    if status in (Status.SHELL, Status.EMPTY):
        # Few pages need the readers of structured data: they are loaded here.
        from scythe.content.embedded import select_embedded

        embedded = select_embedded(tree)
        if embedded is not None:
            selection, status = embedded, Status.EMBEDDED

    document = Document(
        method=method,
        status=status,
        confidence=selection.confidence,
        page_type=selection.page_type,
        url=without_logins(url) if url else url,
        cut=tree.cut,
        tree=tree,
        selection=selection,
        options=options,
        note=note,
    )
    return _without_other_language(document)


def _without_other_language(document: Document) -> Document:
    """Return the document, without its content where that is known to be in another
    language than the one that the options ask for.
    """
    requested = document.options.language
    if requested is None or document.status in WITHOUT_PAGE:
        return document
    from scythe.content.metadata import read_metadata
    from scythe.content.metadata.languages import is_language

    metadata = read_metadata(document.tree, document.url, fields=("language",))
    language = metadata.language
    if language is None or is_language(language, requested):
        return document
    source = metadata.sources["language"]
    nothing = np.zeros(len(document.tree), dtype=bool)
    return replace(
        document,
        status=Status.OTHER_LANGUAGE,
        note=f"it is in {language} by its {source}, not in {requested}.",
        selection=Selection(nothing, confidence=0.0),
        confidence=0.0,
    )


def resolve_method(
    method: str | Extractor, focus: Focus = "balanced"
) -> tuple[str, Extractor]:
    """Return the name and the function of a method, given either, with a focus."""
    if callable(method):
        name = getattr(method, "__name__", type(method).__name__).lower()
        return name, _with_focus(method, name, focus)

    name = DEFAULT_METHOD if method == "auto" else method
    extractor = METHODS.get(name) or load_plugin(plugins.METHODS, name)
    if extractor is None:
        known = ["auto", *METHODS, *plugin_names(plugins.METHODS)]
        raise UsageError(
            f"There is no method {method!r}. Choose one of: {', '.join(known)}."
        )
    return name, _with_focus(extractor, name, focus)


def _with_focus(extractor: Extractor, name: str, focus: Focus) -> Extractor:
    if focus == "balanced":
        return extractor
    if not isinstance(extractor, Learned):
        raise UsageError(
            f"The method {name} cannot favour {focus}: it has one answer to a page. "
            "Choose the method learned, or the focus balanced."
        )
    return replace(extractor, beta=BETAS[focus])
