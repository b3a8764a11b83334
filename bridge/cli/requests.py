"""Options that the commands of one group share, as one value for whoever carries them out."""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING

from bridge.cli.options import (
    AGENT,
    AS_JSON,
    BASE_URL,
    PRICES,
    RAY,
    RENDERER,
    SETTINGS,
    UNITY_PLAYER,
)
from pysim.options import parse_assignment

if TYPE_CHECKING:
    from bridge.operations import generation
    from bridge.operations.generation import GenerationRequest
    from bridge.operations.requests import EvaluationRequest

__all__ = ["BatchRequest", "PoolRequest", "SharedRequest", "parse_settings"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedRequest:
    """Options that every ``luban eval`` shares."""

    suite: str = field(
        metadata={
            "argument": True,
            "help": "A suite or bench, levels or tasks separated by commas, or patterns.",
        }
    )
    agent: str = field(default="oracle", metadata=AGENT)
    preset: str = field(
        default="",
        metadata={
            "help": "paper: the settings of the bench's publication; options given besides win."
        },
    )
    limit: int = field(
        default=0,
        metadata={"help": "Use only the first levels or trials, this many; 0 for all.", "least": 0},
    )
    workers: int = field(
        default=0,
        metadata={
            "help": "Number of attempts at once; 0 for one per core.",
            "least": 0,
            "most": 1000,
        },
    )
    seed: int = field(default=0, metadata={"help": "Seed of the run."})
    image_size: int = field(default=512, metadata={"help": "Edge of pictures in pixels."})
    settings: tuple[str, ...] = field(default=(), metadata=SETTINGS)
    base_url: str = field(default="", metadata=BASE_URL)
    prices: Path | None = field(default=None, metadata=PRICES)
    max_tokens: int | None = field(
        default=None, metadata={"help": "Stop when models used up so many tokens.", "least": 1}
    )
    max_usd: float | None = field(
        default=None, metadata={"help": "The same in USD; needs --prices."}
    )
    out: Path | None = field(
        default=None, metadata={"help": "Folder of the run; an unfinished run in it is resumed."}
    )
    runs: Path = field(
        default=Path("runs"), metadata={"help": "Without --out: where to make that folder."}
    )
    renderer: str = field(default="auto", metadata=RENDERER)
    unity_player: str = field(default="", metadata=UNITY_PLAYER)
    ray: str = field(default="", metadata=RAY)
    as_json: bool = field(default=False, metadata=AS_JSON)

    @property
    def agent_options(self) -> dict[str, str]:
        """Settings of the agent, name -> text.

        Raises:
            InputError: one is not written as NAME=VALUE.
        """
        return parse_settings(self.settings, self.base_url)

    @property
    def request(self) -> "EvaluationRequest":
        """Request of the evaluation.

        Raises:
            CommandError: a setting is not written as NAME=VALUE.
        """
        from bridge.operations.requests import EvaluationRequest

        same = {f.name for f in fields(EvaluationRequest)} - {"settings"}
        values = {name: getattr(self, name) for name in same}
        return EvaluationRequest(settings=self.agent_options, **values)


def parse_settings(settings: Sequence[str], base_url: str) -> dict[str, str]:
    """Parse ``--set`` and ``--base-url``, name -> text.

    Raises:
        InputError: one is not written as NAME=VALUE.
    """
    url = [f"base_url={base_url}"] if base_url else []
    return dict(parse_assignment("--set", one) for one in [*settings, *url])


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchRequest:
    """Options that every ``luban generate`` shares."""

    out: Path = field(metadata={"help": "Folder for the levels; resumes the batch in it."})
    count: int = field(
        default=1, metadata={"least": 1, "most": 1_000_000, "help": "Number of levels."}
    )
    seed: int = field(default=0, metadata={"help": "Seed of the random numbers."})
    workers: int = field(
        default=1, metadata={"least": 1, "most": 256, "help": "Number of processes."}
    )
    attempts: int = field(
        default=0, metadata={"least": 0, "help": "Attempts after which to give up; 0 for never."}
    )
    registry: Path | None = field(
        default=None,
        metadata={"help": "Folder shared by batches, so that no puzzle is made twice."},
    )
    renderer: str = field(default="auto", metadata=RENDERER)
    ray: str = field(default="", metadata=RAY)
    as_json: bool = field(default=False, metadata=AS_JSON)

    @property
    def request(self) -> "GenerationRequest":
        """Request of the generation."""
        from bridge.operations.generation import GenerationRequest

        return GenerationRequest(
            **{field.name: getattr(self, field.name) for field in fields(GenerationRequest)}
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolRequest:
    """Options of ``luban generate --pool``."""

    family: str = field(metadata={"argument": True, "help": "A family that has tasks."})
    out: Path = field(
        metadata={"help": "File for the pool, NAME.pool; resumes the pool, or adds to it."}
    )
    count: int = field(
        default=2000,
        metadata={
            "least": 1,
            "most": 1_000_000,
            "help": "Number of tasks at least, of all difficulties and splits.",
        },
    )
    seed: int = field(default=0, metadata={"least": 0, "help": "Seed of the random numbers."})
    private: Path | None = field(
        default=None,
        metadata={"help": "File of a secret seed; the tasks are all of the split private."},
    )
    referee: bool = field(
        default=False,
        metadata={"help": "Have the referee derive every claim of each task anew; takes longer."},
    )
    workers: int = field(
        default=1, metadata={"least": 1, "most": 256, "help": "Number of processes."}
    )
    ray: str = field(default="", metadata=RAY)
    as_json: bool = field(default=False, metadata=AS_JSON)

    @property
    def request(self) -> "generation.PoolRequest":
        """Request of the pool."""
        from bridge.operations import generation

        names = [field.name for field in fields(generation.PoolRequest)]
        return generation.PoolRequest(**{name: getattr(self, name) for name in names})
