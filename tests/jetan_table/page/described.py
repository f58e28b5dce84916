"""Whether a document is as it is described: not less, and no key more."""

from functools import cache
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.validators import extend

from jetan_table.page.app import ways
from jetan_table.page.openapi import SCHEMAS, description


@cache
def api() -> dict[str, Any]:
    """Return the description that programs read."""
    return description(ways())


def described(name: str) -> dict[str, Any]:
    """Return the description of a document, or of a part of one."""
    schema: dict[str, Any] = api()["components"]["schemas"][name]
    return schema


def assert_described(document: Any, name: str = "State") -> None:
    """AssertionError, which names the place, where a document differs from its description."""
    root = {"$ref": f"{SCHEMAS}{name}", "components": closed(api()["components"])}
    differs = [
        f"{each.json_path}: {each.message}" for each in validator(root).iter_errors(document)
    ]
    assert not differs, differs


def validator(schema: Any) -> Draft202012Validator:
    """Return what compares documents with a schema; tuples are arrays."""
    own = Draft202012Validator.TYPE_CHECKER.redefine(
        "array", lambda _checker, value: isinstance(value, list | tuple)
    )
    made: Draft202012Validator = extend(Draft202012Validator, type_checker=own)(schema)
    return made


def closed(schema: Any) -> Any:
    """Return a schema whose objects hold only what is described."""
    if isinstance(schema, list):
        return list(map(closed, schema))
    if not isinstance(schema, dict):
        return schema
    inside = {key: closed(value) for key, value in schema.items()}
    if isinstance(schema.get("properties"), dict) and "type" in schema:
        inside.setdefault("additionalProperties", False)
    return inside
