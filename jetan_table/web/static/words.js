// The page's words in the language chosen: from the table's catalogue, never written here.

let told = {};
export let language = "en";

/** What each language of the table calls itself, by its code; filled in when the table has answered. */
export const languages = {};

/** The first language that the browser wants and the page speaks; undefined where none is. */
export const ofBrowser = () => navigator.languages.map((each) => each.slice(0, 2)).find((each) => each in languages);

/** Load the words of a language and put them wherever the page names one. */
export async function speak(chosen) {
  language = chosen in languages ? chosen : "en";
  told = await (await fetch(`/api/words/${language}`)).json();
  document.documentElement.lang = language;
  fill(document);
}

/** A text by its key, with {names} filled in. */
export function say(key, values = {}) {
  const text = told[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

/** Put words into every element below `root` that names one. */
export function fill(root) {
  for (const element of root.querySelectorAll("[data-word]")) {
    element.textContent = say(element.dataset.word);
  }
  for (const element of root.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", say(element.dataset.label));
    element.title = say(element.dataset.label);
  }
  for (const element of root.querySelectorAll("[data-key]")) {
    element.setAttribute("aria-keyshortcuts", element.dataset.key);
    const label = element.dataset.label ?? element.querySelector("[data-word]")?.dataset.word;
    element.title = `${say(label)} (${element.dataset.key})`;
  }
}

/** The name of a piece by its letter, under these rules: "Black Panthan", "Juggernaut". */
export function pieceName(letter, rules = {}) {
  if (letter === "*") return say("juggernaut");
  if (letter === "?") return say("something");
  const side = letter === letter.toUpperCase() ? "black" : "orange";
  return `${say(side)} ${kindName(letter, rules)}`;
}

export function kindName(letter, rules = {}) {
  const kind = letter.toUpperCase();
  const other = kind === "F" ? rules["flier-name"] : undefined;
  return other && other !== "Flier" ? other : say(`kind-${kind}`);
}

/** A ply in words, for ears: "Panthan d2 to d3". */
export function plyInWords(move, rules = {}) {
  const read = /^([A-Z])?([a-j]\d+)([-x~])([a-j]\d+)$/.exec(move);
  if (!read) return move;
  const [, letter, start, sign, end] = read;
  return say(`ply-${sign}`, { piece: letter ? kindName(letter, rules) : "", start, end }).trim();
}

/** How a ply was fought for, in words: "fight lost 7:13"; nothing where it was not. */
export function foughtInWords(fought) {
  if (!fought) return "";
  const thrown = fought.throws.at(-1)?.split(" ")[0].split(",").map((each, at) => Number(each) + fought.values[at]);
  return say(fought.attacker_won ? "fight-list-won" : "fight-list-lost", { throws: thrown?.join(":") ?? "" }).trim();
}

/** How a game has ended, in words. */
export function resultIn(result) {
  if (result === "*") return say("unfinished");
  return result === "draw" ? say("drawn") : say("won", { side: say(result) });
}

/** The same as a heading. */
export function titleOf(result) {
  const words = resultIn(result);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** How many moves were made, in words: as they are numbered, one of each side together. */
export function countOf(plies) {
  const count = Math.ceil(plies / 2);
  return say(count === 1 ? "ply-count-one" : "plies", { count });
}

/** A rules text as people call it: its reading, and whether something differs. */
export function readingName(rules) {
  const [named, ...differs] = rules.split(",");
  const [base, juggernaut] = named.split("+");
  const parts = [say(`reading-${base}`)];
  if (juggernaut) parts.push(say("juggernaut-too"));
  if (differs.length) parts.push(say("reading-differs"));
  return parts.join(", ");
}
