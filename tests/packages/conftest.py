"""What the suites of packages share."""

from pathlib import Path

import pytest

from tests.once import once
from tests.packages.laying import Packed, pack


@pytest.fixture(scope="module")
def packed(run_folder: Path) -> Packed:
    """What is packed, once a run."""
    out = run_folder / "packed"
    return Packed(*map(Path, once(run_folder / "packed.json", lambda: pack(out))))
