"""What the visible page says of its record where nothing is declared: prices, ratings,
availability, labels with their values.
"""
