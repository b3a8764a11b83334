"""``luban web``."""

from pathlib import Path
from typing import TYPE_CHECKING

from bridge.cli.commands.web import WebRequest
from bridge.cli.errors import CommandError
from bridge.cli.listening import read_tls
from bridge.cli.output import check_output, write_output
from bridge.cli.permissions import make_files_private

if TYPE_CHECKING:
    from bridge.web.library import Library

__all__ = ["run_web"]


def run_web(request: WebRequest) -> None:
    """Serve pages until SIGINT or SIGTERM, or write one.

    Raises:
        CommandError: the extra is not installed, or the options contradict each other.
        InputError, OSError: something that is named does not exist, or the port is taken.
    """
    from bridge.web.library import open_library

    library = open_library(request.names)
    if request.save is not None:
        _save(library, request.save, request.force)
    else:
        _serve(library, request)


def _save(library: "Library", path: Path, force: bool) -> None:
    from bridge.web.static_page import build_static_page

    if len(library.recordings) != 1 or library.levels:
        raise CommandError("--save writes one episode: name its folder or its log")
    check_output(path, ".html", force=force)
    page = build_static_page(library.show_replay(0))
    write_output(path, page.encode(), force=force)
    print(path)


@make_files_private()
def _serve(library: "Library", request: WebRequest) -> None:
    try:
        from bridge.web.serving import WebServer
    except ImportError as error:
        raise CommandError(f"pages need the extra: pip install 'luban[web]' ({error})") from None
    from bridge.rpc.keys import generate_key, is_loopback

    tls = read_tls(request.host, request.tls_cert, request.tls_key, None, request.insecure)
    key = "" if is_loopback(request.host) else request.operator_key or generate_key()
    server = WebServer(
        library,
        request.runs,
        host=request.host,
        port=request.port,
        key=key,
        tls=tls,
        renderer=request.renderer,
    )
    print(
        f"Open {server.address} in a browser; logs go to {request.runs}/. Ctrl-C stops it.",
        flush=True,
    )
    server.run()
