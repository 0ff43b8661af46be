"""Pages grouped by site, so that what a site repeats is left out."""
