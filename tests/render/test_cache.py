from dataclasses import dataclass

from pysim.render.cache import ReleasingCache


@dataclass
class Thing:
    nbytes: int
    released: bool = False

    def release(self) -> None:
        assert not self.released
        self.released = True


def test_the_least_recently_used_is_released() -> None:
    cache: ReleasingCache[int, Thing] = ReleasingCache(Thing, count=2, nbytes=100)
    first, second = cache.get(1), cache.get(2)
    assert cache.get(1) is first
    cache.get(3)
    assert second.released and not first.released
    assert len(cache) == 2


def test_bytes_are_bounded_but_the_newest_stays() -> None:
    cache: ReleasingCache[int, Thing] = ReleasingCache(Thing, count=9, nbytes=100)
    small = cache.get(40)
    large = cache.get(500)
    assert small.released and not large.released
    assert cache.get(500) is large


def test_clear_releases_everything() -> None:
    cache: ReleasingCache[int, Thing] = ReleasingCache(Thing, count=9, nbytes=100)
    things = [cache.get(n) for n in (1, 2, 3)]
    cache.clear()
    assert all(thing.released for thing in things) and len(cache) == 0
