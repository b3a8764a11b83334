"""The protocol's files: generated code is current, and everything in them is explained."""

import subprocess
import sys
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorProto, FileDescriptorSet
from grpc_tools import protoc

ROOT = Path(__file__).resolve().parent.parent
PROTO = ROOT / "proto"
GENERATED = ROOT / "bridge" / "rpc" / "_pb"


@pytest.fixture(scope="module")
def protocol(tmp_path_factory: pytest.TempPathFactory) -> FileDescriptorSet:
    out = tmp_path_factory.mktemp("proto") / "set"
    status = protoc.main(
        [
            "protoc",
            f"--proto_path={PROTO}",
            f"--proto_path={files('grpc_tools') / '_proto'}",
            "--include_source_info",
            f"--descriptor_set_out={out}",
            *map(str, sorted(PROTO.rglob("*.proto"))),
        ]
    )
    assert status == 0
    return FileDescriptorSet.FromString(out.read_bytes())


def test_the_generated_code_is_current(tmp_path: Path) -> None:
    tool = ROOT / "tools" / "gen_proto.py"
    subprocess.run([sys.executable, tool, "--out", tmp_path / "pb"], cwd=tmp_path, check=True)
    assert contents(tmp_path / "pb") == contents(GENERATED), "run `make proto`"


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }


def test_everything_has_a_comment(protocol: FileDescriptorSet) -> None:
    bare = []
    for file in protocol.file:
        comments = {
            tuple(place.path): place.leading_comments.strip()
            for place in file.source_code_info.location
        }
        bare += [name for path, name in named(file) if not comments.get(path)]
    assert not bare


def named(file: FileDescriptorProto) -> Iterator[tuple[tuple[int, ...], str]]:
    """Path in the descriptor and name of all that wants a comment."""
    for i, message in enumerate(file.message_type):
        assert not message.nested_type or all(t.options.map_entry for t in message.nested_type)
        yield (4, i), message.name
        for j, field in enumerate(message.field):
            yield (4, i, 2, j), f"{message.name}.{field.name}"
        for j, oneof in enumerate(message.oneof_decl):
            if not oneof.name.startswith("_"):  # those stand for `optional`
                yield (4, i, 8, j), f"{message.name}.{oneof.name}"
    for i, enum in enumerate(file.enum_type):
        yield (5, i), enum.name
        for j, value in enumerate(enum.value):
            yield (5, i, 2, j), f"{enum.name}.{value.name}"
    for i, service in enumerate(file.service):
        yield (6, i), service.name
        for j, method in enumerate(service.method):
            yield (6, i, 2, j), f"{service.name}.{method.name}"


def test_enums_begin_with_unspecified(protocol: FileDescriptorSet) -> None:
    values = [enum.value[0] for file in protocol.file for enum in file.enum_type]
    assert values
    for value in values:
        assert (value.number, value.name.endswith("_UNSPECIFIED")) == (0, True), value.name


def test_every_rpc_has_messages_of_its_own(protocol: FileDescriptorSet) -> None:
    methods = [m for file in protocol.file for service in file.service for m in service.method]
    assert methods
    for method in methods:
        assert method.input_type == f".luban.v1.{method.name}Request"
        assert method.output_type == f".luban.v1.{method.name}Response"


def test_the_package_is_that_of_the_folder(protocol: FileDescriptorSet) -> None:
    for file in protocol.file:
        assert file.package == ".".join(Path(file.name).parent.parts)
