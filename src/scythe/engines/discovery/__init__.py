"""From the address of a site to an engine."""
