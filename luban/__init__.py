"""Luban's public Python surface: all that is exported here, and nothing else.

::

    import luban

    with luban.start("burr-piston") as episode:
        episode.observe().views[0].save("first_view.png")
        print(episode.step("slide", pieces=["purple"], direction="+y", distance=1).message)

Nothing is imported until it is asked for. ``luban.connect(address)`` returns a client with the same
``levels`` and ``start``, whose episodes are played on a server. The code is in ``pysim`` and
``bridge``, which are private: they may change in any version.
"""

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bridge.adapters.signatures import TypedTool as TypedTool
    from bridge.adapters.signatures import list_typed_tools as list_typed_tools
    from bridge.adapters.toolbox import Reply as Reply
    from bridge.adapters.toolbox import Toolbox as Toolbox
    from bridge.agents.protocol import Agent as Agent
    from bridge.episode.observation import Observation as Observation
    from bridge.episode.observation import View as View
    from bridge.episode.protocol import PlayedEpisode as Episode
    from bridge.episode.records import Ending as Ending
    from bridge.episode.records import StepResult as StepResult
    from bridge.episode.rewards import EpisodeReturn as EpisodeReturn
    from bridge.episode.rewards import Reward as Reward
    from bridge.episode.rewards import RewardRule as RewardRule
    from bridge.generating import BatchSummary as BatchSummary
    from bridge.items.results import ItemResults as ItemResults
    from bridge.operations.video_scores import ScoredVideos as ScoredVideos
    from bridge.operations.video_scores import VideoScore as VideoScore
    from bridge.recording.log import Log as Log
    from bridge.rpc.client import Client as Client
    from bridge.rpc.client import connect as connect
    from bridge.runs.protocol import Bench as Bench
    from bridge.runs.results import EpisodeResult as EpisodeResult
    from bridge.scoring.metrics import Score as Score
    from bridge.verifying.certificate import Certificate as Certificate
    from luban import errors as errors
    from luban import testing as testing
    from luban.commands import Evaluation as Evaluation
    from luban.commands import evaluate as evaluate
    from luban.commands import generate as generate
    from luban.commands import score_videos as score_videos
    from luban.commands import suites as suites
    from luban.commands import tasks as tasks
    from luban.commands import verify as verify
    from luban.notebooks import Shell
    from luban.playing import levels as levels
    from luban.playing import load as load
    from luban.playing import read_log as read_log
    from luban.playing import start as start
    from pysim.catalog.spaces import find_space as find_space
    from pysim.generation import Generator as Generator
    from pysim.items import Item as Item
    from pysim.learning.spaces import FamilySpace as FamilySpace
    from pysim.puzzle import Family as Family
    from pysim.puzzle import Level as Level
    from pysim.puzzle import Outcome as Outcome
    from pysim.puzzle import Plan as Plan
    from pysim.puzzle import Rules as Rules
    from pysim.suites import Suite as Suite
    from pysim.tasks.references import TaskList as TaskList
    from pysim.tasks.source import Task as Task
    from pysim.tasks.source import TaskSource as TaskSource

    __version__: str

__all__ = [
    "Agent",
    "BatchSummary",
    "Bench",
    "Certificate",
    "Client",
    "Ending",
    "Episode",
    "EpisodeResult",
    "EpisodeReturn",
    "Evaluation",
    "Family",
    "FamilySpace",
    "Generator",
    "Item",
    "ItemResults",
    "Level",
    "Log",
    "Observation",
    "Outcome",
    "Plan",
    "Reply",
    "Reward",
    "RewardRule",
    "Rules",
    "Score",
    "ScoredVideos",
    "StepResult",
    "Suite",
    "Task",
    "TaskList",
    "TaskSource",
    "Toolbox",
    "TypedTool",
    "VideoScore",
    "View",
    "__version__",
    "connect",
    "errors",
    "evaluate",
    "find_space",
    "generate",
    "levels",
    "list_typed_tools",
    "load",
    "read_log",
    "score_videos",
    "start",
    "suites",
    "tasks",
    "testing",
    "verify",
]

_HOMES = {
    "Agent": "bridge.agents.protocol:Agent",
    "BatchSummary": "bridge.generating:BatchSummary",
    "Bench": "bridge.runs.protocol:Bench",
    "Certificate": "bridge.verifying.certificate:Certificate",
    "Client": "bridge.rpc.client:Client",
    "Ending": "bridge.episode.records:Ending",
    "Episode": "bridge.episode.protocol:PlayedEpisode",
    "EpisodeResult": "bridge.runs.results:EpisodeResult",
    "EpisodeReturn": "bridge.episode.rewards:EpisodeReturn",
    "Evaluation": "luban.commands:Evaluation",
    "Family": "pysim.puzzle:Family",
    "FamilySpace": "pysim.learning.spaces:FamilySpace",
    "Generator": "pysim.generation:Generator",
    "Item": "pysim.items:Item",
    "ItemResults": "bridge.items.results:ItemResults",
    "Level": "pysim.puzzle:Level",
    "Log": "bridge.recording.log:Log",
    "Observation": "bridge.episode.observation:Observation",
    "Outcome": "pysim.puzzle:Outcome",
    "Plan": "pysim.puzzle:Plan",
    "Reply": "bridge.adapters.toolbox:Reply",
    "Reward": "bridge.episode.rewards:Reward",
    "RewardRule": "bridge.episode.rewards:RewardRule",
    "Rules": "pysim.puzzle:Rules",
    "Score": "bridge.scoring.metrics:Score",
    "ScoredVideos": "bridge.operations.video_scores:ScoredVideos",
    "StepResult": "bridge.episode.records:StepResult",
    "Suite": "pysim.suites:Suite",
    "Task": "pysim.tasks.source:Task",
    "TaskList": "pysim.tasks.references:TaskList",
    "TaskSource": "pysim.tasks.source:TaskSource",
    "Toolbox": "bridge.adapters.toolbox:Toolbox",
    "TypedTool": "bridge.adapters.signatures:TypedTool",
    "VideoScore": "bridge.operations.video_scores:VideoScore",
    "View": "bridge.episode.observation:View",
    "connect": "bridge.rpc.client:connect",
    "evaluate": "luban.commands:evaluate",
    "find_space": "pysim.catalog.spaces:find_space",
    "generate": "luban.commands:generate",
    "levels": "luban.playing:levels",
    "list_typed_tools": "bridge.adapters.signatures:list_typed_tools",
    "load": "luban.playing:load",
    "read_log": "luban.playing:read_log",
    "score_videos": "luban.commands:score_videos",
    "start": "luban.playing:start",
    "suites": "luban.commands:suites",
    "tasks": "luban.commands:tasks",
    "verify": "luban.commands:verify",
}
"""Place of each export: ``module:name``."""
_MODULES = ("errors", "testing")


def __getattr__(name: str) -> object:
    """Return an export, which is loaded when it is first used."""
    if name in _MODULES:
        return import_module(f"luban.{name}")
    if name == "__version__":
        from importlib.metadata import version

        return version("luban")
    if name not in _HOMES:
        raise AttributeError(f"module 'luban' has no attribute {name!r}")
    _check_packages_once()
    module, _, attribute = _HOMES[name].partition(":")
    found = globals()[name] = getattr(import_module(module), attribute)
    return found


@cache
def _check_packages_once() -> None:
    """Look at the packages before the first of them is imported."""
    from luban._packages import check_packages

    check_packages()


def load_ipython_extension(shell: "Shell") -> None:
    """Show levels, episodes and logs in 3D from now on: ``%load_ext luban``."""
    from luban.notebooks import register_displays

    register_displays(shell)


def __dir__() -> list[str]:
    return sorted(__all__)
