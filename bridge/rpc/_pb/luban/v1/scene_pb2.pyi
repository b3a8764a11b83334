from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class LatticeAxis(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    LATTICE_AXIS_UNSPECIFIED: _ClassVar[LatticeAxis]
    LATTICE_AXIS_X: _ClassVar[LatticeAxis]
    LATTICE_AXIS_Y: _ClassVar[LatticeAxis]
    LATTICE_AXIS_Z: _ClassVar[LatticeAxis]

class LatticeDirection(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    LATTICE_DIRECTION_UNSPECIFIED: _ClassVar[LatticeDirection]
    LATTICE_DIRECTION_PLUS_X: _ClassVar[LatticeDirection]
    LATTICE_DIRECTION_MINUS_X: _ClassVar[LatticeDirection]
    LATTICE_DIRECTION_PLUS_Y: _ClassVar[LatticeDirection]
    LATTICE_DIRECTION_MINUS_Y: _ClassVar[LatticeDirection]
    LATTICE_DIRECTION_PLUS_Z: _ClassVar[LatticeDirection]
    LATTICE_DIRECTION_MINUS_Z: _ClassVar[LatticeDirection]
LATTICE_AXIS_UNSPECIFIED: LatticeAxis
LATTICE_AXIS_X: LatticeAxis
LATTICE_AXIS_Y: LatticeAxis
LATTICE_AXIS_Z: LatticeAxis
LATTICE_DIRECTION_UNSPECIFIED: LatticeDirection
LATTICE_DIRECTION_PLUS_X: LatticeDirection
LATTICE_DIRECTION_MINUS_X: LatticeDirection
LATTICE_DIRECTION_PLUS_Y: LatticeDirection
LATTICE_DIRECTION_MINUS_Y: LatticeDirection
LATTICE_DIRECTION_PLUS_Z: LatticeDirection
LATTICE_DIRECTION_MINUS_Z: LatticeDirection

class Cell(_message.Message):
    __slots__ = ("x", "y", "z")
    X_FIELD_NUMBER: _ClassVar[int]
    Y_FIELD_NUMBER: _ClassVar[int]
    Z_FIELD_NUMBER: _ClassVar[int]
    x: int
    y: int
    z: int
    def __init__(self, x: _Optional[int] = ..., y: _Optional[int] = ..., z: _Optional[int] = ...) -> None: ...

class Block(_message.Message):
    __slots__ = ("low", "high")
    LOW_FIELD_NUMBER: _ClassVar[int]
    HIGH_FIELD_NUMBER: _ClassVar[int]
    low: Cell
    high: Cell
    def __init__(self, low: _Optional[_Union[Cell, _Mapping]] = ..., high: _Optional[_Union[Cell, _Mapping]] = ...) -> None: ...

class LatticePose(_message.Message):
    __slots__ = ("rotation", "offset")
    ROTATION_FIELD_NUMBER: _ClassVar[int]
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    rotation: int
    offset: Cell
    def __init__(self, rotation: _Optional[int] = ..., offset: _Optional[_Union[Cell, _Mapping]] = ...) -> None: ...

class SceneBody(_message.Message):
    __slots__ = ("name", "cells", "pose", "rgb", "loose")
    NAME_FIELD_NUMBER: _ClassVar[int]
    CELLS_FIELD_NUMBER: _ClassVar[int]
    POSE_FIELD_NUMBER: _ClassVar[int]
    RGB_FIELD_NUMBER: _ClassVar[int]
    LOOSE_FIELD_NUMBER: _ClassVar[int]
    name: str
    cells: _containers.RepeatedScalarFieldContainer[int]
    pose: LatticePose
    rgb: int
    loose: bool
    def __init__(self, name: _Optional[str] = ..., cells: _Optional[_Iterable[int]] = ..., pose: _Optional[_Union[LatticePose, _Mapping]] = ..., rgb: _Optional[int] = ..., loose: _Optional[bool] = ...) -> None: ...

class LatticeScene(_message.Message):
    __slots__ = ("bodies", "work", "table")
    BODIES_FIELD_NUMBER: _ClassVar[int]
    WORK_FIELD_NUMBER: _ClassVar[int]
    TABLE_FIELD_NUMBER: _ClassVar[int]
    bodies: _containers.RepeatedCompositeFieldContainer[SceneBody]
    work: Block
    table: Block
    def __init__(self, bodies: _Optional[_Iterable[_Union[SceneBody, _Mapping]]] = ..., work: _Optional[_Union[Block, _Mapping]] = ..., table: _Optional[_Union[Block, _Mapping]] = ...) -> None: ...

class SweepMotion(_message.Message):
    __slots__ = ("bodies", "direction", "distance")
    BODIES_FIELD_NUMBER: _ClassVar[int]
    DIRECTION_FIELD_NUMBER: _ClassVar[int]
    DISTANCE_FIELD_NUMBER: _ClassVar[int]
    bodies: _containers.RepeatedScalarFieldContainer[str]
    direction: LatticeDirection
    distance: int
    def __init__(self, bodies: _Optional[_Iterable[str]] = ..., direction: _Optional[_Union[LatticeDirection, str]] = ..., distance: _Optional[int] = ...) -> None: ...

class CarryMotion(_message.Message):
    __slots__ = ("bodies", "way", "loose")
    BODIES_FIELD_NUMBER: _ClassVar[int]
    WAY_FIELD_NUMBER: _ClassVar[int]
    LOOSE_FIELD_NUMBER: _ClassVar[int]
    bodies: _containers.RepeatedScalarFieldContainer[str]
    way: _containers.RepeatedCompositeFieldContainer[CarryLeg]
    loose: bool
    def __init__(self, bodies: _Optional[_Iterable[str]] = ..., way: _Optional[_Iterable[_Union[CarryLeg, _Mapping]]] = ..., loose: _Optional[bool] = ...) -> None: ...

class CarryLeg(_message.Message):
    __slots__ = ("shift", "spin")
    SHIFT_FIELD_NUMBER: _ClassVar[int]
    SPIN_FIELD_NUMBER: _ClassVar[int]
    shift: ShiftLeg
    spin: SpinLeg
    def __init__(self, shift: _Optional[_Union[ShiftLeg, _Mapping]] = ..., spin: _Optional[_Union[SpinLeg, _Mapping]] = ...) -> None: ...

class ShiftLeg(_message.Message):
    __slots__ = ("direction", "distance")
    DIRECTION_FIELD_NUMBER: _ClassVar[int]
    DISTANCE_FIELD_NUMBER: _ClassVar[int]
    direction: LatticeDirection
    distance: int
    def __init__(self, direction: _Optional[_Union[LatticeDirection, str]] = ..., distance: _Optional[int] = ...) -> None: ...

class SpinLeg(_message.Message):
    __slots__ = ("rotation", "offset")
    ROTATION_FIELD_NUMBER: _ClassVar[int]
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    rotation: int
    offset: Cell
    def __init__(self, rotation: _Optional[int] = ..., offset: _Optional[_Union[Cell, _Mapping]] = ...) -> None: ...

class TurnMotion(_message.Message):
    __slots__ = ("bodies", "axis", "centre", "quarters", "hinged")
    BODIES_FIELD_NUMBER: _ClassVar[int]
    AXIS_FIELD_NUMBER: _ClassVar[int]
    CENTRE_FIELD_NUMBER: _ClassVar[int]
    QUARTERS_FIELD_NUMBER: _ClassVar[int]
    HINGED_FIELD_NUMBER: _ClassVar[int]
    bodies: _containers.RepeatedScalarFieldContainer[str]
    axis: LatticeAxis
    centre: Cell
    quarters: int
    hinged: bool
    def __init__(self, bodies: _Optional[_Iterable[str]] = ..., axis: _Optional[_Union[LatticeAxis, str]] = ..., centre: _Optional[_Union[Cell, _Mapping]] = ..., quarters: _Optional[int] = ..., hinged: _Optional[bool] = ...) -> None: ...

class SceneMotion(_message.Message):
    __slots__ = ("sweep", "carry", "turn")
    SWEEP_FIELD_NUMBER: _ClassVar[int]
    CARRY_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    sweep: SweepMotion
    carry: CarryMotion
    turn: TurnMotion
    def __init__(self, sweep: _Optional[_Union[SweepMotion, _Mapping]] = ..., carry: _Optional[_Union[CarryMotion, _Mapping]] = ..., turn: _Optional[_Union[TurnMotion, _Mapping]] = ...) -> None: ...
