"""The fixtures themselves: what an engine's machine interface gives is what its result
pages show.
"""

from __future__ import annotations

import re
import urllib.request
from html import unescape
from itertools import groupby
from urllib.parse import urlencode, urljoin

import pytest

from .real import QUERIES, Running, plain

ASKED = {
    "omega": (
        "GET",
        "/cgi-bin/omega",
        {"P": "", "DEFAULTOP": "and", "xDB": "default", "xFILTERS": "--O"},
    ),
    "htdig": (
        "POST",
        "/cgi-bin/htsearch",
        {"words": "", "method": "and", "format": "builtin-long", "config": "htdig"},
    ),
    "dokuwiki": ("GET", "/wiki/doku.php", {"q": "", "do": "search", "id": "start"}),
    "namazu": (
        "GET",
        "/cgi-bin/namazu.cgi",
        {"query": "", "max": "20", "result": "normal", "sort": "score"},
    ),
    "swish": (
        "GET",
        "/cgi-bin/swish.cgi",
        {"query": "", "metaname": "swishdefault", "sort": "swishrank"},
    ),
}
LINK = re.compile(r"""(?is)<a\b[^>]*?\bhref=["']([^"']*)["'][^>]*>(.*?)</a>""")


def result_page(real: Running, query: str) -> str:
    """The page that a person gets who types the query into the form."""
    method, path, values = ASKED[real.engine.name]
    sent = urlencode({name: value or query for name, value in values.items()})
    url = real.server.url(path)
    answer = (
        urllib.request.urlopen(url, sent.encode())
        if method == "POST"
        else urllib.request.urlopen(f"{url}?{sent}")
    )
    return answer.read().decode("utf-8", errors="replace")


def text_of(html: str) -> str:
    return plain(unescape(re.sub(r"<[^>]*>", "", html)))


@pytest.mark.parametrize("query", QUERIES[::4])
def test_the_truth_is_what_the_page_shows(real: Running, query: str) -> None:
    truth = real.truth(query)
    page = re.sub(
        r'(?s)<div class="search_quickresult">.*?</ul>', "", result_page(real, query)
    )
    results = {item.url: plain(item.title) for item in truth}
    keys = {real.key(url) for url in results}
    links = [
        (real.key(urljoin(real.url, unescape(link))), text_of(text))
        for link, text in LINK.findall(page)
    ]
    shown = [(key, text) for key, text in links if key in keys]
    assert [key for key, _ in groupby(key for key, _ in shown)] == [
        real.key(url) for url in results
    ]
    assert set(results.values()) <= {text for _, text in shown}


def test_every_engine_has_queries_with_many_results_and_none(real: Running) -> None:
    counts = [len(real.truth(query)) for query in QUERIES]
    assert sum(count >= 5 for count in counts) >= 8
    assert real.truth("qzxvkwjy") == []
