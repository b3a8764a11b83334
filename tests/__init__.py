"""The tests."""

import os

# Some tests copy their process, in which others may have left threads of gRPC: its handlers for
# that end the copy by a segmentation fault now and then. Copies don't use gRPC.
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
# Threads of OpenBLAS spin while they wait for each other, which beside other processes takes eight
# times the arithmetic. It looks here when NumPy is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
