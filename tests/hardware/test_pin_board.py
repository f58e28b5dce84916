"""The whole board on the Pi's pins, over the stand-in library: scanned, lit, pressed, let go."""

from collections.abc import Collection, Sequence

import pytest

from hardware.lamps import SpiLamps
from hardware.matrix import Pin
from hardware.pin_board import PinBoard
from hardware.pins import COLUMNS, ROWS, GpioPins, PinMap
from hardware.ports import BadWiring, HardwareError, Switch, presence
from jetan_table.languages import translation
from rules import SQUARES, Square, _
from tests.hardware.circuit import Bare, Parts
from tests.hardware.contacts import Contacts
from tests.hardware.pi import StandInGpio, StandInPi
from tests.hardware.spi_wire import SpiWire

PINS, IN_ORDER = PinMap(), tuple(map(Switch, SQUARES))


class Desk:
    """A board, its contacts, its wire to the lamps, and the time."""

    def __init__(
        self,
        closed: Collection[int] = (),
        pins: PinMap = PINS,
        switch_of: Sequence[Switch] = IN_ORDER,
        busy: Collection[int] = (),
        diodes: bool = True,
    ) -> None:
        self.now = 0.0
        self.contacts, self.wire = Contacts(closed), SpiWire()
        parts = Parts() if diodes else Parts(Bare())
        self.pi = StandInPi(self.contacts, pins.rows, pins.columns, parts, busy)
        lamps = SpiLamps(self.wire, 2000.0)
        own, clock = GpioPins(StandInGpio(self.pi)), lambda: self.now
        self.board = PinBoard(own, lamps, pins, switch_of, self.pi.wait, clock, diodes=diodes)

    def look(self, seconds: float = 0.05, every_s: float = 0.005) -> dict[Square, bool | None]:
        """Poll for a while; return what squares were told to be."""
        occupied: dict[Square, bool | None] = {}
        ends = self.now + seconds
        while self.now < ends:
            self.now += every_s
            for observation in self.board.poll(self.now):
                for square, evidence in observation.squares.items():
                    occupied[square] = None if evidence is None else presence(evidence) > 0
        return occupied


def test_what_stands_and_moves_is_told() -> None:
    desk = Desk([0, 13, 99])
    first = desk.look()
    assert sorted(square for square, on in first.items() if on) == [0, 13, 99]
    desk.contacts.closed[13], desk.contacts.closed[23] = False, True
    assert desk.look() == {13: False, 23: True}


def test_any_pins_and_any_order_of_switches_will_do() -> None:
    pins = PinMap(rows=COLUMNS, columns=ROWS)
    desk = Desk([7], pins, tuple(reversed(IN_ORDER)))
    assert [square for square, on in desk.look().items() if on] == [92]


def test_without_diodes_doubtful_corners_are_unseen_and_said() -> None:
    desk = Desk([22, 25, 72], diodes=False)
    assert {square for square, on in desk.look().items() if on is None} == {22, 25, 72, 75}
    assert desk.board.notes[0].found.startswith("4 switches cannot be believed")
    desk.contacts.closed[72] = False
    assert desk.look() == {22: True, 25: True, 72: False, 75: False}
    assert desk.board.notes == ()


def test_buttons_are_told_once() -> None:
    desk = Desk()
    desk.look()
    desk.pi.pressed.add(2)
    desk.look()
    desk.pi.pressed.clear()
    desk.look()
    (press,) = desk.board.take_presses()
    assert press.button == "die"
    assert desk.board.take_presses() == []


def test_lamps_that_get_no_data_are_said_in_german_too() -> None:
    desk = Desk()
    desk.wire.error = OSError(5, "Input/output error")
    desk.board.show(((1, 2, 3),) * 100)
    (lost,) = desk.board.notes
    assert lost.id == "part-lamps-lost"
    german = lost.in_words(translation("de"))
    assert german.found == "die Lampen bekommen keine Daten: Ein-/Ausgabefehler"


def test_what_was_counted_is_told() -> None:
    desk = Desk()
    desk.look(1.0)
    scans, late, lamps = desk.board.statistics()
    assert scans.startswith("200 scans, 200 a second; one takes 0.0 ms and 12")
    assert late == "0 scans came 30 ms late or later"
    assert lamps == "the lamps draw 0 mA of 2000"


def test_a_machine_that_is_too_busy_is_said_until_it_keeps_up_again() -> None:
    desk = Desk()

    def late(times: int, seconds: float) -> str:
        """Look so late so many times, with others in time between; return what is said then."""
        for _count in range(times):
            desk.now += seconds - 0.025
            desk.look(0.1, 0.025)
        return str(desk.board.notes)

    desk.look()
    assert "too busy" not in late(4, 0.08)  # now and then one is late
    assert "too busy" in late(1, 0.125)
    assert "125 ms" in str(desk.board.notes)
    assert "5 scans" in desk.board.statistics()[1]
    assert "125 ms" in late(6, 0.055), "a line for each late scan would tell no more"
    desk.look(11.0, 0.025)
    assert "too busy" not in str(desk.board.notes)
    assert "up to 55 ms" in late(5, 0.055)


def test_closing_leaves_no_output_and_dark_lamps() -> None:
    desk = Desk()
    desk.board.show(((9, 9, 9),) * 100)
    desk.board.close()
    assert not desk.pi.driven
    assert desk.wire.is_closed


def test_no_pin_is_driven_where_one_is_held_by_something_else() -> None:
    with pytest.raises(HardwareError, match="GPIO 27 cannot be had"):
        Desk(busy=[27])


def test_pins_of_i2c_are_refused_while_it_is_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def check_free(pins: PinMap) -> None:
        raise BadWiring(_("die button: GPIO 2 is I2C's data, and I2C is on"))

    monkeypatch.setattr(PinMap, "check_free", check_free)
    with pytest.raises(BadWiring, match="I2C is on"):
        Desk()


def test_a_button_may_be_missing() -> None:
    pins = PinMap(die_button=None, menu_button=Pin(14))
    desk = Desk([5], pins)
    assert desk.look()[Square(5)]
