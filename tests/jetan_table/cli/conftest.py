"""The command line as a test calls it."""

from functools import partial
from pathlib import Path

import pytest

from tests.jetan_table.cli.in_process import Jetan, told


@pytest.fixture
def jetan(tmp_path: Path) -> Jetan:
    """`told` by a command whose home is the test's own folder."""
    return partial(told, tmp_path)
