"""`python -m jetan_table.people`: write recordings of simulated games, with their truth."""

from pathlib import Path

import click
import msgspec

from ..replay.recordings import format_recording
from .generate import PLIES, generate, make_for
from .manners import ON_DISK, PROFILES
from .reeds import MAKES

_PROFILES = "\n".join(
    f"  {name}: {profile.meaning}"
    for name, profile in PROFILES.items()
    if not name.endswith(ON_DISK)
)
_MAKES = "\n".join(f"  {make.name}: {make.meaning}" for make in MAKES.values())


@click.command(
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=f"\b\nPeople ({ON_DISK}: on the disk):\n{_PROFILES}\n\n\b\nBoards:\n{_MAKES}",
)
@click.option("--people", type=click.Choice(list(PROFILES)), default="club-night", metavar="NAME")
@click.option("--make", type=click.Choice(list(MAKES)), help="Else the usual one of their board.")
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--count", type=click.IntRange(1), default=1, help="So many, from that seed on.")
@click.option("--plies", type=click.IntRange(1), default=PLIES, show_default=True)
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
def main(people: str, make: str | None, seed: int, count: int, plies: int, folder: Path) -> None:
    """Write NAME.jsonl and NAME.truth.json into FOLDER; the same options write the same files."""
    usual = make_for(PROFILES[people])
    chosen = MAKES[make] if make else usual
    if chosen.is_round is not usual.is_round:
        raise click.UsageError(f"{make}: {people} play on another board")
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(seed, seed + count):
        name = f"{chosen.name}-{people}-{number}"
        made = generate(PROFILES[people], number, f"{name}.jsonl", plies, chosen)
        (folder / f"{name}.jsonl").write_text(format_recording(made.recording), encoding="utf-8")
        (folder / f"{name}.truth.json").write_bytes(msgspec.json.encode(made.truth))


if __name__ == "__main__":
    main()
