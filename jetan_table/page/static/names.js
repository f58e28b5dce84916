// What sides, pieces, readings, strengths, marks and lamps' colours are called.

import { _ } from "./sentences.js";

export const SIDES = { black: _("Black"), orange: _("Orange") };

export const KINDS = {
  P: _("Panthan"), T: _("Thoat"), W: _("Warrior"), A: _("Padwar"),
  D: _("Dwar"), F: _("Flier"), C: _("Chief"), Q: _("Princess"),
};

/** How strong the table plays, from a child's strength to all it has. */
export const STRENGTHS = {
  panthan: _("a beginner"), than: _("very easy"), padwar: _("easy"), dwar: _("fair"),
  odwar: _("good"), jedwar: _("strong"), jed: _("very strong"), jeddak: _("full strength"),
};

/** Each published reading of the rules: its name, and what it means in a sentence. */
export const READINGS = {
  appendix: [_("The book’s Appendix, to the letter"), _("As the book tells it: a Chief taken by anything but a Chief is a draw.")],
  "chapter-two": [_("The book’s second chapter"), _("Chief and Princess go in a line, and she may take.")],
  "abstract-games": [_("Abstract Games magazine’s standard"), _("The Thoat leaps; fifty moves without a capture are a draw.")],
  cazaux: [_("German Wikipedia (Cazaux)"), _("The Thoat leaps, and a taken Chief is only a piece lost.")],
  "after-ekman-jumping": [_("Ekman: the Thoat jumps"), _("Like the Appendix, but the Thoat leaps.")],
  "after-ekman-jumping-manator": [_("Ekman: the Thoat jumps, Manator’s set-up"), _("The Thoat leaps, and Chief faces Chief.")],
  "after-ekman-walking": [_("Ekman: the Thoat walks"), _("The Thoat walks: first straight, then diagonal.")],
  "after-ekman-walking-manator": [_("Ekman: the Thoat walks, Manator’s set-up"), _("The Thoat walks, and Chief faces Chief.")],
  "wikipedia-exact": [_("English Wikipedia, all steps taken"), _("The Princess may go into danger, and escapes to any empty square.")],
  "wikipedia-free": [_("English Wikipedia, fewer steps allowed"), _("A piece may take fewer steps than it has.")],
  "retired-chief": [_("The retired Chief"), _("A taken Chief is only a piece lost.")],
  friedlander: [_("Ed Friedlander’s program"), _("The Princess cannot escape; checkmate ends the game.")],
  zillions: [_("Standard"), _("Any piece that takes the enemy Princess or the enemy Chief wins.")],
  manator: [_("The city of Manator"), _("The set-up of the city: Chief faces Chief, and the Thoat leaps.")],
  "manator-arena": [_("The arena of Manator: pieces fight"), _("A piece that attacks another fights for its square with dice.")],
  "ninth-ray-clockwise": [_("Ninth-Ray, the round board, clockwise"), _("A round board: every ray meets in the middle.")],
  "ninth-ray-counterclockwise": [_("Ninth-Ray, the round board, counterclockwise"), _("The round board, its middle crossed the other way.")],
};

/** What the lamps, and the page’s marks, tell of a square: a copy, written by python -m docs.lamps_page. */
export const CUES = {
  gesture: _("a gesture’s light"),
  wrong: _("does not belong here"),
  belongs: _("a piece belongs here"),
  question: _("was it here?"),
  advice: _("the hint"),
  dice: _("roll the die for it"),
  capture: _("may be taken"),
  wanted: _("to be lifted"),
  legal: _("may go here"),
  lifted: _("lifted from here"),
  "last-move": _("last move"),
  fault: _("switch failed"),
};

export const PALETTES = {
  standard: _("standard"),
  "red-green": _("for red-green blindness"),
  mono: _("one colour, rhythm alone"),
};

export const CONDUCTS = {
  friendly: _("friendly"),
  strict: _("strict"),
  tournament: _("tournament"),
};
