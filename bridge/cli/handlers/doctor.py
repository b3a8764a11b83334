"""``luban doctor``."""

import json
import platform
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from textwrap import TextWrapper
from typing import Final

from bridge.cli.commands.doctor import DoctorRequest
from bridge.cli.errors import CommandError
from bridge.cli.handlers.diagnosis import Diagnosis, Health
from bridge.cli.terminal import join_lines, measure_terminal

__all__ = ["inspect_installation", "run_doctor"]

_MONO: Final = "apt-get install --no-install-recommends mono-mcs mono-devel nunit-console"


def run_doctor(request: DoctorRequest) -> None:
    """Print what was found; the exit status is 1 if something required is missing or broken.

    Raises:
        InputError: there is no such adapter, or it has nothing to forward to.
    """
    if request.adapter:
        from bridge.cli.handlers.sight import diagnose_adapter

        findings = list(diagnose_adapter(request.adapter, request.port, request.gateway))
    elif request.port or request.gateway:
        raise CommandError("`--port` and `--gateway` require `--adapter`")
    else:
        findings = list(inspect_installation(request.unity_player))
    usable = (Health.OK, Health.LIMITED)
    healthy = all(one.health in usable for one in findings if one.required)
    if request.as_json:
        print(json.dumps({"healthy": healthy, "findings": list(map(asdict, findings))}))
    else:
        _print(findings)
    if not healthy:
        sys.exit(1)


def inspect_installation(unity_player: str = "") -> Iterator[Diagnosis]:
    """Look at one part after another.

    Args:
        unity_player: the player to start; empty for none.
    """
    yield Diagnosis(
        "python", Health.OK, f"{platform.python_version()} at {sys.executable}", required=True
    )
    yield _pybullet()
    yield _package("av", "videos (PyAV, which brings FFmpeg)", "video")
    yield _package("numba", "long searches: verify, solve and generate", "solve")
    yield from _graphics()
    yield _mlagents()
    yield _unity(unity_player)
    yield _mono()


def _package(name: str, purpose: str, extra: str) -> Diagnosis:
    """Not required: a first episode is played without it."""
    try:
        return Diagnosis(name, Health.OK, f"{version(name)}, for {purpose}")
    except PackageNotFoundError:
        found, advice = f"not installed; for {purpose}", f"pip install 'luban[{extra}]'"
        return Diagnosis(name, Health.LIMITED, found, advice)


def _pybullet() -> Diagnosis:
    """Not required: everything can be played on the lattice and drawn with egl."""
    from pysim.errors import describe_missing_pybullet

    if find_spec("pybullet"):
        return Diagnosis("pybullet", Health.OK, f"{version('pybullet')}, for the world bullet")
    found = "not installed; without it no world bullet and no renderer tiny"
    return Diagnosis("pybullet", Health.LIMITED, found, describe_missing_pybullet())


def _graphics() -> Iterator[Diagnosis]:
    from pysim.render.factory import create_renderer
    from pysim.render.renderer import RendererUnavailable

    try:
        renderer, _ = create_renderer("egl")
    except RendererUnavailable as error:
        yield _without_egl(str(error))
        return
    device = renderer.version
    renderer.close()
    yield Diagnosis("egl", Health.OK, device)
    if any(name in device for name in ("llvmpipe", "softpipe", "swrast")):
        found = "none: pictures are drawn by the processor"
        yield Diagnosis("gpu", Health.LIMITED, found, "faster with a GPU and its driver's EGL")
    else:
        yield Diagnosis("gpu", Health.OK, device.rpartition("; ")[2])


def _without_egl(reason: str) -> Diagnosis:
    """Return pictures come from the other renderer, and that one from PyBullet."""
    advice = "apt-get install --no-install-recommends libegl1 libgl1"
    if find_spec("pybullet"):
        return Diagnosis("egl", Health.LIMITED, f"{reason}; pictures come from tiny", advice)
    found = f"{reason}; nor is there PyBullet, so there are no pictures"
    return Diagnosis("egl", Health.MISSING, found, advice, True)


def _mlagents() -> Diagnosis:
    from bridge.unity.mlagents_import import (
        INSTALL,
        MlagentsUnavailable,
        find_installed_version,
        import_environment,
    )

    purpose = "for trainers written for ML-Agents; Luban itself needs it not"
    found = find_installed_version()
    if found is None:
        return Diagnosis("mlagents-envs", Health.MISSING, f"not installed; {purpose}", INSTALL)
    try:
        import_environment()
    except MlagentsUnavailable as error:
        return Diagnosis("mlagents-envs", Health.MISSING, str(error), INSTALL)
    return Diagnosis("mlagents-envs", Health.OK, f"{found}, {purpose}")


def _unity(player: str) -> Diagnosis:
    """Start the player, if there is one, and let it say who it is."""
    from bridge.unity.errors import PlayerError
    from bridge.unity.link import Launch
    from bridge.unity.player import Player

    advice = "build unity_project/ (docs/unity.md), then --unity-player PATH"
    if not player:
        found = "no player named; luban-player stands in for one"
        return Diagnosis("unity", Health.MISSING, found, advice)
    try:
        running = Player(Launch(player))
    except PlayerError as error:
        return Diagnosis("unity", Health.MISSING, str(error), advice)
    engine = running.identity.engine
    running.close()
    return Diagnosis("unity", Health.OK, f"{engine} at {player}")


def _mono() -> Diagnosis:
    purpose = "for the tests of the C# code"
    missing = [name for name in ("mono", "mcs", "nunit-console") if shutil.which(name) is None]
    if missing:
        found = f"{', '.join(missing)} not installed; {purpose}"
        return Diagnosis("mono", Health.MISSING, found, _MONO)
    return Diagnosis("mono", Health.OK, f"{shutil.which('mono')}, {purpose}")


def _print(findings: Sequence[Diagnosis]) -> None:
    """A line for each part, then what to do; a line that is too long goes on below its text."""
    name = max(len(one.part) for one in findings)
    health = max(len(one.health.value) for one in findings)
    indent = " " * (name + health + 4)
    for one in findings:
        print(_wrapped(f"{one.part:<{name}}  {one.health.value:<{health}}  {one.found}", indent))
        if one.advice:
            print(_wrapped(f"{indent}  {one.advice}", f"{indent}  "))


def _wrapped(text: str, indent: str) -> str:
    wrapper = TextWrapper(measure_terminal(), subsequent_indent=indent)
    wrapper.break_long_words = wrapper.break_on_hyphens = False
    return wrapper.fill(join_lines(text))
