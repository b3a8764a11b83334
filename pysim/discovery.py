"""Discovery of parts: in the folders of a package, and in entry points of others.

Everything has a name: that of its folder, or of its entry point. Names are known at once; a thing
itself is loaded when it is first asked for, so that what nobody needs costs nothing.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from operator import attrgetter
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pysim.errors import InputError

if TYPE_CHECKING:
    from importlib import metadata

__all__ = [
    "DiscoveryError",
    "EntryPoint",
    "EntryPoints",
    "discover",
    "discover_beside",
    "discover_entry_points",
    "list_external",
    "read_manifest_file",
]

T = TypeVar("T")


class DiscoveryError(InputError):
    """Something has a name that is taken, or can't be loaded; the message says what and whose."""


@dataclass(frozen=True, slots=True)
class EntryPoint:
    """Place of a part.

    Attributes:
        name: by which it is asked for.
        owner: the distribution that it belongs to; empty for Luban's own.
        module, attribute: where it stands.
    """

    name: str
    owner: str
    module: str
    attribute: str

    def __str__(self) -> str:
        return f"{self.owner or 'luban'} ({self.module}:{self.attribute})"

    def load(self) -> Any:
        """Return the thing itself.

        Raises:
            DiscoveryError: its module can't be imported, or does not have it.
        """
        try:
            return attrgetter(self.attribute)(import_module(self.module))
        except Exception as error:
            why = f"{type(error).__name__}: {error}"
            raise DiscoveryError(f"{self.name!r} of {self} can't be loaded: {why}") from error

    def find_folder(self, name: str) -> Path | None:
        """Return the folder called ``name`` in the innermost package around its module with one."""
        return next((path for path in self._places(name) if path.is_dir()), None)

    def find_file(self, name: str) -> Path | None:
        """Return the file called ``name`` in the innermost package around its module with one."""
        return next((path for path in self._places(name) if path.is_file()), None)

    def _places(self, name: str) -> Iterator[Path]:
        module = self.module
        while module:
            yield from (place / name for place in _folders(module))
            module = module.rpartition(".")[0]


@dataclass(frozen=True, eq=False)
class EntryPoints(Mapping[str, T], Generic[T]):
    """Things by name, in the order in which they were found, each loaded when it is asked for.

    Attributes:
        offers: where they are.
        check: takes a thing and its name; raises DiscoveryError if it is none of these.
    """

    entry_points: Mapping[str, EntryPoint]
    check: Callable[[str, object], T]
    _loaded: dict[str, T] = field(default_factory=dict, init=False, repr=False)

    def __getitem__(self, name: str) -> T:
        if name not in self._loaded:
            self._loaded[name] = self.check(name, self.entry_points[name].load())
        return self._loaded[name]

    def __contains__(self, name: object) -> bool:
        return name in self.entry_points

    def __iter__(self) -> Iterator[str]:
        return iter(self.entry_points)

    def __len__(self) -> int:
        return len(self.entry_points)


def discover(
    group: str,
    check: Callable[[str, object], T],
    *,
    package: str = "",
    module: str = "",
    attribute: str = "",
) -> EntryPoints[T]:
    """Everything of one sort: Luban's own first, then other packages', each in alphabetical order.

    Args:
        group: of entry points, as ``luban.families``; an entry point's value is ``module:name``.
        check: the thing itself, if it is of this sort; raises DiscoveryError.
        package: each module and package in it offers one, but for those that begin with ``_``.
        module: in each package of ``package``; empty for that package itself.
        attribute: what it is called there.

    Raises:
        DiscoveryError: two have the same name; the message says whose.
    """
    found = discover_entry_points(group, package=package, module=module, attribute=attribute)
    return EntryPoints(found, check)


def discover_entry_points(
    group: str, *, package: str = "", module: str = "", attribute: str = ""
) -> Mapping[str, EntryPoint]:
    """Return where everything of one sort is, by name; see :func:`discover`.

    Args:
        group, package, attribute: as for :func:`discover`.
        module: in each package of ``package``; empty for that package itself.

    Raises:
        DiscoveryError: two have the same name; the message says whose.
    """
    offers: dict[str, EntryPoint] = {}
    for offer in (*_own(package, module, attribute), *_others(group)):
        first = offers.setdefault(offer.name, offer)
        if first != offer:
            raise DiscoveryError(
                f"two packages offer {offer.name!r} as {group}: {first} and {offer}; "
                "uninstall one of them"
            )
    return offers


def read_manifest_file(path: Path, parse: Callable[[Any], T]) -> T:
    """Return what a manifest says of a part.

    Args:
        path: of the file, JSON.
        parse: makes it of the document.

    Raises:
        DiscoveryError: the file is damaged.
    """
    try:
        return parse(json.loads(path.read_bytes()))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise DiscoveryError(f"{path} is damaged ({type(error).__name__}: {error})") from None


def discover_beside(
    group: str, check: Callable[[str, object], T], *, package: str, module: str
) -> Iterator[T]:
    """Yield the parts in modules of their own in the folders of a package, then those of others.

    Each is loaded when it is its turn, and a folder's own package is no more than imported: one who
    stops at the first does without all that comes after it.

    Args:
        group, check: as for :func:`discover`.
        package: whose folders are looked through.
        module: the file's name; what it offers is called so as well, in capitals.
    """
    for place in import_module(package).__path__:
        for path in sorted(Path(place).glob(f"*/{module}.py")):
            folder = path.parent.name
            offer = EntryPoint(folder, "", f"{package}.{folder}.{module}", module.upper())
            yield check(folder, offer.load())
    yield from discover(group, check).values()


@cache
def list_external() -> tuple[EntryPoint, ...]:
    """All that other packages offer, of whatever sort: each group that begins with ``luban.``."""
    from importlib.metadata import entry_points  # It reads mail headers, and takes a moment.

    installed = entry_points()
    groups = sorted(group for group in installed.groups if group.startswith("luban."))
    entries = (entry for group in groups for entry in installed.select(group=group))
    return tuple(map(_offer, sorted(entries, key=lambda e: (e.group, e.name, e.value))))


def _own(package: str, module: str, attribute: str) -> Iterator[EntryPoint]:
    names = sorted(m.name for m in iter_modules(import_module(package).__path__)) if package else ()
    for name in (one for one in names if not one.startswith("_")):
        yield EntryPoint(name, "", ".".join(filter(None, (package, name, module))), attribute)


def _others(group: str) -> Iterator[EntryPoint]:
    from importlib.metadata import entry_points

    return map(_offer, sorted(entry_points(group=group), key=lambda e: (e.name, e.value)))


def _offer(entry: "metadata.EntryPoint") -> EntryPoint:
    owner = entry.dist.name if entry.dist else entry.module
    return EntryPoint(entry.name, owner, entry.module, entry.attr or "")


def _folders(module: str) -> list[Path]:
    """Return the folders of a package's modules; no package is imported for it."""
    around, _, name = module.rpartition(".")
    if around:
        return [place / name for place in _folders(around) if (place / name).is_dir()]
    try:
        spec = find_spec(module)
    except Exception:  # It can't be imported; who loads the thing is told so.
        return []
    places = spec.submodule_search_locations if spec else None
    return [Path(place) for place in places or ()]
