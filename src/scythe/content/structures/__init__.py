"""What a page consists of for a reader: tables, lists, code, pictures, links."""
