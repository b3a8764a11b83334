"""The referee: judges claims by code that shares none with what made them."""
