// The tabs of the panel beside the board: moves, analysis, and all that can be asked of the table.

import { find } from "./elements.js";

const TABS = { moves: ["tab-moves", "moves-card"], analysis: ["tab-analysis", "analysis-tab"], table: ["do-menu", "menu"] };
let chosen = null;

/** Show a tab of the panel. */
export function showTab(name) {
  chosen = name;
  for (const [each, [button, panel]] of Object.entries(TABS)) {
    const isChosen = each === name;
    find(panel).hidden = !isChosen;
    find(button).setAttribute("aria-selected", isChosen);
    find(button).tabIndex = isChosen ? 0 : -1;
  }
}

/** Show moves, or keep their analysis: somebody walks through them. */
export function showMoves() {
  if (chosen === "table") showTab("moves");
}

/** Let taps and arrow keys change tabs. */
export function prepareTabs() {
  const names = Object.keys(TABS);
  for (const name of names) find(TABS[name][0]).onclick = () => showTab(name);
  find("panel").querySelector("[role=tablist]").addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    showTab(names.at((names.indexOf(chosen) + by) % names.length));
    find(TABS[chosen][0]).focus();
  });
  showTab("moves");
}
