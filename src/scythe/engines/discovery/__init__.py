"""From the address of a page with a search box to an engine."""
