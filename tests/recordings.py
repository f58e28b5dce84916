"""Recordings of switches, read from their files."""

from pathlib import Path

from jetan_table.replay.recordings import Recording, parse_recording


def read_recording(path: Path) -> Recording:
    """Read a recording's file."""
    return parse_recording(path.read_text(), path.name)
