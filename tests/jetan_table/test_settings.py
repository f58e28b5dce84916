"""Settings: defaults, and refusals in the builder's words."""

from pathlib import Path

import pytest

from jetan_table.palette import PALETTES
from jetan_table.settings import (
    BadSettings,
    LampSettings,
    Settings,
    find_settings,
    parse_settings,
    read_settings,
)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[reed]\ndebounce_ms = 900", "[reed] debounce_ms = 900: must be 1..200"),
        (
            "[reed]\ndebouce_ms = 9",
            "[reed] debouce_ms: no such option, did you mean debounce_ms?",
        ),
        ("[lamp]\nbrightness = 1", "[lamp]: no such section, did you mean lamps?"),
        ('[lamps]\npalette = "red"', '"red": must be "mono" or "red-green" or "standard"'),
        ("[table]\nrules = 5", "[table] rules = 5: must be a text in quotes"),
        ("lamps = 3", "lamps = 3: must be a section, [lamps]"),
        ("[reed", "no TOML: "),
    ],
)
def test_what_is_wrong_is_refused_with_its_mend(text: str, said: str) -> None:
    with pytest.raises(BadSettings) as refused:
        parse_settings(text)
    assert said in str(refused.value)


def test_options_that_are_not_told_keep_their_defaults() -> None:
    assert parse_settings("") == Settings()
    dim = parse_settings("[lamps]\nbrightness = 0.2")
    assert dim == Settings(lamps=LampSettings(brightness=0.2))


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
    told = {**environment, "JETAN_CONFIG": "/told.toml"}
    assert find_settings(None, told, etc) == Path("/told.toml")
    assert find_settings(Path("named.toml"), told, etc) == Path("named.toml")


def test_the_page_shows_every_option_with_its_default() -> None:
    page = (Path(__file__).parents[2] / "docs" / "playing.md").read_text()
    shown = page.partition("```toml\n")[2].partition("```")[0]
    assert parse_settings(shown) == Settings()
    told = {"table": Settings().table, "reed": Settings().reed, "lamps": Settings().lamps}
    for section, options in told.items():
        assert f"[{section}]" in shown
        assert all(f"\n{name} = " in shown for name in options.__struct_fields__)
