"""How results and progress are written."""
