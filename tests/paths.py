"""Where the project and the data of its tests stand."""

from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
DATA: Final = ROOT / "tests" / "data"
