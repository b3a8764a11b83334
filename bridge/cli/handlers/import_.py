"""``luban import``."""

from bridge.cli.commands.import_ import ImportRequest
from bridge.cli.errors import CommandError

__all__ = ["run_import"]


def run_import(request: ImportRequest) -> None:
    """Make a suite of authors' files, or a level of a designer's file.

    Raises:
        CommandError: an option means nothing here, or has no such value.
    """
    if request.bench:
        from bridge.cli.handlers.import_suite import run_import_suite

        run_import_suite(request)
    elif request.levels is not None:
        raise CommandError("--levels requires --bench: a designer's file makes one level")
    else:
        from bridge.cli.handlers.import_design import import_level

        import_level(request)
