"""`jetan rules`: the published readings of Jetan, one of them, or what tells two apart."""

from __future__ import annotations

import click
from rich.console import Console
from rich.table import Table

from rules import Rules, format_rules
from rules.options import OPTIONS
from rules.presets import DEFAULT_PRESET, PRESETS
from rules.ruleset import preset_rules
from rules.sentences import Translate, _, english, in_words

from ..journal.rules_named import named_rules
from ..languages import Language, translation
from . import examples
from .options import LANGUAGE, print_json, spoken

RULES_ARE, SOURCE_IS, MEANING = _("rules"), _("source"), _("Meaning")


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
@LANGUAGE
def rules(one: str | None, other: str | None, lang: Language | None, as_json: bool) -> None:
    """List the presets, show the rules NAME with every option, or compare two.

    NAME is a preset, a rules text such as appendix,thoat=jumps, or a TOML file.
    """
    say = translation(spoken(lang))
    if one is None:
        list_presets(as_json, say)
    elif other is None:
        show(named_rules(one), as_json, say)
    else:
        compare(named_rules(one), named_rules(other), as_json, say)


def list_presets(as_json: bool, say: Translate = english) -> None:
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


def show(chosen: Rules, as_json: bool, say: Translate = english) -> None:
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
    print(in_words(say, _("differs  {changes} (from the Appendix)"), changes=differing))
    table = Table(say(_("Option")), say(_("Value")), say(MEANING))
    for option, value in zip(OPTIONS.values(), chosen.values, strict=True):
        table.add_row(option.name, value, say(option.meaning))
    Console().print(table)


def compare(one: Rules, other: Rules, as_json: bool, say: Translate = english) -> None:
    """Print the options that two sets of rules answer differently."""
    names = [format_rules(one), format_rules(other)]
    answers = {option: [value, other[option]] for option, value in one.differences(other).items()}
    if as_json:
        print_json({"rules": names, "differences": answers})
    elif not answers:
        alike = _("{one} and {other} play alike.")
        print(in_words(say, alike, one=names[0], other=names[1]))
    else:
        table = Table(say(_("Option")), *names, say(MEANING))
        for option, values in answers.items():
            table.add_row(option, *values, say(OPTIONS[option].meaning))
        Console().print(table)
