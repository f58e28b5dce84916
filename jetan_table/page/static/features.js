// What features add to the page: each is a module that the table names, whose functions are optional.
//
// prepare(page): puts what it shows into the page; `page` has ask, refusalOf, resume and about.
// draw(state): shows a state.
// actions(state, ask): buttons for what the table says just now.
// tiles(state, about): what the start page offers: { name, rank, words, does or href }, and for a tile why and letters.
// does: what other parts of the page may call for by name.

const features = [];

/** Bring the modules of all features into the page. */
export async function prepareFeatures(paths, page) {
  features.push(...(await Promise.all(paths.map((path) => import(path)))));
  for (const each of features) each.prepare?.(page);
}

export const drawFeatures = (state) => Promise.all(features.map((each) => each.draw?.(state)));

export const actionsOf = (state, ask) => features.flatMap((each) => each.actions?.(state, ask) ?? []);

export const tilesOf = (state, about) => features.flatMap((each) => each.tiles?.(state, about) ?? []);

/** What some feature does under a name; undefined where none does. */
export const doerOf = (name) => features.map((each) => each.does?.[name]).find(Boolean);
