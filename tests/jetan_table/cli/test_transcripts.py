"""What commands say, as tests/data/commands has it: typed, printed, and refused in one line."""

import shlex
from pathlib import Path

import pytest

from jetan_table.cli import EXIT_REFUSED
from tests.cases import Case, every_case
from tests.jetan_table.cli.in_process import run


@pytest.mark.parametrize("case", every_case("commands"))
def test_a_transcript(case: Case, tmp_path: Path) -> None:
    """Files and words typed stand before the command that reads them, what it says after it."""
    typed, wanted = "", 0
    done = None
    for word, rest in [*case, ("jetan", "")]:
        text = rest.replace("HOME", str(tmp_path))
        match word:
            case "file":
                name, _, content = text.partition(" ")
                (tmp_path / name).write_text(content.replace("\\n", "\n"))
            case "types":
                typed += f"{text}\n"
            case "jetan":
                assert done is None or done.returncode == wanted, done
                if rest:
                    done = run(tmp_path, *shlex.split(text), typed=typed)
                typed, wanted = "", 0
            case "says":
                assert done is not None
                assert text in done.stdout
            case "never":
                assert done is not None
                assert text not in done.stdout
            case "refuses":
                assert done is not None
                wanted = EXIT_REFUSED
                assert (done.stdout, done.stderr.count("\n")) == ("", 1)
                assert done.stderr.startswith("jetan: ")
                assert text in done.stderr
            case _:
                raise AssertionError(f"{word}: no such word")
