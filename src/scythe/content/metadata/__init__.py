"""What a page says about itself, read from its structured data, its meta tags, then the
page.
"""

from scythe.content.metadata.metadata import Metadata, read_metadata

__all__ = ["Metadata", "read_metadata"]
