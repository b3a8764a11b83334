"""``luban level``: drafts of levels are sealed, and added to a folder of levels."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import click

from bridge.cli.dataclass_options import HELP_OPTIONS, make_command
from bridge.cli.groups import LazyGroup
from bridge.cli.options import AS_JSON

__all__ = ["AddRequest", "SealRequest", "command"]

_DRAFT = {"argument": True, "help": "A level document, whose hash and plan may be missing."}
_SUMMARIES = {
    "seal": "Give a draft its plan, facts and hash, if the plan solves it.",
    "add": "Seal a draft, and file it in a folder of levels by its family and id.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SealRequest:
    """Options of ``luban level seal``."""

    draft: Path = field(metadata=_DRAFT)
    out: Path | None = field(
        default=None, metadata={"help": "Level file to write, .json; by default the draft itself."}
    )
    force: bool = field(default=False, metadata={"help": "Replace another file that exists."})
    as_json: bool = field(default=False, metadata=AS_JSON)


@dataclass(frozen=True, slots=True, kw_only=True)
class AddRequest:
    """Options of ``luban level add``."""

    draft: Path = field(metadata=_DRAFT)
    to: Path = field(
        default=Path("levels"), metadata={"help": "The folder; levels go to FAMILY/ID.json in it."}
    )
    force: bool = field(default=False, metadata={"help": "Replace a level that is there."})
    as_json: bool = field(default=False, metadata=AS_JSON)


def _summarize() -> Mapping[str, str]:
    return _SUMMARIES


def _load(name: str) -> click.Command:
    request = SealRequest if name == "seal" else AddRequest
    run = f"bridge.cli.handlers.level:run_{name}"
    return make_command(name, request, run=run, about=_SUMMARIES[name])


command = LazyGroup(
    "level",
    summaries=_summarize,
    load=_load,
    about="Seal levels of one's own: the plan is searched for and played, and the hash computed.",
    context_settings={"help_option_names": [*HELP_OPTIONS]},
)
