"""The referee for boxes to be filled."""
