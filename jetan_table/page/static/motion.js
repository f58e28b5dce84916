// Which scenes lead from what stood to what stands: a ply's way there or back, a fight, the Juggernaut's roll.

export const FOUGHT_MS = 850; // so long the dice of a fight roll
export const ROLLED_MS = 650; // and so long the Juggernaut's

/** What the board is to show of a state: two letters stand where a fight is open. */
export function viewOf(state) {
  const { fight, standing, is_screen: isScreen, last_path: path, duels, first_number: first, moves } = state;
  const number = first + moves.length - 1;
  const shown = fight && isScreen ? { ...standing, [fight.square]: fight.attacker + fight.defender } : standing;
  return { standing: shown, path, fought: fight ? null : duels.find((each) => each.number === number), isPast: false };
}

/**
 * The scenes that lead from `before` to `after`; none where no ply explains what has changed. Each
 * is a {standing, path, fought, isPast}: `path` is the way of the last ply, `fought` how it was
 * fought for, and what is past is gone through without waiting for dice.
 */
export function scenesBetween(before, after) {
  const there = scenesOf(before.standing, after);
  if (there.length) return there;
  const back = scenesOf(after.standing, { ...before, isPast: true });
  if (!back.every(({ path }) => path)) return []; // fights are not fought backwards
  return back.map((walk, at) => backwards(walk, at ? back[at - 1].standing : after.standing)).reverse();
}

/** A walk gone back: what it took returns once the piece has left. */
function backwards({ path, letter, taken, flies, fights }, standing) {
  return { path: path.toReversed(), letter, flies, returned: fights ? null : taken, standing };
}

/** The scenes of one ply, of the fight for its square, and of the Juggernaut after it; none where they do not lead there. */
function scenesOf(before, { standing: after, path, fought, isPast }) {
  const ply = plyScenes(before, path ?? [], after, fought, isPast);
  for (const scenes of [ply, []]) {
    const rolled = juggernautWalk(scenes.at(-1)?.standing ?? before, after, isPast);
    const all = rolled ? [...scenes, rolled] : scenes;
    if (all.length && isSame(all.at(-1).standing, after)) return all;
  }
  return [];
}

function plyScenes(before, path, after, fought, isPast) {
  const [start, end] = [path[0], path.at(-1)];
  const fight = fought && { square: end, pause: isPast ? 0 : FOUGHT_MS };
  if (before[end]?.length === 2) return fought ? [{ ...fight, ...outcome(before, end, fought) }] : [];
  const letter = before[start];
  if (!letter || start === end) return [];
  const taken = before[end] ?? null;
  const isFought = Boolean(fought) || after[end]?.length === 2;
  const standing = { ...before, [end]: isFought ? letter + taken : letter };
  delete standing[start];
  const isOver = path.slice(1, -1).some((name) => before[name]);
  const walk = { path, letter, taken, fights: isFought, flies: isOver || undefined, standing };
  return fought ? [walk, { ...fight, ...outcome(standing, end, fought) }] : [walk];
}

/** What stands after a fight, and who has left its square. */
function outcome(before, square, { attacker, defender, attacker_won: isWon }) {
  return { loser: isWon ? defender : attacker, standing: { ...before, [square]: isWon ? attacker : defender } };
}

function juggernautWalk(before, after, isPast) {
  const [start, end] = [squareOf(before, "*"), squareOf(after, "*")];
  if (!start || !end || start === end) return null;
  const standing = { ...before, [end]: "*" };
  delete standing[start];
  return { path: [start, end], letter: "*", taken: before[end] ?? null, crushes: true, pause: isPast ? 0 : ROLLED_MS, standing };
}

const squareOf = (standing, letter) => Object.keys(standing).find((name) => standing[name] === letter);

function isSame(one, other) {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}
