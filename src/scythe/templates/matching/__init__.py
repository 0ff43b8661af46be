"""The nodes of a template and their pairing with the nodes of a page."""
