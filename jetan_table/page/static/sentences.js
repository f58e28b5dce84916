// How the page says anything: English stands where it is said, the table has it in other languages.

let catalogue = {}; // English to the language chosen; empty for English
export let language = "en";

/** What each language of the table calls itself, by its code; filled in when the table has answered. */
export const languages = {};

/** The first language that the browser wants and the page speaks; undefined where none is. */
export const ofBrowser = () => navigator.languages.map((each) => each.slice(0, 2)).find((each) => each in languages);

/** Load what a language calls everything, and put it wherever the page says something. */
export async function speak(chosen) {
  language = chosen in languages ? chosen : "en";
  catalogue = await (await fetch(`/api/words/${language}`)).json();
  document.documentElement.lang = language;
  fill(document);
}

/** Speak the language that the address asks for, else a `kept` one, else the browser's, else the table's. */
export function speakAsAsked(about, kept = null) {
  Object.assign(languages, about.languages);
  const wanted = [new URLSearchParams(location.search).get("lang"), kept].find((each) => each in languages);
  return speak(wanted ?? ofBrowser() ?? about.language);
}

/** Mark an English sentence for the catalogues, where it is kept to be said later. */
export const _ = (english) => english;

/** Say an English sentence in the language chosen, with {names} filled in: texts, numbers, or sentences that the table sends. */
export function say(english, values = {}) {
  const shown = (value) => (value?.template === undefined ? value ?? "" : inWords(value));
  // The table writes numbers as the template asks, as in {wait_s:.0f}, before it sends them.
  return (catalogue[english] ?? english).replace(/\{(\w+)(?:!r)?(?::[^}]*)?\}/g, (whole, name) => shown(values[name]));
}

/** Say a sentence that the table sends, {template, values}, in the language chosen; nothing for null. */
export const inWords = (sentence) => (sentence ? say(sentence.template, sentence.values) : "");

/** Put words into every element below `root` that has a sentence. */
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
