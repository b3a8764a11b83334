"""Presets: the settings of published benchmarks, and how a run departs from them."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bridge.recording.files import write_whole
from bridge.runs.folders import RunError
from pysim.untrusted import MIB, FileKind, parse_json, read_untrusted

__all__ = [
    "PRESET_NAME",
    "Preset",
    "PresetNote",
    "Variant",
    "find_presets",
    "read_preset_note",
    "write_preset_note",
]

PRESET_NAME = "preset.json"
PRESET_FILE = FileKind("a note of a preset", 16 * MIB)
"""File of a run's folder that holds its :class:`PresetNote`."""

Values = Mapping[str, str]
"""Option of ``luban eval``, or setting of an agent, to its value as it is written there."""


@dataclass(frozen=True, slots=True)
class Variant:
    """Values that hold where an option has a certain value.

    Attributes:
        option, value: the condition, by the option's name in its dataclass.
        options, agent: as in :class:`Preset`.
    """

    option: str
    value: str
    options: Values = field(default_factory=dict)
    agent: Values = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Preset:
    """The settings of a published benchmark.

    Attributes:
        source: the publication, as people cite it.
        options: of ``luban eval``, by their names in the dataclasses of options.
        agent: settings of a model, as ``--set`` takes them.
        variants: values that depend on others; later ones come first.
        remarks: what the publication leaves open, or can't be had here. One sentence each.
    """

    source: str
    options: Values = field(default_factory=dict)
    agent: Values = field(default_factory=dict)
    variants: Sequence[Variant] = ()
    remarks: Sequence[str] = ()

    def resolve(self, chosen: Mapping[str, object]) -> tuple[Values, Values]:
        """Return options and agent's settings for a run.

        Args:
            chosen: the options of the run as far as they are known; presets take the place of what
                is not among them.
        """
        options, agent = dict(self.options), dict(self.agent)
        for variant in self.variants:
            value = chosen.get(variant.option, options.get(variant.option))
            if str(value) == variant.value:
                options |= variant.options
                agent |= variant.agent
        return options, agent


def find_presets(bench: object) -> Mapping[str, Preset]:
    """Return the presets that a bench offers, by name; most benches of other packages have none."""
    found: Mapping[str, Preset] = getattr(bench, "presets", {})
    return found


@dataclass(frozen=True, slots=True)
class PresetNote:
    """A comparison of a run's settings with the publication of its bench.

    Attributes:
        preset: that was chosen; empty if none was.
        source: the publication.
        departures: settings that differ from the publication's, in a few words each.
        remarks: as in :class:`Preset`.
    """

    preset: str
    source: str
    departures: tuple[str, ...]
    remarks: tuple[str, ...] = ()

    def format_sentence(self) -> str:
        """Return the note as one line for people."""
        if not self.departures:
            return f"settings of {self.source}"
        return f"differs from {self.source}: {'; '.join(self.departures)}"


def write_preset_note(folder: Path, note: PresetNote) -> None:
    """Write the note of a run into its folder, in place of an earlier one.

    Raises:
        OSError: it can't be written.
    """
    document = {
        "preset": note.preset,
        "source": note.source,
        "departures": list(note.departures),
        "remarks": list(note.remarks),
    }
    write_whole(folder / PRESET_NAME, (json.dumps(document, indent=1) + "\n").encode())


def read_preset_note(folder: Path) -> PresetNote | None:
    """Return the note of a run; None where none was written.

    Raises:
        RunError: the file is damaged.
    """
    path = folder / PRESET_NAME
    if not path.exists():
        return None
    try:
        document = parse_json(read_untrusted(path, PRESET_FILE))
        return PresetNote(
            str(document["preset"]),
            str(document["source"]),
            tuple(map(str, document["departures"])),
            tuple(map(str, document["remarks"])),
        )
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise RunError(f"{path} is damaged ({error}); remove it") from None
