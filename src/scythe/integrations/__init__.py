"""Scythe inside other tools: each module is the glue to one of them, and loads it."""
