"""Search engines: forms, sample queries, sending, `Engine`, metasearch and harvest."""
