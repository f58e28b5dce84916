"""What is said is documented, for boards that others build."""

import msgspec
import pytest

from docs.hall_schemas import FILE, text
from jetan_table.extras.hall.errors import BadWord
from jetan_table.extras.hall.payloads import PAYLOADS, Payload, decode, schemas
from tests.tidy.tree import ROOT


def test_the_documented_schemas_are_those_of_the_program() -> None:
    assert FILE.read_text(encoding="utf-8") == text(), "python -m docs.hall_schemas"


@pytest.mark.parametrize("kind", PAYLOADS)
def test_every_payload_has_its_topic_in_the_page_and_refuses_what_it_does_not_know(
    kind: type[Payload],
) -> None:
    page = (ROOT / "docs" / "hall.md").read_text(encoding="utf-8")
    assert f"`{kind.topic}`" in page
    assert kind.topic in schemas()
    for name in kind.__struct_fields__:
        assert name == "v" or f"`{name}`" in page, f"docs/hall.md says nothing of {name}"
    with pytest.raises(BadWord):
        decode(msgspec.json.encode({"v": 1, "nothing": 0}), kind)
