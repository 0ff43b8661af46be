"""Real engines of many kinds, filled with documents of our own and served on loopback."""
