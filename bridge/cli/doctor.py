"""``luban doctor``."""

import json
import platform
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import Final

__all__ = ["Finding", "Health", "examine", "run_doctor"]

_MONO: Final = "apt-get install --no-install-recommends mono-mcs mono-devel nunit-console"


class Health(StrEnum):
    """How a part is."""

    OK = "ok"
    LIMITED = "limited"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found of one part.

    Attributes:
        part: its name.
        health: whether it can be used.
        found: what is there, or why it is not.
        advice: what to do; empty if there is nothing to do.
        required: whether Luban is of little use without it.
    """

    part: str
    health: Health
    found: str
    advice: str = ""
    required: bool = False

    def document(self) -> dict[str, object]:
        """As ``luban doctor --json`` prints it."""
        return {
            "part": self.part,
            "health": self.health.value,
            "found": self.found,
            "advice": self.advice,
            "required": self.required,
        }


def run_doctor(unity_player: str, as_json: bool) -> None:
    """Print what was found; the exit status is 1 if something that is required is missing."""
    findings = list(examine(unity_player))
    healthy = all(f.health is not Health.MISSING for f in findings if f.required)
    if as_json:
        print(json.dumps({"healthy": healthy, "findings": [f.document() for f in findings]}))
    else:
        _print(findings)
    if not healthy:
        sys.exit(1)


def examine(unity_player: str = "") -> Iterator[Finding]:
    """Look at one part after another.

    Args:
        unity_player: the player to start; empty for none.
    """
    yield Finding(
        "python", Health.OK, f"{platform.python_version()} at {sys.executable}", required=True
    )
    yield _pybullet()
    yield _package("av", "videos (PyAV, which brings FFmpeg)", "pip install 'av>=18.1,<19'")
    yield from _graphics()
    yield _mlagents()
    yield _unity(unity_player)
    yield _mono()


def _package(name: str, purpose: str, advice: str) -> Finding:
    try:
        return Finding(name, Health.OK, f"{version(name)}, for {purpose}", required=True)
    except PackageNotFoundError:
        return Finding(name, Health.MISSING, f"not installed; for {purpose}", advice, True)


def _pybullet() -> Finding:
    """Not required: everything can be played on the lattice and drawn with egl."""
    from pysim.engines import without_pybullet

    if find_spec("pybullet"):
        return Finding("pybullet", Health.OK, f"{version('pybullet')}, for the world bullet")
    found = "not installed; without it no world bullet and no renderer tiny"
    return Finding("pybullet", Health.LIMITED, found, without_pybullet())


def _graphics() -> Iterator[Finding]:
    from pysim.render.factory import create_renderer
    from pysim.render.renderer import RendererUnavailable

    try:
        renderer, _ = create_renderer("egl")
    except RendererUnavailable as error:
        yield _without_egl(str(error))
        return
    device = renderer.version
    renderer.close()
    yield Finding("egl", Health.OK, device)
    if any(name in device for name in ("llvmpipe", "softpipe", "swrast")):
        found = "none: pictures are drawn by the processor"
        yield Finding("gpu", Health.LIMITED, found, "faster with a GPU and its driver's EGL")
    else:
        yield Finding("gpu", Health.OK, device.rpartition("; ")[2])


def _without_egl(reason: str) -> Finding:
    """Pictures come from the other renderer, and that one from PyBullet."""
    advice = "apt-get install --no-install-recommends libegl1 libgl1"
    if find_spec("pybullet"):
        return Finding("egl", Health.LIMITED, f"{reason}; pictures come from tiny", advice)
    found = f"{reason}; nor is there PyBullet, so there are no pictures"
    return Finding("egl", Health.MISSING, found, advice, True)


def _mlagents() -> Finding:
    from bridge.unity.genuine import (
        INSTALL,
        MlagentsUnavailable,
        environment_module,
        installed_version,
    )

    purpose = "for trainers written for ML-Agents; Luban itself needs it not"
    found = installed_version()
    if found is None:
        return Finding("mlagents-envs", Health.MISSING, f"not installed; {purpose}", INSTALL)
    try:
        environment_module()
    except MlagentsUnavailable as error:
        return Finding("mlagents-envs", Health.MISSING, str(error), INSTALL)
    return Finding("mlagents-envs", Health.OK, f"{found}, {purpose}")


def _unity(player: str) -> Finding:
    """Start the player, if there is one, and let it say who it is."""
    from bridge.unity.errors import PlayerError
    from bridge.unity.link import Launch
    from bridge.unity.player import Player

    advice = "build unity_project/ (docs/unity.md), then --unity-player PATH"
    if not player:
        found = "no player named; luban-player stands in for one"
        return Finding("unity", Health.MISSING, found, advice)
    try:
        running = Player(Launch(player))
    except PlayerError as error:
        return Finding("unity", Health.MISSING, str(error), advice)
    engine = running.identity.engine
    running.close()
    return Finding("unity", Health.OK, f"{engine} at {player}")


def _mono() -> Finding:
    purpose = "for the tests of the C# code"
    missing = [name for name in ("mono", "mcs", "nunit-console") if shutil.which(name) is None]
    if missing:
        found = f"{', '.join(missing)} not installed; {purpose}"
        return Finding("mono", Health.MISSING, found, _MONO)
    return Finding("mono", Health.OK, f"{shutil.which('mono')}, {purpose}")


def _print(findings: list[Finding]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table("part", "", "found", "what to do", box=None)
    for finding in findings:
        table.add_row(finding.part, finding.health.value, finding.found, finding.advice)
    Console().print(table)
