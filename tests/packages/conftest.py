"""What the suites of packages share."""

from pathlib import Path

import pytest

from tests.once import once
from tests.packages.booted import can_boot
from tests.packages.laying import Packed, pack


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what runs a whole system, where none can be run; it is counted as deselected."""
    booting = [item for item in items if item.path.name == "test_update.py"]
    if booting and not can_boot():
        config.hook.pytest_deselected(items=booting)
        items[:] = [item for item in items if item not in booting]


@pytest.fixture(scope="module")
def packed(run_folder: Path) -> Packed:
    """What is packed, once a run."""
    out = run_folder / "packed"
    return Packed(*map(Path, once(run_folder / "packed.json", lambda: pack(out))))
