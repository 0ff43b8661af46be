"""Everything that a worker needs, loaded once in the process that all workers are made
from.
"""

from contextlib import suppress

import scythe.bulk.reading.lines
import scythe.bulk.reading.members
import scythe.bulk.reading.warc
import scythe.bulk.workers.tasks
import scythe.content.embedded
import scythe.content.extract
import scythe.content.formats.markdown
import scythe.content.metadata  # noqa: F401
from scythe.content.methods.learned.model import default_content_model

with suppress(ImportError):
    import fastwarc.warc  # noqa: F401

default_content_model()
