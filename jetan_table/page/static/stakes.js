// Series, stakes and who begins: their part of the new-game dialog, the account, and its buttons.

import { labelled } from "./dialogs.js";
import { find, make } from "./elements.js";
import { read } from "./link.js";
import { SIDES } from "./names.js";
import { _, say } from "./sentences.js";
import { kindName } from "./words.js";

const LETTERS = [..."PTWADFCQ"];
const WAYS = { clockwise: _("↻ clockwise"), counterclockwise: _("↺ counterclockwise") };

/** The rows of the new-game dialog about series, stakes and beginning; `told()` is their request. */
export function stakesRows(state, rules) {
  const input = (name, attributes) => make("input", { name, autocomplete: "off", ...attributes });
  const series = input("series", { maxlength: 40, value: state.ledger?.series ?? "", list: "all-series" });
  const names = make("datalist", { id: "all-series" });
  const amount = { type: "number", min: 0, max: 1000000, inputmode: "numeric" };
  const stake = input("stake", { ...amount, placeholder: say("as before, or none") });
  const price = input("price", { ...amount, placeholder: say("as before, or none") });
  const heads = LETTERS.map((letter) => [letter, input(`price-${letter}`, { ...amount, placeholder: rules[`value.${word(letter)}`] })]);
  const forBias = make("input", { type: "checkbox", name: "for-bias", checked: Boolean(state.ledger?.for_bias) });
  const first = choice("first", [["black", say("{side} begins", { side: say("Black") })], ["orange", say("{side} begins", { side: say("Orange") })]]);
  const bias = choice("bias", Object.entries(WAYS).map(([way, words]) => [way, say(words)]));
  read("/api/series").then(({ series: all }) => names.append(...all.map(({ name }) => make("option", { value: name }))));
  const row = make("details", { open: state.ledger !== null },
    make("summary", {}, say("Series and wagers")),
    labelled(say("Series"), series), names, make("p.quiet", {}, say("The same two players change sides after each game, and the wager carries on.")),
    labelled(say("Main stake"), stake), labelled(say("Price of a captured piece, in multiples of its value"), price),
    make("div.prices", {}, ...heads.map(([letter, each]) => make("label", {}, make("span", {}, kindName(letter, rules)), each))),
    labelled(say("Who begins"), first), labelled(say("Direction across the centre of the disk"), bias),
    make("label.check", {}, forBias, make("span", {}, say("The winner also chooses how the centre is crossed next"))),
  );
  const told = () => {
    const own = heads.filter(([, each]) => each.value).map(([letter, each]) => `${letter}=${Number(each.value)}`);
    const prices = [...(price.value ? [Number(price.value)] : []), ...own].join(",");
    return {
      series: series.value.trim() || null,
      stake: stake.value ? Number(stake.value) : null,
      prices: prices || null,
      for_bias: forBias.checked === Boolean(state.ledger?.for_bias) ? null : forBias.checked,
      first: first.value || null,
      bias: bias.value || null,
    };
  };
  const words = () => [series.value.trim(), stake.value].map((value, at) => value && `${say(at ? _("Main stake") : _("Series"))}: ${value}`).filter(Boolean);
  return { row, told, words };
}

function choice(name, settled) {
  const words = [["", say("by custom")], ["roll", say("by a roll of the die")], ["winner", say("the last winner chooses")], ...settled];
  return make("select", { name }, ...words.map(([value, text]) => make("option", { value }, text)));
}

function word(letter) {
  return { P: "panthan", T: "thoat", W: "warrior", A: "padwar", D: "dwar", F: "flier", C: "chief", Q: "princess" }[letter];
}

/** What can be done to settle who begins, or how the centre is crossed. */
export function openingActions({ opening }, ask) {
  if (!opening.due) return [];
  const roll = make("button.main", { id: "roll-opening", onclick: () => ask({ do: "roll" }) }, say("Roll"));
  const settled = opening.due === "first"
    ? ["black", "orange"].map((side) => [say("{side} begins", { side: say(SIDES[side]) }), { do: "first", side }])
    : Object.entries(WAYS).map(([way, words]) => [say(words), { do: "bias", way }]);
  const kind = opening.by === "roll" ? "button" : "button.main";
  const buttons = settled.map(([words, request]) => make(kind, { onclick: () => ask(request) }, words));
  return opening.by === "roll" ? [roll, ...buttons] : buttons;
}

const signed = (tokens) => (tokens > 0 ? `+${tokens}` : `${tokens}`.replace("-", "−"));

/** Draw the account of the game; `standing` is that of its series, null until it is known. */
export function drawLedger(state, standing) {
  const { ledger } = state;
  find("ledger-card").hidden = ledger === null;
  if (!ledger) return;
  const name = (side) => (state[side] === "?" ? say(SIDES[side]) : state[side]);
  const now = [["black", ledger.heads[0], ledger.gain], ["orange", ledger.heads[1], -ledger.gain]];
  const rows = now.map(([side, lost, gain]) => {
    const at = standing?.players.indexOf(state[side]) ?? -1;
    const score = at < 0 ? ["", ""] : [standing.wins[at], signed(standing.balance[at])];
    return make("tr", {}, make("th", { scope: "row" }, name(side)), ...[lost, signed(gain), ...score].map((each) => make("td", {}, each)));
  });
  const columns = ["", say("Heads lost"), say("Gain"), ...(standing ? [say("Won"), say("Balance")] : ["", ""])];
  const head = make("tr", {}, ...columns.map((words) => make("th", { scope: "col" }, words)));
  find("ledger").replaceChildren(make("thead", {}, head), make("tbody", {}, ...rows));
  const prices = LETTERS.map((letter) => `${kindName(letter)} ${ledger.prices[letter]}`).join(" · ");
  find("ledger-stake").textContent = `${say("Stake: {stake}", { stake: ledger.stake })} · ${prices}`;
  find("ledger-series").replaceChildren(...(standing ? [
    make("span", {}, say("Series {name}, decided games: {count}", { name: standing.name, count: standing.decided })), " ",
    make("a", { href: `/api/series/${encodeURIComponent(standing.name)}.csv`, download: `${standing.name}.csv` }, say("As a table (CSV)")),
    ...standing.damaged.map((game) => make("span.quiet", {}, " ", say("Game {game} is damaged, and does not count in this series.", { game }))),
  ] : []));
}

/** Ask how the series of a game stands; null where it belongs to none. */
export async function standingOf(state) {
  const name = state.ledger?.series;
  return name ? read(`/api/series/${encodeURIComponent(name)}`) : null;
}
