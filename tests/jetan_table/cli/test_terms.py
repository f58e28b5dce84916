"""The arbiter of a tournament at the command line."""

from pathlib import Path

from tests.jetan_table.cli.in_process import run

PLAY = ("play", "--plain", "--data")


def test_the_arbiter_types_a_pin_and_what_to_do(tmp_path: Path) -> None:
    data = tmp_path / "games"
    run(tmp_path, *PLAY, data, "--conduct", "tournament", typed="d2 d3\nback\n")
    assert (data / "arbiter").stat().st_mode & 0o077 == 0
    pin = (data / "arbiter").read_text().strip()
    done = run(tmp_path, *PLAY, data, typed=f"back\narbiter {pin}\narbiter {pin} back\n")
    assert "only the arbiter does that" in done.stdout
    assert "such as arbiter 123456 back" in done.stdout
    assert "taken back 1" in done.stdout
    assert "corrected by hand: took back 1 Pd2-d3" in done.stdout
