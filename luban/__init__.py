"""Luban as other programs know it; the code is in ``pysim`` and ``bridge``.

Programs that find extensions by the name of their package look here.
"""
