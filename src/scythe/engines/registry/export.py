"""Stored engines for other programs: entries for SearXNG's settings, and Scrapy spiders
that take a query.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from scythe.engines.forms.form import MULTIPART, QUERY
from scythe.errors import UsageError
from scythe.tree.encoding import codec_of
from scythe.wrappers.export.searxng import Entry, searxng_entry, written
from scythe.wrappers.export.spider import SpiderSearch, scrapy_spider

if TYPE_CHECKING:
    from scythe.engines.engine import Engine

_MARK = "scythequerymark"
"""Stands for the words while a request is written: letters that every charset and
encoding leave as they are.
"""


@dataclass(frozen=True, slots=True)
class Paging:
    """Which parameter of an address says which page it is: its value on the first page,
    and how much it grows with each.
    """

    name: str
    first: int
    step: int


def paging_of(first_url: str, next_url: str | None, records: int) -> Paging | None:
    """How result pages are numbered, from the address of the first and the second; None
    where their addresses do not say.
    """
    if next_url is None:
        return None
    one, two = urlsplit(first_url), urlsplit(next_url)
    before, after = (
        dict(parse_qsl(one.query, keep_blank_values=True)),
        dict(parse_qsl(two.query, keep_blank_values=True)),
    )
    changed = {
        name: value
        for name, value in after.items()
        if before.get(name) != value and value.isdecimal() and len(value) < 7
    }
    if one.path != two.path or len(changed) != 1:
        return None
    ((name, value),) = changed.items()
    second = int(value)
    known = before.get(name, "")
    if known.isdecimal() and second > int(known):
        return Paging(name, int(known), second - int(known))
    if second in (1, 2):
        return Paging(name, second - 1, 1)
    return (
        Paging(name, second - records, records)
        if records and second - records in (0, 1)
        else None
    )


def ask_paging(engine: Engine) -> Paging | None:
    """How the result pages of an engine are numbered, as its answer to a query it was
    learned from shows.
    """
    for query in engine.queries[:2]:
        results = engine.search(query)
        if found := paging_of(
            engine.form.request(query).url, results.next_page, len(results)
        ):
            return found
    return None


def searxng_entries(engines: Sequence[tuple[Engine, Paging | None]]) -> str:
    """The `engines:` list of SearXNG's settings; each engine comes with how its pages
    are numbered, if that is known.
    """
    return written([_entry(engine, paging) for engine, paging in engines])


def _entry(engine: Engine, paging: Paging | None) -> Entry:
    _require_plain(engine, "SearXNG")
    if codec_of(engine.form.charset) not in ("utf-8", "ascii"):
        raise UsageError(
            f"{engine.name} takes words in {engine.form.charset}, SearXNG sends UTF-8. Export it as a spider: --to scrapy."
        )
    name = engine.name.replace("_", "-")
    request = engine.form.request(_MARK)
    if request.body is None:
        url = request.url if paging is None else _numbered(request.url, paging.name)
        return searxng_entry(engine.wrapper, name, _template(url)) | _counted(paging)
    body = request.body.decode("ascii").replace(_MARK, QUERY)
    return searxng_entry(engine.wrapper, name, request.url, body)


def _counted(paging: Paging | None) -> Entry:
    return (
        {}
        if paging is None
        else {"first_page_num": paging.first, "page_size": paging.step}
    )


def _numbered(url: str, name: str) -> str:
    """An address with `{pageno}` as the value of a parameter."""
    parts = urlsplit(url)
    pairs = [
        pair
        for pair in parse_qsl(parts.query, keep_blank_values=True)
        if pair[0] != name
    ]
    return urlunsplit(
        parts._replace(
            query="&".join(
                filter(None, [urlencode(pairs), f"{urlencode({name: ''})}{{pageno}}"])
            )
        )
    )


def _template(url: str) -> str:
    return url.replace(_MARK, QUERY)


def spider_of(engine: Engine) -> str:
    """A spider for the results of any query: `scrapy runspider FILE -a query=hay`."""
    _require_plain(engine, "A spider")
    form, request = engine.form, engine.form.request(_MARK)
    search = SpiderSearch(
        url=_template(request.url),
        query=engine.queries[0] if engine.queries else "",
        codec=codec_of(form.charset) or "utf-8",
        method=request.method.upper(),
        body=""
        if request.body is None
        else request.body.decode("ascii").replace(_MARK, QUERY),
        headers=request.headers,
    )
    return scrapy_spider(
        engine.wrapper, request.url.replace(_MARK, "QUERY"), engine.name, search
    )


def _require_plain(engine: Engine, program: str) -> None:
    """Refuse what only Scythe can ask."""
    if engine.rendered:
        raise UsageError(
            f"{engine.name} builds its results by script. {program} sees no script: use `scythe search`."
        )
    if engine.session:
        raise UsageError(
            f"{engine.name} needs a session of its own for each search. {program} has none: use `scythe search`."
        )
    if engine.form.method == "post" and engine.form.enctype == MULTIPART:
        raise UsageError(
            f"{engine.name} takes its words as multipart data. {program} does not send that: use `scythe search`."
        )
