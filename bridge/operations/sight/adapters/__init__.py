"""Surfaces that Luban has itself, each under the name of its module."""
