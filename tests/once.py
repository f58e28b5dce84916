"""What all processes of a run share: made by the first that asks, while the others wait for it.

What cannot be made is tried once a run: the others fail at once, with what the first one met.
"""

import fcntl
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any


def once(file: Path, make: Callable[[], Any]) -> Any:
    """Return what stands in a JSON file of the run's folder, made now if nobody has made it yet."""
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", os.getpid())
    failed = file.with_name(f"{file.name}.{run}.failed")
    with file.with_name(f"{file.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert not failed.exists(), failed.read_text()
        if not file.exists():
            try:
                made = make()
            except Exception as error:
                failed.write_text(f"{file.name} could not be made: {error!r}")
                raise
            file.write_text(json.dumps(made))
        return json.loads(file.read_text())
