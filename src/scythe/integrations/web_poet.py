"""web-poet and scrapy-poet: `Document`, `Records` and `PageRecord` as page inputs.

A callback or page object that has a parameter of one of these types gets what Scythe
reads from the response. Add `{"scythe.integrations.web_poet.ScytheProvider": 500}` to the
setting `SCRAPY_POET_PROVIDERS`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from scrapy.http import Response
from scrapy_poet.page_input_providers import PageObjectInputProvider

from scythe.content.document import Document
from scythe.content.extract import extract
from scythe.integrations.scrapy import page_of
from scythe.templates.declared.record import PageRecord
from scythe.templates.page_records import read_page
from scythe.wrappers.find import records
from scythe.wrappers.record import Records

__all__ = ["Document", "PageRecord", "Records", "ScytheProvider"]


def _records(html: bytes | str, url: str) -> Records:
    return records(html, url, render=False)


_READERS: dict[Callable[..., Any], Callable[[bytes | str, str], Any]] = {
    Document: extract,
    Records: _records,
    PageRecord: read_page,
}


class ScytheProvider(PageObjectInputProvider):
    """Provides what Scythe reads from a response."""

    provided_classes = set(_READERS)  # noqa: RUF012 - an instance's, says its base
    name: ClassVar[str] = "scythe"

    def __call__(
        self, to_provide: set[Callable[..., Any]], response: Response
    ) -> Sequence[Any]:
        """Return one value for each type that is asked for."""
        return [
            _READERS[type_](page_of(response), response.url) for type_ in to_provide
        ]
