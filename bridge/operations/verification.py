"""Verification of levels: every claim is derived anew by the referee."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from bridge.episode.engines import open_local_engines
from bridge.operations.engines import open_engines
from bridge.operations.executors import open_executor
from bridge.runs.folders import RunError
from bridge.verifying.certificate import Certificate
from bridge.verifying.checker import Depth
from bridge.verifying.runner import Ledger, verify_files
from bridge.verifying.targets import LevelFile
from pysim.catalog.documents import parse_document
from pysim.machine import count_cores
from pysim.physics.factory import list_worlds

__all__ = ["make_depth", "verify_level_files"]

Report = Callable[[int, Certificate], None]
"""Called with the place of a file and its certificate, as soon as it is there."""


def make_depth(
    *, deep: bool = False, worlds: Sequence[str] = (), films: bool = True, unity: bool = False
) -> Depth:
    """Return how thoroughly levels are verified.

    Args:
        deep: count solutions and search for shorter plans, too.
        worlds: in which plans are played; empty for all that this machine has.
        films: whether the films of plans are checked.
        unity: whether there is a Unity player, so that ``unity`` is one of the worlds.

    Raises:
        RunError: there is no such world.
    """
    names = tuple(worlds) or (*list_worlds(), *(("unity",) if unity else ()))
    unknown = [name for name in names if name not in (*list_worlds(), "unity")]
    if unknown:
        raise RunError(
            f"there is no world {unknown[0]!r}; known are {', '.join(list_worlds())}, unity"
        )
    return Depth(deep, names, films)


def verify_level_files(
    files: Sequence[LevelFile],
    depth: Depth,
    *,
    certificates: Path | None = None,
    unity_player: str = "",
    workers: int = 0,
    ray: str = "",
    report: Report = lambda place, certificate: None,
) -> tuple[Certificate, ...]:
    """Verify levels, and return their certificates in the order of the files.

    An interrupt is passed on; what was reported is kept in ``certificates``.

    Args:
        files: of the levels.
        depth: how thoroughly.
        certificates: file of earlier certificates, which are taken over, and of new ones; None
            for none.
        unity_player: executable that Unity built; empty for none.
        workers: processes; 0 for one per core.
        ray: address of a Ray cluster; empty for none.
        report: called with each certificate, earlier ones first.

    Raises:
        InputError: the file of certificates is damaged.
        WorkerLost: two processes ended in the check of one level.
    """
    ledger = Ledger(certificates)
    found = _find_earlier(files, depth, ledger)
    for place, certificate in found.items():
        report(place, certificate)
    left = [place for place in range(len(files)) if place not in found]

    def add(number: int, certificate: Certificate) -> None:
        found[left[number]] = certificate
        ledger.add(certificate)
        report(left[number], certificate)

    in_unity = "unity" in depth.worlds
    engines = partial(open_engines, unity_player, "unity") if in_unity else open_local_engines
    count = workers or (1 if len(left) == 1 else count_cores())
    with open_executor(ray, count) as executor:
        verify_files([files[i] for i in left], depth, engines, executor, add)
    return tuple(found[i] for i in sorted(found))


def _find_earlier(
    files: Sequence[LevelFile], depth: Depth, ledger: Ledger
) -> dict[int, Certificate]:
    """Return earlier certificates by the places of the files, which are known by their content."""
    known = ledger.read_certificates()
    found = {}
    for place, file in enumerate(files):
        certificate = known.get(_read_hash(file)) if known else None
        if certificate is not None and certificate.deep >= depth.deep:
            found[place] = certificate
    return found


def _read_hash(file: LevelFile) -> str:
    """Return the hash in a level's document; empty if it can't be read."""
    try:
        document = parse_document(file.read())
    except (OSError, ValueError):
        return ""
    return str(document.get("hash", "")) if isinstance(document, dict) else ""
