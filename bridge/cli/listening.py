"""Hosts and TLS files of the servers that commands start."""

from pathlib import Path
from typing import TYPE_CHECKING

from bridge.cli.errors import CommandError
from bridge.cli.notices import print_notice

if TYPE_CHECKING:
    from bridge.rpc.credentials import ServerTls

__all__ = ["read_tls"]


def read_tls(
    host: str,
    certificate: Path | None,
    key: Path | None,
    client_ca: Path | None,
    insecure: bool,
) -> "ServerTls | None":
    """Return the files for TLS, if there are any.

    Raises:
        CommandError: one of the two is missing, or other machines are let in without TLS though
            nobody has allowed it.
    """
    from bridge.rpc.credentials import ServerTls
    from bridge.rpc.keys import is_loopback

    if certificate is not None and key is not None:
        return ServerTls(certificate, key, client_ca)
    if certificate or key or client_ca:
        raise CommandError("TLS needs both --tls-cert and --tls-key")
    if not is_loopback(host):
        if not insecure:
            raise CommandError(
                f"--host {host} lets other machines in, who would read and change "
                "everything on the way: give --tls-cert and --tls-key, or --insecure if nobody "
                "else is on that network"
            )
        print_notice(
            f"--insecure: whatever goes over {host} can be read on the way, the operator's key too."
        )
    return None
