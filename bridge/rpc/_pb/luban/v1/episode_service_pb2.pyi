from bridge.rpc._pb.luban.v1 import episode_pb2 as _episode_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class GetServerInfoRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetServerInfoResponse(_message.Message):
    __slots__ = ("version", "families", "worlds", "renderer", "renderer_note", "idle_timeout_s", "max_message_bytes", "max_request_bytes")
    VERSION_FIELD_NUMBER: _ClassVar[int]
    FAMILIES_FIELD_NUMBER: _ClassVar[int]
    WORLDS_FIELD_NUMBER: _ClassVar[int]
    RENDERER_FIELD_NUMBER: _ClassVar[int]
    RENDERER_NOTE_FIELD_NUMBER: _ClassVar[int]
    IDLE_TIMEOUT_S_FIELD_NUMBER: _ClassVar[int]
    MAX_MESSAGE_BYTES_FIELD_NUMBER: _ClassVar[int]
    MAX_REQUEST_BYTES_FIELD_NUMBER: _ClassVar[int]
    version: str
    families: _containers.RepeatedScalarFieldContainer[str]
    worlds: _containers.RepeatedScalarFieldContainer[str]
    renderer: str
    renderer_note: str
    idle_timeout_s: float
    max_message_bytes: int
    max_request_bytes: int
    def __init__(self, version: _Optional[str] = ..., families: _Optional[_Iterable[str]] = ..., worlds: _Optional[_Iterable[str]] = ..., renderer: _Optional[str] = ..., renderer_note: _Optional[str] = ..., idle_timeout_s: _Optional[float] = ..., max_message_bytes: _Optional[int] = ..., max_request_bytes: _Optional[int] = ...) -> None: ...

class ListLevelsRequest(_message.Message):
    __slots__ = ("family", "suite")
    FAMILY_FIELD_NUMBER: _ClassVar[int]
    SUITE_FIELD_NUMBER: _ClassVar[int]
    family: str
    suite: str
    def __init__(self, family: _Optional[str] = ..., suite: _Optional[str] = ...) -> None: ...

class ListLevelsResponse(_message.Message):
    __slots__ = ("levels",)
    LEVELS_FIELD_NUMBER: _ClassVar[int]
    levels: _containers.RepeatedCompositeFieldContainer[_episode_pb2.LevelSummary]
    def __init__(self, levels: _Optional[_Iterable[_Union[_episode_pb2.LevelSummary, _Mapping]]] = ...) -> None: ...

class StartEpisodeRequest(_message.Message):
    __slots__ = ("level_id", "level_json", "options")
    LEVEL_ID_FIELD_NUMBER: _ClassVar[int]
    LEVEL_JSON_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    level_id: str
    level_json: str
    options: _episode_pb2.EpisodeOptions
    def __init__(self, level_id: _Optional[str] = ..., level_json: _Optional[str] = ..., options: _Optional[_Union[_episode_pb2.EpisodeOptions, _Mapping]] = ...) -> None: ...

class StartEpisodeResponse(_message.Message):
    __slots__ = ("episode_id", "lease", "run_name", "level", "tools_json", "instruction", "colours", "budget", "state_hash", "knows_expected_step")
    EPISODE_ID_FIELD_NUMBER: _ClassVar[int]
    LEASE_FIELD_NUMBER: _ClassVar[int]
    RUN_NAME_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    TOOLS_JSON_FIELD_NUMBER: _ClassVar[int]
    INSTRUCTION_FIELD_NUMBER: _ClassVar[int]
    COLOURS_FIELD_NUMBER: _ClassVar[int]
    BUDGET_FIELD_NUMBER: _ClassVar[int]
    STATE_HASH_FIELD_NUMBER: _ClassVar[int]
    KNOWS_EXPECTED_STEP_FIELD_NUMBER: _ClassVar[int]
    episode_id: str
    lease: str
    run_name: str
    level: _episode_pb2.LevelSummary
    tools_json: str
    instruction: str
    colours: _containers.RepeatedScalarFieldContainer[str]
    budget: int
    state_hash: str
    knows_expected_step: bool
    def __init__(self, episode_id: _Optional[str] = ..., lease: _Optional[str] = ..., run_name: _Optional[str] = ..., level: _Optional[_Union[_episode_pb2.LevelSummary, _Mapping]] = ..., tools_json: _Optional[str] = ..., instruction: _Optional[str] = ..., colours: _Optional[_Iterable[str]] = ..., budget: _Optional[int] = ..., state_hash: _Optional[str] = ..., knows_expected_step: _Optional[bool] = ...) -> None: ...

class StepRequest(_message.Message):
    __slots__ = ("episode_id", "lease", "action", "expected_step")
    EPISODE_ID_FIELD_NUMBER: _ClassVar[int]
    LEASE_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_STEP_FIELD_NUMBER: _ClassVar[int]
    episode_id: str
    lease: str
    action: _episode_pb2.Action
    expected_step: int
    def __init__(self, episode_id: _Optional[str] = ..., lease: _Optional[str] = ..., action: _Optional[_Union[_episode_pb2.Action, _Mapping]] = ..., expected_step: _Optional[int] = ...) -> None: ...

class StepResponse(_message.Message):
    __slots__ = ("result",)
    RESULT_FIELD_NUMBER: _ClassVar[int]
    result: _episode_pb2.StepResult
    def __init__(self, result: _Optional[_Union[_episode_pb2.StepResult, _Mapping]] = ...) -> None: ...

class ObserveRequest(_message.Message):
    __slots__ = ("episode_id", "lease", "without_images")
    EPISODE_ID_FIELD_NUMBER: _ClassVar[int]
    LEASE_FIELD_NUMBER: _ClassVar[int]
    WITHOUT_IMAGES_FIELD_NUMBER: _ClassVar[int]
    episode_id: str
    lease: str
    without_images: bool
    def __init__(self, episode_id: _Optional[str] = ..., lease: _Optional[str] = ..., without_images: _Optional[bool] = ...) -> None: ...

class ObserveResponse(_message.Message):
    __slots__ = ("observation", "knows_expected_step")
    OBSERVATION_FIELD_NUMBER: _ClassVar[int]
    KNOWS_EXPECTED_STEP_FIELD_NUMBER: _ClassVar[int]
    observation: _episode_pb2.Observation
    knows_expected_step: bool
    def __init__(self, observation: _Optional[_Union[_episode_pb2.Observation, _Mapping]] = ..., knows_expected_step: _Optional[bool] = ...) -> None: ...

class EndEpisodeRequest(_message.Message):
    __slots__ = ("episode_id", "lease")
    EPISODE_ID_FIELD_NUMBER: _ClassVar[int]
    LEASE_FIELD_NUMBER: _ClassVar[int]
    episode_id: str
    lease: str
    def __init__(self, episode_id: _Optional[str] = ..., lease: _Optional[str] = ...) -> None: ...

class EndEpisodeResponse(_message.Message):
    __slots__ = ("ending",)
    ENDING_FIELD_NUMBER: _ClassVar[int]
    ending: _episode_pb2.Ending
    def __init__(self, ending: _Optional[_Union[_episode_pb2.Ending, _Mapping]] = ...) -> None: ...

class PlayRequest(_message.Message):
    __slots__ = ("start_episode", "step", "observe", "end_episode")
    START_EPISODE_FIELD_NUMBER: _ClassVar[int]
    STEP_FIELD_NUMBER: _ClassVar[int]
    OBSERVE_FIELD_NUMBER: _ClassVar[int]
    END_EPISODE_FIELD_NUMBER: _ClassVar[int]
    start_episode: StartEpisodeRequest
    step: StepRequest
    observe: ObserveRequest
    end_episode: EndEpisodeRequest
    def __init__(self, start_episode: _Optional[_Union[StartEpisodeRequest, _Mapping]] = ..., step: _Optional[_Union[StepRequest, _Mapping]] = ..., observe: _Optional[_Union[ObserveRequest, _Mapping]] = ..., end_episode: _Optional[_Union[EndEpisodeRequest, _Mapping]] = ...) -> None: ...

class PlayResponse(_message.Message):
    __slots__ = ("start_episode", "step", "observe", "end_episode", "error")
    START_EPISODE_FIELD_NUMBER: _ClassVar[int]
    STEP_FIELD_NUMBER: _ClassVar[int]
    OBSERVE_FIELD_NUMBER: _ClassVar[int]
    END_EPISODE_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    start_episode: StartEpisodeResponse
    step: StepResponse
    observe: ObserveResponse
    end_episode: EndEpisodeResponse
    error: PlayError
    def __init__(self, start_episode: _Optional[_Union[StartEpisodeResponse, _Mapping]] = ..., step: _Optional[_Union[StepResponse, _Mapping]] = ..., observe: _Optional[_Union[ObserveResponse, _Mapping]] = ..., end_episode: _Optional[_Union[EndEpisodeResponse, _Mapping]] = ..., error: _Optional[_Union[PlayError, _Mapping]] = ...) -> None: ...

class PlayError(_message.Message):
    __slots__ = ("code", "message", "reason", "metadata")
    class MetadataEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    CODE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    METADATA_FIELD_NUMBER: _ClassVar[int]
    code: int
    message: str
    reason: str
    metadata: _containers.ScalarMap[str, str]
    def __init__(self, code: _Optional[int] = ..., message: _Optional[str] = ..., reason: _Optional[str] = ..., metadata: _Optional[_Mapping[str, str]] = ...) -> None: ...

class DownloadLogRequest(_message.Message):
    __slots__ = ("episode_id", "lease")
    EPISODE_ID_FIELD_NUMBER: _ClassVar[int]
    LEASE_FIELD_NUMBER: _ClassVar[int]
    episode_id: str
    lease: str
    def __init__(self, episode_id: _Optional[str] = ..., lease: _Optional[str] = ...) -> None: ...

class DownloadLogResponse(_message.Message):
    __slots__ = ("chunk",)
    CHUNK_FIELD_NUMBER: _ClassVar[int]
    chunk: bytes
    def __init__(self, chunk: _Optional[bytes] = ...) -> None: ...

class DownloadVideoRequest(_message.Message):
    __slots__ = ("episode_id", "lease", "size")
    EPISODE_ID_FIELD_NUMBER: _ClassVar[int]
    LEASE_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    episode_id: str
    lease: str
    size: int
    def __init__(self, episode_id: _Optional[str] = ..., lease: _Optional[str] = ..., size: _Optional[int] = ...) -> None: ...

class DownloadVideoResponse(_message.Message):
    __slots__ = ("progress", "chunk")
    PROGRESS_FIELD_NUMBER: _ClassVar[int]
    CHUNK_FIELD_NUMBER: _ClassVar[int]
    progress: VideoProgress
    chunk: bytes
    def __init__(self, progress: _Optional[_Union[VideoProgress, _Mapping]] = ..., chunk: _Optional[bytes] = ...) -> None: ...

class VideoProgress(_message.Message):
    __slots__ = ("done", "total")
    DONE_FIELD_NUMBER: _ClassVar[int]
    TOTAL_FIELD_NUMBER: _ClassVar[int]
    done: int
    total: int
    def __init__(self, done: _Optional[int] = ..., total: _Optional[int] = ...) -> None: ...
