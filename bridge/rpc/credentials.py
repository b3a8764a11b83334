"""TLS files of servers and clients, and the channels that use them."""

import os
import ssl
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pysim.errors import InputError

if TYPE_CHECKING:
    import grpc  # Servers of pages load it for nothing.

__all__ = ["ClientTls", "ServerTls", "open_channel"]


@dataclass(frozen=True, slots=True)
class ServerTls:
    """TLS files of a server, in PEM format.

    Attributes:
        certificate: its certificate chain, without the root.
        key: the private key of the certificate.
        client_ca: CA of client certificates; None if clients need none.
    """

    certificate: Path
    key: Path
    client_ca: Path | None = None

    def build_context(self) -> ssl.SSLContext:
        """Build the context for encrypted connections.

        Raises:
            OSError: a file can't be read.
            InputError: a file holds no certificate or key, or they don't match.
        """
        _check_files(self.certificate, self.key, self.client_ca)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.set_alpn_protocols(["h2"])
        context.load_cert_chain(self.certificate, self.key)
        if self.client_ca is not None:
            context.load_verify_locations(self.client_ca)
            context.verify_mode = ssl.CERT_REQUIRED
        return context


@dataclass(frozen=True, slots=True)
class ClientTls:
    """TLS files of a client, in PEM format.

    Attributes:
        ca: CA of the server's certificate; None for the root certificates of gRPC.
        certificate, key: of the client, for servers that require a client certificate.
    """

    ca: Path | None = None
    certificate: Path | None = None
    key: Path | None = None

    @staticmethod
    def from_environment() -> "ClientTls | None":
        """Read ``LUBAN_TLS_CA``, ``..._CERT`` and ``..._KEY``; None if none of them is set."""
        paths = [os.environ.get(f"LUBAN_TLS_{part}") for part in ("CA", "CERT", "KEY")]
        if not any(paths):
            return None
        return ClientTls(*(Path(path) if path else None for path in paths))

    def build_credentials(self) -> "grpc.ChannelCredentials":
        """Build the credentials for gRPC.

        Raises:
            OSError: a file can't be read.
            InputError: a file holds no certificate or key, or one of the two is missing.
        """
        if (self.certificate is None) != (self.key is None):
            raise InputError("a client's certificate and its key go together: name both")
        _check_files(self.certificate, self.key, self.ca)
        import grpc

        paths = (self.ca, self.key, self.certificate)
        return grpc.ssl_channel_credentials(
            *(None if path is None else path.read_bytes() for path in paths)
        )


def open_channel(
    address: str, tls: ClientTls | None, options: Sequence[tuple[str, Any]]
) -> "grpc.Channel":
    """Open a channel to a server.

    Raises:
        OSError, InputError: as :meth:`ClientTls.build_credentials`.
    """
    import grpc

    if tls is None:
        return grpc.insecure_channel(address, options=options)
    return grpc.secure_channel(address, tls.build_credentials(), options=options)


def _check_files(certificate: Path | None, key: Path | None, ca: Path | None) -> None:
    """Raise an error that names the bad file; gRPC's own errors don't."""
    for path in (certificate, key, ca):
        if path is not None:
            path.open("rb").close()  # The context's own error names no file.
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    try:
        if certificate is not None:
            context.load_cert_chain(certificate, key, password=_refuse_password)
    except (ssl.SSLError, ValueError) as error:
        raise InputError(
            f"{certificate} and {key} are no certificate and its key, without a password: {error}"
        ) from None
    try:
        if ca is not None:
            context.load_verify_locations(ca)
    except ssl.SSLError as error:
        raise InputError(f"{ca} holds no certificates: {error}") from None


def _refuse_password() -> str:
    raise ValueError("the key has a password")
