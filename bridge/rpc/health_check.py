"""``python -m bridge.rpc.health_check HOST:PORT``: exit status 0 if a server there is healthy.

Containers ask so. The server answers it without a key.
"""

import sys

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

__all__ = ["is_healthy", "main"]

PATIENCE = 3.0
"""Seconds to wait for the answer."""


def is_healthy(address: str) -> bool:
    """Return whether a server answers at ``address`` that it serves."""
    with grpc.insecure_channel(address) as channel:
        stub = health_pb2_grpc.HealthStub(channel)
        try:
            answer = stub.Check(health_pb2.HealthCheckRequest(), timeout=PATIENCE)
        except grpc.RpcError:
            return False
    return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)


def main() -> None:
    """Exit as Docker expects it."""
    sys.exit(not is_healthy(sys.argv[1]))


if __name__ == "__main__":
    main()
