"""Trains the network of `vision.witness` on painted boards of many kinds, and judges it."""

import os

# Training has a thread for each core already, and numpy's own would stand in their way.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
