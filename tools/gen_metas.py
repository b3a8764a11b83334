"""Writes the ``.meta`` files that are missing in unity_project: ``python tools/gen_metas.py``.

The Editor would write them too, each with a GUID drawn at random. Here a GUID is the hash of the
path at which the asset is first seen; once written it stays, also when the asset moves with it.
"""

import hashlib
from collections.abc import Iterator
from pathlib import Path

__all__ = ["assets"]

PROJECT = Path(__file__).resolve().parent.parent / "unity_project"

_IMPORTERS = {
    ".asmdef": "AssemblyDefinitionImporter:\n  externalObjects: {}\n",
    ".cs": (
        "MonoImporter:\n  externalObjects: {}\n  serializedVersion: 2\n  defaultReferences: []\n"
        "  executionOrder: 0\n  icon: {instanceID: 0}\n"
    ),
    ".shader": (
        "ShaderImporter:\n  externalObjects: {}\n  defaultTextures: []\n"
        "  nonModifiableTextures: []\n  preprocessorOverride: 0\n"
    ),
}
_FOLDER = "folderAsset: yes\nDefaultImporter:\n  externalObjects: {}\n"
_OTHER = "DefaultImporter:\n  externalObjects: {}\n"
_END = "  userData: \n  assetBundleName: \n  assetBundleVariant: \n"


def main() -> None:
    """Write them, and say which."""
    for asset in assets():
        meta = asset.with_name(asset.name + ".meta")
        if not meta.exists():
            meta.write_text(_meta_of(asset), encoding="utf-8")
            print(meta.relative_to(PROJECT))


def assets() -> Iterator[Path]:
    """Yield every file and folder that the Editor imports, in order."""
    for path in sorted((PROJECT / "Assets").rglob("*")):
        if path.suffix != ".meta" and not path.name.startswith("."):
            yield path


def _meta_of(asset: Path) -> str:
    name = asset.relative_to(PROJECT).as_posix()
    guid = hashlib.md5(f"luban/{name}".encode(), usedforsecurity=False).hexdigest()
    importer = _FOLDER if asset.is_dir() else _IMPORTERS.get(asset.suffix, _OTHER)
    return f"fileFormatVersion: 2\nguid: {guid}\n{importer}{_END}"


if __name__ == "__main__":
    main()
