"""Writes the schemas of what a hall's tables say into `docs/hall_schemas.json`, for other boards.

`python -m docs.hall_schemas`.
"""

from pathlib import Path
from typing import Final

import msgspec

from jetan_table.extras.hall.payloads import schemas

FILE: Final = Path(__file__).parent / "hall_schemas.json"


def text() -> str:
    """Return the JSON schema of every payload, by the topic it stands at."""
    return msgspec.json.format(msgspec.json.encode(schemas())).decode() + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
