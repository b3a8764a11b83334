"""``luban select``."""

from dataclasses import dataclass, field
from pathlib import Path

from bridge.cli.dataclass_options import make_command
from bridge.cli.options import AS_JSON, BASE_URL, PRICES, RENDERER, UNITY_PLAYER
from bridge.cli.requests import parse_settings

__all__ = ["SelectRequest", "command"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectRequest:
    """Options of ``luban select``."""

    runs: tuple[Path, ...] = field(
        metadata={"argument": True, "metavar": "RUN...", "help": "Folders of runs."}
    )
    by: tuple[str, ...] = field(
        default=("verifier",),
        metadata={
            "metavar": "SCORER",
            "help": "Who chooses, once or more: verifier, progress, random, "
            "judge:openai:MODEL, pairwise:openai:MODEL, file:PATH, or one of another package.",
        },
    )
    k: int = field(
        default=0,
        metadata={"least": 0, "most": 1000, "help": "Attempts to choose from; 0 for all."},
    )
    seed: int = field(default=0, metadata={"help": "Seed of the scorers."})
    workers: int = field(
        default=1,
        metadata={"least": 1, "most": 1000, "help": "Number of levels judged at once."},
    )
    settings: tuple[str, ...] = field(
        default=(),
        metadata={"option": "--set", "metavar": "NAME=VALUE", "help": "Setting of a judge."},
    )
    base_url: str = field(default="", metadata=BASE_URL)
    prices: Path | None = field(default=None, metadata=PRICES)
    renderer: str = field(default="auto", metadata=RENDERER)
    unity_player: str = field(default="", metadata=UNITY_PLAYER)
    as_json: bool = field(default=False, metadata=AS_JSON)

    @property
    def scorer_options(self) -> dict[str, str]:
        """Settings of the scorers, name -> text.

        Raises:
            CommandError: one is not written as NAME=VALUE.
        """
        return parse_settings(self.settings, self.base_url)


command = make_command(
    "select",
    SelectRequest,
    run="bridge.cli.handlers.select:run_select",
    about="Measure what choosing among several attempts gives, and what it costs.",
)
