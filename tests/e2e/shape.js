// What is cut off on the page that is shown, lies over something else, or scrolls where nothing should.
() => {
  const wrong = [];
  const name = (e) => e.id || e.className || e.tagName;
  const isSeen = (e) => e.checkVisibility({ visibilityProperty: true }) && e.getBoundingClientRect().width > 2;
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) wrong.push("the page scrolls sideways");
  for (const each of document.querySelectorAll("button, a.button, summary, .clock, .turn, .level")) {
    if (!isSeen(each)) continue;
    const box = each.getBoundingClientRect();
    if (each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 2) wrong.push(`${name(each)}: its words do not fit`);
    if (box.left < -1 || box.right > root.clientWidth + 1) wrong.push(`${name(each)}: beside the window`);
  }
  // A name may be shortened; the side and level beside it may not.
  for (const each of document.querySelectorAll(".level")) {
    if (isSeen(each) && each.getBoundingClientRect().right > each.parentElement.getBoundingClientRect().right + 1) wrong.push("a level is cut off");
  }
  const said = document.querySelector("#said-card");
  if (said && isSeen(said)) {
    if (said.scrollHeight > said.clientHeight + 1) wrong.push("the message scrolls");
    const box = said.getBoundingClientRect();
    for (const each of said.querySelectorAll("p, button")) {
      if (isSeen(each) && each.getBoundingClientRect().bottom > box.bottom + 1) wrong.push(`${name(each)}: below the message`);
    }
  }
  const parts = [...document.querySelectorAll(".page > .bar, .strip, .board-frame, .trays, .side, .start")].filter(isSeen);
  const boxes = parts.map((part) => [part, part.getBoundingClientRect()]);
  const inSide = [...document.querySelectorAll(".side > *")].filter(isSeen).map((part) => [part, part.getBoundingClientRect()]);
  for (const group of [boxes, inSide]) {
    for (const [at, [one, a]] of group.entries()) {
      for (const [other, b] of group.slice(at + 1)) {
        const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (wide > 1 && high > 1) wrong.push(`${name(one)} lies over ${name(other)}`);
      }
    }
  }
  return [...new Set(wrong)];
}
