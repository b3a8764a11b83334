"""One folder for each published benchmark, see :mod:`bridge.runs.protocol`; all independent."""
