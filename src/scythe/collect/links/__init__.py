"""Links: index pages, discovery, decisions."""
