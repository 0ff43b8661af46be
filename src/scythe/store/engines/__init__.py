"""Rows of engines and harvests."""
