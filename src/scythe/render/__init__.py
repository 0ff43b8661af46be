"""Pages as a real browser lays them out: the same `Tree`, with boxes and layout."""

from scythe.render.browser import Browser, rendered
from scythe.render.chromium import browser_available, find_chromium
from scythe.render.options import GIVEN, LIVE, RenderOptions

__all__ = [
    "GIVEN",
    "LIVE",
    "Browser",
    "RenderOptions",
    "browser_available",
    "find_chromium",
    "rendered",
]
