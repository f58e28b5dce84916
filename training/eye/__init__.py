"""Trains the network of `vision.witness` on painted boards of many kinds, and judges it."""
