"""The launcher `./jetan`, on a uv that installs nothing and notes what it was asked for."""

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

UV = f"""#!/bin/sh
echo "uv $*" >>"$UV_LOG"
sleep "${{UV_SECONDS-0}}"
[ ! -e "$UV_LOG.refuse" ] || exit 1
if [ "$1" = venv ]; then
    for last; do :; done
    mkdir -p "$last/bin" "$last/lib/python{sys.version_info.major}.{sys.version_info.minor}"
    ln -s '{Path(sys.executable).resolve()}' "$last/bin/python"
    echo 'home = {Path(sys.executable).resolve().parent}' >"$last/pyvenv.cfg"
else
    printf '#!/bin/sh\\necho ran "$#" "$@"\\n' >"$UV_PROJECT_ENVIRONMENT/bin/jetan"
    chmod +x "$UV_PROJECT_ENVIRONMENT/bin/jetan"
fi
"""


@dataclass
class Checkout:
    """A copy of the launcher and of what it watches, and the uv it finds."""

    root: Path
    programs: Path
    log: Path

    def start(self, *arguments: str, **environment: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [self.root / "jetan", *arguments],
            env={
                "PATH": f"{self.programs}:{os.environ['PATH']}",
                "UV_LOG": str(self.log),
                **environment,
            },
            cwd=self.root.parent,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *arguments: str) -> tuple[int, str, str]:
        """Exit code, standard output and standard error of `./jetan ARGUMENTS`."""
        process = self.start(*arguments)
        out, err = process.communicate()
        return process.returncode, out, err

    def calls(self) -> list[str]:
        """The words after `uv` of each call since the last question."""
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        self.log.unlink(missing_ok=True)
        return [line.split()[1] for line in lines]

    def add_program(self, name: str, text: str) -> None:
        path = self.programs / name
        path.write_text(text)
        path.chmod(0o755)


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    root = tmp_path / "a table"
    programs = tmp_path / "programs"
    root.mkdir()
    programs.mkdir()
    for name in ("jetan", "pyproject.toml", "uv.lock"):
        shutil.copy(ROOT / name, root)
    made = Checkout(root, programs, tmp_path / "log")
    made.add_program("uv", UV)
    return made


@pytest.mark.parametrize(
    "asked", [["watch", "--help"], ["camera", "doctor", "-h"], ["test", "--help"]]
)
def test_help_installs_no_extra(checkout: Checkout, asked: list[str]) -> None:
    code, out, _err = checkout.run(*asked)
    assert (code, out) == (0, f"ran {len(asked)} {' '.join(asked)}\n")
    assert "--extra" not in checkout.log.read_text()
    assert checkout.run("test")[0] == 0
    assert "--extra whole" in checkout.log.read_text()


def test_first_use_installs_and_hands_over(checkout: Checkout) -> None:
    code, out, err = checkout.run("moves", "two words", "")
    assert (code, out) == (0, "ran 3 moves two words \n")
    assert "preparing" in err
    assert checkout.calls() == ["venv", "sync"]


def test_second_use_installs_nothing_and_says_nothing(checkout: Checkout) -> None:
    checkout.run("play")
    checkout.calls()
    assert checkout.run("play") == (0, "ran 1 play\n", "")
    assert checkout.calls() == []


def test_found_through_a_chain_of_links(checkout: Checkout, tmp_path: Path) -> None:
    (tmp_path / "near").symlink_to("a table/jetan")
    (tmp_path / "far").symlink_to(tmp_path / "near")
    process = subprocess.run(
        [tmp_path / "far"],
        env={"PATH": f"{checkout.programs}:{os.environ['PATH']}", "UV_LOG": str(checkout.log)},
        cwd="/",
        check=False,
    )
    assert process.returncode == 0
    assert (checkout.root / ".venv" / "bin" / "jetan").exists()


@pytest.mark.parametrize(
    ("command", "extra", "size"), [("test", "whole", "600 MB"), ("check", "test", "200 MB")]
)
def test_tests_bring_their_extra_once_and_play_stays(
    checkout: Checkout, command: str, extra: str, size: str
) -> None:
    checkout.run("play")
    checkout.calls()
    _code, _out, err = checkout.run(command)
    assert f"for 'jetan {command}' (once" in err
    assert f"{size})" in err
    assert f"--extra {extra}" in checkout.log.read_text()
    assert checkout.calls() == ["sync"]
    checkout.run(command)
    checkout.run("play")
    assert checkout.calls() == []


@pytest.mark.parametrize("name", ["pyproject.toml", "uv.lock"])
def test_a_changed_project_is_installed_again(checkout: Checkout, name: str) -> None:
    checkout.run("test")
    checkout.calls()
    with (checkout.root / name).open("a") as file:
        file.write("# changed\n")
    checkout.run("play")
    assert checkout.calls() == ["sync"]
    checkout.run("test")
    assert checkout.calls() == ["sync"]


def test_a_moved_folder_is_installed_again(checkout: Checkout) -> None:
    checkout.run("play")
    checkout.calls()
    checkout.root = checkout.root.rename(checkout.root.with_name("moved"))
    assert checkout.run("play")[0] == 0
    assert checkout.calls() == ["sync"]


def test_a_failed_installation_is_made_anew(checkout: Checkout) -> None:
    refuse = checkout.log.with_name("log.refuse")
    refuse.touch()
    assert checkout.run("play")[0] == 1
    refuse.unlink()
    checkout.calls()
    assert checkout.run("play")[0] == 0
    assert checkout.calls() == ["venv", "sync"]


def test_a_failed_extra_leaves_play_alone(checkout: Checkout) -> None:
    checkout.run("play")
    refuse = checkout.log.with_name("log.refuse")
    refuse.touch()
    code, _, err = checkout.run("test")
    assert code == 1
    assert "tried again" in err
    assert checkout.run("play") == (0, "ran 1 play\n", "")


def test_another_python_version_makes_it_anew(checkout: Checkout) -> None:
    checkout.run("play")
    checkout.calls()
    shutil.rmtree(checkout.root / ".venv" / "lib")
    (checkout.root / "uv.lock").write_text("changed")
    checkout.run("play")
    assert checkout.calls() == ["venv", "sync"]


@pytest.mark.needs("flock")
def test_uses_at_the_same_moment_install_once(checkout: Checkout) -> None:
    processes = [checkout.start("play", UV_SECONDS="0.1") for _ in range(3)]
    assert [process.communicate()[0] for process in processes] == ["ran 1 play\n"] * 3
    assert checkout.calls() == ["venv", "sync"]


def test_a_32_bit_system_is_told_before_anything_is_made(checkout: Checkout) -> None:
    checkout.add_program("getconf", "#!/bin/sh\necho 32\n")
    code, _, err = checkout.run("play")
    assert code == 1
    assert "32-bit" in err
    assert not (checkout.root / ".venv").exists()


def asks_for(venv: Path) -> set[str]:
    """What is laid in, as requirements, but for pip and what it brings itself."""
    infos = venv.rglob("*.dist-info")
    names = {re.sub(r"[-_.]+", "-", info.stem.rpartition("-")[0]).lower(): info for info in infos}
    laid_in = {f"{name}=={info.stem.rpartition('-')[2]}" for name, info in names.items()}
    return {each for each in laid_in if not each.startswith(("pip==", "setuptools=="))}


@pytest.mark.ci
def test_play_takes_little_room_and_more_can_be_added(tmp_path: Path) -> None:
    """Without uv, by the real pip: a network is needed."""
    root, programs = tmp_path / "table", tmp_path / "programs"
    ours = ("rules", "hardware", "firmware_bridge", "vision", "jetan_table")
    for name in (*ours, "packages"):
        shutil.copytree(ROOT / name, root / name)
    for name in ("jetan", "pyproject.toml", "uv.lock", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, root)
    programs.mkdir()
    (programs / "python3").symlink_to(Path(sys.executable).resolve())
    own = {**os.environ, "PATH": f"{programs}:/usr/bin:/bin"}
    for ask in ("play", "hall"):
        subprocess.run([root / "jetan", ask, "--version"], env=own, check=False)
        lock = (root / ".venv" / "locked.txt").read_text()
        assert asks_for(root / ".venv") == set(re.findall(r"^([\w-]+==[^ ]+)", lock, re.MULTILINE))
        kept = [path for path in (root / ".venv").rglob("*") if path.is_file()]
        assert (ask == "hall") == any(path.parent.name == "pip" for path in kept)
        assert (ask == "hall") == any(path.parent.name == "paho" for path in kept)
        if ask == "play":
            assert sum(path.stat().st_size for path in kept) < 35_000_000
