"""The description of what can be asked: programs know its schemas by names that stay."""

import json
import re

from jetan_table.page.openapi import SCHEMAS
from tests.jetan_table.page.described import api

REQUESTS = """
    Accept AddNumber Adjudicate Adjust Ail Answer Back Box Correct Crossing Decline Draw Duel Entry
    Far First Guess Here
    Hint Invite Lamp Learn Leave Lift Light Load Mend Move
    New Oblige Offer Pace Pause Pick Place Press
    Put Puzzle
    Release Resign Resume Right Roll Save Simulate Study Take Tidy Tilt Type
    AsArbiter NameStudy NoteMove SetClock SetClockTimes SetConduct TurnBoard
"""
ANSWERS = """
    About AllSeries Analysis Anything Api Board Camera Cards Change Done Ending Explained Game Games
    GoodLine Lessons Mistakes Names Puzzles Refused Repairs Request Rules Sensors Sentence Series
    SetUp SetUpStep Standing Time Token Words
    AgainStep AnswerStep EveryStep ExamineStep FinishStep GoStep LeaveStep NothingStep OrderStep
    ShineStep SkipStep TapStep WalkStep
"""
STATES = (
    "Asks Clock Die FarMatch Fight Fought Hands Health Ledger Lesson Notice Opening Opponent Over "
    "State Step Thinking Training Watch Wish"
)


def test_schemas_keep_the_names_that_programs_know() -> None:
    schemas = api()["components"]["schemas"]
    assert sorted(schemas) == sorted([*REQUESTS.split(), *STATES.split(), *ANSWERS.split()])
    unions = {"Request", "SetUpStep"}
    assert all(schemas[name]["title"] == name for name in schemas.keys() - unions)


def test_every_schema_that_is_referred_to_is_there() -> None:
    schemas = api()["components"]["schemas"]
    named = re.findall(f'"{SCHEMAS}(\\w+)"', json.dumps(api()))
    assert {"Asks", "Hands", "Ledger"} <= set(named) <= schemas.keys()
