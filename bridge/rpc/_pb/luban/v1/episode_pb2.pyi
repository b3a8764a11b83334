from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Outcome(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    OUTCOME_UNSPECIFIED: _ClassVar[Outcome]
    OUTCOME_SOLVED: _ClassVar[Outcome]
    OUTCOME_OUT_OF_BUDGET: _ClassVar[Outcome]
    OUTCOME_GAVE_UP: _ClassVar[Outcome]

class PlanProof(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PLAN_PROOF_UNSPECIFIED: _ClassVar[PlanProof]
    PLAN_PROOF_OPTIMAL: _ClassVar[PlanProof]
    PLAN_PROOF_UPPER_BOUND: _ClassVar[PlanProof]

class ObservationMode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    OBSERVATION_MODE_UNSPECIFIED: _ClassVar[ObservationMode]
    OBSERVATION_MODE_IMAGE: _ClassVar[ObservationMode]
    OBSERVATION_MODE_IMAGE_STATE: _ClassVar[ObservationMode]
    OBSERVATION_MODE_STATE: _ClassVar[ObservationMode]
    OBSERVATION_MODE_NONE: _ClassVar[ObservationMode]

class Feedback(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FEEDBACK_UNSPECIFIED: _ClassVar[Feedback]
    FEEDBACK_NONE: _ClassVar[Feedback]
    FEEDBACK_LEGAL: _ClassVar[Feedback]
    FEEDBACK_REASON: _ClassVar[Feedback]
    FEEDBACK_FULL: _ClassVar[Feedback]

class ViewComposition(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    VIEW_COMPOSITION_UNSPECIFIED: _ClassVar[ViewComposition]
    VIEW_COMPOSITION_COMPOSED: _ClassVar[ViewComposition]
    VIEW_COMPOSITION_SHEET: _ClassVar[ViewComposition]
    VIEW_COMPOSITION_CLASSIC: _ClassVar[ViewComposition]
    VIEW_COMPOSITION_SINGLE: _ClassVar[ViewComposition]

class PictureFormat(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PICTURE_FORMAT_UNSPECIFIED: _ClassVar[PictureFormat]
    PICTURE_FORMAT_PNG: _ClassVar[PictureFormat]
    PICTURE_FORMAT_JPEG: _ClassVar[PictureFormat]
    PICTURE_FORMAT_RAW: _ClassVar[PictureFormat]
OUTCOME_UNSPECIFIED: Outcome
OUTCOME_SOLVED: Outcome
OUTCOME_OUT_OF_BUDGET: Outcome
OUTCOME_GAVE_UP: Outcome
PLAN_PROOF_UNSPECIFIED: PlanProof
PLAN_PROOF_OPTIMAL: PlanProof
PLAN_PROOF_UPPER_BOUND: PlanProof
OBSERVATION_MODE_UNSPECIFIED: ObservationMode
OBSERVATION_MODE_IMAGE: ObservationMode
OBSERVATION_MODE_IMAGE_STATE: ObservationMode
OBSERVATION_MODE_STATE: ObservationMode
OBSERVATION_MODE_NONE: ObservationMode
FEEDBACK_UNSPECIFIED: Feedback
FEEDBACK_NONE: Feedback
FEEDBACK_LEGAL: Feedback
FEEDBACK_REASON: Feedback
FEEDBACK_FULL: Feedback
VIEW_COMPOSITION_UNSPECIFIED: ViewComposition
VIEW_COMPOSITION_COMPOSED: ViewComposition
VIEW_COMPOSITION_SHEET: ViewComposition
VIEW_COMPOSITION_CLASSIC: ViewComposition
VIEW_COMPOSITION_SINGLE: ViewComposition
PICTURE_FORMAT_UNSPECIFIED: PictureFormat
PICTURE_FORMAT_PNG: PictureFormat
PICTURE_FORMAT_JPEG: PictureFormat
PICTURE_FORMAT_RAW: PictureFormat

class LevelSummary(_message.Message):
    __slots__ = ("id", "family", "name", "tier", "pieces", "plan_length", "plan_proof", "budget", "hash", "designer", "reference")
    ID_FIELD_NUMBER: _ClassVar[int]
    FAMILY_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    TIER_FIELD_NUMBER: _ClassVar[int]
    PIECES_FIELD_NUMBER: _ClassVar[int]
    PLAN_LENGTH_FIELD_NUMBER: _ClassVar[int]
    PLAN_PROOF_FIELD_NUMBER: _ClassVar[int]
    BUDGET_FIELD_NUMBER: _ClassVar[int]
    HASH_FIELD_NUMBER: _ClassVar[int]
    DESIGNER_FIELD_NUMBER: _ClassVar[int]
    REFERENCE_FIELD_NUMBER: _ClassVar[int]
    id: str
    family: str
    name: str
    tier: str
    pieces: int
    plan_length: int
    plan_proof: PlanProof
    budget: int
    hash: str
    designer: str
    reference: str
    def __init__(self, id: _Optional[str] = ..., family: _Optional[str] = ..., name: _Optional[str] = ..., tier: _Optional[str] = ..., pieces: _Optional[int] = ..., plan_length: _Optional[int] = ..., plan_proof: _Optional[_Union[PlanProof, str]] = ..., budget: _Optional[int] = ..., hash: _Optional[str] = ..., designer: _Optional[str] = ..., reference: _Optional[str] = ...) -> None: ...

class Action(_message.Message):
    __slots__ = ("name", "arguments_json")
    NAME_FIELD_NUMBER: _ClassVar[int]
    ARGUMENTS_JSON_FIELD_NUMBER: _ClassVar[int]
    name: str
    arguments_json: str
    def __init__(self, name: _Optional[str] = ..., arguments_json: _Optional[str] = ...) -> None: ...

class EpisodeOptions(_message.Message):
    __slots__ = ("world", "mode", "history_window", "picture_size", "picture_format", "budget", "seed", "agent", "run_name", "feedback", "views", "camera")
    WORLD_FIELD_NUMBER: _ClassVar[int]
    MODE_FIELD_NUMBER: _ClassVar[int]
    HISTORY_WINDOW_FIELD_NUMBER: _ClassVar[int]
    PICTURE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PICTURE_FORMAT_FIELD_NUMBER: _ClassVar[int]
    BUDGET_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    RUN_NAME_FIELD_NUMBER: _ClassVar[int]
    FEEDBACK_FIELD_NUMBER: _ClassVar[int]
    VIEWS_FIELD_NUMBER: _ClassVar[int]
    CAMERA_FIELD_NUMBER: _ClassVar[int]
    world: str
    mode: ObservationMode
    history_window: int
    picture_size: int
    picture_format: PictureFormat
    budget: int
    seed: int
    agent: str
    run_name: str
    feedback: Feedback
    views: ViewComposition
    camera: str
    def __init__(self, world: _Optional[str] = ..., mode: _Optional[_Union[ObservationMode, str]] = ..., history_window: _Optional[int] = ..., picture_size: _Optional[int] = ..., picture_format: _Optional[_Union[PictureFormat, str]] = ..., budget: _Optional[int] = ..., seed: _Optional[int] = ..., agent: _Optional[str] = ..., run_name: _Optional[str] = ..., feedback: _Optional[_Union[Feedback, str]] = ..., views: _Optional[_Union[ViewComposition, str]] = ..., camera: _Optional[str] = ...) -> None: ...

class View(_message.Message):
    __slots__ = ("name", "width", "height", "format", "data")
    NAME_FIELD_NUMBER: _ClassVar[int]
    WIDTH_FIELD_NUMBER: _ClassVar[int]
    HEIGHT_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    DATA_FIELD_NUMBER: _ClassVar[int]
    name: str
    width: int
    height: int
    format: PictureFormat
    data: bytes
    def __init__(self, name: _Optional[str] = ..., width: _Optional[int] = ..., height: _Optional[int] = ..., format: _Optional[_Union[PictureFormat, str]] = ..., data: _Optional[bytes] = ...) -> None: ...

class Observation(_message.Message):
    __slots__ = ("step", "budget_left", "instruction", "history", "colours", "state", "views", "outcome")
    STEP_FIELD_NUMBER: _ClassVar[int]
    BUDGET_LEFT_FIELD_NUMBER: _ClassVar[int]
    INSTRUCTION_FIELD_NUMBER: _ClassVar[int]
    HISTORY_FIELD_NUMBER: _ClassVar[int]
    COLOURS_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    VIEWS_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    step: int
    budget_left: int
    instruction: str
    history: str
    colours: _containers.RepeatedScalarFieldContainer[str]
    state: str
    views: _containers.RepeatedCompositeFieldContainer[View]
    outcome: Outcome
    def __init__(self, step: _Optional[int] = ..., budget_left: _Optional[int] = ..., instruction: _Optional[str] = ..., history: _Optional[str] = ..., colours: _Optional[_Iterable[str]] = ..., state: _Optional[str] = ..., views: _Optional[_Iterable[_Union[View, _Mapping]]] = ..., outcome: _Optional[_Union[Outcome, str]] = ...) -> None: ...

class StepResult(_message.Message):
    __slots__ = ("step", "message", "travel", "budget_left", "outcome", "state_hash", "disagreement")
    STEP_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    TRAVEL_FIELD_NUMBER: _ClassVar[int]
    BUDGET_LEFT_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    STATE_HASH_FIELD_NUMBER: _ClassVar[int]
    DISAGREEMENT_FIELD_NUMBER: _ClassVar[int]
    step: int
    message: str
    travel: int
    budget_left: int
    outcome: Outcome
    state_hash: str
    disagreement: Disagreement
    def __init__(self, step: _Optional[int] = ..., message: _Optional[str] = ..., travel: _Optional[int] = ..., budget_left: _Optional[int] = ..., outcome: _Optional[_Union[Outcome, str]] = ..., state_hash: _Optional[str] = ..., disagreement: _Optional[_Union[Disagreement, _Mapping]] = ...) -> None: ...

class Disagreement(_message.Message):
    __slots__ = ("rules", "world")
    RULES_FIELD_NUMBER: _ClassVar[int]
    WORLD_FIELD_NUMBER: _ClassVar[int]
    rules: str
    world: str
    def __init__(self, rules: _Optional[str] = ..., world: _Optional[str] = ...) -> None: ...

class Ending(_message.Message):
    __slots__ = ("outcome", "note", "steps", "disagreements", "state_hash")
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    STEPS_FIELD_NUMBER: _ClassVar[int]
    DISAGREEMENTS_FIELD_NUMBER: _ClassVar[int]
    STATE_HASH_FIELD_NUMBER: _ClassVar[int]
    outcome: Outcome
    note: str
    steps: int
    disagreements: int
    state_hash: str
    def __init__(self, outcome: _Optional[_Union[Outcome, str]] = ..., note: _Optional[str] = ..., steps: _Optional[int] = ..., disagreements: _Optional[int] = ..., state_hash: _Optional[str] = ...) -> None: ...
