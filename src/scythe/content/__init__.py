"""The main content of a page and its metadata.

`extract` runs a method of `methods/` over a page's tree; the `Document` it returns is
rendered by `formats/` from the outline that `structures/` builds, and described by
`metadata/`.
"""
