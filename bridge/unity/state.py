"""Poses of all bodies, kept on both ends of the wire and compared by a digest."""

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from pysim.geometry import Pose, scale
from pysim.motion import Motion, Sweep, Turn
from pysim.scene import Scene

__all__ = ["LatticeState", "hash_fnv1a"]

_OFFSET, _PRIME, _MASK = 14695981039346656037, 1099511628211, (1 << 64) - 1
_PLACE = struct.Struct("<xiiii?")
"""One 0 byte, rotation, x, y, z, whether it is loose."""


def hash_fnv1a(data: bytes) -> int:
    """Return the 64-bit FNV-1a hash (Fowler, Noll, Vo; RFC 9923)."""
    value = _OFFSET
    for byte in data:
        value = (value ^ byte) * _PRIME & _MASK
    return value


@dataclass(frozen=True)
class LatticeState:
    """The poses of a scene's bodies, as asked for.

    Attributes:
        places: name -> pose and whether it is loose, in the scene's order.
    """

    places: Mapping[str, tuple[Pose, bool]]

    @staticmethod
    def of(scene: Scene) -> "LatticeState":
        """Return the bodies where the scene has them."""
        return LatticeState({body.name: (body.pose, body.loose) for body in scene.bodies})

    def apply(self, motions: Sequence[Motion]) -> "LatticeState":
        """Return the state when all motions have gone the whole way.

        Raises:
            KeyError: a motion names a body that is not there.
        """
        places = dict(self.places)
        for motion in motions:
            if isinstance(motion, Sweep):
                way = scale(motion.direction.vector, motion.distance)
                for name in motion.bodies:
                    pose, loose = places[name]
                    places[name] = (pose.translate(way), loose)
            elif isinstance(motion, Turn):
                for name in motion.bodies:
                    pose, loose = places[name]
                    places[name] = (motion.apply(pose), loose)
            else:
                for name in motion.bodies:
                    places[name] = (motion.path.apply(places[name][0]), motion.loose)
        return LatticeState(places)

    @cached_property
    def digest(self) -> int:
        """FNV-1a over each body, in the scene's order.

        Of each its name in UTF-8, one 0 byte, the number of its rotation, x, y and z as int32
        little-endian, and one byte that is 1 if it is loose, else 0.
        """
        return hash_fnv1a(
            b"".join(
                name.encode() + _PLACE.pack(pose.rotation.index, *pose.offset, loose)
                for name, (pose, loose) in self.places.items()
            )
        )
