"""A Python interpreter for code that nobody trusts; see the module ``interpreter``."""
