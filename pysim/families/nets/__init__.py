"""Nets: fold what lies flat into a cube that looks as wanted, or two nets into the same one."""
