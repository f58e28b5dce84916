"""The door for strangers: forms that ask for what helps, and a workflow that runs the tests."""

import re
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from tests.tidy.test_promises import parse
from tests.tidy.tree import ROOT, assert_none

GITHUB: Final = ROOT / ".github"
FORMS: Final = sorted(
    path for path in (GITHUB / "ISSUE_TEMPLATE").glob("*.yml") if path.name != "config.yml"
)
LINK: Final = re.compile(r"\(\.\./blob/HEAD/([^)#]+)(?:#([^)]+))?\)")
COMMAND: Final = re.compile(r"`\./jetan ([^`]+)`")


def read(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_a_form_is_one_that_can_be_filled_in(path: Path) -> None:
    form = read(path)
    assert form["name"]
    assert form["description"]
    asked = [entry for entry in form["body"] if entry["type"] != "markdown"]
    names = [entry["id"] for entry in asked]
    assert len(set(names)) == len(names) > 1
    assert all(entry["attributes"]["label"] for entry in asked)
    assert any(entry.get("validations", {}).get("required") for entry in asked)


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_commands_and_pages_that_a_form_names_exist(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for command in COMMAND.findall(text):
        parse(command.split())
    for page, anchor in LINK.findall(text):
        headings = re.findall("^#+ (.+)$", (ROOT / page).read_text(encoding="utf-8"), re.MULTILINE)
        anchors = {heading.lower().replace(" ", "-") for heading in headings}
        assert not anchor or anchor in anchors, f"{page} has no {anchor}"


def test_trouble_comes_with_what_the_doctor_says() -> None:
    form = read(GITHUB / "ISSUE_TEMPLATE" / "1-trouble.yml")
    doctor = next(entry for entry in form["body"] if entry.get("id") == "doctor")
    assert "./jetan doctor --json" in doctor["attributes"]["description"]
    assert doctor["validations"]["required"]


def test_the_workflow_runs_what_the_project_runs() -> None:
    job = read(GITHUB / "workflows" / "tests.yml")["jobs"]["all"]
    assert [step["run"] for step in job["steps"] if "run" in step][-1] == ".ci/run"
    assert (ROOT / ".ci" / "run").stat().st_mode & 0o111


def test_what_is_written_for_programs_fits_one_screen_and_names_what_is_there() -> None:
    text = (ROOT / "AGENTS.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 40
    named = re.findall(r"`((?:docs|tests|jetan_table)/[\w/.]+)`|\]\(([\w/.]+)\)", text)
    assert_none(name for pair in named for name in filter(None, pair) if not (ROOT / name).exists())
