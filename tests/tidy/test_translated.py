"""A release speaks all its languages: German whole, any other at least to players."""

import pytest

from tests.tidy import catalogue
from tests.tidy.test_catalogues import COMMAND, OTHERS
from tests.tidy.tree import assert_none

WHOLE = {"de"}
"""The languages that those who look after the project speak."""

PARTS = [
    (language, part)
    for language in OTHERS
    for part in catalogue.ABOUT
    if part == catalogue.PLAYERS or language in WHOLE
]


@pytest.mark.release
@pytest.mark.parametrize(("language", "part"), PARTS)
def test_every_sentence_of_a_release_is_translated(language: str, part: str) -> None:
    missing = catalogue.untranslated(catalogue.extracted(), catalogue.read(language), part)
    assert_none(missing, f"fill them in in {catalogue.file_of(language, part)}, and run {COMMAND}")
