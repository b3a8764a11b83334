"""Agents of a package that is not Luban's, installed for worker processes to find."""

from collections.abc import Sequence
from pathlib import Path

__all__ = ["install_agents", "install_strangers"]

_MODULE = '''
"""Agents that sleep, die or fail; what they note goes to files in their argument's folder."""

import os, pathlib, signal, time

from bridge.episode.tools import ToolCall


class Slow:
    """Takes a moment for every step, and notes that it did."""

    def __init__(self, briefing):
        self.briefing = briefing
        self.note = pathlib.Path(briefing.argument) / "steps"

    def act(self, observation):
        time.sleep(0.02)
        with self.note.open("a") as file:
            file.write(f"{self.briefing.seed} {observation.step}\\n")
        return ToolCall("slide", {"pieces": ["red"], "direction": "+x", "distance": 1})


class Mortal(Slow):
    """Takes its process with it, the first time that it is asked for its third step."""

    def act(self, observation):
        grave = pathlib.Path(self.briefing.argument) / "grave"
        if observation.step == 2 and not grave.exists():
            grave.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().act(observation)


class Doomed(Slow):
    """Takes its process with it, always."""

    def act(self, observation):
        os._exit(1)


class Clumsy(Slow):
    """Has a fault, as long as there is a banana skin."""

    def act(self, observation):
        if (pathlib.Path(self.briefing.argument) / "banana").exists():
            raise RuntimeError("slipped")
        return super().act(observation)


class Chatty(Slow):
    """Says what its model said."""

    waits = True

    def act(self, observation):
        self.briefing.journal.record({"text": "hm", "usage": {"tokens_in": 10, "tokens_out": 2}})
        return super().act(observation)
'''


def install_strangers(folder: Path) -> None:
    """Put the package into a folder that is, or comes, on the module path."""
    install_agents(
        folder, "strange_agents", _MODULE, ("Slow", "Mortal", "Doomed", "Clumsy", "Chatty")
    )


def install_agents(folder: Path, package: str, source: str, names: Sequence[str]) -> None:
    """Put a package with agents into a folder; each is an entry point by its class's name."""
    (folder / f"{package}.py").write_text(source)
    info = folder / f"{package}-1.dist-info"
    info.mkdir()
    title = package.replace("_", "-")
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {title}\nVersion: 1\n")
    entries = "\n".join(f"{name.lower()} = {package}:{name}" for name in names)
    (info / "entry_points.txt").write_text(f"[luban.agents]\n{entries}\n")
