// A way to the page that says who wins.

import { _ } from "../../sentences.js";

export const tiles = () => [{ name: "who-wins", rank: 60, words: _("Who wins this?"), why: _("Set four pieces, and see what every move comes to"), letters: ["C"], href: "/who-wins" }];
