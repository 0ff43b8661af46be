"""Where pages come from: web addresses, files, folders and standard input.

Extraction knows nothing of this room: `read` and `fetch` give a `RawPage`, whose parts
`scythe.extract` takes.
"""

from scythe.sources.fetching import fetch
from scythe.sources.options import ReadOptions
from scythe.sources.page import RawPage
from scythe.sources.source import (
    FileSource,
    Source,
    StandardInput,
    UnreadableFolder,
    UrlSource,
    expand,
)

__all__ = [
    "FileSource",
    "RawPage",
    "ReadOptions",
    "Source",
    "StandardInput",
    "UnreadableFolder",
    "UrlSource",
    "expand",
    "fetch",
]
