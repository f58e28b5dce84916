"""What a table tells Home Assistant: one retained message of what it has, one of how that is."""

from typing import Any

import msgspec

from rules.explain import SIDES
from rules.sentences import _
from rules.text import format_roll

from ...languages import Language, translation
from ...session.guests import Certain
from .payloads import HOME, ONLINE, Health, discovery_topic, table_topic


class Bridge:
    """Words for Home Assistant, in one language."""

    def __init__(self, table: str, version: str, language: Language) -> None:
        self._table, self._version, self._say = table, version, translation(language)

    def discovery(self) -> tuple[str, bytes]:
        """Return the topic and the message by which Home Assistant learns of the table."""
        own = f"jetan-{self._table}"
        state = table_topic(self._table, HOME)
        entities: dict[str, dict[str, Any]] = {
            "online": {
                "p": "binary_sensor",
                "name": str(self._say(_("online"))),
                "device_class": "connectivity",
                "state_topic": table_topic(self._table, ONLINE),
                "payload_on": "1",
                "payload_off": "0",
            }
        }
        names = {
            "side": _("to move"),
            "move": _("move"),
            "question": _("question"),
            "die": _("die"),
            "brightness": _("brightness of the lamps"),
        }
        for what, name in names.items():
            entities[what] = {
                "p": "sensor",
                "name": str(self._say(name)),
                "state_topic": state,
                "value_template": f"{{{{ value_json.{what} }}}}",
            }
        entities["brightness"]["unit_of_measurement"] = "%"
        for what, entity in entities.items():
            entity["unique_id"] = f"{own}-{what}"
        message = {
            "dev": {"ids": [own], "name": f"Jetan {self._table}", "sw": self._version},
            "o": {"name": "Jetan Table", "sw": self._version},
            "cmps": entities,
            "qos": 1,
        }
        return discovery_topic(self._table), msgspec.json.encode(message)

    def state(self, certain: Certain, health: Health) -> tuple[str, bytes]:
        """Return the topic and the message of how the table's entities are now."""
        position = certain.record.position
        question = certain.view.question
        rolls = certain.view.record.rolls
        state = {
            "side": str(self._say(SIDES[position.side.word])),
            "move": position.move_number,
            "question": "" if question is None else ", ".join(question.candidates),
            "die": "" if not rolls else format_roll(rolls[-1]),
            "brightness": round(health.brightness * 100),
        }
        return table_topic(self._table, HOME), msgspec.json.encode(state)
