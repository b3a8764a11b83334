"""Every bench that is installed keeps what a bench has to; it is found, and not listed here."""

from bridge.runs.protocol import load_benches
from luban.testing import BenchContract

for _name in load_benches():
    _class = f"Test{_name.title().replace('_', '')}"
    globals()[_class] = type(_class, (BenchContract,), {"bench": _name, "__module__": __name__})
