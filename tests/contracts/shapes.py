"""The shapes that other programs rely on, each with its version, as lines that can be compared.

`python -m tests.contracts.shapes` writes them into `shapes.txt`, and refuses where a shape has
changed under the same version.
"""

import json
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from firmware_bridge import messages
from jetan_table.engine.library import SWITCH, QuickSearch
from jetan_table.engine.protocol import PROTOCOL, LineBuffer, format_info
from jetan_table.engine.search import Thought
from jetan_table.engine.server import EngineServer
from jetan_table.engine.tree import WIN
from jetan_table.extras.hall import payloads
from jetan_table.page.app import ways
from jetan_table.page.openapi import VERSIONS, description
from jetan_table.replay.recordings import ChangeLine, LookLine, LooksHeader, RecordingHeader
from rules import Position, parse_rules
from tests.paths import ROOT

KEPT_IN: Final = Path(__file__).with_name("shapes.txt")
HEAD: Final = re.compile(r"^== (\S+) (\S+)$", re.MULTILINE)
BESIDE: Final = {"title", "description", "default"}
"""What is no part of a form."""
STATE: Final = "State"


class Shape(NamedTuple):
    """What one interface may say: its version, and a line for each part of it."""

    version: str
    lines: frozenset[str]


def shapes() -> dict[str, Shape]:
    """Return the shape of every interface that is promised, as the code has it now."""
    document = description(ways())
    described: dict[str, Any] = document["components"]["schemas"]
    state = reached(described, STATE)
    _, sent = msgspec.json.schema_components(payloads.PAYLOADS)
    own = [name for name in sent if hasattr(payloads, name)]  # commands are those of the page
    topics = [f"{kind.topic} {kind.__name__}" for kind in payloads.PAYLOADS]
    return {
        "api": shape(
            VERSIONS["api"], asked(document), properties(described, described.keys() - state)
        ),
        "events": shape(VERSIONS["events"], properties(described, state)),
        "engine": shape(PROTOCOL, engine_lines()),
        "recording": recording(RecordingHeader, ChangeLine),
        "looks": recording(LooksHeader, LookLine),
        "wire": shape(f"{messages.MAJOR}.{messages.MINOR}", wire_lines()),
        "hall": shape(str(payloads.Payload().v), topics, properties(sent, own)),
    }


def shape(version: str, *parts: Iterable[str]) -> Shape:
    return Shape(version, frozenset(line for lines in parts for line in lines))


def properties(schemas: Mapping[str, Any], names: Iterable[str]) -> Iterator[str]:
    """Yield a line for each form of each property of some JSON schemas; `?` marks optional ones."""
    for name in names:
        schema = schemas[name]
        if "properties" not in schema:
            yield f"{name} {bare(schema)}"
        for part, form in schema.get("properties", {}).items():
            place = f"{name}.{part}" if part in schema["required"] else f"{name}.{part}?"
            for choice in form.get("anyOf") or form.get("enum") or [form]:
                yield f"{place} {bare(choice)}"
            if "default" in form:
                yield f"{place} = {json.dumps(form['default'])}"


def asked(document: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line for each parameter, body and answer of each way to ask."""
    for path, operations in document["paths"].items():
        for method, one in operations.items():
            way = f"{method.upper()} {path}"
            for each in one["parameters"]:
                needed = "" if each["required"] else "?"
                yield f"{way} {each['in']} {each['name']}{needed} {bare(each['schema'])}"
            for status, answer in one["responses"].items():
                for kind, content in answer["content"].items():
                    yield f"{way} {status} {kind} {bare(content['schema'])}"
            if "requestBody" in one:
                yield f"{way} takes {bare(one['requestBody']['content'])}"
            yield f"{way} {'with' if 'security' in one else 'without'} a token"


def bare(form: Any) -> str:
    """Return the form of a schema, in short."""
    if isinstance(form, Mapping):
        if "$ref" in form:
            return str(form["$ref"]).rpartition("/")[2]
        kept = (f"{key}: {bare(value)}" for key, value in form.items() if key not in BESIDE)
        return f"{{{', '.join(kept)}}}"
    if isinstance(form, list):
        return f"[{', '.join(map(bare, form))}]"
    return json.dumps(form)


def reached(schemas: Mapping[str, Any], name: str) -> set[str]:
    """Return a schema's name, and the names of all that it refers to."""
    found, left = {name}, [name]
    while left:
        text = json.dumps(schemas[left.pop()])
        new = set(re.findall(r'"\$ref": "[^"]*/(\w+)"', text)) - found
        found |= new
        left += new
    return found


def recording(header: type[msgspec.Struct], line: type[msgspec.Struct]) -> Shape:
    """Return the shape of files that begin with `header`, whose `format` ends in the version."""
    _, schemas = msgspec.json.schema_components([header, line])
    (name,) = schemas[header.__name__]["properties"]["format"]["enum"]
    return shape(name.rpartition("/")[2], properties(schemas, schemas))


def engine_lines() -> Iterator[str]:
    """Yield the lines that the page has for the engine, and how the engine answers."""
    page = (ROOT / "docs/api/engine.md").read_text(encoding="utf-8")
    yield from re.findall(r"^\| (`.+?`) \|", page, re.MULTILINE)
    inward, outward = os.pipe()
    os.write(outward, b"jetan\nquit\n")
    os.close(outward)
    answers: list[str] = []
    EngineServer(
        LineBuffer(inward), answers.append, lambda: 0.0, QuickSearch({SWITCH: "off"})
    ).serve()
    os.close(inward)
    for line in answers:
        start, _, choices = line.partition(" default ")
        if not line.startswith(("id ", "info string")):
            yield start
            yield from (f"{start} var {choice}" for choice in re.findall(r"var (\S+)", choices))
    position = Position.start(parse_rules("appendix"))
    for score in (0, WIN - 1, 1 - WIN):
        yield format_info(Thought(1, score, position.moves()[:1], 1, 0.0), position)


def wire_lines() -> Iterator[str]:
    """Yield a line for each message between table and board, and what its numbers mean."""
    for kind in messages.MESSAGES:
        parts = (f" {name}:{layout}" for name, layout in messages.parts_of(kind))
        yield f"{kind.__name__} 0x{kind.CODE:02x}{''.join(parts)}"
    for table in ("RESULTS", "RESETS", "SENSORS"):
        yield from (f"{table} {name} {value}" for name, value in getattr(messages, table).items())


def kept() -> dict[str, Shape]:
    """Return the shapes that `shapes.txt` keeps."""
    _, *parts = HEAD.split(KEPT_IN.read_text(encoding="utf-8")) if KEPT_IN.exists() else [""]
    return {
        name: Shape(version, frozenset(lines.split("\n")) - {""})
        for name, version, lines in zip(parts[::3], parts[1::3], parts[2::3], strict=True)
    }


def wrong(name: str, old: Shape, new: Shape) -> str:
    """Return how a shape has changed, and what is to be done; empty where it has not."""
    gone, added = sorted(old.lines - new.lines), sorted(new.lines - old.lines)
    changes = "".join(f"\n  - {line}" for line in gone) + "".join(f"\n  + {line}" for line in added)
    first, last = old.version.partition(".")[0], new.version.partition(".")[0]
    if not changes and old.version == new.version:
        return ""
    if old.version == new.version:
        return f"{name} has changed, and is still version {old.version}: raise it{changes}"
    if gone and first == last:
        return f"{name} {new.version} lacks what {old.version} had: raise the first number{changes}"
    return f"{name} is version {new.version} now: run python -m tests.contracts.shapes{changes}"


def text_of(promised: Mapping[str, Shape]) -> str:
    """Return what `shapes.txt` has to keep."""
    return "\n".join(
        "\n".join([f"== {name} {each.version}", *sorted(each.lines), ""])
        for name, each in promised.items()
    )


def main() -> None:
    """Keep the shapes as they are now, where each change has its version."""
    old, new = kept(), shapes()
    for name in old.keys() & new.keys():
        if old[name].version == new[name].version and (why := wrong(name, old[name], new[name])):
            sys.exit(why)
    KEPT_IN.write_text(text_of(new), encoding="utf-8")


if __name__ == "__main__":
    main()
