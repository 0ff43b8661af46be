"""Where pages come from: web addresses, files, folders and standard input.

Extraction knows nothing of this room: `read` and `fetch` give a `Page`, whose parts
`scythe.extract` takes.
"""

from scythe.sources.download import fetch
from scythe.sources.options import ReadOptions
from scythe.sources.page import Page
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
    "Page",
    "ReadOptions",
    "Source",
    "StandardInput",
    "UnreadableFolder",
    "UrlSource",
    "expand",
    "fetch",
]
