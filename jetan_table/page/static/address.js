// Where one is, in the page's address: #game/12/30, #saved/NAME, #position/RULES/TEXT, #puzzle/7, #lesson/panthan, #study/NAME, #start.

let goes = async () => {};
let isGoing = false; // an address is being followed: nothing is written that could not be gone back from
let isReady = false; // the first one has been followed
let isPassing = false; // where we are is nothing to come back to

/** The parts of the page's address; none where it has none. */
const parts = () => location.hash.slice(1).split("/").map(decodeURIComponent).filter(Boolean);

/** Follow the address that the page was opened with, where that is still wanted, and each that the browser goes to; `go(kind, ...names)` goes there. */
export async function followAddresses(go, isWanted) {
  goes = go;
  addEventListener("popstate", follow);
  // Whoever touches something goes somewhere else by that.
  for (const kind of ["pointerdown", "keydown", "click"]) addEventListener(kind, () => (isGoing = false), true);
  if (isWanted) await follow();
  isReady = true;
}

/** Go where the address says. What that leads to comes with the table's next states, however late: it replaces the address until somebody touches something. */
async function follow() {
  isGoing = true;
  await goes(...parts());
}

/** Write where we are, as another place to come back to unless it is a move of the same; `passing`: as none. */
export function writeAddress(names, passing = false) {
  if (!isReady) return;
  const hash = `#${names.map(encodeURIComponent).join("/")}`;
  const isSame = parts().slice(0, 2).join("/") === names.slice(0, 2).map(String).join("/");
  if (hash !== location.hash) history[isGoing || isSame || isPassing ? "replaceState" : "pushState"](null, "", location.pathname + location.search + hash);
  isPassing = passing;
}
