// Elements of the page: found by their id, or made.

export const find = (id) => document.getElementById(id);

/** Resolves once what has been changed is painted; where nothing is, for nobody looks, after 200 ms. */
export const painted = () => new Promise((resolve) => [requestAnimationFrame(() => setTimeout(resolve)), setTimeout(resolve, 200)]);

/** Make an element: `make("p.quiet", {id: "x"}, "words", child)`. */
export function make(what, attributes = {}, ...children) {
  const [name, ...classes] = what.split(".");
  const made = document.createElement(name);
  if (classes.length) made.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made[key] = value;
    else if (value !== false && value !== null) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}
