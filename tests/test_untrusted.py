"""Files of strangers: what the one reader refuses, and that nothing is read beside it."""

import ast
import json
import os
import pickle
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pysim.errors import InputError
from pysim.untrusted import (
    MP4,
    PNG,
    FileKind,
    FileRefused,
    open_untrusted,
    parse_json,
    read_untrusted,
    refuse_leaving_links,
)

ROOT = Path(__file__).resolve().parents[1]
NOTE = FileKind("a note", 10)
PICTURE = FileKind("a picture", 100, PNG)
SECRET = b"secret"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder beside a file and a folder that are nobody else's business."""
    (tmp_path / "private").write_bytes(SECRET)
    (tmp_path / "home").mkdir()
    (tmp_path / "home/key").write_bytes(SECRET)
    (tmp_path / "given").mkdir()
    (tmp_path / "given-too").mkdir()
    return tmp_path / "given"


@given(st.binary(max_size=10))
def test_file_within_its_limit_is_read_whole(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    path = tmp_path_factory.mktemp("notes") / "note"
    path.write_bytes(data)
    assert read_untrusted(path, NOTE) == read_untrusted(path, NOTE, path.parent) == data


def test_file_beyond_its_limit_is_refused_unread(folder: Path) -> None:
    with (folder / "note").open("wb") as file:
        file.truncate(2**40)
    with pytest.raises(FileRefused, match=r"note: a note has at most 10 bytes"):
        read_untrusted(folder / "note", NOTE)


@pytest.mark.parametrize("inside", [True, False])
def test_pipe_device_and_socket_are_refused_at_once(folder: Path, inside: bool) -> None:
    os.mkfifo(folder / "pipe")
    for path in (folder / "pipe", Path("/dev/zero"), Path("/dev/tty")):
        home = path.parent if inside else None
        with pytest.raises(FileRefused, match="this is no file"):
            read_untrusted(path, NOTE, home)


def test_folder_and_missing_file_are_the_errors_of_the_system(folder: Path) -> None:
    with pytest.raises(IsADirectoryError) as error:
        read_untrusted(folder, NOTE)
    assert error.value.filename == str(folder)
    with pytest.raises(FileNotFoundError):
        read_untrusted(folder / "none", NOTE, folder)
    with pytest.raises(FileRefused, match="no name"):
        read_untrusted(folder / "a\0b", NOTE, folder)


@pytest.mark.parametrize("kind", [PICTURE, FileKind("a video", 100, MP4)])
@pytest.mark.parametrize("data", [b"", b"\x89PN", b"#EXTM3U\n/etc/passwd\n", b"%PDF-1.4 ftyp"])
def test_file_without_magic_bytes_is_refused(folder: Path, kind: FileKind, data: bytes) -> None:
    (folder / "file").write_bytes(data)
    with pytest.raises(FileRefused, match=f"file: its first bytes .* {kind.title}"):
        open_untrusted(folder / "file", kind)


def test_file_with_magic_bytes_is_read_from_its_beginning(folder: Path) -> None:
    data = b"\x89PNG\r\n\x1a\n more"
    (folder / "file").write_bytes(data)
    assert read_untrusted(folder / "file", PICTURE, folder) == data


LEAVING = ("../private", "../home/key", "{above}/private", "../given-too/../private", "way/key")
STAYING = ("real", "./real", "../given/real", "{above}/given/real", "deep/../real", "chain")


@pytest.mark.parametrize("target", LEAVING)
def test_link_that_leaves_its_folder_is_refused_by_name(folder: Path, target: str) -> None:
    (folder / "way").symlink_to("../home")
    (folder / "deep").mkdir()
    link = folder / "deep" / "link" if target[0] == "{" else folder / "link"
    link.symlink_to(target.format(above=folder.parent))
    assert link.read_bytes() == SECRET
    with pytest.raises(FileRefused, match=r"link: this link leads out of its folder"):
        read_untrusted(link, NOTE, folder)
    (folder / "way").unlink()
    if link.exists():
        with pytest.raises(FileRefused, match=r"link: this link leads out of its folder"):
            refuse_leaving_links(folder)


@pytest.mark.parametrize("target", STAYING)
def test_link_that_stays_in_its_folder_is_followed(folder: Path, target: str) -> None:
    (folder / "real").write_bytes(b"whole")
    (folder / "deep").mkdir()
    (folder / "chain").symlink_to("deep/../real")
    (folder / "link").symlink_to(target.format(above=folder.parent))
    assert read_untrusted(folder / "link", NOTE, folder) == b"whole"
    refuse_leaving_links(folder)


def test_folder_that_is_a_link_itself_is_where_it_leads(folder: Path) -> None:
    (folder / "note").write_bytes(b"whole")
    (folder.parent / "link").symlink_to(folder)
    assert read_untrusted(folder.parent / "link/note", NOTE, folder.parent / "link") == b"whole"
    refuse_leaving_links(folder.parent / "link")


def test_links_in_a_circle_and_into_nothing_are_refused_or_missing(folder: Path) -> None:
    (folder / "circle").symlink_to("circle")
    with pytest.raises(OSError, match="symbolic links"):
        read_untrusted(folder / "circle", NOTE)
    with pytest.raises(OSError, match=r"symbolic links|leads out"):
        read_untrusted(folder / "circle", NOTE, folder)
    (folder / "circle").unlink()
    (folder / "nowhere").symlink_to("../nothing")
    with pytest.raises(FileRefused, match="nowhere"):
        refuse_leaving_links(folder)


def test_file_named_by_the_user_may_be_a_link(folder: Path) -> None:
    (folder / "link").symlink_to("../private")
    assert read_untrusted(folder / "link", NOTE) == SECRET


def test_refusal_is_an_input_error_and_one_of_the_system_in_every_process(folder: Path) -> None:
    error = FileRefused(str(folder / "x"), "this is no file")
    again = pickle.loads(pickle.dumps(error))
    assert isinstance(again, InputError) and isinstance(again, OSError)
    assert str(again) == str(error) == f"{folder / 'x'}: this is no file"
    assert (again.filename, again.strerror) == (str(folder / "x"), "this is no file")


@given(st.recursive(st.none() | st.text() | st.integers(), lambda v: st.lists(v, max_size=3)))
def test_json_of_a_stranger_is_the_value_that_was_written(value: object) -> None:
    for text in (json.dumps(value), json.dumps(value, ensure_ascii=False)):
        assert parse_json(text) == parse_json(text.encode()) == value


@pytest.mark.parametrize(
    "data",
    [
        b'["\\ud800"]',
        b'{"\\uDFFF": 1}',
        '["\\ud83d"]'.encode("utf-16"),
        b'["\xff"]',
        b"[" * 100_000,
        b"[NaN",
    ],
)
def test_json_that_can_not_be_written_or_is_none_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError):
        parse_json(data)


# -- the house ------------------------------------------------------------------------------------

OPENERS = {
    *("open", "io.open", "os.open", "FileIO", "io.FileIO", "mmap.mmap"),
    *("np.load", "np.memmap", "np.fromfile", "np.loadtxt", "np.genfromtxt"),
    *("ZipFile", "zipfile.ZipFile", "tarfile.open", "gzip.open", "sqlite3.connect"),
    *("av.open", "cv2.imread", "cv2.VideoCapture", "Image.open", "iio.imread"),
    *("shutil.copy", "shutil.copy2", "shutil.copyfile", "shutil.copytree", "shutil.move"),
}
ELSEWHERE = {
    "bridge/benches/cubebench/sandbox/lockdown.py": (2, "folders of the sandbox itself"),
    "bridge/benches/portal/frozen_items.py": (1, "ships with Luban"),
    "bridge/cli/completion.py": (1, "the user's own shell"),
    "bridge/cli/terminal.py": (1, "the null device"),
    "bridge/cli/handlers/init.py": (2, "templates that ship, and what was made of them"),
    "bridge/cli/handlers/video/score_video.py": (1, "written by the same command"),
    "bridge/cli/interactive/prompter.py": (1, "written by the same command"),
    "bridge/generating/folder.py": (1, "a folder, to lock it"),
    "bridge/generating/suites.py": (1, "the user's own cache"),
    "bridge/generating/twin.py": (1, "the user's own secret"),
    "bridge/items/worker.py": (1, "written by the same command"),
    "bridge/meshes/files.py": (1, "written, never read"),
    "bridge/recording/dataset/clips/making.py": (1, "written by the same command"),
    "bridge/recording/dataset/clips/shards.py": (1, "written, never read"),
    "bridge/recording/dataset/folder.py": (2, "folders, to lock and sync them"),
    "bridge/recording/files.py": (5, "written, never read"),
    "bridge/recording/log.py": (2, "of an episode that the server has in hand"),
    "bridge/recording/video.py": (1, "written, never read"),
    "bridge/operations/dataset_cards.py": (2, "written by the same command"),
    "bridge/report/published.py": (2, "ships with Luban or an installed package"),
    "bridge/rpc/credentials.py": (2, "the operator's own certificates"),
    "bridge/rpc/keys.py": (1, "the operator's own keys, with checks of owner and mode"),
    "bridge/rpc/serving/leases.py": (5, "the server's own folder"),
    "bridge/runs/folders.py": (1, "a lock"),
    "bridge/runs/provenance.py": (1, "the system's"),
    "bridge/unity/connection_owner.py": (1, "the system's"),
    "bridge/unity/mlagents_import.py": (1, "an installed package"),
    "bridge/video/reference/arrays.py": (1, "a file that the reader has opened"),
    "bridge/video/reference/bundle.py": (2, "a file that the reader has opened; one is written"),
    "bridge/video/report/scorable.py": (2, "files that the reader has opened"),
    "bridge/video/report/video_jobs.py": (1, "written by the same command"),
    "bridge/video/tracking/footage.py": (3, "files that the reader has opened"),
    "bridge/web/application.py": (1, "ships with Luban"),
    "bridge/web/static_page.py": (3, "ships with Luban"),
    "luban/_packages.py": (1, "an installed package"),
    "luban/playing.py": (1, "written by the same program"),
    "pysim/discovery.py": (1, "ships with Luban or an installed package"),
    "pysim/families/rubik/solver/storing.py": (3, "tables that nobody else may write"),
    "pysim/kernel_images.py": (1, "the user's own cache of compiled code"),
    "pysim/machine.py": (1, "the null device"),
    "pysim/suites.py": (1, "ships with Luban or an installed package"),
    "pysim/untrusted.py": (2, "the reader"),
}
"""Modules that open files themselves: how often, and why these are not files of strangers."""
LAST_NAMES = {name.rpartition(".")[2] for name in OPENERS} | {"read_bytes", "read_text", "open"}


def find_openings(tree: ast.Module) -> Iterator[str]:
    """Yield the calls that open a file, or may, and not only to write to it."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if (method or getattr(node.func, "id", "")) not in LAST_NAMES:
            continue
        name = ast.unparse(node.func)
        is_reading = method in ("read_bytes", "read_text") and not node.args
        if name in OPENERS or is_reading or (method == "open" and _may_read(node)):
            yield name


def _may_read(node: ast.Call) -> bool:
    modes = [*node.args[:1], *(word.value for word in node.keywords if word.arg == "mode")]
    if not modes:
        return True
    mode = modes[0].value if isinstance(modes[0], ast.Constant) else None
    return isinstance(mode, str) and ("r" in mode or "+" in mode)


def test_search_finds_each_way_to_open_a_file() -> None:
    text = (
        "path.read_bytes()\npath.read_text(encoding='utf-8')\npath.open()\npath.open('r+b')\n"
        "open(path)\nnp.load(path)\nav.open(path)\nos.open(path, 0)\npath.open(mode='rb')\n"
        "path.open('wb')\nread_text(document, 'id')\nself.read_text(text, listed=True)\n"
        "work.open(stopped)\nread_bytes(path)\n"
    )
    assert len(list(find_openings(ast.parse(text)))) == 9


def test_every_file_is_read_by_the_one_reader_or_is_nobody_elses() -> None:
    found = Counter[str]()
    for path in (
        path for top in ("bridge", "pysim", "luban") for path in (ROOT / top).rglob("*.py")
    ):
        text = path.read_text(encoding="utf-8")
        if "_pb" not in path.parts and any(f"{name}(" in text for name in LAST_NAMES):
            count = len(list(find_openings(ast.parse(text))))
            found.update({path.relative_to(ROOT).as_posix(): count} if count else {})
    assert found == {path: count for path, (count, _) in ELSEWHERE.items()}


HALVES = "texts of models, of which logs of before hold half a pair"
PARSERS = {
    "bridge/agents/journal.py": HALVES,
    "bridge/agents/response_cache.py": HALVES,
    "bridge/items/log.py": HALVES,
    "bridge/recording/fields.py": HALVES,
    "bridge/runs/chats/answers.py": HALVES,
    "bridge/recording/log.py": "the level of a log, which the catalogue checks",
    "bridge/video/report/comparing.py": "written by the same command",
    "bridge/web/library.py": "the facts of a level that was checked",
    "pysim/catalog/documents.py": "a level, of which each text is checked",
    "pysim/tasks/pool.py": "a pool, of which each level is checked",
    "pysim/untrusted.py": "the reader",
}
"""Modules that read files of strangers and parse JSON themselves, and why they may."""


def test_json_of_every_stranger_is_parsed_by_the_one_parser() -> None:
    found = set()
    for path in (path for top in ("bridge", "pysim") for path in (ROOT / top).rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        reads = re.search(r"\b(read_untrusted|open_untrusted|whole_lines|parse_json)\b", text)
        if reads and re.search(r"json\.loads?\((?!\))", text):
            found.add(path.relative_to(ROOT).as_posix())
    assert found == set(PARSERS)
