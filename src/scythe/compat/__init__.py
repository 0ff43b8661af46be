"""The calls of other libraries, answered by Scythe, for programs that change over."""
