"""The commands and their options, each in a module named after its command.

What they do is imported when they run, so that help is quick.
"""
