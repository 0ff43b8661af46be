"""What the fork server loads once, so that every crawl starts at once.

Scrapy loads its components by name when a crawl starts, which takes longer than crawling a
small site does. No thread is started here, and no reactor is installed.
"""

import contextlib
from collections.abc import Iterator
from importlib import import_module


def component_names() -> Iterator[str]:
    """Yield the names of the components that Scrapy loads when a crawl starts."""
    from scrapy.settings import default_settings

    for setting, value in vars(default_settings).items():
        if setting == "DOWNLOAD_HANDLERS_BASE":
            yield value["http"]
        elif setting.endswith(("_MIDDLEWARES_BASE", "EXTENSIONS_BASE")):
            yield from value
        elif setting.isupper() and str(value).startswith("scrapy."):
            yield value


with contextlib.suppress(ImportError):
    for component in component_names():
        import_module(component.rpartition(".")[0])
    import_module("scythe.collect.crawl.spider")
