"""What the rules refuse, in German: by the templates of their errors, and by words in those."""

from collections.abc import Mapping
from typing import Final

GERMAN_ENDINGS: Mapping[str, str] = {
    "princess taken": "die Prinzessin ist geschlagen",
    "chief taken by chief": "der Anführer hat den Anführer geschlagen",
    "chief taken by another piece": "ein Anführer ist von einer anderen Figur geschlagen",
    "juggernaut": "der Juggernaut hat Anführer oder Prinzessin getroffen",
    "checkmate": "matt",
    "no move": "kein Zug ist möglich",
    "few pieces": "wenige, gleich starke Figuren",
    "captureless": "zu lange nichts geschlagen",
    "repetition": "dreimal dieselbe Stellung",
    "resigned": "aufgegeben",
    "agreed": "vereinbart",
    "time forfeit": "die Zeit ist abgelaufen",
}

RULES_IN_GERMAN: Final[Mapping[str, str]] = {
    **GERMAN_ENDINGS,
    "{name}: no such square (a1 to j10){near}": "{name}: kein solches Feld (a1 bis j10){near}",
    (
        "position {text!r}: has {count} words, must have 6: placement, side to move, escapes, "
        "few-pieces counter, plies since the last capture, move number"
    ): (
        "Stellung {text!r}: hat {count} Wörter, braucht 6: Aufstellung, Seite am Zug, Fluchten, "
        "Zähler der wenigen Figuren, Züge seit dem letzten Schlagen, Nummer des Zugpaars"
    ),
    "side to move {text!r}: must be b or o": "Seite am Zug {text!r}: muss b oder o sein",
    "escapes {text!r}: must be BO, B, O or -": "Fluchten {text!r}: BO, B, O oder - schreiben",
    "placement {text!r}: has {count} ranks, must have 10": (
        "Aufstellung {text!r}: hat {count} Reihen, braucht 10"
    ),
    "rank {number} {rank!r}: {letter!r} is no piece ({letters})": (
        "Reihe {number} {rank!r}: {letter!r} ist keine Figur ({letters})"
    ),
    "rank {number} {rank!r}: has {count} squares, must have 10": (
        "Reihe {number} {rank!r}: hat {count} Felder, braucht 10"
    ),
    "placement {text!r}: more than one {letter}": "Aufstellung {text!r}: mehr als ein {letter}",
    "{what} {text!r}: must be a number {least}..{most}": (
        "{what} {text!r}: muss eine Zahl {least}..{most} sein"
    ),
    "few-pieces counter": "Zähler der wenigen Figuren",
    "plies since the last capture": "Züge seit dem letzten Schlagen",
    "move number": "Nummer des Zugpaars",
    "{text}: {why}": "{text}: {why}",
    "no move text; write one like Pb2-b3, Fd1xg4, Qf1~e5 or b2b3": (
        "kein Zug; schreiben wie Pb2-b3, Fd1xg4, Qf1~e5 oder b2b3"
    ),
    "on {square} stands a {name} ({letter})": "auf {square} steht: {name} ({letter})",
    "{start} to {end} is written {told}": "{start} nach {end} schreibt man {told}",
    "not a legal move here. {why}": "hier kein erlaubter Zug. {why}",
    "die {text!r}: write 7, 10,3,7 or 7 hand": ("Würfel {text!r}: 7, 10,3,7 oder 7 hand schreiben"),
    "die {text!r}: one number, such as 3": "Würfel {text!r}: eine Zahl nennen, etwa 3",
    "duel {text!r}: write 7,4 or 7,4 hand, won or lost": (
        "Kampf {text!r}: 7,4 oder 7,4 hand, won oder lost schreiben"
    ),
    "duel {told}: the dice have begun to decide, throw them again": (
        "Kampf {told}: die Würfel haben begonnen zu entscheiden, noch einmal werfen"
    ),
    "duel {attack},{defence}: each throw must be 1..10": (
        "Kampf {attack},{defence}: jeder Wurf muss 1..10 sein"
    ),
    "duel {attack},{defence} decides: no throw may follow it": (
        "Kampf {attack},{defence} entscheidet: danach gilt kein Wurf"
    ),
    "the duel's throws are equal: one more must decide": (
        "die Würfe des Kampfs sind gleich: ein weiterer muss entscheiden"
    ),
    "nobody fights over this move": "um diesen Zug kämpft niemand",
    "nobody fights for {at} here": "um {at} kämpft hier niemand",
    "line {line}: {why}": "Zeile {line}: {why}",
    "line {line}, ply {ply} ({move}): {why}": "Zeile {line}, Zug {ply} ({move}): {why}",
    "holds {count} games, must hold one": "enthält {count} Partien, muss eine enthalten",
    "{text!r} is out of place": "{text!r} gehört nicht hierher",
    "')' closes no variation": "')' schließt keine Variante",
    "a variation is not closed": "eine Variante ist nicht geschlossen",
    "{text!r} stands after the result {result}": "{text!r} steht nach dem Ergebnis {result}",
    "ends with {result}, but its Result tag says {tag}": (
        "endet mit {result}, aber im Kopf steht als Result {tag}"
    ),
    "the result is told as {result}, but the game ended: {ended} ({why})": (
        "als Ergebnis ist {result} genannt, aber die Partie endete: {ended} ({why})"
    ),
    "Result {text!r}: must be black, orange, draw or *": (
        "Result {text!r}: black, orange, draw oder * schreiben"
    ),
    "the Juggernaut's die was not thrown after the ply before": (
        "nach dem Zug davor ist nicht für den Juggernaut gewürfelt worden"
    ),
    "the Juggernaut's die is still to be thrown": "erst ist für den Juggernaut zu würfeln",
    "the Juggernaut's die is thrown once after every ply": (
        "für den Juggernaut wird einmal nach jedem Zug gewürfelt"
    ),
    "die {face}: must be 1..10": "Würfel {face}: muss 1..10 sein",
    "die {face}: only a teleport (10) has a file and a rank": (
        "Würfel {face}: nur ein Sprung (10) hat Linie und Reihe"
    ),
    "teleport {word} {number}: must be 1..10": "Sprung, {word} {number}: muss 1..10 sein",
    "file": "Linie",
    "rank": "Reihe",
    "no Juggernaut stands on the board": "es steht kein Juggernaut auf dem Brett",
    "the Juggernaut may not begin on {square}": "auf {square} darf der Juggernaut nicht beginnen",
    "{told} is fought for: tell who won": "um {told} wird gekämpft: sagen, wer gewonnen hat",
    "{told} is no fight": "um {told} wird nicht gekämpft",
    "{way} is no legal {kind} here": "{way} ist hier als {kind} nicht erlaubt",
    "move": "Zug",
    "capture": "Schlagzug",
    "escape": "Flucht",
    "no ply to take back": "kein Zug zurückzunehmen",
    "the game is over: {why}": "die Partie ist zu Ende: {why}",
    "ply {number} stands: nothing is taken back in this game": (
        "Zug {number} steht: in dieser Partie wird nichts zurückgenommen"
    ),
    "{move}: another piece was touched": "{move}: eine andere Figur war berührt",
    "the game is not over: it cannot be written into the ledger": (
        "die Partie ist nicht zu Ende: sie kann nicht abgerechnet werden"
    ),
    "player {number}: must be 0 or 1": "Spieler {number}: muss 0 oder 1 sein",
    "price {text!r}: write 2, C=30,Q=5 or 2,C=30": (
        "Preis {text!r}: 2, C=30,Q=5 oder 2,C=30 schreiben"
    ),
    "price {text!r}: write a kind's letter and tokens, as C=30 ({letters})": (
        "Preis {text!r}: Buchstabe der Figur und Einsatz schreiben, wie C=30 ({letters})"
    ),
    "{what} {tokens}: must be 0..{most} tokens": "{what} {tokens}: muss 0..{most} sein",
    "stake": "Einsatz",
    "{told} contradict each other: {why}": "{told} widersprechen einander: {why}",
    "who is mated cannot move and loses, so a side without a move cannot draw": (
        "wer matt ist, kann nicht ziehen und verliert, also kein Remis, wenn kein Zug möglich ist"
    ),
    "a Chief who loses a duel is taken by another piece": (
        "ein Anführer, der einen Kampf verliert, wird von einer anderen Figur geschlagen"
    ),
    "the Princess never fights, so she cannot take": (
        "die Prinzessin kämpft nie, also kann sie nicht schlagen"
    ),
    "{name}: no such option{near}": "{name}: keine solche Option{near}",
    "{name}: no such preset{near}": "{name}: keine solche Lesart{near}",
    "{name} = {value}: must be {choices}{near}": "{name} = {value}: möglich: {choices}{near}",
    "{name} is told twice in rules {text!r}": "{name} steht zweimal in den Regeln {text!r}",
    "{text!r}: rules begin with a preset, as in appendix,thoat=jumps": (
        "{text!r}: Regeln beginnen mit einer Lesart, wie in appendix,thoat=jumps"
    ),
    "{part!r} in rules {text!r}: write OPTION=VALUE": (
        "{part!r} in den Regeln {text!r}: OPTION=WERT schreiben"
    ),
    "rules file: {why}": "Regeldatei: {why}",
    'rules file: base must be the name of a preset, as in base = "appendix"': (
        'Regeldatei: base muss eine Lesart nennen, wie in base = "appendix"'
    ),
    'rules file: {name} must be a word in quotes or a number, as in "off"': (
        'Regeldatei: {name} muss ein Wort in Anführungszeichen oder eine Zahl sein, wie "off"'
    ),
}
"""German templates by the English ones; the values are the same."""
