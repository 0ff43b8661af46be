"""Which records moved, and which are gone."""
