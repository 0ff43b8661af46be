"""The metadata of a page as YAML front matter, as static site generators read it.

Every value is a double-quoted scalar, whose escapes YAML shares with JSON. No text of
a page can leave its quotes, whatever it holds.
"""

from __future__ import annotations

import json
import re

from scythe.content.metadata.metadata import Metadata

_UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")
"""What JSON strings may hold as it is and YAML not, or not without changing it: control
characters, line separators, what is no character.
"""


def to_front_matter(metadata: Metadata, url: str | None = None) -> str:
    """Return the fields that have a value, under the names that JSON output gives them,
    between two lines `---`.
    """
    lines = ["---"]
    if url:
        lines.append(f"url: {_quoted(url)}")
    for name, value in metadata.values().items():
        lines.append(f"{name}: {_quoted(value)}")
    lines.append("---")
    return "\n".join(lines) + "\n"


def _quoted(value: str) -> str:
    return _UNPRINTABLE.sub(_escape, json.dumps(value, ensure_ascii=False))


def _escape(match: re.Match[str]) -> str:
    return f"\\u{ord(match.group()):04x}"
