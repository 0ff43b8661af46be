"""The crawler: pages fetched by Scrapy in a process of its own, politely and within
bounds.
"""
