"""What the table says of its camera, in English and German."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from rules.words import Language


class CameraSay(Enum):
    """What there is to say; the value is a sentence with places for facts."""

    STARTING = "the camera is starting"
    NOT_FOUND = (
        "the camera does not find the board: drag its corners on the page, or lay markers beside it"
    )
    NOT_SET_UP = (
        "the camera waits for the pieces to stand as shown, without hands over them: it learns "
        "their looks from that; look on the page whether it has found the board"
    )
    COVERED = "something is in the camera's way"
    LOST = "the board is out of the camera's sight"
    UNLIKE = "the camera sees another position, or another board"
    GONE = "no picture from the camera: {why}"
    STOPPED = "the camera's reader has stopped: start the table again"
    SEES = "the camera sees the board, found by its {how}; {looks} pictures looked at"
    ALONE = "the camera plays on without the switches. {why}"
    CAMERA_RIGHT = "camera and switches disagree about {squares}: the camera is believed"
    SWITCH_RIGHT = "camera and switches disagree about {squares}: the switches are believed"
    MANY_WRONG = (
        "camera and switches disagree about {count} squares: the camera is believed; look at the "
        "switches' wires"
    )


GERMAN: Mapping[CameraSay, str] = {
    CameraSay.STARTING: "die Kamera läuft an",
    CameraSay.NOT_FOUND: (
        "die Kamera findet das Brett nicht: seine Ecken auf der Seite ziehen oder Marken daneben "
        "legen"
    ),
    CameraSay.NOT_SET_UP: (
        "die Kamera wartet, bis die Figuren wie gezeigt stehen und keine Hand darüber ist: daran "
        "lernt sie ihr Aussehen; auf der Seite nachsehen, ob sie das Brett gefunden hat"
    ),
    CameraSay.COVERED: "der Kamera ist etwas im Weg",
    CameraSay.LOST: "die Kamera sieht das Brett nicht mehr",
    CameraSay.UNLIKE: "die Kamera sieht eine andere Stellung oder ein anderes Brett",
    CameraSay.GONE: "kein Bild von der Kamera: {why}",
    CameraSay.STOPPED: "die Kamera wird nicht mehr gelesen: den Tisch neu starten",
    CameraSay.SEES: "die Kamera sieht das Brett; {looks} Bilder angesehen",
    CameraSay.ALONE: "die Kamera spielt ohne die Schalter weiter. {why}",
    CameraSay.CAMERA_RIGHT: "Kamera und Schalter sind uneins über {squares}: die Kamera gilt",
    CameraSay.SWITCH_RIGHT: "Kamera und Schalter sind uneins über {squares}: der Schalter gilt",
    CameraSay.MANY_WRONG: (
        "Kamera und Schalter sind uneins über {count} Felder: die Kamera gilt; die "
        "Leitungen der Schalter ansehen"
    ),
}


def in_words(what: CameraSay, language: Language, **facts: object) -> str:
    """Return a sentence about the camera."""
    template = what.value if language == "en" else GERMAN[what]
    return str(template.format(**facts))
