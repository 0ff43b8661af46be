"""The table that a bulk job writes."""
