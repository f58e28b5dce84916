// Which walks lead from what stood to what stands: by the way a ply went, there or back.

/**
 * The walks that lead from `before` to `after`, each a {standing, path}, where `path` is the way
 * of the last ply of each; none where no ply explains what has changed.
 */
export function walksBetween(before, after) {
  const there = walksOf(before.standing, after.standing, after.path);
  if (there.length) return there;
  const back = walksOf(after.standing, before.standing, before.path);
  return back.map((walk, at) => backwards(walk, at ? back[at - 1].standing : after.standing)).reverse();
}

/** A walk gone back: what it took returns once the piece has left. */
function backwards({ path, letter, taken, flies }, standing) {
  return { path: path.toReversed(), letter, flies, returned: taken, standing };
}

/** The walks of one ply, and of the Juggernaut after it; none where they do not lead there. */
function walksOf(before, after, path) {
  const ply = plyWalk(before, path);
  const played = ply?.standing ?? before;
  const rolled = juggernautWalk(played, after);
  const walks = [ply, rolled].filter(Boolean);
  if (!walks.length) return [];
  if (isSame(walks.at(-1).standing, after)) return walks;
  // The Juggernaut alone may have gone, after a ply that was shown already.
  const alone = juggernautWalk(before, after);
  return alone && isSame(alone.standing, after) ? [alone] : [];
}

function plyWalk(before, path) {
  const [start, end] = [path?.[0], path?.at(-1)];
  const letter = before[start];
  if (!letter || start === end) return null;
  const standing = { ...before, [end]: letter };
  delete standing[start];
  const isOver = path.slice(1, -1).some((name) => before[name]);
  return { path, letter, taken: before[end] ?? null, flies: isOver || undefined, standing };
}

function juggernautWalk(before, after) {
  const [start, end] = [squareOf(before, "*"), squareOf(after, "*")];
  if (!start || !end || start === end) return null;
  const standing = { ...before, [end]: "*" };
  delete standing[start];
  return { path: [start, end], letter: "*", taken: before[end] ?? null, crushes: true, standing };
}

const squareOf = (standing, letter) => Object.keys(standing).find((name) => standing[name] === letter);

function isSame(one, other) {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}
