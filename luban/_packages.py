"""A look whether ``bridge`` and ``pysim`` are Luban's own packages.

Both names are common: ``pysim`` is that of another project on the package index, and a folder
``bridge`` beside a program hides the installed one.
"""

from importlib.util import find_spec
from pathlib import Path

__all__ = ["check_packages"]

NAMES = ("bridge", "pysim")


def check_packages() -> None:
    """Refuse to work with packages of others.

    Raises:
        ImportError: the message says which one is in the place of ours, and what to do.
    """
    here = Path(__file__).resolve().parent.parent
    for name in NAMES:
        spec = find_spec(name)
        if spec is None or spec.origin is None:
            raise ImportError(f"Luban's package {name} is missing: install luban again")
        place = Path(spec.origin).resolve()
        if place.parent.parent != here:
            raise ImportError(
                f"{place.parent} hides Luban's package {name}, which is in {here}: rename it, or "
                "run Luban in another folder or environment"
            )
        if b"Luban" not in place.read_bytes()[:200]:
            raise ImportError(
                f"another project has put its package {name} in the place of Luban's: uninstall "
                f"it (`pip uninstall {name}`), then install luban again, or use an environment "
                "of its own for each"
            )
