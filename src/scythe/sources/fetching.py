"""Pages of the web, one request in its turn: robots.txt is obeyed, hosts are left in
peace between requests, and no page of the public web leads to a private machine.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from scythe.errors import FetchError
from scythe.sources.compression import GZIP, decompress
from scythe.sources.download import (
    open_response,
    read_body,
    require_http,
    status_reason,
)
from scythe.sources.options import ReadOptions
from scythe.sources.page import RawPage, require_page_type
from scythe.sources.robots import require_allowed, wait_turn
from scythe.urls import is_own_network

if TYPE_CHECKING:
    import httpx2

    from scythe.sources.deadline import Deadline

DEFAULT_OPTIONS = ReadOptions()


def fetch(url: str, options: ReadOptions = DEFAULT_OPTIONS) -> RawPage:
    """Return the page at an address. Whatever goes wrong is a `FetchError` (also where
    robots.txt forbids it), `NotHtml` or `EmptyInput` that says what to do.
    """
    options = public_options(url, options)
    wait_turn(url, options)
    check = partial(require_allowed, options=options) if options.robots else None
    with open_response(url, options, check=check) as (response, deadline):
        return _read_page(response, deadline, url, options)


def public_options(url: str, options: ReadOptions) -> ReadOptions:
    """Return the options for an address: one of the public web leads to no private
    machine, one of one's own network may.
    """
    require_http(url)
    if options.public_only or is_own_network(url):
        return options
    return replace(options, public_only=True)


def _read_page(
    response: httpx2.Response, deadline: Deadline, url: str, options: ReadOptions
) -> RawPage:
    if not response.is_success:
        raise FetchError(f"Cannot fetch {url}: {status_reason(response)}")
    media_type = require_page_type(response.headers.get("Content-Type", ""), url)
    data = read_body(response, deadline, options.read_size)
    if data.startswith(GZIP):
        data = decompress(data, options.read_size, url)
    return RawPage.checked(
        data,
        url,
        url=str(response.url),
        charset=response.charset_encoding,
        media_type=media_type,
    )
