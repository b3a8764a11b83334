"""Acting on levels step by step, in one answer, or with a search: settings and play.

Every bench may offer these ways beside its own.
"""

from dataclasses import replace

from bridge.episode.records import Feedback
from bridge.runs.direct import DirectPlay
from bridge.runs.folders import RunError
from bridge.runs.options import Mode
from bridge.runs.protocol import Play
from bridge.runs.settings import RunSettings
from bridge.scoring.selection.beam import SEARCH, BeamPlay, BeamSettings, read_beam_settings
from bridge.scoring.selection.files import FILE
from bridge.scoring.selection.options import DirectOptions
from bridge.scoring.selection.scorers import find_scorer_kind

__all__ = ["add_search", "describe_direct", "make_direct_play"]


def add_search(settings: RunSettings, options: DirectOptions) -> RunSettings:
    """Return the settings, with the search that the options ask for, if they do.

    Raises:
        RunError: the options do not go together.
        InputError: there is no such scorer, or a number is out of range.
    """
    if not options.beam:
        if options.branch:
            raise RunError("--branch is of a beam search; give --beam too")
        return settings
    if settings.mode != Mode.INTERACTIVE:
        raise RunError(
            f"mode {settings.mode} leaves nothing to search for: a beam needs interactive play"
        )
    if settings.notes:
        raise RunError("`--notes` means nothing with `--beam`: leave out one of them")
    find_scorer_kind(options.scorer)
    if options.scorer.partition(":")[0] == FILE:
        raise RunError(
            f"{options.scorer} scores whole attempts, and a search needs scores of states: give it "
            "to `luban select --by`"
        )
    beam = BeamSettings(options.beam, options.branch or options.beam, options.scorer)
    return replace(settings, extras={**settings.extras, SEARCH: beam.to_document()})


def make_direct_play(settings: RunSettings) -> Play:
    """Make the play of attempts.

    Raises:
        InputError: there is no such mode, or the search's settings are damaged.
    """
    beam = read_beam_settings(settings)
    return DirectPlay(Mode(settings.mode)) if beam is None else BeamPlay(beam)


def describe_direct(settings: RunSettings) -> str:
    """The mode, in a search how wide it is, and what agents were told if that was not all."""
    beam = read_beam_settings(settings)
    mode = settings.mode if beam is None else f"{settings.mode}: {beam.name}"
    return mode if settings.feedback is Feedback.FULL else f"{mode}, feedback {settings.feedback}"
