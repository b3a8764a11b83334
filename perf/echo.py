"""The peer of ``perf.rpc``: a unary gRPC method that does nothing but answer."""

import sys
from concurrent.futures import ThreadPoolExecutor

import grpc

THREADS = 320


def main() -> None:
    """Serve on a free port, which is printed, until killed; answers have ``argv[1]`` bytes."""
    answer = int(sys.argv[1]) * b"x"
    server = grpc.server(ThreadPoolExecutor(max_workers=THREADS))
    method = grpc.unary_unary_rpc_method_handler(lambda request, context: answer)
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler("luban.benchmark.Echo", {"Echo": method}),)
    )
    print(server.add_insecure_port("127.0.0.1:0"), flush=True)
    server.start()
    server.wait_for_termination()


if __name__ == "__main__":
    main()
