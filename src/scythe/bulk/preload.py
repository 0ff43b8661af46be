"""Everything that a worker needs, loaded once in the process that all workers are made from."""

import scythe.bulk.reading.lines
import scythe.bulk.reading.members
import scythe.bulk.reading.warc
import scythe.bulk.worker
import scythe.content.extract
import scythe.content.markdown
import scythe.content.metadata  # noqa: F401
