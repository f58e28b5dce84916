"""What the page itself says, in English and German; `Speaker` says what the table does."""

from __future__ import annotations

from collections.abc import Mapping

from rules import Kind
from rules.options import OPTIONS
from rules.words import CATALOGUES, Language

from ..words.catalogue import Say
from ..words.words import WORDS

# key: English | German
_PAGE = """
title: Jetan | Jetan
subtitle: the chess of Barsoom | das Schach von Barsoom
board: Board | Brett
black: Black | Schwarz
orange: Orange | Orange
to-move: to move | am Zug
empty: empty | leer
live: live | verbunden
away: no connection to the table, trying again … | keine Verbindung zum Tisch, neuer Versuch …
menu: Menu | Menü
close: Close | Schließen
cancel: Cancel | Abbrechen
ok: OK | OK
copy: Copy | Kopieren
copied: copied | kopiert
hand: In the hand | In der Hand
box: Box | Schachtel
box-hint: Put pieces here that leave the board | Hierhin kommt, was das Brett verlässt
nothing: nothing | nichts
camera: Camera | Kamera
camera-why: Do the outlines lie on the squares? | Liegen die Umrisse auf den Feldern?
camera-how: If not, drag the four handles to the corners. | Sonst die Griffe auf die Ecken ziehen.
camera-keys: Arrow keys move them too. | Auch die Pfeiltasten bewegen sie.
camera-corner: Corner at {square} | Ecke bei {square}
camera-place: The corners are right | Die Ecken stimmen
moves: Moves | Züge
no-moves: No move has been made yet. | Noch wurde kein Zug gespielt.
first: To the start | Zum Anfang
previous: One move back | Einen Zug zurück
next: One move on | Einen Zug vor
last: Back to the table | Zurück zum Tisch
run: Play it through | Abspielen
pause: Stop | Anhalten
past: After move {number}; the table plays on. | Nach Zug {number}; der Tisch spielt weiter.
replay: Game {name}, after move {number} of {plies}. | Partie {name}, nach Zug {number} von {plies}.
from-here: Play on from here | Von hier weiterspielen
say-corner: {corner} is {square} | {corner} ist {square}
say-answer: It was {square} | Es war {square}
right: The board is right | Das Brett stimmt
right-why: Then a switch is not, and the table plays on without it. | \
Dann stimmt ein Schalter nicht, und der Tisch spielt ohne ihn weiter.
opponent: Opponent | Gegner
opponent-why: The table plays a side: it says what it wishes, and you move its pieces for it. | \
Der Tisch selbst spielt eine Seite: er sagt, was er möchte, und du ziehst seine Figuren für ihn.
opponent-is: {side}: the table ({level}) | {side}: der Tisch ({level})
table-both: The table plays both sides ({level}) | Der Tisch spielt beide Seiten ({level})
opponent-screen: The table plays a side, from now on. | Der Tisch spielt von jetzt an eine Seite.
against-whom: Against whom? | Gegen wen?
my-side: Which side is mine? | Welche Seite ist meine?
i-play: I play {side} | Ich spiele {side}
i-watch: None: I watch | Keine: ich schaue zu
strength-panthan: a beginner | ein Anfänger
strength-padwar: easy | leicht
strength-dwar: good | gut
strength-odwar: strong | stark
strength-jed: very strong | sehr stark
strength-jeddak: as strong as it can | so stark er kann
more: More: rules, clock, stakes | Mehr: Regeln, Uhr, Einsatz
recommended: recommended | empfohlen
start: Start page | Startseite
start-title: What would you like? | Was darf es sein?
start-what: Jetan is the chess of Mars: a hundred squares, and a Princess to be taken. | \
Jetan ist das Schach des Mars: hundert Felder, und eine Prinzessin, die zu schlagen ist.
start-learn: Learn | Lernen
start-learn-why: the pieces, in three minutes | die Figuren, in drei Minuten
start-against: Play the table | Gegen den Tisch
start-against-why: it plays Orange, as a beginner | er spielt Orange, als Anfänger
start-two: Two players | Zu zweit
start-two-why: both at this screen | beide an diesem Bildschirm
start-watch: Watch | Zuschauen
start-watch-why: the table plays both sides | der Tisch spielt beide Seiten
start-on: Go on with the game | Die Partie fortsetzen
start-board: Just the board | Nur das Brett
start-more: Choose everything … | Alles selbst wählen …
simulate: Simulate a real table | Einen echten Tisch simulieren
simulate-why: Pieces are lifted and put by hand, taken ones go into a box, switches can fail. | \
Figuren werden von Hand gehoben und gesetzt, geschlagene kommen in die Schachtel, Schalter können \
ausfallen.
rematch: Play again | Noch einmal
review: Look through it | Durchsehen
threats-note: Red corners: there the Princess of the side to move could be taken. | \
Rote Ecken: dort könnte die Prinzessin der Seite am Zug geschlagen werden.
hint-note: The star marks the hint. | Der Stern zeigt den Tipp.
ply-count-one: 1 move | 1 Zug
short-tries: Games left at once: {count} | Gleich verlassene Partien: {count}
reading-appendix: The book’s Appendix, to the letter | Der Anhang des Buchs, genau genommen
reading-chapter-two: The book’s second chapter | Das zweite Kapitel des Buchs
reading-abstract-games: Abstract Games magazine’s standard | \
Der Vorschlag der Zeitschrift Abstract Games
reading-cazaux: As the German Wikipedia has it (Cazaux) | Wie die deutsche Wikipedia (Cazaux)
reading-after-ekman-jumping: Ekman: the Thoat jumps | Ekman: der Thoat springt
reading-after-ekman-jumping-manator: Ekman: the Thoat jumps, Manator’s set-up | \
Ekman: der Thoat springt, Aufstellung von Manator
reading-after-ekman-walking: Ekman: the Thoat walks | Ekman: der Thoat geht
reading-after-ekman-walking-manator: Ekman: the Thoat walks, Manator’s set-up | \
Ekman: der Thoat geht, Aufstellung von Manator
reading-wikipedia-exact: English Wikipedia, all steps taken | Englische Wikipedia, alle Schritte
reading-wikipedia-free: English Wikipedia, fewer steps allowed | \
Englische Wikipedia, weniger Schritte erlaubt
reading-retired-chief: The retired Chief: fewer draws | Der Anführer im Ruhestand: seltener remis
reading-friedlander: Ed Friedlander’s program | Ed Friedlanders Programm
reading-zillions: The Zillions of Games program | Das Programm Zillions of Games
reading-manator: The city of Manator | Die Stadt Manator
reading-manator-arena: The arena of Manator: pieces fight | Die Arena von Manator: Figuren kämpfen
reading-ninth-ray-clockwise: Ninth-Ray, the round board, clockwise | \
Neunter Strahl, das runde Brett, im Uhrzeigersinn
reading-ninth-ray-counterclockwise: Ninth-Ray, the round board, counterclockwise | \
Neunter Strahl, das runde Brett, gegen den Uhrzeigersinn
reading-differs: with changes | mit Änderungen
how-screen: Tap a piece, then where it goes; or drag it. A right click says why it may go there, \
or not. \
The arrows and Enter do the same. | \
Eine Figur antippen, dann ihr Ziel; oder sie ziehen. Ein Rechtsklick sagt, warum sie dorthin darf \
oder nicht. Pfeile und Enter tun dasselbe.
nobody: nobody: two players | niemanden: zu zweit
ponders: It thinks on my time, too | Er denkt auch während meiner Zeit
thinks: What it thinks | Was er denkt
chances: Black may expect {black} % of the points, Orange {orange} % | \
Schwarz darf {black} % der Punkte erwarten, Orange {orange} %
depth: {depth} moves ahead | {depth} Züge voraus
wins-in: It sees its win in {plies} moves | Er sieht seinen Sieg in {plies} Zügen
loses-in: It sees its loss in {plies} moves | Er sieht seine Niederlage in {plies} Zügen
bar: Show who is better, as the opponent thinks | Zeigen, wer nach Meinung des Gegners besser steht
line: Show the line the opponent expects | Zeigen, welche Züge der Gegner erwartet
oblige: Play it for the opponent | Für den Gegner ziehen
tidy: Set the pieces up for me | Stelle die Figuren für mich auf
play: Game | Partie
back: Take back | Zurücknehmen
draw: Offer a draw | Remis anbieten
draw-sure: {side} offers a draw? | {side} bietet Remis an?
accept: Accept the draw | Remis annehmen
decline: Decline it | Ablehnen
resign: Resign | Aufgeben
resign-sure: {side} gives up? | {side} gibt auf?
new: New game | Neue Partie
save: Save | Sichern
games: Games | Partien
position: Position | Stellung
view: View | Ansicht
flip: Turn the board | Brett drehen
why: Why? | Warum?
why-from: Why may a piece go there, or not? Choose its square. | \
Warum darf eine Figur dorthin, oder nicht? Ihr Feld wählen.
why-to: And where to from {square}? | Und wohin von {square}?
hint: Hint | Tipp
threats: Danger to the Princess | Gefahr für die Prinzessin
settings: Settings | Einstellungen
help: Help | Hilfe
sim: The simulated table | Der simulierte Tisch
sim-why: Spoil a switch or knock a piece over, and see what the table does about it. | \
Einen Schalter verderben oder eine Figur umwerfen und sehen, was der Tisch daraus macht.
tilt: Knock over | Umwerfen
stuck: Stick | Klemmen
dead: Kill | Töten
weak: Weaken | Schwächen
mend: Mend | Heilen
choose-square: {what}: choose a square (Escape: none). | {what}: ein Feld wählen (Escape: keines).
typed: Type a move or a word | Einen Zug oder ein Wort tippen
typed-hint: d2 d3, or ? for all words | d2 d3, oder ? für alle Wörter
do: Do it | Los
few: Few pieces: {count} of 10 moves | Wenige Figuren: {count} von 10 Zügen
quiet: Without a capture: {count} moves | Ohne Schlagen: {count} Züge
quiet-of: Without a capture: {count} of {most} moves | Ohne Schlagen: {count} von {most} Zügen
escape: {side}: The Princess can still escape | {side}: Die Prinzessin kann noch fliehen
die: The table’s die | Der Würfel des Tisches
roll: Roll | Würfeln
shown: My own die shows | Mein eigener Würfel zeigt
shown-hint: 3, or 10,3,7 | 3, oder 10,3,7
enter-roll: Enter it | Eintragen
add-number: Add a number to its seed | Eine Zahl zu seinem Geheimnis geben
add: Add | Dazugeben
sealed: Sealed before the first roll, SHA-256: {commit} | \
Versiegelt vor dem ersten Wurf, SHA-256: {commit}
added: Added: {numbers} | Dazu: {numbers}
seed: Its seed was {seed} | Das Geheimnis war {seed}
rolled: {roll} after move {number} | {roll} nach Zug {number}
not-rolled: not rolled yet | noch nicht gewürfelt
fight: The fight for {square} | Der Kampf um {square}
throw-both: Throw for both | Für beide würfeln
side-won: {piece} has won | {piece} hat gewonnen
our-dice: Our own dice show ({attacker} first) | Unsere eigenen Würfel zeigen ({attacker} zuerst)
our-dice-hint: 7,4 | 7,4
pin: The table’s PIN | Die PIN des Tisches
pin-why: Anyone here may watch. Who changes something tells the PIN the table has printed. | \
Zuschauen darf hier jeder. Wer etwas ändert, nennt die PIN, die der Tisch anzeigt.
enter: Enter | Eintreten
rules: Rules | Regeln
reading: Reading | Lesart
juggernaut-too: with the Juggernaut | mit dem Juggernaut
options: All options | Alle Optionen
as-reading: as the reading has it | wie die Lesart
square-such-as: a square such as e5 | ein Feld wie e5
player: {side} is played by | {side} spielt
from-position: From a position text (else the start) | Ab einer Stellung (sonst der Anfang)
begin: Begin | Beginnen
clock: Clock | Uhr
clock-why: 10: ten minutes each. 10+5: five seconds more after each move. 10d5: the first five are \
free. 10b5: up to five come back. hourglass 3. Buttons behind it: you press. | \
10: zehn Minuten für jeden. 10+5: fünf Sekunden mehr nach jedem Zug. 10d5: die ersten fünf sind \
frei. 10b5: bis zu fünf kommen zurück. hourglass 3: Sanduhr. Dahinter buttons: ihr drückt.
clock-pause: Pause | Pause
clock-resume: Go on | Weiter
clock-press: Press the clock | Uhr drücken
clock-low: little time left | wenig Zeit
clock-short: low | knapp
conduct: Conduct | Umgang
conduct-why: Strict: what is touched is moved. Tournament: no help either, and the arbiter \
corrects. | \
Streng: berührt, geführt. Turnier: auch keine Hilfe, und der Schiedsrichter berichtigt.
friendly: friendly | freundlich
strict: strict | streng
tournament: tournament | Turnier
adjust: Adjust | Zurechtrücken
adjusting: The pieces you lift now are only put right. | \
Was jetzt angehoben wird, wird nur zurechtgerückt.
release: Let it go | Freigeben
release-why: It was touched by accident, and need not be moved. | \
Es wurde versehentlich berührt und muss nicht gezogen werden.
arbiter: The arbiter | Der Schiedsrichter
arbiter-why: In a tournament game only the arbiter does this. | \
In einer Turnierpartie darf das nur der Schiedsrichter.
arbiter-pin: The arbiter’s PIN | Die PIN des Schiedsrichters
leaves: The game in play is left; it stays among the games. | \
Die laufende Partie wird verlassen; sie bleibt bei den Partien.
stakes: Series and stakes | Serie und Einsatz
series: Series | Serie
series-why: Of the same two players; sides change after each game, the wager goes on. | \
Derselben zwei Spieler; die Seiten wechseln nach jeder Partie, der Einsatz bleibt.
stake: Main stake | Haupteinsatz
price: Heads cost their value, times | Köpfe kosten ihren Wert, mal
as-before: as before, or none | wie zuvor, oder nichts
for-bias: The next bias is a prize, too | Der nächste Drehsinn ist auch ein Preis
first-is: Who begins | Wer beginnt
bias-is: Over the centre of the disk | Über die Mitte der Scheibe
as-custom: as is custom | wie üblich
by-roll: rolled by the die | gewürfelt
by-winner: the last winner says | der letzte Gewinner sagt es
begins: {side} begins | {side} beginnt
clockwise: ↻ clockwise | ↻ im Uhrzeigersinn
counterclockwise: ↺ counterclockwise | ↺ gegen den Uhrzeigersinn
settling: Before the first move | Vor dem ersten Zug
ledger: The account | Die Rechnung
stake-is: Stake: {stake} | Einsatz: {stake}
heads-lost: Heads lost | Verlorene Köpfe
gain: Gain | Gewinn
won-games: Won | Gewonnen
balance: Balance | Stand
series-is: Series {name}, decided games: {count} | Serie {name}, beendete Partien: {count}
as-csv: As a table (CSV) | Als Tabelle (CSV)
name: Name | Name
saved-as: Saved as {name}. | Gesichert als {name}.
saved: Saved games | Gesicherte Partien
kept: All games | Alle Partien
none-saved: None has been saved yet. | Noch keine gesichert.
look: Look at it | Ansehen
load: Play on | Weiterspielen
file: Load a game file (.jgn) | Eine Partiedatei laden (.jgn)
game-text: Game text | Partietext
position-text: Position text | Stellungstext
download: Download | Herunterladen
correct: Play on from this position | Ab dieser Stellung weiterspielen
standing: Begin from what stands there | Von dem aus, was dasteht
standing-why: Choose a piece, then every square where one stands: the table sees where pieces are, \
not which. | \
Eine Figur wählen, dann jedes Feld, wo eine steht: der Tisch sieht, wo Figuren stehen, nicht welche.
moves-first: To move | Am Zug
correct-why: Whatever the table has read: this is what stands. | \
Was immer der Tisch gelesen hat: dies ist die Stellung.
language: Language | Sprache
theme: Look | Aussehen
auto: as the device has it | wie das Gerät
light: light | hell
dark: dark | dunkel
palette: Lamps’ colours | Farben der Lampen
standard: standard | Standard
red-green: for red-green blindness | bei Rot-Grün-Schwäche
mono: one colour, rhythm alone | eine Farbe, nur Rhythmus
brightness: Lamps’ brightness | Helligkeit der Lampen
sounds: Sounds | Töne
speech: Speak the moves | Züge ansprechen
ply: Move {number} | Zug {number}
won: {side} won | {side} gewann
drawn: draw | remis
unfinished: unfinished | unbeendet
plies: {count} moves | {count} Züge
juggernaut: Juggernaut | Juggernaut
something: unknown piece | unbekannte Figur
cue-gesture: a gesture’s light | Licht einer Geste
cue-wrong: does not belong here | gehört nicht hierher
cue-belongs: a piece belongs here | hierher gehört eine Figur
cue-question: was it here? | war es hier?
cue-advice: the hint | der Tipp
cue-dice: dice are to be thrown for it | dafür wird gewürfelt
cue-capture: may be taken | kann geschlagen werden
cue-wanted: to be lifted | anzuheben
cue-legal: may go here | darf hierher
cue-lifted: lifted from here | von hier angehoben
cue-last-move: last move | letzter Zug
cue-fault: switch failed | Schalter ausgefallen
threatened: threatened | bedroht
legend: What the marks mean | Was die Zeichen bedeuten
gestures: Gestures at the board | Gesten am Brett
keys: Keys | Tasten
key-arrows: on the board: from square to square | auf dem Brett: von Feld zu Feld
key-enter: lift or put down | anheben oder absetzen
key-escape: put back where it came from | zurückstellen
key-delete: into the box | in die Schachtel
key-plies: move back and on, start and table (off the board) | \
Zug zurück und vor, Anfang und Tisch (neben dem Brett)
key-letters: take back, save, load, new game, turn, hint, why, danger | \
zurücknehmen, sichern, laden, neu, drehen, Tipp, warum, Gefahr
how: Lift a piece with mouse, finger or Enter, and put it down wherever you like: the table sees \
only its switches, as on a real board, and reads the move from them. | \
Eine Figur mit Maus, Finger oder Enter anheben und irgendwo absetzen: der Tisch sieht nur seine \
Schalter, wie auf einem echten Brett, und liest den Zug daraus.
how-real: The pieces are on the table; this page shows what it sees and asks. | \
Die Figuren stehen auf dem Tisch; diese Seite zeigt, was er sieht und fragt.
"""

_GERMAN_OPTIONS: Mapping[str, str] = {
    "board": "das flache Brett, oder die Scheibe und wie ihre Mitte überquert wird",
    "set-up": "wie die hinteren Reihen stehen",
    "stride": "Schritte, {kind}: alle, oder einer bis alle",
    "thoat": "ein gerader und ein schräger Schritt: versperrbar, springend, gerader zuerst",
    "warrior": "zwei gerade Schritte; oder auch zwei schräge, mit Wendung oder in einer Linie; "
    "oder jeder Schritt beliebig",
    "panthan": "nicht zurück; oder auch schräg zurück",
    "chief": "wie Anführer und Prinzessin ihre drei Schritte mischen",
    "flier": "ob Figuren dazwischen den Flieger aufhalten",
    "flier-name": "wie der Flieger heißt",
    "princess-takes": "ob die Prinzessin schlagen darf",
    "princess-ends": "ob ihr ein bedrohtes Feld verschlossen ist",
    "princess-passes": "ob sie ein bedrohtes Feld überqueren darf",
    "escape": "ihre eine Flucht: auf unbedrohte leere Felder, auf alle leeren, nur wenn sie "
    "bedroht steht, oder nie",
    "chief-taken-by-other": "was gilt, wenn eine andere Figur den Anführer schlägt",
    "few-equal": "wann drei Figuren oder weniger die Zählung bis zehn beginnen",
    "no-move": "eine Seite, die nicht ziehen kann",
    "repetition": "dieselbe Stellung zum dritten Mal ist remis",
    "captureless": "remis nach so vielen Zügen jeder Seite ohne Schlagen",
    "ending": "ob die Prinzessin geschlagen oder mattgesetzt wird",
    "duel": "ob eine betretene Figur um ihr Feld kämpft",
    "juggernaut": "die neutrale Figur des Würfels, und wo sie beginnt",
    "juggernaut-edge": "ein Wurf, der vom Brett führt",
    "value": "was zählt: {kind}",
}


def _page(language: Language) -> dict[str, str]:
    words_of = {}
    for line in _PAGE.strip().splitlines():
        key, _, both = line.partition(": ")
        english, _, german = both.partition(" | ")
        words_of[key] = german.strip() if language == "de" else english.strip()
    return words_of


def _kinds(language: Language) -> dict[str, str]:
    kinds = CATALOGUES[language].kinds
    return {f"kind-{kind.value}": kinds[kind] for kind in Kind}


def _plies(language: Language) -> dict[str, str]:
    """Return how a ply is told to ears and whose turn it is, in the table's own words."""
    signs = {"-": Say.PLY_GOES, "x": Say.PLY_TAKES, "~": Say.PLY_FLEES}
    plies = {f"ply-{sign}": WORDS[language][what] for sign, what in signs.items()}
    return {**plies, "turn": WORDS[language][Say.TO_MOVE]}


def _options(language: Language) -> dict[str, str]:
    words_of = {}
    for name, option in OPTIONS.items():
        family, _, member = name.partition(".")
        if language == "en":
            words_of[f"option-{name}"] = option.meaning
        else:
            kind = CATALOGUES["de"].kinds[Kind[member.upper()]] if member else ""
            words_of[f"option-{name}"] = _GERMAN_OPTIONS[family].format(kind=kind)
    return words_of


def _all(language: Language) -> Mapping[str, str]:
    return {
        **_page(language),
        **_kinds(language),
        **_plies(language),
        **_options(language),
    }


PAGE_WORDS: Mapping[Language, Mapping[str, str]] = {"en": _all("en"), "de": _all("de")}
"""Every text of the page by its key; `{names}` are filled in there."""
