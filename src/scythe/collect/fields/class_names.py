"""What a site calls the elements of its values by their classes: the last name that a
field can have, where neither a label nor a word of any schema names it.
"""

from __future__ import annotations

import re

from scythe.templates.suggestions.memory import element_words

NEAR_STEPS = 2
"""Elements around a value whose classes may name it. Not tuned."""

_CLASS = re.compile(r"\.([^.#@\s]+)")
_PLAIN = re.compile(r"[a-zA-Z][a-zA-Z_-]{2,29}")


def class_name(path: str) -> str:
    """Return the class by which a slot can be named: the nearest that means something,
    empty where there is none.
    """
    steps = [step for step in path.split(" > ") if step != "#text"]
    for step in reversed(steps[-NEAR_STEPS:]):
        classes = _CLASS.findall(step)
        for name in classes:
            words = element_words(name)
            if words and _PLAIN.fullmatch(name):
                return name
        if classes:
            break
    return ""
