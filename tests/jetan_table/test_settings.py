"""Settings: defaults, and refusals in the builder's words."""

from pathlib import Path
from typing import get_type_hints

import pytest

from hardware.pins import PinMap
from jetan_table.light.lamps import PALETTES
from jetan_table.settings import (
    BadSettings,
    LampSettings,
    Settings,
    find_settings,
    parse_settings,
    read_settings,
    section_types,
)
from tests.paths import ROOT


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("[reed]\ndebounce_ms = 900", "[reed] debounce_ms = 900: must be 1..200"),
        (
            "[reed]\ndebouce_ms = 9",
            "[reed] debouce_ms: no such option, did you mean debounce_ms?",
        ),
        ("[lamp]\nbrightness = 1", "[lamp]: no such section, did you mean lamps?"),
        ("[lamps]\nlimit_ma = 3001", "[lamps] limit_ma = 3001: must be 3000 at most"),
        ("[lamps]\nfeeds = 2\nlimit_ma = 6001", "[lamps] limit_ma = 6001: must be 6000 at most"),
        ('[lamps]\npalette = "red"', '"red": must be "mono" or "red-green" or "standard"'),
        ("[table]\nrules = 5", "[table] rules = 5: must be a text in quotes"),
        ("lamps = 3", "lamps = 3: must be a section, [lamps]"),
        ("[reed", "no TOML: "),
        ("[reed]\ndiodes = 1", "[reed] diodes = 1: must be true or false"),
        ('[reed]\norder = "snail"', '"snail": must be "rows", "snake", "rings" or a list'),
        ('[lamps]\norder = ["a1", "a1"]', "[lamps] order: a1 is named twice"),
        ('[lamps]\ncolours = "rgbw"', '"rgbw": must be "bgr" or "brg" or "gbr" or "grb" or "rbg"'),
        ("[serial]\nbaud = 10", "[serial] baud = 10: must be 9600..2000000"),
        ("[pins]\nrows = [1.5]", "[pins] rows = [1.5]: must be a list of ten GPIO numbers"),
        ('[table]\nclock = "ten"', "[table] clock 'ten': write as in 10 (minutes), 10+5"),
        ('[table]\nconduct = "rude"', '"rude": must be "friendly" or "strict" or "tournament"'),
        ("[pins]\nrows = [4, 5]", "[pins] rows: 2 pins; the matrix has 10"),
        ("[pins]\nmenu_button = 10", "[pins] menu button: GPIO 10 is SPI's data, for the lamps"),
    ],
)
def test_what_is_wrong_is_refused_with_its_mend(text: str, refusal: str) -> None:
    with pytest.raises(BadSettings) as refused:
        parse_settings(text)
    assert refusal in str(refused.value)


HUGE = "0x" + "f" * 5000
STRANGE = (
    *(HUGE, f"[{HUGE}]", "-1", "1e999", "-inf", "nan", "inf", "9" * 300, "18446744073709551616"),
    *("0.0", "[]", "{}", "{a = {b = 1}}", "[[1]]", "[nan]", "1979-05-27", "07:32:00", "''"),
    *(f"'{'x' * 5_000}'", '"\\u0000"', f"'{'9' * 5000}'", f"'{'9' * 999}+9'", "'\u0663'", "'inf'"),
)
TEXTS = [
    *(
        f"[{section}]\n{option} = {value}"
        for section, options in section_types().items()
        for option in get_type_hints(options)
        for value in STRANGE
    ),
    *(f"table = {value}" for value in STRANGE),
    *(f"{name} = 1" for name in ("x" * 100_000, "[table]\n" + "x" * 100_000, "a." * 900 + "b")),
    "[" + "a." * 900 + "b]",
    "[[table]]\nclock = 'none'",
]


def test_whatever_stands_there_is_taken_or_refused_in_a_few_words() -> None:
    refusals = [refusal for text in TEXTS if (refusal := refusal_of(text))]
    assert len(refusals) > len(TEXTS) / 2
    assert max(map(len, refusals)) < 1200


def refusal_of(text: str) -> str:
    try:
        parse_settings(text)
    except BadSettings as error:
        return str(error)
    return ""


def test_wiring_is_told_by_square() -> None:
    settings = parse_settings('[lamps]\norder = "snake"\n[pins]\ndie_button = 0')
    assert settings.lamps.lamp_of()[9:12] == (9, 19, 18)
    assert settings.reed.switch_of() == tuple(range(100))
    assert settings.pins.pin_map() == PinMap(die_button=None)


def test_options_that_are_not_told_keep_their_defaults() -> None:
    assert parse_settings("") == Settings()
    dim = parse_settings("[lamps]\nbrightness = 0.2")
    assert dim == Settings(lamps=LampSettings(brightness=0.2))


def test_two_feeds_carry_twice_the_current() -> None:
    assert parse_settings("[lamps]\nlimit_ma = 6000\nfeeds = 2").lamps.limit_ma == 6000
    assert parse_settings("[lamps]\nlimit_ma = 3000").lamps.feeds == 1


def test_a_refusal_names_its_file(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text("[reed]\nscan_hz = 1")
    with pytest.raises(BadSettings, match=r"table\.toml: \[reed\] scan_hz = 1: must be 20\.\.1000"):
        read_settings(path)


def test_every_palette_can_be_chosen() -> None:
    for name in PALETTES:
        assert parse_settings(f'[lamps]\npalette = "{name}"').lamps.palette == name


def test_the_nearest_file_is_used(tmp_path: Path) -> None:
    home, etc = tmp_path / "home", tmp_path / "etc"
    environment = {"XDG_CONFIG_HOME": str(home)}
    assert find_settings(None, environment, etc) is None
    for place in (etc, home):
        (place / "jetan").mkdir(parents=True)
        (place / "jetan" / "table.toml").write_text("")
        assert find_settings(None, environment, etc) == place / "jetan" / "table.toml"
    with_path = {**environment, "JETAN_CONFIG": "/told.toml"}
    assert find_settings(None, with_path, etc) == Path("/told.toml")
    assert find_settings(Path("named.toml"), with_path, etc) == Path("named.toml")


def test_the_page_shows_every_option_with_its_default() -> None:
    page = (ROOT / "docs" / "playing.md").read_text()
    shown = page.partition("```toml\n")[2].partition("```")[0]
    assert parse_settings(shown) == Settings()
    for section, kind in section_types().items():
        options = kind.__struct_fields__
        lines = [f"[{section}]", *(f"\n{name} = " for name in options)]
        missing = [line.strip() for line in lines if line not in shown]
        assert not missing, f"docs/playing.md, Settings: [{section}] lacks this"
