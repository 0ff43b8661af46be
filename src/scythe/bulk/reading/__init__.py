"""How the pages of a slice are read, one module for each kind of input."""
