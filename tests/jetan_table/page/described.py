"""Whether a document is as `/api` describes it: the description is written by hand."""

from typing import Any, Final

from jetan_table.page.app import SCHEMAS, api

KINDS: Final = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "object": dict,
    "array": (list, tuple),
    "null": type(None),
}


def assert_described(document: Any, name: str = "State") -> None:
    """AssertionError, which names the place, where a document differs from its description."""
    differs = list(_differing(document, {"$ref": f"{SCHEMAS}{name}"}, name))
    assert not differs, differs


def _differing(value: Any, schema: dict[str, Any], place: str) -> list[str]:
    if "$ref" in schema:
        return _differing(value, described(schema["$ref"].removeprefix(SCHEMAS)), place)
    if "anyOf" in schema:
        tried = [_differing(value, each, place) for each in schema["anyOf"]]
        return min(tried, key=len)
    if "enum" in schema:
        return [] if value in schema["enum"] else [f"{place}: {value!r}"]
    if not isinstance(value, KINDS[schema["type"]]):  # type: ignore[arg-type]
        return [f"{place}: {value!r} is no {schema['type']}"]
    if isinstance(value, dict):
        known = schema.get("properties", {})
        more = schema.get("additionalProperties")
        wrong = [f"{place}.{name}" for name in schema.get("required", ()) if name not in value]
        for name, each in value.items():
            of = known.get(name, more)
            inside = f"{place}.{name}"
            wrong += _differing(each, of, inside) if of else [f"{inside}: is not described"]
        return wrong
    if isinstance(value, list | tuple):
        kinds = schema.get("prefixItems") or [schema["items"]] * len(value)
        if len(kinds) != len(value):
            return [f"{place}: {value!r}"]
        pairs = enumerate(zip(value, kinds, strict=True))
        return [what for n, (each, of) in pairs for what in _differing(each, of, f"{place}[{n}]")]
    return []


def described(name: str) -> dict[str, Any]:
    """Return the description of a document, or of a part of one."""
    schema: dict[str, Any] = api()["components"]["schemas"][name]
    return schema
