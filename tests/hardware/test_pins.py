"""The libraries for the pins that are here, why none can be used, and pins that cannot work."""

from pathlib import Path
from types import SimpleNamespace

import gpiod
import pytest

from hardware.matrix import Pin
from hardware.pins import (
    CLASSIC,
    COLUMNS,
    GPIOD,
    NEWER,
    ROWS,
    GpiodPins,
    GpioLibrary,
    PinMap,
    gpio_libraries,
    gpio_trouble,
    load_gpio,
    open_chip,
    open_pins,
    pi_model,
)
from hardware.ports import BadWiring, HardwareError
from tests.hardware.contacts import Contacts
from tests.hardware.pi import StandInChip, StandInPi


def test_the_default_uses_each_pin_once_and_leaves_the_serial_line() -> None:
    used = [pin for _, pin in PinMap().users()]
    assert sorted(used) == [*range(2, 10), 12, 13, *range(16, 28)]


@pytest.mark.parametrize(
    ("first", "refusal"),
    [
        (10, "row 1: GPIO 10 is SPI's data, for the lamps"),
        (28, "row 1: there is no GPIO 28; the header has 2..27"),
        (-1, "row 1: there is no GPIO -1"),
        (0, "row 1: there is no GPIO 0"),
        (5, "row 2: GPIO 5 is wired to row 1 already"),
        (18, "column 1: GPIO 18 is wired to row 1 already"),
        (2, "die button: GPIO 2 is wired to row 1 already"),
    ],
)
def test_a_pin_that_cannot_work_is_refused(first: int, refusal: str) -> None:
    with pytest.raises(BadWiring, match=refusal):
        PinMap(rows=(Pin(first), *ROWS[1:]))


def test_a_matrix_of_another_size_is_refused() -> None:
    with pytest.raises(BadWiring, match="columns: 9 pins; the matrix has 10"):
        PinMap(columns=COLUMNS[:9])


def test_the_buttons_pins_are_i2cs_while_it_is_on(tmp_path: Path) -> None:
    device = tmp_path / "i2c-1"
    PinMap().check_free(device)
    device.touch()
    PinMap(die_button=None, menu_button=None).check_free(device)
    with pytest.raises(BadWiring, match="die button: GPIO 2 is I2C's data, and I2C is on: switch"):
        PinMap().check_free(device)


PI_4, PI_5 = "Raspberry Pi 4 Model B Rev 1.5", "Raspberry Pi 5 Model B Rev 1.0"


def install(folder: Path, name: str, version: str) -> GpioLibrary:
    """Put a library's metadata into a folder, as pip does."""
    info = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    return GpioLibrary(name, version, folder)


def test_the_first_on_the_path_is_found_first(tmp_path: Path) -> None:
    newer = install(tmp_path / "venv", NEWER, "0.6")
    classic = install(tmp_path / "apt", CLASSIC, "0.7.1")
    path = [str(tmp_path / "venv"), str(tmp_path / "apt")]
    assert gpio_libraries(path) == [newer, classic]
    assert gpio_trouble([newer, classic], PI_5) is None


def test_gpiod_is_used_before_both_and_trouble_between_them_is_none_of_its(tmp_path: Path) -> None:
    classic = install(tmp_path, CLASSIC, "0.7.1")
    newer = install(tmp_path, NEWER, "0.6")
    found = install(tmp_path, GPIOD, "2.2.0")
    libraries = gpio_libraries([str(tmp_path)])
    assert libraries[0] == found
    assert set(libraries[1:]) == {classic, newer}
    assert gpio_trouble(libraries, PI_5) is None


def test_the_older_library_called_gpiod_is_not_taken_for_it(tmp_path: Path) -> None:
    install(tmp_path, GPIOD, "1.6.3")
    newer = install(tmp_path, NEWER, "0.6")
    assert gpio_libraries([str(tmp_path)]) == [newer]


class Chips:
    """Chips of this machine by the names of their devices, each with a label, or an error."""

    def __init__(self, **chips: str | OSError) -> None:
        self.chips = chips
        self.open: list[str] = []

    def __call__(self, path: str) -> gpiod.Chip:
        name = Path(path).name
        label = self.chips[name]
        if isinstance(label, OSError):
            raise label
        self.open.append(name)
        chip = StandInChip(StandInPi(Contacts()))
        chip.get_info = lambda: SimpleNamespace(label=label)  # type: ignore[attr-defined]
        chip.close = lambda: self.open.remove(name)  # type: ignore[method-assign]
        return chip  # type: ignore[return-value]


def devices(chips: Chips, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let gpiod open these chips, whose devices are in a folder."""
    monkeypatch.setattr(gpiod, "Chip", chips)
    for name in chips.chips:
        (folder / name).touch()
    return folder


def test_the_chip_with_the_headers_pins_is_found_and_no_other_kept_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chips = Chips(gpiochip0="raspberrypi-exp-gpio", gpiochip4="pinctrl-rp1")
    assert open_chip(devices(chips, tmp_path, monkeypatch)).get_info().label == "pinctrl-rp1"
    assert chips.open == ["gpiochip4"]


@pytest.mark.parametrize(
    ("chips", "why"),
    [
        ({}, "none is there"),
        ({"gpiochip0": "ftdi-cbus"}, "chip gpiochip0 is ftdi-cbus"),
        ({"gpiochip0": PermissionError(13, "Permission denied")}, "Permission denied"),
    ],
)
def test_no_chip_with_the_headers_pins_is_told_with_the_reason(
    chips: dict[str, str | OSError], why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = devices(Chips(**chips), tmp_path, monkeypatch)
    words = rf"^no chip with the header's pins: {why} \(is the user in the group gpio\?\)$"
    with pytest.raises(HardwareError, match=words):
        open_chip(folder)


def test_what_is_no_chip_is_told_by_the_real_library(tmp_path: Path) -> None:
    (tmp_path / "gpiochip0").touch()
    with pytest.raises(HardwareError, match=r"^no chip with the header's pins: [A-Z]"):
        open_chip(tmp_path)


def test_pins_are_opened_by_gpiod_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    chip = StandInChip(StandInPi(Contacts()))
    monkeypatch.setattr("hardware.pins.open_chip", lambda: chip)
    assert isinstance(open_pins(COLUMNS, ()), GpiodPins)


def test_both_in_one_folder_are_named_with_the_mend(tmp_path: Path) -> None:
    install(tmp_path, CLASSIC, "0.7.1")
    install(tmp_path, NEWER, "0.6")
    trouble = gpio_trouble(gpio_libraries([str(tmp_path)]), PI_4)
    assert trouble is not None
    assert "overwritten each other: pip uninstall RPi.GPIO rpi-lgpio" in trouble.line


@pytest.mark.parametrize(
    "model", [PI_5, "Raspberry Pi 500 Rev 1.0", "Raspberry Pi Compute Module 5"]
)
def test_the_classic_library_is_wrong_on_newer_models(tmp_path: Path, model: str) -> None:
    classic = install(tmp_path, CLASSIC, "0.7.1")
    assert gpio_trouble([classic], PI_4) is None
    trouble = gpio_trouble([classic], model)
    assert trouble is not None
    assert trouble.found.endswith(f"cannot reach the pins of a {model}")
    assert trouble.mend.endswith("python3-rpi-lgpio")


def test_none_at_all_names_the_package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("sys.path", [str(tmp_path)])
    with pytest.raises(HardwareError, match="installed: sudo apt-get install python3-rpi-lgpio"):
        load_gpio()


def test_the_model_is_told_or_there_is_none(tmp_path: Path) -> None:
    model = tmp_path / "model"
    assert pi_model(model) is None
    model.write_text(f"{PI_4}\0")
    assert pi_model(model) == PI_4
