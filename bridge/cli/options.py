"""Metadata of options that several commands have; see :mod:`bridge.cli.dataclass_options`."""

from enum import StrEnum

__all__ = [
    "AGENT",
    "AS_JSON",
    "BASE_URL",
    "BESIDE",
    "CAMERA",
    "FEEDBACK",
    "LEVEL",
    "PRICES",
    "RAY",
    "RENDERER",
    "RUNS",
    "SETTINGS",
    "UNITY_PLAYER",
    "VIDEO",
    "VIEWS",
    "WORKERS",
    "Beside",
    "PackageKind",
]


class Beside(StrEnum):
    """Figures that a report shows beside those of runs."""

    PAPER = "paper"


class PackageKind(StrEnum):
    """Kind of plugin that a new package offers."""

    FAMILY = "family"
    BENCH = "bench"
    AGENT = "agent"


AGENT = {
    "option": "--agent, --model",
    "help": "oracle, noisy-oracle:P, greedy, random, first-legal, scripted:FILE, openai:MODEL, "
    "human, or one of another package.",
}
AS_JSON = {"option": "--json", "help": "Print one JSON object and nothing else."}
BASE_URL = {
    "metavar": "URL",
    "help": "Address of a model's server; short for --set base_url=URL.",
}
BESIDE = {"help": "Add the published figures of the runs' benches to the tables"}
CAMERA = {
    "metavar": "EYE[:TARGET]",
    "help": "Camera of one's own: where it stands, as 9,-7,6, and what it looks at, by default the "
    "middle.",
}
FEEDBACK = {"help": "What the agent is told of its actions: none, legal, reason or full."}
LEVEL = {"argument": True, "help": "Id of a level, a level file, or a task as in FAMILY:test:7."}
PRICES = {"help": 'JSON: {MODEL: {"input", "output"}}, USD for a million tokens.'}
RAY = {
    "metavar": "ADDRESS",
    "help": "Ray cluster to work on: HOST:PORT of its head; local starts one here.",
}
RENDERER = {"help": "auto, egl, tiny or unity."}
RUNS = {"help": "Folder for the episodes, one folder each."}
SETTINGS = {
    "option": "--set",
    "metavar": "NAME=VALUE",
    "help": "Setting of the agent, or of a search's scorer.",
}
UNITY_PLAYER = {
    "metavar": "PATH",
    "environment": "LUBAN_UNITY_PLAYER",
    "help": "Executable that Unity built, for the world or renderer unity.",
}
VIDEO = {"help": "Episodes to make videos of"}
WORKERS = {"least": 0, "help": "Number of processes; 0 for one per core."}
VIEWS = {"help": "Pictures: composed, one sheet, a single view, or classic as in earlier versions."}
