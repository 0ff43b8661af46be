"""What a selection consists of for a reader: paragraphs, headings, lists, tables, code,
images and links.
"""
