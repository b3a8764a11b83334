"""Choosing among several attempts, whole ones or the beginnings of some."""
