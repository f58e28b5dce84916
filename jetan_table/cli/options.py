"""Commands made of functions: their options and help, and options that several have.

Help consists of sentences, as all that is shown. `--help` shows what most people need, `--help-all`
the rest, too.
"""

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, is_dataclass
from functools import partial, wraps
from inspect import isfunction, signature
from pathlib import Path
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    NamedTuple,
    NewType,
    Protocol,
    TypeAlias,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

import click
import msgspec
from msgspec.structs import replace

from rules import Sentence, Translate, Worded, _

from ..errors import TableError
from ..extras import Extra, commands, extras
from ..languages import LANGUAGES, Language, environment_language, say_in, worded_in
from ..notices import Reporter
from ..settings import CameraSettings, Settings, data_folder, find_settings, origins, read_settings

USAGE = _("Usage:")
DEFAULT, REQUIRED = _("default"), _("required")

BRACKET = re.compile(r"((?:^|  )\[.*)", re.DOTALL)


class WordedFormatter(click.HelpFormatter):
    """Writes help in one language, paragraph by paragraph; what is typed stays as it is."""

    say: Translate

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        super().write_usage(prog, args, prefix or f"{self.say(USAGE)} ")

    def write_heading(self, heading: str) -> None:
        super().write_heading(self.say(heading))

    def write_text(self, text: str) -> None:
        if "\b" in text:  # examples, and other lists
            super().write_text("\n".join(map(self._line, text.split("\n"))))
        else:
            paragraphs = (" ".join(paragraph.split()) for paragraph in text.split("\n\n"))
            super().write_text("\n\n".join(map(self.say, paragraphs)))

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2
    ) -> None:
        super().write_dl([(name, self._row(text)) for name, text in rows], col_max, col_spacing)

    def _line(self, line: str) -> str:
        """Return a line of a list: a heading, or a name with what it means behind two spaces."""
        if line.endswith(":"):
            return self.say(line)
        name, gap, meaning = line.rpartition("  ")
        return f"{name}{gap}{self.say(meaning)}" if name.strip() else line

    def _row(self, text: str) -> str:
        """Return an option's help; its default is behind it in brackets."""
        parts = BRACKET.split(text, maxsplit=1)
        for word in (DEFAULT, REQUIRED):
            parts[1:] = [part.replace(word, self.say(word), 1) for part in parts[1:]]
        return "".join([self.say(parts[0]) if parts[0] else "", *parts[1:]])


def helped_by(translate: Translate) -> type[WordedFormatter]:
    """Return a formatter for help in a language."""
    return type("HelpInWords", (WordedFormatter,), {"say": staticmethod(translate)})


RARER, HELP = _("Rarer"), _("Help")

ALL = "jetan_table.help_all"


class GroupedCommand(click.Command):
    """A command whose options stand under headings; those under none are the rare ones.

    `headings`: the options' names by heading, in the order in which they are shown.
    """

    def __init__(self, *args: Any, headings: Mapping[str, str], **others: Any) -> None:
        super().__init__(*args, **others)
        self.headings = headings
        self.params.append(
            click.Option(
                ["--help-all"],
                is_flag=True,
                is_eager=True,
                expose_value=False,
                callback=_show_all,
                help="Show the rarer options, too.",
            )
        )

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, each under its heading."""
        parameters = self.get_params(ctx)
        # Forty options in one list are no help: those that most people need stand under headings.
        rows = {each.name: row for each in parameters if (row := each.get_help_record(ctx))}
        shown = {
            heading: [rows.pop(name) for name in names.split()]
            for heading, names in self.headings.items()
        }
        helps = [rows.pop(name) for name in ("help_all", "help") if name in rows]
        if ctx.meta.get(ALL):
            shown[RARER] = list(rows.values())
        for heading, records in (*shown.items(), (HELP, helps)):
            with formatter.section(heading):
                formatter.write_dl(records)


def _show_all(ctx: click.Context, _parameter: click.Parameter, is_wanted: bool) -> None:
    if is_wanted:
        ctx.meta[ALL] = True
        click.echo(ctx.get_help())
        ctx.exit()


Command: TypeAlias = Callable[..., Any]
Bounds: TypeAlias = tuple[Any, Any]

EXIT_PROBLEM: Final = 1
"""Exit code of a command that has found or met a problem."""

FILE_TYPE: Final = click.Path(path_type=Path, dir_okay=False)


class NamedFolder(click.Path):
    """A folder by its name; an empty one would be the current folder, which nobody means."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "" and param is not None:
            raise misused(_("{option}: name a folder"), option=param.opts[0])
        return super().convert(value, param, ctx)


FOLDER_TYPE: Final = NamedFolder(path_type=Path, file_okay=False)


class Declared(NamedTuple):
    """The declaration of a parameter in click's terms: an option or an argument."""

    kind: type[click.Parameter]
    names: tuple[str, ...]
    how: dict[str, Any]


def option(help_: str = "", *names: str, **how: Any) -> Declared:
    """Annotate a parameter as an option; without `names` its own name is the option's, too.

    A number may have a `least` value, or two that it has to be `within`.
    """
    shown = not isinstance(how.get("default"), bool) and bool(how.get("default"))
    return Declared(click.Option, names, {"help": help_ or None, "show_default": shown, **how})


def argument(**how: Any) -> Declared:
    """Annotate a parameter as an argument that is described by more than its type."""
    return Declared(click.Argument, (), how)


def examples(*lines: str) -> str:
    """An `epilog` for a click command: `lines`, one a line, under the word Examples."""
    return "\n".join(("\b", "Examples:", *(f"  {line}" for line in lines)))


def command(
    *lines: str, of: click.Group | None = None, **how: Any
) -> Callable[[Command], click.Command]:
    """Make a function a command, by itself or `of` a group, with `lines` as its examples.

    Its signature is the command line's. A parameter that help or `option` annotates is an option.
    One that is a dataclass, or is annotated by a function, stands for the options of its fields or
    parameters, of which it is made. Any other is an argument.
    """
    make = click.command if of is None else of.command

    def made(function: Command) -> click.Command:
        @wraps(function)
        def called(**given: Any) -> Any:
            return _call(function, given)

        # click's decorators would say every name twice; here the signature alone says what there
        # is.
        parameters = list(_declared_by(function))
        return make(**{"epilog": examples(*lines), "params": parameters, **how})(called)

    return made


class OpenGroup(click.Group):
    """A group of commands to which features add theirs, such as "games analyse" to `games`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*super().list_commands(ctx), *self._brought()})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        own = super().get_command(ctx, cmd_name)
        if own is not None or cmd_name not in self._brought():
            return own
        return self._brought()[cmd_name].command(f"{self.name} {cmd_name}")

    def _brought(self) -> Mapping[str, Extra]:
        before = f"{self.name} "
        return {
            name.removeprefix(before): extra
            for name, (extra, _help) in commands().items()
            if name.startswith(before)
        }


def group(*lines: str, **how: Any) -> Callable[[Command], click.Group]:
    """Make a function a group of commands, with `lines` as its examples."""
    return cast(Callable[[Command], click.Group], command(*lines, cls=OpenGroup, **how))


class PlayOption:
    """Base of a feature's options for `jetan play`, which are a dataclass."""

    def check(self, settings: Settings, has_people: bool) -> None:
        """Refuse impossible options before anything is opened; people may be simulated."""


Brought = NewType("Brought", dict[type, PlayOption])
"""A parameter for the options of `jetan play` that features bring, by their types."""


def play_options() -> list[type[PlayOption]]:
    """Return the types of options that features add to `jetan play`."""
    return [kind for each in extras().values() if (kind := each.play_options()) is not None]


def _parameters(make: Command) -> dict[str, Any]:
    """Return the parameters of a function or a dataclass by name, with their types."""
    hints = get_type_hints(make, include_extras=True)
    return {name: hints[name] for name in signature(make).parameters}


def _maker(hint: Any) -> Command | None:
    """Return the maker of a parameter that stands for several options; None if it is one."""
    make: Command = get_args(hint)[1] if get_origin(hint) is Annotated else hint
    return make if is_dataclass(make) or isfunction(make) or make is Brought else None


def _call(make: Command, given: Mapping[str, Any]) -> Any:
    if make is Brought:
        return Brought({kind: _call(kind, given) for kind in play_options()})
    made = {name: _maker(hint) for name, hint in _parameters(make).items()}
    return make(**{n: _call(maker, given) if maker else given[n] for n, maker in made.items()})


def _declared_by(make: Command) -> Iterator[click.Parameter]:
    if make is Brought:
        for kind in play_options():
            yield from _declared_by(kind)
        return
    for name, hint in _parameters(make).items():
        if maker := _maker(hint):
            yield from _declared_by(maker)
            continue
        kind, declared = get_args(hint) if get_origin(hint) is Annotated else (hint, argument())
        declared = option(declared) if isinstance(declared, str) else declared
        how, own = dict(declared.how), name.replace("_", "-")
        names = declared.names or (
            f"--{own}/--no-{own}" if how.get("default") is True else f"--{own}",
        )
        bounds = how.pop("within", (how.pop("least", None), None))
        if declared.kind is click.Argument:
            yield click.Argument([name], **_of_argument(kind, bounds) | how)
        else:
            yield click.Option([*names, name], **_of_type(kind, bounds) | how)


def _of_argument(kind: Any, bounds: Bounds) -> dict[str, Any]:
    if get_origin(kind) is tuple:
        return {"nargs": -1, "required": False, **_of_type(get_args(kind)[0], bounds)}
    return {"required": NoneType not in get_args(kind), **_of_type(kind, bounds)}


def _of_type(kind: Any, bounds: Bounds) -> dict[str, Any]:
    """Return click's arguments for a type; None beside it makes a value optional."""
    is_union = get_origin(kind) in (Union, UnionType)
    kinds = [each for each in get_args(kind) if each is not NoneType] if is_union else [kind]
    if get_origin(kinds[0]) is Literal:
        return {"type": click.Choice([word for each in kinds for word in get_args(each)])}
    if any(bound is not None for bound in bounds):
        return {"type": (click.IntRange if kinds[0] is int else click.FloatRange)(*bounds)}
    if kinds[0] is Path:
        return {"type": click.Path(path_type=Path)}
    return {"is_flag": True} if kinds[0] is bool else {"type": kinds[0]}


class Say(Protocol):
    """Puts a sentence with its values into the language of a command."""

    def __call__(self, template: Sentence, /, **values: object) -> str: ...


def spoken(named: Language | None, config: Path | None = None) -> Language:
    """Return the `named` language, else that of the settings, else the environment's."""
    if named is not None:
        return named
    try:
        path = find_settings(config, os.environ)
        chosen = read_settings(path).table.language
        return (
            chosen if ("table", "language") in origins(path) else environment_language(os.environ)
        )
    except (TableError, OSError):
        return environment_language(os.environ)


def _spoken(context: click.Context, _option: click.Parameter, named: Language | None) -> Language:
    return spoken(named, context.params.get("config"))


Data: TypeAlias = Annotated[
    Path,
    option(
        "Where games are.",
        type=FOLDER_TYPE,
        callback=lambda _context, _option, named: data_folder(named, os.environ),
    ),
]
Config: TypeAlias = Annotated[Path | None, option("Settings file.", type=FILE_TYPE, is_eager=True)]
Lang: TypeAlias = Annotated[
    Language, option("Language.", type=click.Choice(LANGUAGES), callback=_spoken)
]
Words: TypeAlias = Annotated[
    Say,
    option(
        "Language.",
        "--lang",
        type=click.Choice(LANGUAGES),
        callback=lambda context, _option, named: saying(named, context.params.get("config")),
    ),
]
"""The same option for commands that only print sentences."""
RulesText: TypeAlias = Annotated[str, option(default="appendix", metavar="RULES")]
Json: TypeAlias = Annotated[bool, option("One JSON text a line.", "--json")]
OneJson: TypeAlias = Annotated[bool, option("Print one JSON object.", "--json")]
Lan: TypeAlias = Annotated[bool, "Let everybody on this network see the page."]
Port: TypeAlias = Annotated[int | None, option("The page's port; 0: any free.", within=(0, 65_535))]
Browser: TypeAlias = Annotated[bool, option("Open the page where it can be seen.", default=True)]
Plain: TypeAlias = Annotated[bool, "Plain lines, as where there is no terminal."]


@dataclass(frozen=True, slots=True)
class SeenOptions:
    """Options about a camera's picture; None leaves one to the settings, or to the picture."""

    corners: Annotated[
        str | None, option("Pixels of the corners at a1, j1, j10, a10.", metavar="X,Y,…")
    ]
    markers: Annotated[str | None, option("What `jetan camera sheet` wrote.", metavar="FILE_TYPE")]
    lens: Annotated[
        str | None, option("What `jetan camera calibrate --charuco` wrote.", metavar="FILE_TYPE")
    ]

    def within(self, settings: CameraSettings) -> CameraSettings:
        """Return the settings of a camera with it."""
        return replace(settings, **{k: v for k, v in asdict(self).items() if v is not None})


ESCAPED = {code: f"\\u{code:04x}" for code in range(127, 160)}
"""Characters that control some terminals, and that JSON allows in a text as they are."""


def print_json(value: object) -> None:
    """Print a value as one line of JSON, without characters that control terminals."""
    print(msgspec.json.encode(value).decode().translate(ESCAPED))


def saying(named: Language | None, config: Path | None = None) -> Say:
    """Return a function that puts sentences into the language of `spoken`."""
    return partial(say_in, spoken(named, config))


def to_stderr(language: Language) -> Callable[[str], None]:
    """Return a function that prints to standard error in a language, beside a command's output."""
    return lambda words: print(worded_in(language, words), file=sys.stderr)


@command(
    add_help_option=False,
    context_settings={"ignore_unknown_options": True, "allow_extra_args": True},
)
def any_command(config: Config, lang: Lang) -> None:
    """Take from any command line the options that decide its language."""


def language_of(words: Sequence[str]) -> Language:
    """Return the language of a command line, which may be wrong otherwise."""
    asked = any_command.make_context("jetan", list(words), resilient_parsing=True).params
    return str(asked["lang"])


def is_named(option: str) -> bool:
    """Return True if the command line itself has an option."""
    source = click.get_current_context().get_parameter_source(option)
    return source is click.core.ParameterSource.COMMANDLINE


def misused(template: Sentence, **values: object) -> click.UsageError:
    """Return the refusal of a command line, to be put into its language."""
    return click.UsageError(Worded(template, **values))


def telling(say: Callable[..., str]) -> Reporter:
    """Return a function that prints sentences while there is a terminal to print to."""

    def tell(template: Sentence, /, **values: object) -> None:
        with suppress(OSError):
            print(say(template, **values), flush=True)

    return tell
