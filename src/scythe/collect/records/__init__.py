"""Records: schema, preprocessing, import, moves, changes."""
