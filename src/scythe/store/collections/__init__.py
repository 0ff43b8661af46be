"""Rows of collections, their pages, links and records."""
