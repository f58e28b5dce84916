// What people send on of a game: its end as a picture, and its last moves as a short animation, made here.

import { find, make } from "./elements.js";
import { encodeGif } from "./gif.js";
import { read } from "./link.js";
import { scenesBetween } from "./motion.js";
import { standingOf } from "./moves.js";
import { Painter } from "./painter.js";
import { say } from "./sentences.js";

const [PICTURE_WIDE, MOVING_WIDE] = [1080, 480];
const LAST_PLIES = 6;
const FRAME_MS = 60;
const STEP_FRAMES = 2; // of a step of a walk
const [BETWEEN_MS, END_MS] = [650, 3500];

/** Offer the game's end to be sent on; `told` is {title, players, sentence}, which stand under it with where Jetan is found. */
export async function offerKeepsake({ title, players, sentence }, isFlipped) {
  const [game, { repository }] = await Promise.all([read("/api/game"), read("/api/about")]);
  const words = { title: players ? `${players}: ${title}` : title, sentence, foot: [say("Jetan, the chess of Mars"), repository.replace(/^https?:\/\//, "")].filter(Boolean).join(" · ") };
  const text = `${words.title}. ${sentence} ${[say("Jetan, the chess of Mars"), repository].filter(Boolean).join(": ")}`;
  const shown = make("img.keepsake", { alt: `${words.title}. ${words.sentence}` });
  const wait = make("p.quiet", { role: "status" }, say("The last moves are being drawn …"));
  const row = make("div.row.end", {}, make("button", { type: "button", onclick: () => dialog.close() }, say("Close")));
  const dialog = make("dialog", { id: "keepsake", "aria-label": say("Share") }, make("h2", {}, say("Share")), shown, make("p", { id: "keepsake-text" }, text), wait, row);
  row.append(make("button", { type: "button", onclick: async ({ target }) => {
    await navigator.clipboard?.writeText(text);
    target.textContent = say("copied");
  } }, say("Copy the text")));
  const addresses = [];
  const addressOf = (blob) => addresses[addresses.push(URL.createObjectURL(blob)) - 1];
  dialog.onclose = () => {
    for (const each of addresses) URL.revokeObjectURL(each);
    dialog.remove();
  };
  find("dialogs").append(dialog);
  dialog.showModal();
  const picture = await pictureOf(game, words, isFlipped);
  shown.src = addressOf(picture);
  offer(row, picture, "jetan.png", say("Picture (PNG)"), addressOf, text);
  if (!game.moves.length) {
    wait.remove();
    return;
  }
  await new Promise((resolve) => setTimeout(resolve, 50)); // the picture is seen before the work goes on
  const moving = await animationOf(game, words, isFlipped);
  shown.src = addressOf(moving);
  wait.remove();
  offer(row, moving, "jetan.gif", say("Animation (GIF)"), addressOf, text);
}

/** A button that downloads a file, or sends it with its text where the device can. */
function offer(row, blob, name, words, addressOf, text) {
  const file = new File([blob], name, { type: blob.type });
  row.append(make("a.button", { href: addressOf(blob), download: name, "data-keeps": name }, words));
  if (!navigator.canShare?.({ files: [file] })) return;
  row.append(make("button.main", { type: "button", onclick: () => navigator.share({ files: [file], text }).catch(() => {}) }, say("Send: {what}", { what: words })));
}

const stand = (game, at) => standingOf(game.placements[at]);
const pathTo = (game, at) => (at ? game.paths[at - 1] : []);
const lettersOf = (game) => Object.values(stand(game, 0));

/** The end as a PNG. */
async function pictureOf(game, words, isFlipped) {
  const painter = await Painter.on(game.board, isFlipped, PICTURE_WIDE, lettersOf(game));
  painter.paint(stand(game, game.moves.length), { path: pathTo(game, game.moves.length), words });
  return new Promise((resolve) => painter.canvas.toBlob(resolve, "image/png"));
}

/** The last moves as a GIF, each piece walking its way. */
async function animationOf(game, words, isFlipped) {
  const painter = await Painter.on(game.board, isFlipped, MOVING_WIDE, lettersOf(game));
  const end = game.moves.length;
  const first = Math.max(0, end - LAST_PLIES);
  const frames = [{ pixels: painter.paint(stand(game, first), { path: pathTo(game, first), words }), ms: BETWEEN_MS }];
  for (let at = first; at < end; at++) {
    frames.push(...framesOf(painter, game, at, words));
    frames.at(-1).ms = at + 1 === end ? END_MS : BETWEEN_MS;
  }
  return new Blob([encodeGif(frames)], { type: "image/gif" });
}

function framesOf(painter, game, at, words) {
  const [before, after] = [stand(game, at), stand(game, at + 1)];
  const path = pathTo(game, at + 1);
  const fought = game.duels.find(({ number }) => number === game.first_number + at);
  const frames = [];
  let standing = before;
  for (const scene of scenesBetween({ standing: before, path: [] }, { standing: after, path, fought, isPast: true })) {
    if (scene.path) {
      const there = { ...standing };
      delete there[scene.path[0]];
      const count = STEP_FRAMES * Math.max(2, scene.path.length - 1);
      for (let part = 1; part < count; part++) {
        frames.push({ pixels: painter.paint(there, { path, walk: { ...scene, part: part / count }, words }), ms: FRAME_MS });
      }
    }
    standing = Object.fromEntries(Object.entries(scene.standing).map(([name, letters]) => [name, letters[0]]));
  }
  return [...frames, { pixels: painter.paint(after, { path, words }), ms: FRAME_MS }];
}
