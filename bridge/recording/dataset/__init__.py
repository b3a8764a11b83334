"""Datasets made of recorded episodes: LeRobot's layout, and a plain one of Parquet and MP4.

Everything is made from logs by replay; no pictures need to have been recorded. Needs the extra
``dataset``. ``docs/datasets.md`` describes every column.
"""
