"""Engines that are kept: health, relearning, harvest, export."""
