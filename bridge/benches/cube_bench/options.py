"""Options of Cube Bench."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from bridge.benches.cube_bench.condition import StickerColors, Task
from bridge.items.options import AskOptions
from pysim.options import parse_assignment

__all__ = ["CubeBenchOptions"]


@dataclass(frozen=True, slots=True)
class CubeBenchOptions(AskOptions):
    """Options of tasks on scrambled cubes, and of their presentation."""

    depth: tuple[int, ...] = field(
        default=(), metadata={"help": "Depth, instead of the usual ones; may be repeated."}
    )
    observation: str = field(
        default="",
        metadata={
            "help": "What the agent is shown, where that may be chosen: image+text, image or text.",
        },
    )
    colors: StickerColors = field(
        default=StickerColors.LUBAN,
        metadata={"help": "Colours of stickers in pictures: Luban's, or the paper's RGB values."},
    )
    task_settings: tuple[str, ...] = field(
        default=(),
        metadata={
            "help": "Setting of the task.",
            "option": "--task-setting",
            "metavar": "NAME=VALUE",
        },
    )

    @property
    def settings(self) -> Mapping[str, str]:
        """Settings of the task by name, as text.

        Raises:
            InputError: a setting is not written NAME=VALUE.
        """
        settings = dict(parse_assignment("--task-setting", one) for one in self.task_settings)
        return {**settings, "mode": self.observation} if self.observation else settings

    def get_task_settings(self, task: Task) -> Mapping[str, str]:
        """Return the settings of a task, including the colours if it shows pictures.

        Raises:
            InputError: a setting is not written NAME=VALUE.
        """
        has_colors = self.colors is not StickerColors.LUBAN and task is not Task.EFFECT
        return {**self.settings, "colors": self.colors.value} if has_colors else self.settings
