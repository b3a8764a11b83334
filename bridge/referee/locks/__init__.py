"""The referee for locks."""
