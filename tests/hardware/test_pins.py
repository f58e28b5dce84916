"""Which RPi.GPIO is here, why it cannot be used, and pins that cannot work, in people's words."""

from pathlib import Path

import pytest

from hardware.matrix import Pin
from hardware.pins import (
    CLASSIC,
    COLUMNS,
    NEWER,
    ROWS,
    GpioLibrary,
    PinMap,
    gpio_libraries,
    gpio_trouble,
    load_gpio,
    pi_model,
)
from hardware.ports import BadWiring, HardwareError


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
