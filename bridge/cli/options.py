"""Options that several commands have."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

__all__ = [
    "AgentName",
    "AgentSettings",
    "BaseUrl",
    "Beside",
    "BesideTables",
    "FeedbackLevel",
    "JsonFlag",
    "LevelName",
    "PackageKind",
    "PricesFile",
    "RayAddress",
    "RendererName",
    "Runs",
    "UnityPlayer",
    "VideoChoice",
    "ViewsName",
]

BaseUrl = Annotated[
    str,
    typer.Option(metavar="URL", help="Address of a model's server; short for --set base_url=URL."),
]
PricesFile = Annotated[
    Path | None,
    typer.Option(help='JSON: {MODEL: {"input", "output"}}, USD for a million tokens.'),
]
AgentSettings = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="NAME=VALUE", help="Setting of the agent, or of a search's scorer."
    ),
]


class Beside(StrEnum):
    """Figures that a report shows beside those of runs."""

    PAPER = "paper"


BesideTables = Annotated[
    Beside | None,
    typer.Option("--beside", help="Add the published figures of the runs' benches to the tables."),
]


class PackageKind(StrEnum):
    """Kind of plugin that a new package offers."""

    FAMILY = "family"
    BENCH = "bench"
    AGENT = "agent"


JsonFlag = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Runs = Annotated[Path, typer.Option(help="Folder for the episodes, one folder each.")]
RendererName = Annotated[str, typer.Option("--renderer", help="auto, egl, tiny or unity.")]
UnityPlayer = Annotated[
    str,
    typer.Option(
        "--unity-player",
        metavar="PATH",
        envvar="LUBAN_UNITY_PLAYER",
        help="Executable that Unity built, for the world or renderer unity.",
    ),
]
AgentName = Annotated[
    str,
    typer.Option(
        "--agent",
        "--model",
        help="oracle, noisy-oracle:P, greedy, random, first-legal, scripted:FILE, openai:MODEL, "
        "human, or one of another package.",
    ),
]
FeedbackLevel = Annotated[
    str,
    typer.Option(
        "--feedback", help="What the agent is told of its actions: none, legal, reason or full."
    ),
]
ViewsName = Annotated[
    str,
    typer.Option(
        "--views",
        help="Pictures: composed, one sheet, a single view, or classic as in earlier versions.",
    ),
]
VideoChoice = Annotated[
    str, typer.Option("--video", help="Episodes to make videos of: all, failed or none.")
]
LevelName = Annotated[str, typer.Argument(metavar="LEVEL", help="Id of a level, or a level file.")]
RayAddress = Annotated[
    str,
    typer.Option(
        "--ray",
        metavar="ADDRESS",
        help="Ray cluster to work on: HOST:PORT of its head; local starts one here.",
    ),
]
