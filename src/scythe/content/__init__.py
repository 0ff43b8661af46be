"""The main content of any page, and what the page says about itself."""
