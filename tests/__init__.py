"""The tests."""

import os

# Some tests copy their process, in which others may have left threads of gRPC: its handlers for
# that end the copy by a segmentation fault now and then. Copies don't use gRPC.
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
