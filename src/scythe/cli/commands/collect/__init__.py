"""`scythe collect`: databases that follow sites. The modules are imported in the order
in which the help lists their commands.
"""

# ruff: noqa: I001
from scythe.cli.commands.collect import runs, fields, records, publish
from scythe.cli.commands.collect.shared import app

__all__ = ["app", "fields", "publish", "records", "runs"]
