"""The description of what can be asked: programs know its schemas by names that stay."""

import json
import re

from jetan_table.page.app import SCHEMAS, api

REQUESTS = """
    Accept AddNumber Adjudicate Adjust Ail Answer Back Box Correct Crossing Decline Draw Duel Entry
    Far First Guess Here
    Hint Invite Lamp Learn Leave Lift Light Load Mend Move
    New Oblige Offer Pace Pause Pick Place Press
    Put Puzzle
    Release Resign Resume Right Roll Save Simulate Study Take Tidy Tilt Type
    AsArbiter NoteMove SetClock SetClockTimes SetConduct TurnBoard
"""
STATES = (
    "Asks Clock Die FarMatch Fight Fought Hands Health Ledger Lesson Notice Opening Opponent Over "
    "State Step Thinking Training Watch Wish"
)


def test_schemas_keep_the_names_that_programs_know() -> None:
    schemas = api()["components"]["schemas"]
    assert sorted(schemas) == sorted([*REQUESTS.split(), *STATES.split()])
    assert all(schema["title"] == name for name, schema in schemas.items())


def test_every_schema_that_is_referred_to_is_there() -> None:
    schemas = api()["components"]["schemas"]
    named = re.findall(f'"{SCHEMAS}(\\w+)"', json.dumps(api()))
    assert {"Asks", "Hands", "Ledger"} <= set(named) <= schemas.keys()
