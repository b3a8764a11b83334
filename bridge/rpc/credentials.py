"""TLS: the files that servers and clients have for it, and ports and channels that use them."""

import os
import ssl
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import grpc

from pysim.errors import InputError

__all__ = ["ClientTls", "ServerTls", "add_port", "open_channel"]


@dataclass(frozen=True, slots=True)
class ServerTls:
    """The files of a server; all of them are PEM.

    Attributes:
        certificate: its certificate, and those between it and the root.
        key: the private key that goes with it.
        client_ca: who signs the clients' certificates; None if clients need none.
    """

    certificate: Path
    key: Path
    client_ca: Path | None = None

    def build_credentials(self) -> grpc.ServerCredentials:
        """Build the credentials for gRPC.

        Raises:
            OSError: a file can't be read.
            InputError: one holds no certificate or key, or they don't go together.
        """
        _check(self.certificate, self.key, self.client_ca)
        return grpc.ssl_server_credentials(
            [(self.key.read_bytes(), self.certificate.read_bytes())],
            root_certificates=None if self.client_ca is None else self.client_ca.read_bytes(),
            require_client_auth=self.client_ca is not None,
        )


@dataclass(frozen=True, slots=True)
class ClientTls:
    """The files of a client; all of them are PEM.

    Attributes:
        ca: who signs the server's certificate; None for those that gRPC comes with.
        certificate, key: the client's own, for servers that ask for one.
    """

    ca: Path | None = None
    certificate: Path | None = None
    key: Path | None = None

    @staticmethod
    def from_environment() -> "ClientTls | None":
        """Read ``LUBAN_TLS_CA``, ``..._CERT`` and ``..._KEY``; None if none of them is set."""
        named = [os.environ.get(f"LUBAN_TLS_{part}") for part in ("CA", "CERT", "KEY")]
        if not any(named):
            return None
        return ClientTls(*(Path(name) if name else None for name in named))

    def build_credentials(self) -> grpc.ChannelCredentials:
        """Build the credentials for gRPC.

        Raises:
            OSError: a file can't be read.
            InputError: one holds no certificate or key, or one of two is missing.
        """
        if (self.certificate is None) != (self.key is None):
            raise InputError("a client's certificate and its key go together: name both")
        _check(self.certificate, self.key, self.ca)
        parts = (self.ca, self.key, self.certificate)
        return grpc.ssl_channel_credentials(
            *(None if part is None else part.read_bytes() for part in parts)
        )


class _Listening(Protocol):
    """Credentials that servers of both sorts share."""

    def add_insecure_port(self, address: str) -> int: ...

    def add_secure_port(self, address: str, server_credentials: grpc.ServerCredentials) -> int: ...


def add_port(server: _Listening, address: str, tls: ServerTls | None) -> int:
    """Have a server listen; gives the port.

    Raises:
        OSError, InputError: as :meth:`ServerTls.build_credentials`.
        RuntimeError: it can't listen there.
    """
    if tls is None:
        return server.add_insecure_port(address)
    return server.add_secure_port(address, tls.build_credentials())


def open_channel(
    address: str, tls: ClientTls | None, options: Sequence[tuple[str, Any]]
) -> grpc.Channel:
    """Return a channel to a server.

    Raises:
        OSError, InputError: as :meth:`ClientTls.build_credentials`.
    """
    if tls is None:
        return grpc.insecure_channel(address, options=options)
    return grpc.secure_channel(address, tls.build_credentials(), options=options)


def _check(certificate: Path | None, key: Path | None, ca: Path | None) -> None:
    """Say which file is no good: gRPC would only say that it can't listen or connect."""
    for path in (certificate, key, ca):
        if path is not None:
            path.open("rb").close()  # The error of a context names no file.
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    try:
        if certificate is not None:
            context.load_cert_chain(certificate, key, password=_no_password)
    except (ssl.SSLError, ValueError) as error:
        raise InputError(
            f"{certificate} and {key} are no certificate and its key, without a password: {error}"
        ) from None
    try:
        if ca is not None:
            context.load_verify_locations(ca)
    except ssl.SSLError as error:
        raise InputError(f"{ca} holds no certificates: {error}") from None


def _no_password() -> str:
    raise ValueError("the key has a password")
