"""Records from the lines of a page, where nothing is declared."""
