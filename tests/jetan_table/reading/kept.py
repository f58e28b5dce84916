"""The beginnings of the recordings of `tests/data`: as long as what is special about each."""

import msgspec

from jetan_table.replay.recordings import Recording, microseconds
from tests.paths import DATA
from tests.recordings import read_recording

KEPT = {"captures": 95.0, "hasty": 66.0, "juggernaut": 30.0}
"""Until when each is read, in seconds; the Juggernaut's is dear from then on."""


def beginning(name: str, until_s: float | None = None) -> Recording:
    """Return a recording as if it had ended at some time, else as `KEPT` says."""
    whole, until = read_recording(DATA / f"{name}.jsonl"), until_s or KEPT[name]
    header = msgspec.structs.replace(whole.header, t_end_us=microseconds(until))
    return Recording(header, tuple(change for change in whole.changes if change.at < until))
