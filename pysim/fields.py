"""The fields of actions: read from JSON arguments, and written as such."""

import dataclasses
import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import get_type_hints

from pysim.field_types import AnyFieldType, Json, find_field_type, label, refuse, show_value
from pysim.limits import MAX_ACTION_NAME
from pysim.puzzle import Action, InvalidAction, Reason

__all__ = ["FieldSpec", "build_action", "encode_arguments", "list_fields"]


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """One field of an action.

    Attributes:
        name: as agents write it.
        kind: how its values are written.
        doc: what agents read about it.
        required: whether it has no default.
    """

    name: str
    kind: AnyFieldType
    doc: str
    required: bool


_FIELDS: dict[type[Action], tuple[FieldSpec, ...]] = {}
"""What :func:`list_fields` found, by action type."""


def list_fields(action_type: type[Action]) -> tuple[FieldSpec, ...]:
    """Return the fields of an action type, in order.

    Raises:
        TypeError: it is no dataclass, or a field is of no known kind.
    """
    found = _FIELDS.get(action_type)
    if found is None:
        found = _FIELDS[action_type] = _read_fields(action_type)
    return found


def _read_fields(action_type: type[Action]) -> tuple[FieldSpec, ...]:
    if not dataclasses.is_dataclass(action_type):
        raise TypeError(f"{action_type.__name__} must be a dataclass")
    hints = get_type_hints(action_type)
    specs = []
    for field in dataclasses.fields(action_type):
        try:
            kind = find_field_type(hints[field.name])
        except TypeError as error:
            raise TypeError(f"{action_type.__name__}.{field.name} {error}") from None
        required = (
            field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
        )
        specs.append(FieldSpec(field.name, kind, field.metadata.get("doc", ""), required))
    return tuple(specs)


def build_action(action_type: type[Action], arguments: Mapping[str, object]) -> Action:
    """Return the action that ``arguments`` (field name -> JSON value) describe.

    Raises:
        InvalidAction: a field is missing, unknown or of the wrong kind.
    """
    specs = list_fields(action_type)
    known = {spec.name for spec in specs}
    for name in arguments:
        if name not in known:
            alike = str(name) if len(str(name)) <= MAX_ACTION_NAME else ""
            close = difflib.get_close_matches(alike, known, n=1)
            hint = f"; did you mean {close[0]!r}?" if close else f"; it takes {sorted(known)}"
            raise refuse(
                f"{action_type.tool} has no field {show_value(name)}{hint}",
                Reason.UNKNOWN_FIELD,
                label(str(name)),
            )
    values: dict[str, object] = {}
    for spec in specs:
        if spec.name in arguments:
            values[spec.name] = _parse_field(action_type, spec, arguments[spec.name])
        elif spec.required:
            raise refuse(f"{action_type.tool} needs {spec.name!r}", Reason.MISSING_FIELD, spec.name)
    return action_type(**values)


def _parse_field(action_type: type[Action], spec: FieldSpec, value: object) -> object:
    try:
        return spec.kind.parse(value)
    except InvalidAction as error:
        message = f"{action_type.tool}.{spec.name}: {error.message}"
        raise InvalidAction(
            error.reason, message, culprits=error.culprits or (spec.name,)
        ) from None


def encode_arguments(action: Action) -> dict[str, Json]:
    """Return the JSON arguments of ``action``; the inverse of :func:`build_action`."""
    return {
        spec.name: spec.kind.format(getattr(action, spec.name))
        for spec in list_fields(type(action))
    }
