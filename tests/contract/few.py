"""Fewer levels by day, for contracts of what takes long."""

from collections.abc import Iterator

from luban.testing.contract import Case, Contract


class OneOfEachFamily(Contract):
    """By day one level of each family, where others have one of each tier."""

    def cases(self, what: str) -> Iterator[Case]:
        done: set[str] = set()
        for name, level, few in super().cases(what):
            day = few and level.family not in done and level.id != "checkerboard"
            if day:
                done.add(level.family)
            if day or self.rest is not None:
                yield name, level, day
