"""The metadata of a page, read from its structured data, its meta tags, then its visible
text.
"""

from scythe.content.metadata.metadata import Metadata, read_metadata

__all__ = ["Metadata", "read_metadata"]
