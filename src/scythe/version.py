"""The version of the installed package, under the name that it has on PyPI."""

from functools import cache

DISTRIBUTION = "webscythe"
"""What `pip install` calls the package: another project has the name `scythe` there."""


@cache
def installed_version() -> str:
    """Return the version, such as `0.2.0`; looked up once, for every request names it."""
    from importlib.metadata import version  # slow, and few programs ask

    return version(DISTRIBUTION)
