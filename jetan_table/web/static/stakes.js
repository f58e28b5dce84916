// Series, stakes and who begins: their part of the new-game dialog, the account, and its buttons.

import { find, make } from "./elements.js";
import { read } from "./link.js";
import { kindName, say } from "./words.js";

const KINDS = [..."PTWADFCQ"];

/** The rows of the new-game dialog about series, stakes and beginning; `told()` is their request. */
export function stakesRows(state, rules) {
  const input = (name, attributes) => make("input", { name, autocomplete: "off", ...attributes });
  const series = input("series", { maxlength: 40, value: state.ledger?.series ?? "", list: "all-series" });
  const names = make("datalist", { id: "all-series" });
  const amount = { type: "number", min: 0, max: 1000000, inputmode: "numeric" };
  const stake = input("stake", { ...amount, placeholder: say("as-before") });
  const price = input("price", { ...amount, placeholder: say("as-before") });
  const heads = KINDS.map((letter) => [letter, input(`price-${letter}`, { ...amount, placeholder: rules[`value.${word(letter)}`] })]);
  const forBias = make("input", { type: "checkbox", name: "for-bias", checked: Boolean(state.ledger?.for_bias) });
  const first = choice("first", [["black", say("begins", { side: say("black") })], ["orange", say("begins", { side: say("orange") })]]);
  const bias = choice("bias", [["clockwise", say("clockwise")], ["counterclockwise", say("counterclockwise")]]);
  read("/api/series").then(({ series: all }) => names.append(...all.map(({ name }) => make("option", { value: name }))));
  const row = make("details", { open: state.ledger !== null },
    make("summary", {}, say("stakes")),
    labelled("series", series), names, make("p.quiet", {}, say("series-why")),
    labelled("stake", stake), labelled("price", price),
    make("div.prices", {}, ...heads.map(([letter, each]) => make("label", {}, make("span", {}, kindName(letter, rules)), each))),
    labelled("first-is", first), labelled("bias-is", bias),
    make("label.check", {}, forBias, make("span", {}, say("for-bias"))),
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
  const words = () => [series.value.trim(), stake.value].map((value, at) => value && `${say(at ? "stake" : "series")}: ${value}`).filter(Boolean);
  return { row, told, words };
}

function choice(name, settled) {
  const words = [["", say("as-custom")], ["roll", say("by-roll")], ["winner", say("by-winner")], ...settled];
  return make("select", { name }, ...words.map(([value, text]) => make("option", { value }, text)));
}

function labelled(word, input) {
  return make("label", {}, make("span", {}, say(word)), input);
}

function word(letter) {
  return { P: "panthan", T: "thoat", W: "warrior", A: "padwar", D: "dwar", F: "flier", C: "chief", Q: "princess" }[letter];
}

/** What can be done to settle who begins, or how the centre is crossed. */
export function openingActions({ opening }, ask) {
  if (!opening.due) return [];
  const roll = make("button.main", { id: "roll-opening", onclick: () => ask({ do: "roll" }) }, say("roll"));
  const settled = opening.due === "first"
    ? ["black", "orange"].map((side) => [say("begins", { side: say(side) }), { do: "first", side }])
    : ["clockwise", "counterclockwise"].map((way) => [say(way), { do: "bias", way }]);
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
  const name = (side) => (state[side] === "?" ? say(side) : state[side]);
  const now = [["black", ledger.heads[0], ledger.gain], ["orange", ledger.heads[1], -ledger.gain]];
  const rows = now.map(([side, lost, gain]) => {
    const at = standing?.players.indexOf(state[side]) ?? -1;
    const score = at < 0 ? ["", ""] : [standing.wins[at], signed(standing.balance[at])];
    return make("tr", {}, make("th", { scope: "row" }, name(side)), ...[lost, signed(gain), ...score].map((each) => make("td", {}, each)));
  });
  const columns = ["", say("heads-lost"), say("gain"), ...(standing ? [say("won-games"), say("balance")] : ["", ""])];
  const head = make("tr", {}, ...columns.map((words) => make("th", { scope: "col" }, words)));
  find("ledger").replaceChildren(make("thead", {}, head), make("tbody", {}, ...rows));
  const prices = KINDS.map((letter) => `${kindName(letter)} ${ledger.prices[letter]}`).join(" · ");
  find("ledger-stake").textContent = `${say("stake-is", { stake: ledger.stake })} · ${prices}`;
  find("ledger-series").replaceChildren(...(standing ? [
    make("span", {}, say("series-is", { name: standing.name, count: standing.decided })), " ",
    make("a", { href: `/api/series/${encodeURIComponent(standing.name)}.csv`, download: `${standing.name}.csv` }, say("as-csv")),
  ] : []));
}

/** Ask how the series of a game stands; null where it belongs to none. */
export async function standingOf(state) {
  const name = state.ledger?.series;
  return name ? read(`/api/series/${encodeURIComponent(name)}`) : null;
}
