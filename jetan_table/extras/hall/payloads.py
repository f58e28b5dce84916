"""The messages through a broker and their topics, each with one writer ([hall.md]).

Each struct is the whole content of a topic as JSON, never a difference. A reader takes the content
for all there is: the same word twice, or an older one after a newer, does no harm.
"""

import hashlib
import re
from typing import Annotated, Any, ClassVar, Final, Literal, TypeVar, cast

import msgspec

from rules import Sentence, _

from ...errors import TableError
from ...game.agreements import MOST_EXTRA_S
from ...game.commands import PlayersCommand
from ...game.events import ConductName, Result, SideName
from ...languages import Language, plain
from ...session.umpire import LANDING_S
from .settings import TABLE_NAME

ONLINE, GAME, HEALTH = "online", "game", "health"
"""The topics of a table."""

SEAT, WORD = "seat", "word"
"""The topics on which the hall writes to a table."""

HOME, EVENT, PRESS = "home", "event", "press"
"""The topics for Home Assistant: of a table's state, of its events, and for a house's buttons."""

OF_ALL_TABLES: Final = tuple(f"jetan/table/+/{what}" for what in (ONLINE, GAME, HEALTH))
_OF_TABLE = re.compile(rf"jetan/table/(?P<name>{TABLE_NAME})/(?P<what>{ONLINE}|{GAME}|{HEALTH})")

STANDINGS: Final = "hall/standings"

MOST_PAYLOAD_BYTES: Final = 65_536
"""No payload is larger; a whole game is 1 to 6 kB."""

Said = TypeVar("Said", bound="Payload")

MOST_TEXT: Final = 200
Text = Annotated[str, msgspec.Meta(max_length=MOST_TEXT)]
Hash = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$", description="SHA-256 in hex")]
Count = Annotated[int, msgspec.Meta(ge=0, le=2**53)]

MOST_LEFT_S: Final = 10_000.0 * MOST_EXTRA_S
"""The most on a clock, in seconds: a payload has no room for more plies, and each adds an hour at
most."""
MOST_AT_S: Final = 253_402_300_799.0
"""The end of the year 9999."""


def table_topic(table: str, what: str) -> str:
    """Return where a table says its `online`, `game` or `health`."""
    return f"jetan/table/{table}/{what}"


def read_topic(topic: str) -> tuple[str, str] | None:
    """Return a topic's table and kind; None if it is no table's."""
    match = _OF_TABLE.fullmatch(topic)
    return None if match is None else (match["name"], match["what"])


def hall_topic(table: str, what: str) -> str:
    """Return where the hall says a table its `seat` or an arbiter's `word`."""
    return f"hall/table/{table}/{what}"


def round_topic(number: int) -> str:
    """Return where the hall says the pairs of a round."""
    return f"hall/round/{number}"


def match_topic(match: str, table: str) -> str:
    """Return where a table says its own side of a match."""
    return f"jetan/match/{match}/{table}"


def discovery_topic(table: str) -> str:
    """Return where a table tells Home Assistant what it has."""
    return f"homeassistant/device/jetan/{table}/config"


class BadWord(TableError, ValueError):
    """A message from the broker that cannot be accepted."""

    def __init__(self, template: Sentence, kind: str = "not understood", **values: object) -> None:
        """`kind` is what it is counted as."""
        super().__init__(template, **values)
        self.kind = kind


class Payload(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Base of all payloads; `v` is the version of its form."""

    topic: ClassVar[str] = ""
    """Its topic, as people read it."""

    v: Literal[1] = 1

    def check(self) -> None:
        """Raise BadWord where a number is none that can be, though it has the right form."""


class SaidClock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Both clocks as they stood at `at`, in seconds since 1970; `running` is whose runs.

    None while neither does: before the start, in a pause, after the end.
    """

    control: Text
    black_s: float
    orange_s: float
    at: float
    running: Literal["black", "orange"] | None

    def check(self) -> None:
        """Raise BadWord for what no clock shows."""
        check_within("black_s", self.black_s, -LANDING_S, MOST_LEFT_S)
        check_within("orange_s", self.orange_s, -LANDING_S, MOST_LEFT_S)
        check_within("at", self.at, 0.0, MOST_AT_S)


class AskedHere(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A question that is open on a board: in words by language, and the squares that answer it."""

    squares: list[Text]
    words: dict[Language, str]


class SaidGame(Payload, frozen=True):
    """The game at a table, whole, as its disk has it.

    `rev` counts all that the table's journal holds: the highest is the newest. `hash` is of `jgn`,
    the game's text. `asks` is the question that is open: its ply is not in the text yet.
    """

    topic: ClassVar = "jetan/table/<table>/game"

    game: Count
    rev: Count
    plies: Count
    hash: Hash
    jgn: str
    clock: SaidClock | None = None
    asks: AskedHere | None = None
    result: Result = "*"

    def check(self) -> None:
        if self.clock is not None:
            self.clock.check()


class Health(Payload, frozen=True):
    """The health of a table: its board, the squares of failed switches, and its troubles.

    `since` is the start of this program, in seconds since 1970.
    """

    topic: ClassVar = "jetan/table/<table>/health"

    board: Text
    version: Text
    since: float
    failed: dict[Text, Text] = {}
    trouble: Text | None = None
    brightness: float = 1.0

    def check(self) -> None:
        check_within("since", self.since, 0.0, MOST_AT_S)
        check_within("brightness", self.brightness, 0.0, 1.0)


class OfferedSeat(Payload, frozen=True):
    """The players for a table, offered by the hall and accepted by hands; empty for nobody."""

    topic: ClassVar = "hall/table/<table>/seat"

    black: Text = ""
    orange: Text = ""
    rules: Annotated[str, msgspec.Meta(max_length=400)] = ""
    clock: Text = "none"
    conduct: ConductName = "friendly"
    round: Count = 0


class ArbiterWord(Payload, frozen=True):
    """An arbiter's command to a table, done once by its `id`; refused if `rev` has moved on."""

    topic: ClassVar = "hall/table/<table>/word"

    id: Text
    for_rev: Count
    command: PlayersCommand


class SaidPair(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Two players of a round, and where; `result` is `*` while they play."""

    table: Text
    black: Text
    orange: Text
    result: Result = "*"


class SaidRound(Payload, frozen=True):
    """The pairs of a round, and who has none: he gets a point."""

    topic: ClassVar = "hall/round/<n>"

    number: Count
    pairs: list[SaidPair]
    bye: Text | None = None


class SaidStanding(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A player's points, those of all opponents (Buchholz), and how many `games` he has ended."""

    place: Count
    player: Text
    points: float
    games: Count
    opponents: float


class SaidStandings(Payload, frozen=True):
    """All players, the first one first."""

    topic: ClassVar = "hall/standings"

    standings: list[SaidStanding]


class AskedBack(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A side's word on the take-back of that number: play is to go on after `to` plies.

    When both sides have spoken, the larger `to` counts: a very large one refuses.
    """

    number: Count
    to: Count


Face = Annotated[int, msgspec.Meta(ge=1, le=10)]
Occasion = Annotated[str, msgspec.Meta(max_length=60)]


class DieShare(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One side's part of the die of a match: its secret seed gives a share of every roll."""

    commit: Hash
    """The SHA-256 of the seed."""
    faces: dict[Occasion, tuple[Face, Face, Face]] = {}
    """The faces that the seed gives on each occasion so far."""
    seed: Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{64})?$")] = ""
    """The seed, in hex, once the game is over on both boards."""


class MatchSide(Payload, frozen=True):
    """One side of a match between two boards far apart, as its own table has it.

    `plies` are those of this side alone; `stands` is how many of both sides stand on this board,
    and `stands_hash` of what game (the text without times).
    """

    topic: ClassVar = "jetan/match/<match>/<table>"

    rev: Count
    """The highest is the newest."""
    side: SideName
    name: Text
    other: Text
    """The table at the far end; empty until one has accepted."""
    rules: Annotated[str, msgspec.Meta(max_length=400)]
    start: Annotated[str, msgspec.Meta(max_length=400)]
    clock: Text
    stands_hash: Hash
    stands: Count = 0
    plies: tuple[Text, ...] = ()
    left_s: float | None = None
    """Seconds on this side's clock; None without a clock."""
    offers: bool = False
    declined: Count = 0
    """The number of the far side's offers of a draw that were declined here."""
    says: Literal["", "resigns", "agrees"] = ""
    """The people's word about the end, which comes once both tables know it."""
    result: Result = "*"
    """The result of the game on this board."""
    why: Text = ""
    """And by what, as the rules name it."""
    backs: Count = 0
    """The number of take-backs that both sides answered and this board carried out."""
    back: AskedBack | None = None
    """This side's last word on one."""
    die: DieShare | None = None
    """None where the game has no dice."""


PAYLOADS: Final[tuple[type[Payload], ...]] = (
    SaidGame,
    Health,
    OfferedSeat,
    ArbiterWord,
    SaidRound,
    SaidStandings,
    MatchSide,
)
"""All of them, in the order of the document."""

DECODERS: Final = {kind: msgspec.json.Decoder(kind) for kind in PAYLOADS}
"""Made before there are threads: msgspec takes a kind apart when it first meets it, and two threads
that meet one at the same moment crash in it."""


def text_hash(text: str) -> str:
    """Return the SHA-256 of a text, in hex."""
    return hashlib.sha256(text.encode()).hexdigest()


def encode(payload: Payload) -> bytes:
    """Write a payload."""
    return msgspec.json.encode(payload, enc_hook=plain)


def decode(content: bytes, kind: type[Said]) -> Said:
    """Read what somebody says; BadWord names what is wrong with it."""
    if len(content) > MOST_PAYLOAD_BYTES:
        raise BadWord(
            _("{size} bytes, must be at most {most}"),
            "too large",
            size=len(content),
            most=MOST_PAYLOAD_BYTES,
        )
    try:
        payload = cast("Said", DECODERS[kind].decode(content))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadWord(_("{why}"), why=error) from None
    payload.check()
    return payload


def check_within(name: str, number: float, least: float, most: float) -> None:
    """Raise BadWord, which names it, for a number that is smaller or larger."""
    if not least <= number <= most:
        raise BadWord(
            _("{name}: {number:g} must be {least:g} to {most:g}"),
            name=name,
            number=number,
            least=least,
            most=most,
        )


def schemas() -> dict[str, Any]:
    """Return the JSON schema of every payload by the topic it stands at."""
    return {kind.topic: msgspec.json.schema(kind) for kind in PAYLOADS}
