"""``luban web``."""

from contextlib import closing
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from bridge.cli.commands.web import WebRequest
from bridge.cli.errors import CommandError
from bridge.cli.listening import read_tls
from bridge.cli.output import check_output, check_runs, write_output
from bridge.cli.permissions import make_files_private
from bridge.recording.folders import format_folder_name
from pysim.extras import require_extra

if TYPE_CHECKING:
    from bridge.web.library import Library
    from bridge.web.serving import Site, WebServer
    from bridge.web.study import Study, StudyFolder

__all__ = ["run_web"]


def run_web(request: WebRequest) -> None:
    """Serve pages until SIGINT or SIGTERM, or write one.

    Raises:
        CommandError: the options contradict each other.
        MissingPackage: the extra is not installed.
        InputError, OSError: something that is named does not exist, or the port is taken.
    """
    if request.study is not None:
        if request.names or request.save is not None:
            raise CommandError("--study serves the study alone: leave the names and --save out")
        _serve_study(request, request.study)
        return
    if request.check:
        raise CommandError("--check requires --study")
    from bridge.web.library import open_library

    library = open_library(request.names)
    if request.save is not None:
        _save(library, request.save, request)
    else:
        _serve_library(request, library)


def _save(library: "Library", path: Path, request: WebRequest) -> None:
    from bridge.episode.rendering import SharedRenderer
    from bridge.web.static_page import build_static_page

    if len(library.recordings) != 1 or library.levels:
        raise CommandError("--save writes one episode: name its folder or its log")
    check_output(path, ".html", force=request.force)
    with closing(SharedRenderer(request.renderer)) as renderer:
        page = build_static_page(library.show_whole_replay(0, renderer))
    write_output(path, page.encode(), force=request.force)
    print(path)


@make_files_private()
def _serve_library(request: WebRequest, library: "Library") -> None:
    if library.levels:
        check_runs(request.runs)
    serving = _load_serving()
    site = _make_site(request)
    with serving.open_library_server(library, request.runs, site, request.renderer) as server:
        _run(server, request.runs)


@make_files_private()
def _serve_study(request: WebRequest, path: Path) -> None:
    from bridge.web.study import StudyFolder, read_study

    study = read_study(path)
    place = request.runs / format_folder_name(study.title)
    if request.check:
        _print_study(study, StudyFolder(study, place) if place.exists() else None)
        return
    check_runs(place)
    serving = _load_serving()
    folder = StudyFolder(study, place)
    with serving.open_study_server(folder, _make_site(request), request.renderer) as server:
        _run(server, place)


def _print_study(study: "Study", folder: "StudyFolder | None") -> None:
    people = () if folder is None else folder.participants
    print(f"{study.title}: {len(study.levels)} levels, {study.participants} participants")
    print(f"  levels: {', '.join(level.id for level in study.levels)}")
    print(f"  joined: {len(people)}")
    if folder is not None:
        print(f"  episodes that have ended: {len(folder.run.read_results())}")


def _load_serving() -> ModuleType:
    require_extra("pages", "web")
    from bridge.web import serving

    return serving


def _make_site(request: WebRequest) -> "Site":
    from bridge.rpc.keys import generate_key, is_loopback
    from bridge.web.serving import Site

    tls = read_tls(request.host, request.tls_cert, request.tls_key, None, request.insecure)
    key = "" if is_loopback(request.host) else request.operator_key or generate_key()
    return Site(request.host, request.port, key, tls)


def _run(server: "WebServer", folder: Path) -> None:
    print(f"Open {server.address} in a browser; logs go to {folder}/. Ctrl-C stops it.", flush=True)
    server.run()
