"""One search over many engines."""
