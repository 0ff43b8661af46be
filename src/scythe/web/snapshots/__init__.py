"""Saved pages, shown safely inside a sandboxed frame."""
