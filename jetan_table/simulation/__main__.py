"""`python -m jetan_table.simulation`: write generated recordings with their truth."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click
import msgspec

from ..journal.recordings import format_recording
from .generate import PLIES, generate_recording
from .presets import PRESETS

_GAMES = "\n".join(
    f"  {preset.name}  {preset.rules}: {preset.meaning}" for preset in PRESETS.values()
)


@click.command(
    context_settings={"help_option_names": ["-h", "--help"]}, epilog=f"\b\nPresets:\n{_GAMES}"
)
@click.option("--preset", type=click.Choice(list(PRESETS)), default="03", show_default=True)
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--count", type=click.IntRange(1), default=1, help="So many, from that seed on.")
@click.option(
    "--pace",
    type=click.FloatRange(0.1, 10),
    default=1.0,
    show_default=True,
    help="2: everything takes twice as long.",
)
@click.option("--broad", is_flag=True, help="Times vary far beyond the usual ranges.")
@click.option("--plies", type=click.IntRange(1), default=PLIES, show_default=True)
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
def main(
    preset: str, seed: int, count: int, pace: float, broad: bool, plies: int, folder: Path
) -> None:
    """Write NAME.jsonl and NAME.truth.json into FOLDER; the same options write the same files."""
    folder.mkdir(parents=True, exist_ok=True)
    habits = replace(PRESETS[preset].habits, pace=pace)
    chosen = replace(PRESETS[preset], habits=habits.broad() if broad else habits)
    for number in range(seed, seed + count):
        manner = f"-pace{pace:g}" * (pace != 1) + "-broad" * broad
        name = f"{preset}-{number}{manner}"
        recording, truth = generate_recording(chosen, number, f"{name}.jsonl", plies)
        (folder / f"{name}.jsonl").write_text(format_recording(recording), encoding="utf-8")
        (folder / f"{name}.truth.json").write_bytes(msgspec.json.encode(truth))


if __name__ == "__main__":
    main()
