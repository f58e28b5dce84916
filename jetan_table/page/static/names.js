// What sides, pieces, strengths, marks and lamps' colours are called.

import { _ } from "./sentences.js";

export const SIDES = { black: _("Black"), orange: _("Orange") };

export const KINDS = {
  P: _("Panthan"), T: _("Thoat"), W: _("Warrior"), A: _("Padwar"),
  D: _("Dwar"), F: _("Flier"), C: _("Chief"), Q: _("Princess"),
};

/** How strong the table plays, from a child's strength to all it has. */
export const STRENGTHS = {
  // Translators: how strong an opponent is: neither weak nor strong
  panthan: _("easiest"), than: _("very easy"), padwar: _("easy"), dwar: _("fair"),
  odwar: _("good"), jedwar: _("strong"), jed: _("very strong"), jeddak: _("full strength"),
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
  seen: _("put down"),
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
