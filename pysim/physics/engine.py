"""The few calls of PyBullet that the world needs, with types.

PyBullet itself is imported in :mod:`pysim.physics.bullet` only and passed in from there.
"""

from types import ModuleType

import numpy as np

from pysim.physics.solids import BodyPose, CompoundShape, Quaternion, Solid, Vector
from pysim.physics.world import WorldError

__all__ = ["STEP", "BulletClient"]

STEP = 1.0 / 240.0
"""Seconds simulated at a time."""

_GRAVITY = 25.0
_FRICTION = 0.6
_TABLE_HALF = (4096.0, 4096.0, 8.0)
"""Half the table's size: so thick that nothing falls through."""
_UNTURNED: Quaternion = (0.0, 0.0, 0.0, 1.0)


class BulletClient:
    """One PyBullet client without a window.

    Lengths are units of a cell edge, which Bullet takes for metres: its margins suit bodies of that
    size. Gravity is 25 u/s², as if a cell were 0.4 m: real gravity on cells of a few centimetres
    (about 400 u/s²) would be faster than contacts can be found at 240 Hz, and 9.81 u/s² is slow
    motion.
    """

    def __init__(self, bullet: ModuleType) -> None:
        self._bullet = bullet
        self._client: int = bullet.connect(bullet.DIRECT)
        if self._client < 0:
            raise WorldError("PyBullet has no room for another world: close some")

    def clear(self) -> None:
        """Remove everything; what follows does not depend on what was before."""
        self._bullet.resetSimulation(physicsClientId=self._client)
        self._bullet.setPhysicsEngineParameter(
            fixedTimeStep=STEP,
            numSolverIterations=50,
            deterministicOverlappingPairs=1,
            physicsClientId=self._client,
        )
        self._bullet.setGravity(0.0, 0.0, -_GRAVITY, physicsClientId=self._client)

    def add_table(self, height: float) -> int:
        """Return a table whose surface is the plane z = ``height``; returns its id."""
        shape = self._bullet.createCollisionShape(
            self._bullet.GEOM_BOX, halfExtents=_TABLE_HALF, physicsClientId=self._client
        )
        table: int = self._bullet.createMultiBody(
            0.0,
            shape,
            basePosition=(0.0, 0.0, height - _TABLE_HALF[2]),
            physicsClientId=self._client,
        )
        self._rub(table, 0)
        return table

    def add(self, solid: Solid, place: BodyPose, *, free: bool) -> int:
        """Return a body that is fixed in ``place`` or ``free`` to fall; returns its id."""
        first, *rest = solid.parts
        count = len(rest)
        weight = 1.0 if free else 0.0
        body: int = self._bullet.createMultiBody(
            first.mass * weight,
            self._compound(first),
            basePosition=place.point(solid.anchor),
            baseOrientation=place.quaternion,
            linkMasses=[part.mass * weight for part in rest],
            linkCollisionShapeIndices=[self._compound(part) for part in rest],
            linkVisualShapeIndices=[-1] * count,
            linkPositions=[_minus(part.centre, solid.anchor) for part in rest],
            linkOrientations=[_UNTURNED] * count,
            linkInertialFramePositions=[(0.0, 0.0, 0.0)] * count,
            linkInertialFrameOrientations=[_UNTURNED] * count,
            linkParentIndices=[0] * count,
            linkJointTypes=[self._bullet.JOINT_FIXED] * count,
            linkJointAxis=[(0.0, 0.0, 1.0)] * count,
            physicsClientId=self._client,
        )
        self._rub(body, count)
        return body

    def put(self, body: int, solid: Solid, place: BodyPose) -> None:
        """Set a body down somewhere else, at rest."""
        self._bullet.resetBasePositionAndOrientation(
            body, place.point(solid.anchor), place.quaternion, physicsClientId=self._client
        )

    def measure_depth(self, one: int, other: int) -> float:
        """Measure the depth of the overlap of two bodies, in units; 0 if they are apart."""
        points = self._bullet.getClosestPoints(one, other, 0.0, physicsClientId=self._client)
        return max((-point[8] for point in points), default=0.0)

    def list_pressed(self, body: int) -> set[int]:
        """Ids of the bodies with which ``body`` exchanged forces in the last step."""
        points = self._bullet.getContactPoints(body, physicsClientId=self._client)
        return {point[2] for point in points if point[9] > 0.0}

    def step(self) -> None:
        """Simulate ``STEP`` seconds."""
        self._bullet.stepSimulation(physicsClientId=self._client)

    def get_speeds(self, body: int) -> tuple[Vector, Vector]:
        """Linear (u/s) and angular (rad/s) velocity."""
        linear, angular = self._bullet.getBaseVelocity(body, physicsClientId=self._client)
        return linear, angular

    def set_speeds(self, body: int, linear: Vector, angular: Vector) -> None:
        """Give a body velocities."""
        self._bullet.resetBaseVelocity(body, linear, angular, physicsClientId=self._client)

    def place(self, body: int, solid: Solid) -> BodyPose:
        """Return the pose of a body."""
        position, turn = self._bullet.getBasePositionAndOrientation(
            body, physicsClientId=self._client
        )
        rotation = np.array(self._bullet.getMatrixFromQuaternion(turn)).reshape(3, 3)
        origin = np.array(position) - rotation @ np.array(solid.anchor)
        return BodyPose(rotation, turn, origin)

    def close(self) -> None:
        """Disconnect. Once only."""
        self._bullet.disconnect(physicsClientId=self._client)

    def _compound(self, part: CompoundShape) -> int:
        shape: int = self._bullet.createCollisionShapeArray(
            shapeTypes=[self._bullet.GEOM_BOX] * len(part.blocks),
            halfExtents=[block.half for block in part.blocks],
            collisionFramePositions=[block.centre for block in part.blocks],
            physicsClientId=self._client,
        )
        return shape

    def _rub(self, body: int, links: int) -> None:
        for link in range(-1, links):
            self._bullet.changeDynamics(
                body,
                link,
                lateralFriction=_FRICTION,
                restitution=0.0,
                physicsClientId=self._client,
            )


def _minus(a: Vector, b: Vector) -> Vector:
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])
