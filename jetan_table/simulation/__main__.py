"""`python -m jetan_table.simulation`: write generated recordings with their truth."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click
import msgspec

from ..replay.recordings import Recording, format_recording
from .generate import PLIES, generate_recording
from .manners import ON_DISK, PROFILES
from .physical import generate_physical
from .presets import PRESETS
from .truth import Truth

Made = tuple[str, Recording, Truth]
"""A recording's name without its ending, the recording and its truth."""

_GAMES = "\n".join(
    f"  {preset.name}  {preset.rules}: {preset.meaning}" for preset in PRESETS.values()
)
_PROFILES = "\n".join(
    f"  {name}: {profile.meaning}"
    for name, profile in PROFILES.items()
    if not name.endswith(ON_DISK)
)


@click.command(
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=f"\b\nPresets:\n{_GAMES}\n\n\b\nProfiles ({ON_DISK}: on the disk):\n{_PROFILES}",
)
@click.option("--preset", type=click.Choice(list(PRESETS)), default="03", show_default=True)
@click.option(
    "--physics",
    type=click.Choice(list(PROFILES)),
    metavar="PROFILE",
    help="From magnets over reeds, instead of a preset's table of events.",
)
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
    preset: str,
    physics: str | None,
    seed: int,
    count: int,
    pace: float,
    broad: bool,
    plies: int,
    folder: Path,
) -> None:
    """Write NAME.jsonl and NAME.truth.json into FOLDER; the same options write the same files."""
    if physics is not None and (broad or pace != 1):
        raise click.UsageError("--pace and --broad are of the presets: a profile has its own times")
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(seed, seed + count):
        if physics is not None:
            made = _from_physics(physics, number, plies)
        else:
            made = _from_events(preset, number, pace, broad, plies)
        name, recording, truth = made
        (folder / f"{name}.jsonl").write_text(format_recording(recording), encoding="utf-8")
        (folder / f"{name}.truth.json").write_bytes(msgspec.json.encode(truth))


def _from_physics(profile: str, seed: int, plies: int) -> Made:
    name = f"{profile}-{seed}"
    return name, *generate_physical(PROFILES[profile], seed, f"{name}.jsonl", plies)


def _from_events(preset: str, seed: int, pace: float, broad: bool, plies: int) -> Made:
    habits = replace(PRESETS[preset].habits, pace=pace)
    chosen = replace(PRESETS[preset], habits=habits.broad() if broad else habits)
    manner = f"-pace{pace:g}" * (pace != 1) + "-broad" * broad
    name = f"{preset}-{seed}{manner}"
    return name, *generate_recording(chosen, seed, f"{name}.jsonl", plies)


if __name__ == "__main__":
    main()
