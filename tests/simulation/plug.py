"""A real table whose plug can be pulled: switches that do as they are told, and a journal on disk.

Nothing that is not on the disk outlives the plug: neither the session nor what sensors saw last.
What a table shows is held to the truth after every step (`truths`).
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from enum import Enum
from functools import partial
from pathlib import Path
from random import Random

from firmware_bridge import SerialBoard
from hardware.ports import FaultKind, Observation
from jetan_table.game.commands import AnyCommand, AsArbiter, New, NewGame, PlayersCommand
from jetan_table.game.events import BadRecord, Entry, GameId, Header
from jetan_table.journal.backup import check_journal
from jetan_table.journal.journal import Journal
from jetan_table.light.lamps import LAMP_OF
from jetan_table.session.session import News, Session
from jetan_table.settings import Settings
from jetan_table.table.board import Plain
from jetan_table.table.dice import Dice, Seeds
from jetan_table.table.games import new_game, open_game
from jetan_table.table.loop import Table
from jetan_table.wiring import ARBITER_PIN, arbiter_of, kept_pin, lighting_of
from rules import SQUARES, Notice, Position, Square
from tests.jetan_table.hands import EVIDENCE
from tests.jetan_table.sitting import AtTable
from tests.simulation.reach import names_of, states_of
from tests.simulation.sometimes import LANDING, LIFT
from tests.simulation.truths import Truths

BEGUN_AT = 1.7e9
STEP_S = 0.1
OFF_S = 30.0
"""For so long a table is off when its plug is pulled."""

ROOMY = 2**30
"""So many pages a journal may have on a disk that is not full."""


class PowerCut(Exception):
    """The plug has been pulled in the middle of a step."""


class Switches(Plain):
    """A hundred switches; `occupied` is what stands on them, `failed` those that do not follow.

    While the cable `is_out` nothing is heard of them, then of all that has changed.
    """

    hands: None = None
    kind = "tidy"
    """What kind of hands touch them."""

    def __init__(self) -> None:
        self.is_out = False
        self.odd: SerialBoard | None = None
        """What is at the cable's end in their place, if anything."""
        self.occupied: set[Square] = set()
        self.failed: dict[Square, FaultKind] = {}
        self._told: set[Square] | None = None

    @property
    def trouble(self) -> Notice | None:
        """What a driver says of its cable."""
        if self.odd is not None:
            return self.odd.trouble
        return Notice("cable", "fail", "the cable is out") if self.is_out else None

    @property
    def step_s(self) -> float:
        """How long a table may leave them alone without missing anything."""
        return STEP_S

    def jump(self, seconds: float) -> None:
        """Go on as before, though the machine's clock jumps."""

    def arrange(self, standing: Mapping[Square, str]) -> None:
        """Let those pieces stand there, and nothing else, as if they had always done."""
        self.occupied = set(standing)

    def poll(self, now: float) -> list[Observation]:
        """Tell what has changed since the last call; at first everything."""
        if self.is_out:
            return [] if self.odd is None else list(self.odd.poll(now))
        stuck = {s for s, kind in self.failed.items() if kind is FaultKind.STUCK}
        shown = (self.occupied - self.failed.keys()) | stuck
        changed = SQUARES if self._told is None else sorted(shown ^ self._told)
        self._told = shown
        return [Observation(now, {s: EVIDENCE[s in shown] for s in changed})] if changed else []

    def restart(self) -> None:
        """Let whoever asks next be told everything."""
        self._told = None


def files_in(folder: Path) -> dict[Path, bytes]:
    """Return what a power cut leaves in a data folder: journal, what lies beside it, texts."""
    kept = (".sqlite", ".sqlite-wal", ".jgn")
    paths = sorted(path for path in folder.rglob("*") if path.suffix in kept)
    return {path: path.read_bytes() for path in paths}


def flipped(files: Mapping[Path, bytes], chance: Random) -> dict[Path, bytes]:
    """Return files of which one has a bit that has flipped, in a byte that is not empty."""
    path = chance.choice([path for path, content in files.items() if any(content)])
    rotten = bytearray(files[path])
    rotten[chance.choice([at for at, byte in enumerate(rotten) if byte])] ^= 1 << chance.randrange(
        8
    )
    return {**files, path: bytes(rotten)}


class Cut(Enum):
    """When the plug is pulled: right before the next event is on the disk, or right after."""

    BEFORE = "before"
    AFTER = "after"


class FrailJournal(Journal):
    """A journal at whose next event the plug is pulled, where there is a `cut`.

    `cut_kinds` names that event, once it has been. Each commit takes `commit_s`, and `busy_s` is
    what all have taken that nobody has waited for yet.
    """

    cut: Cut | None = None
    cut_kinds: tuple[str, ...] = ()
    commit_s = 0.0
    busy_s = 0.0
    _is_full = False

    def refuse(self, fault: str | None) -> None:
        """Let the file grow no more, as on a full `disk`, let a `card` be read only, or neither."""
        self._is_full = fault == "disk"
        self._db.execute(f"PRAGMA max_page_count = {1 if self._is_full else ROOMY}")
        self._db.execute(f"PRAGMA query_only = {fault == 'card'}")

    def begin(
        self, header: Header, entries: Sequence[Entry] = (), batches: Sequence[bytes] = ()
    ) -> GameId:
        begun = NewGame(header)
        self._meet(Cut.BEFORE, begun)
        game = super().begin(header, entries, batches)
        self._meet(Cut.AFTER, begun)
        return game

    def append(self, game: GameId, entries: Sequence[Entry]) -> None:
        self._meet(Cut.BEFORE, *entries)
        super().append(game, entries)
        self._meet(Cut.AFTER, *entries)

    def drop(self) -> None:
        """Let go of the file; what was not written is lost."""
        self._unwritten.clear()
        self.close()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self.busy_s += self.commit_s
        with super()._transaction():
            if self._is_full:
                self._db.execute("CREATE TABLE more AS SELECT zeroblob(100000)")
            yield

    def _meet(self, moment: Cut, *news: News) -> None:
        if self.cut is moment:
            self.cut_kinds = tuple(name for item in news for name in names_of(item))
            raise PowerCut


class PluggedTable(AtTable):
    """A table at a wall socket. `told` is all that it has ever told, by game.

    `reached` is how often what has happened at it, `cut_kinds` names the event at which the plug
    was pulled since that was last said, if any, and `on_s` is how long it has been on since its
    game began. Where another game begins as it is switched on, people `set_up` its pieces before.
    """

    def __init__(
        self, folder: Path, begun: NewGame, switches: Switches, set_up: Callable[[Position], None]
    ) -> None:
        self.now = BEGUN_AT
        self.late_s = 0.0
        """A starved machine looks up to so much later than it should."""
        self._looks_at = self.now
        self.told: dict[GameId, list[Entry]] = {}
        self.reached = Counter[str]()
        self.switches, self.set_up = switches, set_up
        self.folder, self._begun = folder, begun
        self._chance = Random(5)
        self.last_cut: Cut | None = None
        self.cut_kinds: tuple[str, ...] = ()
        self.on_s = 0.0
        self.strike: Callable[[str], None] | None = None
        """What strikes at the next touch, told whether that is a lift or a landing."""
        self._plug_in()

    def cut_next(self, cut: Cut | None) -> None:
        """Pull the plug at the next event, or let it be."""
        self.journal.cut, self.last_cut, self.cut_kinds = cut, cut, ()

    def note(self, name: str) -> None:
        """Count something as reached, and as reached by this kind of hands."""
        self.reached.update((name, f"{name}, {self.switches.kind} hands"))

    def wait(self, seconds: float = STEP_S) -> None:
        """Let time pass."""
        while seconds > STEP_S / 20:
            step_s = self.switches.step_s
            seconds -= step_s
            self._pass(step_s)
            if self.now < self._looks_at:
                continue
            try:
                self._note(self.table.step(self.now))
            except PowerCut:
                self.cut_short()
                continue
            self.truths.check(self.table, self.table.lights, self.now, self.on_s)
            if self.late_s or self.journal.busy_s:
                self.starve(self._chance.uniform(0, self.late_s) + self.journal.busy_s)
                self.journal.busy_s = 0.0

    def starve(self, seconds: float) -> None:
        """Let the machine do nothing for a while."""
        self._looks_at = self.now + seconds

    def _pass(self, seconds: float) -> None:
        self.now += seconds
        self.on_s += seconds

    def sit(self, seconds: float) -> None:
        """Let time pass in which nobody does anything."""
        self._pass(seconds)
        self.wait(STEP_S)

    def touch(self, square: Square, is_put: bool, after_s: float = 0.4) -> None:
        """Put something on a square, or lift what is there; what waits for that strikes at once."""
        (self.switches.occupied.add if is_put else self.switches.occupied.discard)(square)
        if self.strike is not None:
            strike, self.strike = self.strike, None
            strike(LANDING if is_put else LIFT)
        self.wait(after_s)

    def obey(self, command: PlayersCommand) -> None:
        """Tell the table something in words; CommandRefused where it makes no sense.

        What takes an arbiter is said by him.
        """
        try:
            self._note(self.table.obey(self._by_whom(command), self.now))
        except PowerCut:
            self.cut_short()
        self.wait(1.0)

    def _by_whom(self, command: PlayersCommand) -> AnyCommand:
        record = self.record
        if not record.conduct.needs_arbiter or record.ending is not None:
            return command
        is_his = command.permitted == "arbiter" or (
            command.permitted != "players" and bool(record.game.plies)
        )
        return AsArbiter(kept_pin(self.folder, ARBITER_PIN), command) if is_his else command

    def pull_plug(self, off_s: float = OFF_S) -> None:
        """Cut the power, and switch on again: all that was told is still there.

        A machine without a clock of its own may think that it was off for less than no time.
        """
        self._unplug(off_s)
        self._plug_in()
        self.take_down()
        self.wait(STEP_S)

    def rot(self, chance: Random) -> set[GameId]:
        """Cut the power, and let a bit flip meanwhile in a file that it leaves behind.

        Return the games that are damaged, each of which is named; all others are whole.
        """
        files = files_in(self.folder)
        self._unplug(OFF_S)
        for path, content in flipped(files, chance).items():
            path.write_bytes(content)
        before, self.told = self.told, {}
        self._plug_in()
        named = before.keys() if self.is_set_aside else check_journal(self.journal.archive).keys()
        shown = {summary.game for summary in self.journal.archive.games()}
        for game in before.keys() - named:
            assert game in shown, f"game {game} is gone, and nobody says so"
            kept = self.journal.archive.entries(game)
            assert kept[: len(before[game])] == before[game], f"game {game} is cut off, unsaid"
        self.take_down()
        self.wait(STEP_S)
        return set(before.keys() & named)

    def _unplug(self, off_s: float) -> None:
        self.reached.update(f"cut with {state}" for state in states_of(self.view))
        self.journal.drop()
        self.now += off_s
        self.switches.jump(off_s - OFF_S)
        self._looks_at = self.now

    def cut_short(self) -> None:
        """Pull the plug at an event."""
        self.cut_kinds, cut = self.journal.cut_kinds, self.last_cut
        if cut is not None:
            for kind in self.cut_kinds:
                self.note(f"cut {cut.value} {kind}")
        self.pull_plug()

    def take_down(self) -> None:
        """Note what is on the disk as told; what was told before is among it."""
        archive, kept = self.journal.archive, dict[GameId, list[Entry]]()
        for summary in archive.games():
            with suppress(BadRecord):  # what rot has damaged says so when it is read
                kept[summary.game] = archive.entries(summary.game)
        for game, entries in self.told.items():
            assert kept[game][: len(entries)] == entries
        self.told = kept
        self._game = self.table.game

    def close(self) -> None:
        self.journal.refuse(None)
        self.journal.close()

    def _plug_in(self) -> None:
        self.journal = FrailJournal(self.folder)
        opened = open_game(self.journal, self._begun.header, self._begun.events)
        self.is_set_aside = self.journal.damaged is not None
        if not opened.is_resumed:
            self.set_up(opened.record.position)
            self.told[opened.game] = self.journal.archive.entries(opened.game)
            self.reached.update(
                name for entry in self.told[opened.game] for name in names_of(entry)
            )
            self.on_s = 0.0
        dice = Dice(Seeds(self.folder / "seeds", self._chance.randbytes))
        lighting = lighting_of(Settings(), LAMP_OF)
        self.switches.restart()
        self._game = opened.game
        self.truths = Truths()
        self.table = Table(
            self.switches,
            lighting,
            self.journal,
            opened.game,
            Session(opened.record),
            dice=dice,
            arbiter=arbiter_of(self.journal),
            next_game=partial(new_game, self.journal.archive, New()),
        )

    def _note(self, news: list[News]) -> None:
        """Take down what is told; what comes before a new game's beginning is of the old one."""
        written: list[Entry] = []
        for item in news:
            self.reached.update(names_of(item))
            if isinstance(item, Entry):
                self.told.setdefault(self._game, []).append(item)
                written.append(item)
            else:
                self._game, self.on_s = self.table.game, 0.0
                written.clear()
        if written:
            kept = self.journal.archive.entries(self._game)
            assert kept[-len(written) :] == written, "told before it was written"
