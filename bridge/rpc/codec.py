"""Our types to and from the wire. Every conversion is here, one function per type and direction."""

from collections.abc import Mapping
from typing import Any, TypeVar

from bridge.episode.observation import Observation, View
from bridge.episode.records import (
    Disagreement,
    Ending,
    Feedback,
    Obs,
    Options,
    StepResult,
)
from bridge.rpc._pb.luban.v1 import episode_pb2 as pb
from bridge.rpc.info import LevelInfo
from pysim.errors import InputError
from pysim.puzzle import Level, Outcome, Proof
from pysim.viewpoints import Views

__all__ = [
    "MAX_MESSAGE_BYTES",
    "decode_ending",
    "decode_level",
    "decode_observation",
    "decode_options",
    "decode_outcome",
    "decode_picture_format",
    "decode_result",
    "encode_ending",
    "encode_level",
    "encode_observation",
    "encode_options",
    "encode_result",
]

MAX_MESSAGE_BYTES = 64 * 2**20
"""Both ends take and send messages up to this size."""

_OUTCOMES: Mapping[Outcome | None, pb.Outcome] = {
    None: pb.OUTCOME_UNSPECIFIED,
    Outcome.SOLVED: pb.OUTCOME_SOLVED,
    Outcome.OUT_OF_BUDGET: pb.OUTCOME_OUT_OF_BUDGET,
    Outcome.GAVE_UP: pb.OUTCOME_GAVE_UP,
}
_MODES: Mapping[Obs, pb.ObservationMode] = {
    Obs.IMAGE: pb.OBSERVATION_MODE_IMAGE,
    Obs.IMAGE_STATE: pb.OBSERVATION_MODE_IMAGE_STATE,
    Obs.STATE: pb.OBSERVATION_MODE_STATE,
    Obs.NONE: pb.OBSERVATION_MODE_NONE,
}
_FEEDBACK: Mapping[Feedback, pb.Feedback] = {
    Feedback.NONE: pb.FEEDBACK_NONE,
    Feedback.LEGAL: pb.FEEDBACK_LEGAL,
    Feedback.REASON: pb.FEEDBACK_REASON,
    Feedback.FULL: pb.FEEDBACK_FULL,
}
_VIEWS: Mapping[Views, pb.ViewComposition] = {
    Views.COMPOSED: pb.VIEW_COMPOSITION_COMPOSED,
    Views.SHEET: pb.VIEW_COMPOSITION_SHEET,
    Views.SINGLE: pb.VIEW_COMPOSITION_SINGLE,
    Views.CLASSIC: pb.VIEW_COMPOSITION_CLASSIC,
}
_PROOFS: Mapping[Proof | None, pb.PlanProof] = {
    None: pb.PLAN_PROOF_UNSPECIFIED,
    Proof.OPTIMAL: pb.PLAN_PROOF_OPTIMAL,
    Proof.UPPER_BOUND: pb.PLAN_PROOF_UPPER_BOUND,
}
_FORMATS: Mapping[str, pb.PictureFormat] = {
    "png": pb.PICTURE_FORMAT_PNG,
    "jpeg": pb.PICTURE_FORMAT_JPEG,
    "raw": pb.PICTURE_FORMAT_RAW,
}

K = TypeVar("K")
V = TypeVar("V")


def _back(table: Mapping[K, V], value: V, noun: str) -> K:
    """Return the key of ``value``.

    Raises:
        InputError: the other end sent a number that this version does not know.
    """
    for key, known in table.items():
        if known == value:
            return key
    raise InputError(f"this version has no {noun} number {value}")


def encode_level(level: Level[Any]) -> pb.LevelSummary:
    """Encode a level for operators; agents get nothing of it."""
    return pb.LevelSummary(
        id=level.id,
        family=level.family,
        name=level.name,
        tier=level.tier.value,
        pieces=len(level.colours),
        plan_length=None if level.plan is None else len(level.plan),
        plan_proof=_PROOFS[None if level.plan is None else level.plan.proof],
        budget=level.budget,
        hash=level.hash,
        designer=level.source.designer,
        reference=level.source.reference,
    )


def encode_options(
    options: Options, *, world: str, picture_format: str, run_name: str
) -> pb.EpisodeOptions:
    """Return options as a request carries them, with those that only the server needs.

    Raises:
        InputError: there is no such picture format, or a value can't be sent.
    """
    if picture_format not in _FORMATS:
        raise InputError(f"{picture_format!r} is no picture format; known: {', '.join(_FORMATS)}")
    if options.obs not in _MODES:
        raise InputError(
            f"obs {options.obs} needs a suite, which a server's episode has not: use `luban eval`"
        )
    try:
        return pb.EpisodeOptions(
            world=world,
            mode=_MODES[options.obs],
            history_window=options.history_window,
            picture_size=options.picture_size,
            picture_format=_FORMATS[picture_format],
            budget=options.budget,
            seed=options.seed,
            agent=options.agent,
            run_name=run_name,
            feedback=_encode_feedback(options.feedback),
            views=_VIEWS[options.views],
            camera=options.camera,
        )
    except ValueError as error:  # A number of too many bits, or a text that is not Unicode.
        raise InputError(f"the episode's options can't be sent: {error}") from None


def decode_options(message: pb.EpisodeOptions) -> Options:
    """Return the controller's options; what is unset gets its default.

    Raises:
        InputError: a value is out of range.
    """
    defaults = Options()
    return Options(
        obs=_back(_MODES, message.mode, "observation mode") if message.mode else defaults.obs,
        history_window=_set(message, "history_window", defaults.history_window),
        picture_size=_set(message, "picture_size", defaults.picture_size),
        budget=_set(message, "budget", None),
        seed=message.seed,
        agent=message.agent[:200],
        feedback=_back(_FEEDBACK, message.feedback, "level of feedback")
        if message.feedback
        else defaults.feedback,
        views=_back(_VIEWS, message.views, "composition of pictures")
        if message.views
        else defaults.views,
        camera=message.camera,
    )


def _encode_feedback(feedback: Feedback) -> pb.Feedback:
    """Unspecified where it is as it always was: earlier servers know no other."""
    return pb.FEEDBACK_UNSPECIFIED if feedback is Feedback.FULL else _FEEDBACK[feedback]


def decode_picture_format(message: pb.EpisodeOptions) -> str:
    """``png``, ``jpeg`` or ``raw``.

    Raises:
        InputError: a number that this version does not know.
    """
    if not message.picture_format:
        return "png"
    return _back(_FORMATS, message.picture_format, "picture format")


def _set(message: pb.EpisodeOptions, field: str, default: V) -> V:
    value: V = getattr(message, field) if message.HasField(field) else default
    return value


def encode_observation(observation: Observation) -> pb.Observation:
    """Return an observation, its pictures as they are."""
    return pb.Observation(
        step=observation.step,
        budget_left=observation.budget_left,
        instruction=observation.instruction,
        history=observation.history,
        colours=observation.colours,
        state=observation.state,
        views=[_encode_view(view) for view in observation.views],
        outcome=_OUTCOMES[observation.outcome],
    )


def _decode_view(view: pb.View) -> View:
    return View(
        view.name, view.width, view.height, _back(_FORMATS, view.format, "format"), view.data
    )


def _encode_view(view: View) -> pb.View:
    return pb.View(
        name=view.name,
        width=view.width,
        height=view.height,
        format=_FORMATS[view.format],
        data=view.data,
    )


def decode_observation(message: pb.Observation) -> Observation:
    """Return the observation on the client's side, its pictures as they came."""
    return Observation(
        step=message.step,
        budget_left=message.budget_left,
        instruction=message.instruction,
        history=message.history,
        colours=tuple(message.colours),
        state=message.state if message.HasField("state") else None,
        views=tuple(_decode_view(view) for view in message.views),
        outcome=decode_outcome(message.outcome),
    )


def decode_outcome(value: pb.Outcome) -> Outcome | None:
    """None until the episode has ended."""
    return _back(_OUTCOMES, value, "outcome")


def encode_result(result: StepResult) -> pb.StepResult:
    """Encode the result of a legal action."""
    disagreement = result.disagreement
    return pb.StepResult(
        step=result.step,
        message=result.message,
        travel=result.travel,
        budget_left=result.budget_left,
        outcome=_OUTCOMES[result.outcome],
        state_hash=result.state_hash,
        disagreement=None
        if disagreement is None
        else pb.Disagreement(rules=disagreement.rules, world=disagreement.world),
    )


def decode_result(message: pb.StepResult) -> StepResult:
    """Decode the result of a legal action."""
    return StepResult(
        step=message.step,
        message=message.message,
        travel=message.travel if message.HasField("travel") else None,
        budget_left=message.budget_left,
        outcome=decode_outcome(message.outcome),
        state_hash=message.state_hash,
        disagreement=Disagreement(message.disagreement.rules, message.disagreement.world)
        if message.HasField("disagreement")
        else None,
    )


def encode_ending(ending: Ending) -> pb.Ending:
    """Return the end of an episode."""
    return pb.Ending(
        outcome=_OUTCOMES[ending.outcome],
        note=ending.note,
        steps=ending.steps,
        disagreements=ending.disagreements,
        state_hash=ending.state_hash,
    )


def decode_ending(message: pb.Ending) -> Ending:
    """Return the end of an episode.

    Raises:
        InputError: it has no outcome.
    """
    outcome = decode_outcome(message.outcome)
    if outcome is None:
        raise InputError("the server ended the episode without an outcome")
    return Ending(outcome, message.note, message.steps, message.disagreements, message.state_hash)


def decode_level(message: pb.LevelSummary) -> LevelInfo:
    """Decode a level for operators; agents get nothing of it."""
    return LevelInfo(
        id=message.id,
        family=message.family,
        name=message.name,
        tier=message.tier,
        pieces=message.pieces,
        plan=message.plan_length if message.HasField("plan_length") else None,
        plan_proof=_back(_PROOFS, message.plan_proof, "proof"),
        budget=message.budget,
        hash=message.hash,
        designer=message.designer,
        reference=message.reference,
    )
