"""The project's own folder, for the commands that work on its files."""

from pathlib import Path

from .errors import NotACheckout


def find_checkout() -> Path:
    """The folder that holds pyproject.toml and the packages; raises NotACheckout without one."""
    root = Path(__file__).parents[1]
    if not (root / "pyproject.toml").is_file():
        raise NotACheckout(
            f"{root}: not a checkout of the project; clone its repository and use the ./jetan there"
        )
    return root
