"""Pages as a real browser lays them out: the same `Tree`, with boxes and layout."""

from scythe.tree.render.browser import Browser, rendered
from scythe.tree.render.chromium import browser_available, find_chromium
from scythe.tree.render.options import GIVEN, LIVE, RenderOptions

__all__ = ["GIVEN", "LIVE", "Browser", "RenderOptions", "browser_available", "find_chromium", "rendered"]
