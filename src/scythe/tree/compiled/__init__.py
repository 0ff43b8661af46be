"""Trees by the compiled core, where there is one."""
