"""Pages as a real browser lays them out: the same `Tree`, with boxes and layout."""

from scythe.render.browser import Browser, render_page
from scythe.render.chromium import browser_available, find_chromium
from scythe.render.options import OFFLINE, ONLINE, RenderOptions

__all__ = [
    "OFFLINE",
    "ONLINE",
    "Browser",
    "RenderOptions",
    "browser_available",
    "find_chromium",
    "render_page",
]
