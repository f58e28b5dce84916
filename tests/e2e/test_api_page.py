"""The program of `docs/api/page.md` does what that page says of it."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.e2e.served import served
from tests.paths import ROOT

PAGE = ROOT / "docs/api/page.md"


@pytest.mark.needs("node")
def test_the_program_of_the_page_plays_a_ply_and_hears_of_it(tmp_path: Path) -> None:
    (program,) = re.findall(r"```js\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    script = tmp_path / "play.mjs"
    script.write_text(program, encoding="utf-8")
    with served(tmp_path, "--board", "screen") as table:
        run = subprocess.run(
            ["node", script, table.url.rstrip("/"), table.pin],
            check=False,
            capture_output=True,
            text=True,
            timeout=60,
        )
    assert run.stderr == ""
    position, *sentences = run.stdout.splitlines()
    assert position.split()[:2] == [
        "wadfqcfdaw/tppppppppt/10/10/10/10/10/3P6/TPP1PPPPPT/WADFCQFDAW",
        "o",
    ]
    assert sentences == ["Orange to move."]
