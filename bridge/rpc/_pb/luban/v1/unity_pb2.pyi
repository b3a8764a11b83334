from bridge.rpc._pb.luban.v1 import scene_pb2 as _scene_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class PlayerEncoding(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PLAYER_ENCODING_UNSPECIFIED: _ClassVar[PlayerEncoding]
    PLAYER_ENCODING_RAW: _ClassVar[PlayerEncoding]
    PLAYER_ENCODING_PNG: _ClassVar[PlayerEncoding]

class PlayerPass(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PLAYER_PASS_UNSPECIFIED: _ClassVar[PlayerPass]
    PLAYER_PASS_RGB: _ClassVar[PlayerPass]
    PLAYER_PASS_IDS: _ClassVar[PlayerPass]
    PLAYER_PASS_DEPTH: _ClassVar[PlayerPass]

class PlayerError(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PLAYER_ERROR_UNSPECIFIED: _ClassVar[PlayerError]
    PLAYER_ERROR_MALFORMED: _ClassVar[PlayerError]
    PLAYER_ERROR_UNKNOWN_BODY: _ClassVar[PlayerError]
    PLAYER_ERROR_INVALID: _ClassVar[PlayerError]
    PLAYER_ERROR_NO_SCENE: _ClassVar[PlayerError]
    PLAYER_ERROR_PROTOCOL: _ClassVar[PlayerError]
    PLAYER_ERROR_NO_GRAPHICS: _ClassVar[PlayerError]
    PLAYER_ERROR_INTERNAL: _ClassVar[PlayerError]
PLAYER_ENCODING_UNSPECIFIED: PlayerEncoding
PLAYER_ENCODING_RAW: PlayerEncoding
PLAYER_ENCODING_PNG: PlayerEncoding
PLAYER_PASS_UNSPECIFIED: PlayerPass
PLAYER_PASS_RGB: PlayerPass
PLAYER_PASS_IDS: PlayerPass
PLAYER_PASS_DEPTH: PlayerPass
PLAYER_ERROR_UNSPECIFIED: PlayerError
PLAYER_ERROR_MALFORMED: PlayerError
PLAYER_ERROR_UNKNOWN_BODY: PlayerError
PLAYER_ERROR_INVALID: PlayerError
PLAYER_ERROR_NO_SCENE: PlayerError
PLAYER_ERROR_PROTOCOL: PlayerError
PLAYER_ERROR_NO_GRAPHICS: PlayerError
PLAYER_ERROR_INTERNAL: PlayerError

class PlayerRequest(_message.Message):
    __slots__ = ("id", "hello", "reset", "execute", "render", "poses", "part")
    ID_FIELD_NUMBER: _ClassVar[int]
    HELLO_FIELD_NUMBER: _ClassVar[int]
    RESET_FIELD_NUMBER: _ClassVar[int]
    EXECUTE_FIELD_NUMBER: _ClassVar[int]
    RENDER_FIELD_NUMBER: _ClassVar[int]
    POSES_FIELD_NUMBER: _ClassVar[int]
    PART_FIELD_NUMBER: _ClassVar[int]
    id: int
    hello: PlayerHello
    reset: PlayerReset
    execute: PlayerExecute
    render: PlayerRender
    poses: PlayerPoses
    part: PlayerPart
    def __init__(self, id: _Optional[int] = ..., hello: _Optional[_Union[PlayerHello, _Mapping]] = ..., reset: _Optional[_Union[PlayerReset, _Mapping]] = ..., execute: _Optional[_Union[PlayerExecute, _Mapping]] = ..., render: _Optional[_Union[PlayerRender, _Mapping]] = ..., poses: _Optional[_Union[PlayerPoses, _Mapping]] = ..., part: _Optional[_Union[PlayerPart, _Mapping]] = ...) -> None: ...

class PlayerResponse(_message.Message):
    __slots__ = ("id", "digest", "failed", "identity", "ready", "report", "pictures", "bodies")
    ID_FIELD_NUMBER: _ClassVar[int]
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    FAILED_FIELD_NUMBER: _ClassVar[int]
    IDENTITY_FIELD_NUMBER: _ClassVar[int]
    READY_FIELD_NUMBER: _ClassVar[int]
    REPORT_FIELD_NUMBER: _ClassVar[int]
    PICTURES_FIELD_NUMBER: _ClassVar[int]
    BODIES_FIELD_NUMBER: _ClassVar[int]
    id: int
    digest: int
    failed: PlayerFailure
    identity: PlayerIdentity
    ready: PlayerReady
    report: PlayerReport
    pictures: PlayerPictures
    bodies: PlayerBodies
    def __init__(self, id: _Optional[int] = ..., digest: _Optional[int] = ..., failed: _Optional[_Union[PlayerFailure, _Mapping]] = ..., identity: _Optional[_Union[PlayerIdentity, _Mapping]] = ..., ready: _Optional[_Union[PlayerReady, _Mapping]] = ..., report: _Optional[_Union[PlayerReport, _Mapping]] = ..., pictures: _Optional[_Union[PlayerPictures, _Mapping]] = ..., bodies: _Optional[_Union[PlayerBodies, _Mapping]] = ...) -> None: ...

class PlayerPart(_message.Message):
    __slots__ = ("data", "last")
    DATA_FIELD_NUMBER: _ClassVar[int]
    LAST_FIELD_NUMBER: _ClassVar[int]
    data: bytes
    last: bool
    def __init__(self, data: _Optional[bytes] = ..., last: _Optional[bool] = ...) -> None: ...

class PlayerHello(_message.Message):
    __slots__ = ("protocol",)
    PROTOCOL_FIELD_NUMBER: _ClassVar[int]
    protocol: int
    def __init__(self, protocol: _Optional[int] = ...) -> None: ...

class PlayerIdentity(_message.Message):
    __slots__ = ("protocol", "engine", "graphics")
    PROTOCOL_FIELD_NUMBER: _ClassVar[int]
    ENGINE_FIELD_NUMBER: _ClassVar[int]
    GRAPHICS_FIELD_NUMBER: _ClassVar[int]
    protocol: int
    engine: str
    graphics: str
    def __init__(self, protocol: _Optional[int] = ..., engine: _Optional[str] = ..., graphics: _Optional[str] = ...) -> None: ...

class PlayerReset(_message.Message):
    __slots__ = ("scene",)
    SCENE_FIELD_NUMBER: _ClassVar[int]
    scene: _scene_pb2.LatticeScene
    def __init__(self, scene: _Optional[_Union[_scene_pb2.LatticeScene, _Mapping]] = ...) -> None: ...

class PlayerReady(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class PlayerExecute(_message.Message):
    __slots__ = ("motions",)
    MOTIONS_FIELD_NUMBER: _ClassVar[int]
    motions: _containers.RepeatedCompositeFieldContainer[_scene_pb2.SceneMotion]
    def __init__(self, motions: _Optional[_Iterable[_Union[_scene_pb2.SceneMotion, _Mapping]]] = ...) -> None: ...

class PlayerReport(_message.Message):
    __slots__ = ("completed", "travel", "measured", "contacts", "fallen", "keyframes")
    COMPLETED_FIELD_NUMBER: _ClassVar[int]
    TRAVEL_FIELD_NUMBER: _ClassVar[int]
    MEASURED_FIELD_NUMBER: _ClassVar[int]
    CONTACTS_FIELD_NUMBER: _ClassVar[int]
    FALLEN_FIELD_NUMBER: _ClassVar[int]
    KEYFRAMES_FIELD_NUMBER: _ClassVar[int]
    completed: bool
    travel: int
    measured: float
    contacts: _containers.RepeatedScalarFieldContainer[str]
    fallen: _containers.RepeatedScalarFieldContainer[str]
    keyframes: _containers.RepeatedCompositeFieldContainer[PlayerKeyframe]
    def __init__(self, completed: _Optional[bool] = ..., travel: _Optional[int] = ..., measured: _Optional[float] = ..., contacts: _Optional[_Iterable[str]] = ..., fallen: _Optional[_Iterable[str]] = ..., keyframes: _Optional[_Iterable[_Union[PlayerKeyframe, _Mapping]]] = ...) -> None: ...

class PlayerKeyframe(_message.Message):
    __slots__ = ("time", "bodies")
    TIME_FIELD_NUMBER: _ClassVar[int]
    BODIES_FIELD_NUMBER: _ClassVar[int]
    time: float
    bodies: _containers.RepeatedCompositeFieldContainer[BodyTransform]
    def __init__(self, time: _Optional[float] = ..., bodies: _Optional[_Iterable[_Union[BodyTransform, _Mapping]]] = ...) -> None: ...

class BodyTransform(_message.Message):
    __slots__ = ("name", "matrix")
    NAME_FIELD_NUMBER: _ClassVar[int]
    MATRIX_FIELD_NUMBER: _ClassVar[int]
    name: str
    matrix: _containers.RepeatedScalarFieldContainer[float]
    def __init__(self, name: _Optional[str] = ..., matrix: _Optional[_Iterable[float]] = ...) -> None: ...

class PlayerPoses(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class PlayerBodies(_message.Message):
    __slots__ = ("bodies",)
    BODIES_FIELD_NUMBER: _ClassVar[int]
    bodies: _containers.RepeatedCompositeFieldContainer[BodyTransform]
    def __init__(self, bodies: _Optional[_Iterable[_Union[BodyTransform, _Mapping]]] = ...) -> None: ...

class PlayerRender(_message.Message):
    __slots__ = ("cameras", "size", "encoding", "transforms", "passes")
    CAMERAS_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    ENCODING_FIELD_NUMBER: _ClassVar[int]
    TRANSFORMS_FIELD_NUMBER: _ClassVar[int]
    PASSES_FIELD_NUMBER: _ClassVar[int]
    cameras: _containers.RepeatedCompositeFieldContainer[PlayerCamera]
    size: int
    encoding: PlayerEncoding
    transforms: _containers.RepeatedCompositeFieldContainer[BodyTransform]
    passes: _containers.RepeatedScalarFieldContainer[PlayerPass]
    def __init__(self, cameras: _Optional[_Iterable[_Union[PlayerCamera, _Mapping]]] = ..., size: _Optional[int] = ..., encoding: _Optional[_Union[PlayerEncoding, str]] = ..., transforms: _Optional[_Iterable[_Union[BodyTransform, _Mapping]]] = ..., passes: _Optional[_Iterable[_Union[PlayerPass, str]]] = ...) -> None: ...

class PlayerCamera(_message.Message):
    __slots__ = ("name", "clip_from_world")
    NAME_FIELD_NUMBER: _ClassVar[int]
    CLIP_FROM_WORLD_FIELD_NUMBER: _ClassVar[int]
    name: str
    clip_from_world: _containers.RepeatedScalarFieldContainer[float]
    def __init__(self, name: _Optional[str] = ..., clip_from_world: _Optional[_Iterable[float]] = ...) -> None: ...

class PlayerPictures(_message.Message):
    __slots__ = ("pictures",)
    PICTURES_FIELD_NUMBER: _ClassVar[int]
    pictures: _containers.RepeatedCompositeFieldContainer[PlayerPicture]
    def __init__(self, pictures: _Optional[_Iterable[_Union[PlayerPicture, _Mapping]]] = ...) -> None: ...

class PlayerPicture(_message.Message):
    __slots__ = ("size", "rgb", "encoding", "ids", "depth")
    SIZE_FIELD_NUMBER: _ClassVar[int]
    RGB_FIELD_NUMBER: _ClassVar[int]
    ENCODING_FIELD_NUMBER: _ClassVar[int]
    IDS_FIELD_NUMBER: _ClassVar[int]
    DEPTH_FIELD_NUMBER: _ClassVar[int]
    size: int
    rgb: bytes
    encoding: PlayerEncoding
    ids: bytes
    depth: bytes
    def __init__(self, size: _Optional[int] = ..., rgb: _Optional[bytes] = ..., encoding: _Optional[_Union[PlayerEncoding, str]] = ..., ids: _Optional[bytes] = ..., depth: _Optional[bytes] = ...) -> None: ...

class PlayerFailure(_message.Message):
    __slots__ = ("error", "message")
    ERROR_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    error: PlayerError
    message: str
    def __init__(self, error: _Optional[_Union[PlayerError, str]] = ..., message: _Optional[str] = ...) -> None: ...
