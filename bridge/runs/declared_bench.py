"""The part of a bench that follows from its manifest."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bridge.runs.importing import AuthorFile, Imported
from bridge.runs.manifests import Manifest
from bridge.runs.presets import Preset
from pysim.discovery import EntryPoint

__all__ = ["DeclaredBench", "FileImporter", "LevelBench"]


@dataclass(frozen=True, slots=True)
class FileImporter:
    """Reader of files that a bench's authors publish.

    Attributes:
        suffixes: endings of the names of these files, in lower case.
        function: ``package.module:function``, which is loaded when files are read; it does what
            :meth:`bridge.runs.importing.Importer.import_files` does.
        reads_designs: whether designers' files among them become levels, too.
    """

    suffixes: Sequence[str]
    function: str
    reads_designs: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredBench:
    """A bench with a manifest; see :class:`~bridge.runs.protocol.Bench`.

    Attributes:
        manifest: its name, title and suites among others.
        options: dataclass of its own options.
        presets: settings of publications by name.
        importer: reader of its authors' files; None if it reads none.
    """

    manifest: Manifest
    options: type[Any]
    presets: Mapping[str, Preset]
    importer: FileImporter | None = None

    @property
    def name(self) -> str:
        """Name of its folder."""
        return self.manifest.name

    @property
    def title(self) -> str:
        """Title, with the paper that it comes from."""
        return self.manifest.title

    @property
    def suites(self) -> Mapping[str, str]:
        """Suites by a short name, the main one first."""
        return self.manifest.suites

    @property
    def former_names(self) -> tuple[str, ...]:
        """Names of earlier versions."""
        return self.manifest.former_names

    @property
    def reads(self) -> Sequence[str]:
        """Endings of names of files that it reads; none if it reads no files."""
        return () if self.importer is None else self.importer.suffixes

    @property
    def reads_designs(self) -> bool:
        """Whether designers' files among them become levels, too."""
        return self.importer is not None and self.importer.reads_designs

    def import_files(self, files: Sequence[AuthorFile], name: str) -> Imported:
        """Read files of authors; see :class:`~bridge.runs.importing.Importer`."""
        assert self.importer is not None, self.name
        module, _, function = self.importer.function.partition(":")
        imported: Imported = EntryPoint(self.name, "", module, function).load()(files, name)
        return imported


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelBench(DeclaredBench):
    """A bench whose levels are played; see :class:`~bridge.runs.protocol.PlayedBench`."""

    @property
    def extras(self) -> tuple[str, ...]:
        """Keys of extras of a run's settings that it may set."""
        return self.manifest.extras

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of its measures, unlike those of every other bench."""
        return self.manifest.columns

    @property
    def general(self) -> bool:
        """Whether it plays what no other bench claims."""
        return self.manifest.is_general
