"""Packs `rules/` for programs of others: the distribution `jetan-rules`, imported as `jetan_rules`.

`python3 -m packages.rules_alone` writes the wheel into `dist/`. It holds the same files under a
name that nobody else has, for `rules` is another project's in an environment that is shared.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from packages.locked import find_uv, own_version

ROOT: Final = Path(__file__).resolve().parents[1]
NAME: Final = "jetan_rules"


def pack_rules(out: Path, uv: str, root: Path = ROOT) -> Path:
    """Build the wheel of a checkout in the folder `out` by the program uv, and return its file."""
    version = own_version()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        (folder / NAME).mkdir()
        for path in sorted((root / "rules").iterdir()):
            if path.suffix == ".py":
                (folder / NAME / path.name).write_text(renamed(path.read_text()))
        (folder / NAME / "py.typed").touch()
        project = (root / "packages" / "rules_alone.toml").read_text()
        (folder / "pyproject.toml").write_text(project.replace("{version}", version))
        shutil.copyfile(root / "packages" / "rules_alone.md", folder / "README.md")
        shutil.copyfile(root / "LICENSE", folder / "LICENSE")
        # `--offline`: what builds it is in uv, and nothing is to be fetched.
        build = (uv, "build", "--offline", "--wheel", "--quiet", "--out-dir", out.resolve(), folder)
        subprocess.run(build, check=True, cwd=folder)
    (out / ".gitignore").unlink(missing_ok=True)  # uv's
    return out / f"{NAME}-{version}-py3-none-any.whl"


def renamed(text: str) -> str:
    """Return a module's text with its own package under the other name: examples and messages."""
    for own in ("from rules import", "rules.sentences.", "module 'rules'"):
        text = text.replace(own, own.replace("rules", NAME, 1))
    return text


def main(arguments: Sequence[str] | None = None) -> int:
    """Pack the rules, and print the file and its size."""
    parser = argparse.ArgumentParser(description="Pack the rules as a library for other programs.")
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="Where it goes.")
    asked = parser.parse_args(arguments)
    asked.out.mkdir(parents=True, exist_ok=True)
    uv = find_uv()
    if uv is None:
        print("rules_alone: uv is missing: ./jetan check brings it", file=sys.stderr)
        return 1
    path = pack_rules(asked.out, uv)
    print(f"{path}  {path.stat().st_size / 1e3:.0f} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
