"""`jetan rules export` and `jetan ugi`: the rules and the engine for programs of others."""

from pathlib import Path
from typing import Annotated, Final

from rules import PRESETS, _, preset_rules

from ...cli.options import FILE_TYPE, Json, Words, command, misused, option, print_json
from ...cli.rules import serve_engine
from ...files import write_whole
from ...game.agreements import named_rules
from ...terminal.text import print_table
from . import ludii, zillions
from .ugi import in_ugi

FORMATS: Final = {"ludii": ludii, "zillions": zillions}


@command(
    "jetan rules export zillions cazaux > jetan.zrf",
    "jetan rules export zillions mine.toml --out jetan.zrf",
    "jetan rules export ludii abstract-games --out jetan.lud",
    "jetan rules export zillions",
)
def rules_export(
    form: str,
    reading: str | None,
    out: Annotated[Path | None, option("The file, if not standard output.", type=FILE_TYPE)],
    as_json: Json,
    say: Words,
) -> None:
    """Write READING as another program reads it, or list what can be said of each.

    FORM is zillions, for Zillions of Games and what reads its files, or ludii, for Ludii. READING
    is a preset, a rules text or a TOML file.
    """
    if form not in FORMATS:
        known = ", ".join(FORMATS)
        raise misused(_("{form}: no such format ({known})"), form=form, known=known)
    writer = FORMATS[form]
    if reading is not None:
        text = writer.exported(named_rules(reading))
        if out is None:
            print(text, end="")
        else:
            write_whole(out, text.encode())
        return
    rows = []
    for name in PRESETS:
        rules = preset_rules(name)
        lacks, leaves = (
            list(map(say, writer.why_not(rules))),
            list(map(say, writer.left_out(rules))),
        )
        if as_json:
            print_json({"rules": name, "cannot": lacks, "left_out": [] if lacks else leaves})
        elif lacks:
            rows.append([name, say(_("cannot be said: {why}"), why="; ".join(lacks))])
        else:
            words = _("without: {what}") if leaves else _("everything")
            rows.append([name, say(words, what="; ".join(leaves))])
    if not as_json:
        print_table([say(_("Preset")), say(_("In the file"))], rows)


@command("jetan ugi", "printf 'ugi\\nposition startpos\\nquery p1turn\\ngo depth 3\\n' | jetan ugi")
def ugi() -> None:
    """Play by UGI, the Universal Game Interface, for match runners that know no game.

    They ask the engines whose turn it is and who has won. Only readings without dice.
    """
    serve_engine(in_ugi)
