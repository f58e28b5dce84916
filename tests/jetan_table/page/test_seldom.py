"""Logs that strangers cannot fill."""

import logging

import pytest

from jetan_table.page.access import EVERY_S, LOG, MOST_KINDS, Seldom, note_refusal, quiet_logs


def record(words: str, at: float, error: Exception | None = None) -> logging.LogRecord:
    cause = None if error is None else (type(error), error, None)
    made = logging.LogRecord("log", logging.WARNING, "", 0, words, (), cause)
    made.created = at
    return made


def test_each_kind_is_said_once_a_minute_with_how_often_it_was() -> None:
    seldom = Seldom()
    assert seldom.filter(record("one", 0))
    assert not any(seldom.filter(record("one", at)) for at in range(1, 60))
    assert seldom.filter(record("two", 1))
    again = record("one", EVERY_S)
    assert seldom.filter(again)
    assert again.getMessage() == "one (and 59 more like it)"
    assert not seldom.filter(record("one", EVERY_S + 1))


def test_what_follows_from_different_errors_is_of_different_kinds() -> None:
    seldom = Seldom()
    assert seldom.filter(record("failed", 0, ValueError("a")))
    assert not seldom.filter(record("failed", 0, ValueError("b")))
    assert seldom.filter(record("failed", 0, KeyError("a")))


def test_kinds_without_end_are_one() -> None:
    seldom = Seldom()
    passed = [seldom.filter(record(f"words {number}", 0)) for number in range(1000)]
    assert sum(passed) == MOST_KINDS + 1


def test_what_a_stranger_sent_commands_no_terminal_and_fills_no_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with quiet_logs():
        for number in range(100):
            note_refusal(ValueError(f"{number} \x1b[2J{'x' * 9999}"), "/\x1b[2J" + "y" * 9999)
    [message] = [one.getMessage() for one in caplog.records if one.name == LOG.name]
    assert "ValueError" in message
    assert message.isprintable()
    assert len(message) < 500
