"""All exceptions Scythe raises on purpose.

    ScytheError
    ├── InputError            the input itself cannot be used
    │   ├── EmptyInput        there is nothing in it
    │   └── NotHtml           it is a PDF, an image, an archive, ...
    ├── FetchError            a URL or file could not be read
    └── UsageError            an argument is wrong (also a ValueError)

Every message is one sentence that names what is wrong, followed by what to do about it.
"""

from __future__ import annotations


class ScytheError(Exception):
    """Base of every error that Scythe raises on purpose."""


class InputError(ScytheError):
    """The bytes given are not a page."""


class EmptyInput(InputError):
    """The input holds nothing but white space."""


class NotHtml(InputError):
    """The input is recognisably something else than a web page."""


class FetchError(ScytheError):
    """A URL or file could not be read."""


class UsageError(ScytheError, ValueError):
    """An argument has a value that no call can satisfy."""
