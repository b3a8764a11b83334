"""Settings of a run: levels, agent and options."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from bridge.agents.registry import find_agent
from bridge.episode.records import Feedback, Obs, Options
from bridge.recording.fields import Fields
from bridge.runs.folders import RunError
from pysim.catalog import AnyLevel, check_id
from pysim.errors import InputError
from pysim.field_types import Json
from pysim.limits import quote
from pysim.viewpoints import Views

__all__ = ["FORMAT", "RunSettings"]

FORMAT = "luban-run/1"

Extras = Mapping[str, Mapping[str, Json]]


@dataclass(frozen=True, slots=True)
class RunSettings:
    """Levels, agent and options of a run: everything that results depend on.

    Attributes:
        suite: what the user called the levels.
        levels: id and content hash of each, in order.
        agent: its name, with its argument.
        attempts: at each level.
        mode: how the agent is asked, by a name that the bench knows.
        obs: what it sees.
        world: in which world.
        budget: steps; None for each level's own.
        seed: of the whole run.
        picture_size: edge of each view in pixels.
        history_window: turns that observations remind of.
        options: what the agent was given besides, name -> text.
        luban: version of the program.
        bench: by whose rules; empty in runs of versions that did not say so.
        feedback: how much it is told of what came of its actions; in ``run.json`` only if that is
            not everything.
        views: how pictures are composed; in ``run.json`` only if that is not ``classic``, as all
            were before there was a choice.
        most_budget: most steps of an episode; in ``run.json`` only if there is such a limit.
        notes: whether the agent keeps notes from attempt to attempt at a level; in ``run.json``
            only if it does.
        extras: what else the bench has settled, each under a key of its own.
    """

    suite: str
    levels: tuple[tuple[str, str], ...]
    agent: str
    attempts: int = 1
    mode: str = "interactive"
    obs: Obs = Obs.IMAGE_STATE
    world: str = "lattice"
    budget: int | None = None
    seed: int = 0
    picture_size: int = 512
    history_window: int = 5
    options: Mapping[str, str] = field(default_factory=dict)
    luban: str = ""
    bench: str = ""
    feedback: Feedback = Feedback.FULL
    views: Views = Views.COMPOSED
    most_budget: int | None = None
    notes: bool = False
    extras: Extras = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.levels:
            raise RunError("there is no level to play")
        if len({level_id for level_id, _ in self.levels}) < len(self.levels):
            raise RunError("a level is listed more than once")
        if not 1 <= self.attempts <= 1000:
            raise RunError(f"a level is attempted 1 to 1000 times, not {self.attempts}")
        if self.notes and self.attempts == 1:
            raise RunError("`--notes` requires `--k` of at least 2")
        self.make_episode_options(0)

    def make_episode_options(self, seed: int, level: AnyLevel | None = None) -> Options:
        """Return the options of an episode whose agent has a seed.

        Args:
            level: that is played; without it ``most_budget`` is left out of account.
        """
        budget = self.budget
        if level is not None and self.most_budget is not None:
            budget = min(budget or level.budget, self.most_budget)
        return Options(
            obs=self.obs,
            history_window=self.history_window,
            picture_size=self.picture_size,
            budget=budget,
            seed=seed,
            agent=self.agent,
            feedback=self.feedback,
            views=self.views,
        )

    def to_document(self) -> dict[str, Any]:
        """Return the document that :meth:`from_document` reads; the extras are among the rest."""
        own = {_key(name): getattr(self, name) for name in _NAMES}
        if self.feedback is Feedback.FULL:
            del own["feedback"]
        if self.views is Views.CLASSIC:
            del own["views"]
        if self.most_budget is None:
            del own["most_budget"]
        if not self.notes:
            del own["notes"]
        return {"format": FORMAT, **own, **{key: dict(e) for key, e in self.extras.items()}}

    @staticmethod
    def from_document(document: Mapping[str, Any]) -> "RunSettings":
        """Return the settings in a ``run.json``.

        Raises:
            RunError: it is none.
        """
        if document.get("format") != FORMAT:
            raise RunError(
                f"its format is {quote(document.get('format'))}; this version reads {FORMAT}"
            )
        try:
            read = Fields(document)
            _check_types(read)
            values = {name: document[_key(name)] for name in _NAMES if name not in _LATER}
            values["bench"] = str(document.get("bench", ""))
            values["feedback"] = Feedback(document.get("feedback", Feedback.FULL))
            values["views"] = Views(document.get("views", Views.CLASSIC))
            values["most_budget"] = document.get("most_budget")
            values["notes"] = document.get("notes") is True
            values["levels"] = tuple((check_id(id_), hash_) for id_, hash_ in read.pairs("levels"))
            values["mode"] = str(values["mode"])
            values["obs"] = Obs(values["obs"])
            return RunSettings(**values, extras=_extras(document))
        except (KeyError, TypeError, ValueError) as error:
            raise RunError(f"its settings are damaged: {error}") from None

    def list_differences(self, other: "RunSettings") -> list[str]:
        """List the differences that matter for results, with the values here and there.

        A model's server may have moved since, for instance.
        """
        before, now = _flat(self), _flat(other)
        names = (name for name in {**now, **before} if before.get(name) != now.get(name))
        return [_difference(name, before.get(name), now.get(name)) for name in names]


def _check_types(document: Fields) -> None:
    for name in ("suite", "agent", "world", "luban", "mode"):
        document.text(name)
    for name in ("attempts", "picture_size", "history_window"):
        document.whole(name, 0)
    document.integer("seed")
    if document.has("most_budget"):
        document.whole("most_budget", 1)
    if not document.is_null("budget"):
        document.whole("budget", 1)
    options = document.inner("options")
    for name in document.mapping("options"):
        options.text(name)


_NAMES = tuple(f.name for f in fields(RunSettings) if f.name != "extras")
_LATER = ("bench", "feedback", "views", "most_budget", "notes")
"""Settings that runs of earlier versions lack."""
_KEYS = {"obs": "observation"}
"""What a setting is called in ``run.json`` where that differs."""


def _key(name: str) -> str:
    return _KEYS.get(name, name)


def _extras(document: Mapping[str, Any]) -> Extras:
    """Return the settings that not every run has; null means not settled."""
    own = {"format", *map(_key, _NAMES)}
    others = {key: e for key, e in document.items() if key not in own}
    return {key: dict(e) for key, e in others.items() if e is not None}


def _flat(settings: RunSettings) -> dict[str, object]:
    """Return the settings that results depend on, those of the extras among the others.

    The bench follows from the rest; a run that one version has begun the next one resumes.
    """
    names = (name for name in _NAMES if name not in ("bench", "luban", "options"))
    document = {_key(name): getattr(settings, name) for name in names}
    document["options"] = _lasting(settings)
    for extra in settings.extras.values():
        document |= extra
    return document


def _lasting(settings: RunSettings) -> Mapping[str, str]:
    try:
        return find_agent(settings.agent).select_lasting(settings.options)
    except InputError:  # It is of a package that is gone.
        return settings.options


def _difference(name: str, before: object, now: object) -> str:
    if isinstance(before, list | tuple):
        return f"other {name}"
    return f"{name} was {before}, not {now}"
