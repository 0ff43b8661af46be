"""Standardization: values as pages write them, brought to one form, so that records of
many sites can be compared and counted.

One module a kind of value, each with pure functions from text to plain values.
"""
