"""The episodes of a report: a line of the list, and the transcript behind it."""

import base64
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from bridge.agents.journal import JOURNAL_NAME
from bridge.episode.records import Obs
from bridge.recording.log import read_log
from bridge.report.parts import ReportedRun
from bridge.report.pictures import DrawnPicture, EpisodePictures, PictureAlbum
from bridge.report.replays import EpisodeViewer, PackedReplays
from bridge.report.templating import render_template
from bridge.report.transcript_view import (
    TextBudget,
    fold_text,
    format_cost,
    format_seconds,
    format_settings,
    list_notes,
    list_remarks,
    list_turns,
)
from bridge.report.transcripts import Transcript, read_transcript
from bridge.runs.results import EpisodeResult
from bridge.runs.store import LOG_NAME, VIDEO_NAME
from bridge.scoring.metrics import group_by
from pysim.untrusted import GIB, MIB, MP4, PNG, FileKind, open_untrusted, read_untrusted

if TYPE_CHECKING:
    from markupsafe import Markup

__all__ = ["EpisodeWatch", "ReportedEpisode", "collect_episodes"]

PICTURE_FILE = FileKind("a PNG picture", 64 * MIB, PNG)
VIDEO_FILE = FileKind("an MP4 video", GIB, MP4)
EpisodeWatch = Callable[[int, int], None]
"""Called with the number of episodes that are done, and of all."""

_SEEN = (Obs.IMAGE, Obs.IMAGE_STATE)
"""Observations that show the level itself in pictures."""


@dataclass(frozen=True, slots=True)
class ReportedEpisode:
    """An episode on the page.

    Attributes:
        listing: what the page's script lists.
        html: what is shown of it.
        replay: the episode in 3D, packed; empty if there is none.
        left_out: observations without pictures.
    """

    listing: Mapping[str, object]
    html: "Markup"
    replay: str
    left_out: int


@dataclass(frozen=True, slots=True)
class _Page:
    """The place of a page, and whether it stands alone."""

    folder: Path
    embed: bool

    def source(self, file: Path, kind: FileKind, mime: str) -> str:
        """Return the source of a picture or video.

        Raises:
            FileRefused: the file is none.
        """
        if not self.embed:
            open_untrusted(file, kind).close()
            return self.relative(file)
        data = read_untrusted(file, kind)
        return f"data:{mime};base64,{base64.b64encode(data).decode('ascii')}"

    def relative(self, file: Path) -> str:
        return quote(os.fsencode(os.path.relpath(file, self.folder)))


class _Shares:
    """Divides the pictures of a page among its episodes.

    Three quarters go to episodes with a journal, in which somebody may have looked at them.
    """

    def __init__(self, limit: int, homes: Sequence[Path]) -> None:
        self._noted = {home: (home / JOURNAL_NAME).exists() for home in homes}
        noted = sum(self._noted.values())
        self._episodes = {True: noted, False: len(homes) - noted}
        most = limit if noted in (0, len(homes)) else limit * 3 // 4
        self._left = {True: most, False: limit if noted == 0 else limit - most}

    def take(self, home: Path) -> int:
        """Return how many observations of an episode may be drawn."""
        kind = self._noted[home]
        share = self._left[kind] // max(1, self._episodes[kind])
        self._episodes[kind] -= 1
        return max(share, min(1, self._left[kind]))

    def spend(self, home: Path, count: int) -> None:
        """Count what was drawn."""
        self._left[self._noted[home]] -= count


def collect_episodes(
    runs: Sequence[ReportedRun],
    folder: Path,
    *,
    embed: bool,
    album: PictureAlbum | None,
    viewer: EpisodeViewer | None = None,
    watch: EpisodeWatch,
) -> Iterator[ReportedEpisode]:
    """Give the episodes of some runs; see :func:`bridge.report.page.build_page`.

    Raises:
        LogError: a log is damaged.
        OSError: a file can't be read.
    """
    found = [(run, result, _home(run, result)) for run in runs for result in _in_order(run)]
    shares = _Shares(album.limit if album else 0, [home for *_, home in found])
    page, budget, replays = _Page(folder, embed), TextBudget(), PackedReplays(viewer)
    try:
        for done, (run, result, home) in enumerate(found):
            watch(done, len(found))
            transcript = read_transcript(home, read_log(home / LOG_NAME))
            pictures = EpisodePictures()
            if album is not None and album.limit:
                pictures = _drawn(album, transcript, home, shares)
            replay, problem = replays.pack(transcript.log)
            notes = [*list_notes(transcript, pictures), *filter(None, [problem])]
            html = _html(transcript, pictures, home, page, budget, notes)
            listing = _listing(run.name, result, transcript)
            yield ReportedEpisode(listing, html, replay, pictures.left_out)
    except BaseException:
        if album is not None:
            album.save()
        raise
    watch(len(found), len(found))
    if album is not None:
        album.close()


def _in_order(run: ReportedRun) -> list[EpisodeResult]:
    levels = group_by(run.results, lambda result: result.level)
    return [result for attempts in levels.values() for result in attempts]


def _home(run: ReportedRun, result: EpisodeResult) -> Path:
    return run.folder.locate_episode(result.level, result.attempt)


def _drawn(
    album: PictureAlbum, transcript: Transcript, home: Path, shares: _Shares
) -> EpisodePictures:
    looks = [picture.after for turn in transcript.turns for picture in turn.pictures]
    share, ends = shares.take(home), not (home / "first.png").exists()
    pictures = album.draw_episode(transcript.log, looks, ends=ends, share=share)
    shares.spend(home, len(pictures.observed) + bool(pictures.ends))
    return pictures


def _listing(run: str, result: EpisodeResult, transcript: Transcript) -> dict[str, object]:
    seconds = transcript.times.seconds
    return {
        "run": run,
        "level": result.level,
        "name": transcript.log.header.level.name,
        "attempt": result.attempt,
        "family": result.family,
        "tier": result.tier,
        "outcome": result.outcome.value,
        "steps": result.steps,
        "plan": result.plan,
        "refused": len(result.refusals),
        "seconds": None if seconds is None else f"{seconds:.1f}",
    }


def _html(
    transcript: Transcript,
    pictures: EpisodePictures,
    home: Path,
    page: _Page,
    budget: TextBudget,
    notes: Sequence[str],
) -> "Markup":
    video = home / VIDEO_NAME
    words = {"log": LOG_NAME, "journal": JOURNAL_NAME}
    files = {word: home / name for word, name in words.items()}
    return render_template(
        "bridge.report",
        "episode.html",
        media=list(_media(transcript, pictures, home, page)),
        video=page.source(video, VIDEO_FILE, "video/mp4") if video.exists() else "",
        facts=list(_facts(transcript)),
        links={word: page.relative(file) for word, file in files.items() if file.exists()},
        notes=notes,
        turns=list_turns(transcript, pictures),
        remarks=list_remarks(transcript),
        budget=budget,
        fold_text=fold_text,
        format_cost=format_cost,
        format_settings=format_settings,
    )


def _media(
    transcript: Transcript, pictures: EpisodePictures, home: Path, page: _Page
) -> Iterator[DrawnPicture]:
    shown = transcript.log.header.options.obs in _SEEN
    aside = "" if shown else " (not shown to the agent)"
    files = {"at the start": home / "first.png", "at the end": home / "last.png"}
    there = {
        name: page.source(file, PICTURE_FILE, "image/png")
        for name, file in files.items()
        if file.exists()
    }
    drawn = {picture.name: picture.source for picture in pictures.ends}
    for name, source in (there or drawn).items():
        yield DrawnPicture(f"{name}{aside}", source, 0, 0)


def _facts(transcript: Transcript) -> Iterator[str]:
    """Yield facts of the whole episode."""
    log, times = transcript.log, transcript.times
    yield f"observation {log.header.options.obs.value}"
    if times.began is not None:
        yield f"began {times.began:%Y-%m-%d %H:%M:%S} UTC"
    if times.seconds is not None:
        yield f"took {format_seconds(times.seconds)}"
    tokens = [turn.tokens for turn in transcript.turns if turn.tokens is not None]
    if tokens:
        yield f"{sum(tokens):,} tokens"
    if log.ending is not None and log.ending.note:
        yield log.ending.note
