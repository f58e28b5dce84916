"""`jetan rules`: the published readings of Jetan, one of them, or what tells two apart."""

from typing import Annotated

from rich.console import Console
from rich.table import Table

from rules import Rules, format_rules
from rules.options import OPTIONS
from rules.presets import DEFAULT_PRESET, PRESETS
from rules.ruleset import preset_rules
from rules.sentences import _

from ..game.agreements import named_rules
from .options import Say, Words, argument, command, option, print_json

RULES_ARE, SOURCE_IS, MEANING = _("rules"), _("source"), _("Meaning")


@command(
    "jetan rules",
    "jetan rules cazaux",
    "jetan rules appendix friedlander",
    "jetan rules mine.toml abstract-games,thoat=walks --json",
)
def rules(
    one: Annotated[str | None, argument(metavar="[NAME")],
    other: Annotated[str | None, argument(metavar="[NAME]]")],
    as_json: Annotated[bool, option("Print JSON; of the list, one line a preset.", "--json")],
    say: Words,
) -> None:
    """List the presets, show the rules NAME with every option, or compare two.

    NAME is a preset, a rules text such as appendix,thoat=jumps, or a TOML file.
    """
    if one is None:
        list_presets(as_json, say)
    elif other is None:
        show(named_rules(one), as_json, say)
    else:
        compare(named_rules(one), named_rules(other), as_json, say)


def list_presets(as_json: bool, say: Say) -> None:
    """Print every preset with its source; as JSON also what it changes in the Appendix."""
    if as_json:
        for name, preset in PRESETS.items():
            print_json(
                {"name": name, "source": str(preset.source), "differs": dict(preset.differs)}
            )
        return
    table = Table(say(_("Preset")), say(_("Source")))
    for name, preset in PRESETS.items():
        table.add_row(name, say(preset.source))
    Console().print(table)


def show(chosen: Rules, as_json: bool, say: Say) -> None:
    """Print one set of rules with every option."""
    source = PRESETS[chosen.base].source
    if as_json:
        options = dict(zip(OPTIONS, chosen.values, strict=True))
        print_json({"rules": format_rules(chosen), "source": str(source), "options": options})
        return
    differs = chosen.differences(preset_rules(DEFAULT_PRESET))
    print(f"{say(RULES_ARE):8} {format_rules(chosen)}")
    print(f"{say(SOURCE_IS):8} {say(source)}")
    changes = ", ".join(f"{name}={value}" for name, value in differs.items())
    differing = changes or _("in nothing")
    print(say(_("differs  {changes} (from the Appendix)"), changes=differing))
    table = Table(say(_("Option")), say(_("Value")), say(MEANING))
    for asked, value in zip(OPTIONS.values(), chosen.values, strict=True):
        table.add_row(asked.name, value, say(asked.meaning))
    Console().print(table)


def compare(one: Rules, other: Rules, as_json: bool, say: Say) -> None:
    """Print the options that two sets of rules answer differently."""
    names = [format_rules(one), format_rules(other)]
    answers = {option: [value, other[option]] for option, value in one.differences(other).items()}
    if as_json:
        print_json({"rules": names, "differences": answers})
    elif not answers:
        alike = _("{one} and {other} play alike.")
        print(say(alike, one=names[0], other=names[1]))
    else:
        table = Table(say(_("Option")), *names, say(MEANING))
        for option, values in answers.items():
            table.add_row(option, *values, say(OPTIONS[option].meaning))
        Console().print(table)
