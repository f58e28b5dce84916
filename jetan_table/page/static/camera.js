// The camera's picture with the board's outlines over it; its corners can be moved.

import { open } from "./dialogs.js";
import { find, make } from "./elements.js";
import { ask, fetchKnown } from "./link.js";
import { _, inWords, say } from "./sentences.js";

const AGAIN_MS = 1000;
const CORNERS = ["a1", "j1", "j10", "a10"];
const SVG = "http://www.w3.org/2000/svg";
const STEP = 1; // pixels of the picture an arrow key moves a handle, ten times as many with Shift
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Show the button that opens the camera's picture, where there is a camera. */
export function offerCamera(about) {
  const button = find("open-camera");
  button.hidden = !about.has_camera;
  button.onclick = () => openCamera();
}

async function openCamera() {
  let seen = await look();
  if (seen === null) return;
  const image = make("img", { alt: "" });
  const drawn = document.createElementNS(SVG, "svg");
  const said = make("p", { role: "status", id: "camera-said" });
  const refused = make("p.refused", { role: "alert" });
  let at = seen.corners;
  let hasMoved = false;
  const handles = CORNERS.map((square, index) => handle(square, (x, y, isStep) => {
    const [width, height] = seen.size ?? [1, 1];
    const [left, top] = isStep ? at[index] : [0, 0];
    at = at.with(index, [left + x, top + y].map((each, axis) => Math.min(Math.max(each, 0), [width, height][axis] - 1)));
    hasMoved = true;
    draw();
  }, () => seen.size ?? [1, 1]));
  const view = make("div.camera-view", {}, image, drawn, ...handles);
  const place = make("button.main", { type: "button", id: "camera-place", onclick: async () => {
    refused.textContent = "";
    try {
      await ask({ do: "place", corners: at });
      hasMoved = false;
    } catch (error) {
      refused.textContent = error.message;
    }
  } }, say("The corners are right"));
  const { closed } = open(say("Camera"), [make("p.quiet", {}, [_("Do the outlines match the squares?"), _("If not, drag the four handles to the corners."), _("Arrow keys move them too.")].map((each) => say(each)).join(" ")), make("div.row", {}, place), refused, said, view]);

  function draw() {
    const [width, height] = seen.size ?? [1, 1];
    drawn.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const rim = hasMoved ? [at] : seen.outlines;
    drawn.replaceChildren(...rim.map((outline) => {
      const polygon = document.createElementNS(SVG, "polygon");
      polygon.setAttribute("points", outline.map((point) => point.join(",")).join(" "));
      return polygon;
    }));
    handles.forEach((each, index) => {
      each.style.left = `${(100 * at[index][0]) / width}%`;
      each.style.top = `${(100 * at[index][1]) / height}%`;
    });
    said.textContent = inWords(seen.said);
  }

  async function refresh() {
    try {
      seen = (await look()) ?? seen;
      if (!hasMoved) at = seen.corners;
      const response = seen.size ? await fetchKnown("/api/camera.jpg") : null;
      if (response) {
        const old = image.src;
        image.src = URL.createObjectURL(await response.blob());
        if (old) URL.revokeObjectURL(old);
      }
    } catch (error) {
      refused.textContent = error.message;
    }
    draw();
  }

  draw();
  await refresh();
  const timer = setInterval(refresh, AGAIN_MS);
  await closed;
  clearInterval(timer);
  URL.revokeObjectURL(image.src);
}

async function look() {
  const response = await fetchKnown("/api/camera");
  return response === null ? null : response.json();
}

/** A corner's handle; `move(x, y, isStep)` is told where it goes, in pixels of the picture. */
function handle(square, move, size) {
  const made = make("button.corner", { type: "button", "aria-label": say("Corner at {square}", { square }) }, square);
  made.onpointerdown = (event) => {
    made.setPointerCapture(event.pointerId);
    made.onpointermove = (moved) => {
      const box = made.parentElement.getBoundingClientRect();
      const [width, height] = size();
      move(((moved.clientX - box.left) / box.width) * width, ((moved.clientY - box.top) / box.height) * height, false);
    };
  };
  made.onpointerup = () => { made.onpointermove = null; };
  made.onkeydown = (event) => {
    const arrow = ARROWS[event.key];
    if (!arrow) return;
    event.preventDefault();
    const step = STEP * (event.shiftKey ? 10 : 1);
    move(arrow[0] * step, arrow[1] * step, true);
  };
  return made;
}

let compared = ""; // the question whose pictures are shown

/** Show what a camera saw of a question's squares before and now, for who may see its pictures. */
export async function drawCompared(asks) {
  const question = !asks || asks.corner ? "" : asks.candidates.join(" ");
  if (question === compared) return;
  compared = question;
  find("said-pictures").replaceChildren();
  if (!question) return;
  const response = await fetchKnown("/api/camera/question.jpg").catch(() => null);
  if (!response || question !== compared) return;
  find("said-pictures").replaceChildren(
    make("img", { src: URL.createObjectURL(await response.blob()), alt: say("What the camera saw around {squares} before, and what it sees now", { squares: asks.candidates.join(", ") }) }),
    make("figcaption.quiet", {}, say("before, and now")),
  );
}
