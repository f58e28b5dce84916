"""What all processes of a run share: made by the first that asks, while the others wait for it."""

import fcntl
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any


def once(file: Path, make: Callable[[], Any]) -> Any:
    """Return what stands in a JSON file of the run's folder, made now if nobody has made it yet."""
    with file.with_name(f"{file.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not file.exists():
            made = make()
            file.write_text(json.dumps(made))
        return json.loads(file.read_text())
