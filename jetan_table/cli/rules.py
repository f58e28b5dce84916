"""`jetan rules`: the published readings of Jetan, one of them, or what tells two apart."""

from __future__ import annotations

import click
from rich.console import Console
from rich.table import Table

from rules import Rules, format_rules
from rules.options import OPTIONS
from rules.presets import DEFAULT_PRESET, PRESETS
from rules.ruleset import preset_rules

from ..journal.rules_named import named_rules
from . import examples
from .options import print_json


@click.command(
    epilog=examples(
        "jetan rules",
        "jetan rules cazaux",
        "jetan rules appendix friedlander",
        "jetan rules mine.toml abstract-games,thoat=walks --json",
    )
)
@click.argument("one", metavar="[NAME", required=False)
@click.argument("other", metavar="[NAME]]", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON; of the list, one line a preset.")
def rules(one: str | None, other: str | None, as_json: bool) -> None:
    """List the presets, show the rules NAME with every option, or compare two.

    NAME is a preset, a rules text such as appendix,thoat=jumps, or a TOML file.
    """
    if one is None:
        list_presets(as_json)
    elif other is None:
        show(named_rules(one), as_json)
    else:
        compare(named_rules(one), named_rules(other), as_json)


def list_presets(as_json: bool) -> None:
    """Print every preset with its source; as JSON also what it changes in the Appendix."""
    if as_json:
        for name, preset in PRESETS.items():
            print_json(
                {"name": name, "source": str(preset.source), "differs": dict(preset.differs)}
            )
        return
    table = Table("Preset", "Source")
    for name, preset in PRESETS.items():
        table.add_row(name, preset.source)
    Console().print(table)


def show(chosen: Rules, as_json: bool) -> None:
    """Print one set of rules with every option."""
    source = str(PRESETS[chosen.base].source)
    if as_json:
        options = dict(zip(OPTIONS, chosen.values, strict=True))
        print_json({"rules": format_rules(chosen), "source": source, "options": options})
        return
    differs = chosen.differences(preset_rules(DEFAULT_PRESET))
    print(f"rules    {format_rules(chosen)}")
    print(f"source   {source}")
    changes = ", ".join(f"{name}={value}" for name, value in differs.items())
    print(f"differs  {changes or 'in nothing'} (from the Appendix)")
    table = Table("Option", "Value", "Meaning")
    for option, value in zip(OPTIONS.values(), chosen.values, strict=True):
        table.add_row(option.name, value, option.meaning)
    Console().print(table)


def compare(one: Rules, other: Rules, as_json: bool) -> None:
    """Print the options that two sets of rules answer differently."""
    names = [format_rules(one), format_rules(other)]
    answers = {option: [value, other[option]] for option, value in one.differences(other).items()}
    if as_json:
        print_json({"rules": names, "differences": answers})
    elif not answers:
        print(f"{names[0]} and {names[1]} play alike.")
    else:
        table = Table("Option", *names, "Meaning")
        for option, values in answers.items():
            table.add_row(option, *values, OPTIONS[option].meaning)
        Console().print(table)
