"""Commands as functions that return typed results.

Command line and Python surface are thin on this package: it prints nothing, reads no terminal and
leaves an interrupt to its caller.
"""
