"""How the pages of a partition are read, one module for each kind of input."""
