"""Luban's puzzles as environments for the ``environment_factory`` of TRL's ``GRPOTrainer``.

::

    from luban_trl import BurrEnv, make_dataset

    trainer = GRPOTrainer(
        model=model,
        args=args,
        train_dataset=make_dataset("burr:train:0-999"),
        environment_factory=BurrEnv,
    )

There is a class for each family: ``BurrEnv``, ``NetsEnv`` and so on.
"""

from typing import TYPE_CHECKING, Any

from luban_trl.environments import LubanEnv, make_environment, make_environments
from luban_trl.rows import make_dataset

if TYPE_CHECKING:
    BurrEnv: type[LubanEnv]
    JigsawEnv: type[LubanEnv]
    NetsEnv: type[LubanEnv]
    PackingEnv: type[LubanEnv]
    PortalEnv: type[LubanEnv]
    RubikEnv: type[LubanEnv]

__all__ = ["LubanEnv", "make_dataset", "make_environment", "make_environments"]


def __getattr__(name: str) -> Any:
    """Return the environment of a family, which can be pickled by its name."""
    if not name.endswith("Env"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return make_environment(name.removesuffix("Env").lower())
    except ValueError as error:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}: {error}") from None
