"""Films that are false on purpose, with labels that say where and how."""
