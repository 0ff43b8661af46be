"""Records that pages declare: JSON-LD, microdata, and the schemas of their kinds."""
