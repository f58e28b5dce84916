// Sounds of wood, and spoken moves. Nothing is loaded: what sounds is made here, once people have touched the page.

let context = null;
let out = null;
let noise = null;
let isWanted = true;
let isTouched = false;

// A clack is noise that rings in wood: at these pitches (Hz), so long (s), so loud; after a wait (s).
const CLACKS = {
  lift: [{ pitch: 1500, length: 0.03, loud: 0.12 }],
  put: [{ pitch: 620, length: 0.12, loud: 0.6 }],
  step: [{ pitch: 1150, length: 0.045, loud: 0.2 }],
  land: [{ pitch: 560, length: 0.14, loud: 0.65 }, { pitch: 1400, length: 0.03, loud: 0.2 }],
  capture: [{ pitch: 900, length: 0.06, loud: 0.4 }, { pitch: 420, length: 0.14, loud: 0.5, wait: 0.045 }],
  crush: [{ pitch: 150, length: 0.34, loud: 0.85 }, { pitch: 320, length: 0.22, loud: 0.4, wait: 0.03 }, { pitch: 700, length: 0.12, loud: 0.2, wait: 0.07 }],
  fight: [{ pitch: 780, length: 0.07, loud: 0.28 }, { pitch: 980, length: 0.07, loud: 0.26, wait: 0.09 }, { pitch: 700, length: 0.1, loud: 0.28, wait: 0.18 }],
  die: [0, 0.09, 0.17, 0.3, 0.39, 0.52, 0.61].map((wait, at) => ({ pitch: 1500 + 260 * ((at * 5) % 4), length: 0.035, loud: 0.26 - 0.02 * at, wait })),
  refusal: [{ pitch: 210, length: 0.12, loud: 0.4 }, { pitch: 190, length: 0.14, loud: 0.35, wait: 0.13 }],
};
// A bar of wood is struck: it rings at its pitch (Hz), and fades.
const BARS = {
  star: [{ pitch: 784 }, { pitch: 1175, length: 0.6, wait: 0.1 }],
  asks: [{ pitch: 659 }, { pitch: 880, wait: 0.13 }],
  over: [{ pitch: 523, length: 0.7 }, { pitch: 659, length: 0.7, wait: 0.16 }, { pitch: 784, length: 0.9, wait: 0.32 }, { pitch: 1047, length: 1.3, wait: 0.48 }],
};

/** Let things sound from now on, or no more. */
export function wantSounds(wanted) {
  isWanted = wanted;
}

// A browser lets nothing sound before people have touched the page; the touch is answered first.
for (const touch of ["pointerdown", "keydown"]) addEventListener(touch, () => isTouched ||= Boolean(setTimeout(wake, 100)), { capture: true });

function wake() {
  if (context || !isWanted || !("AudioContext" in window)) return;
  context = new AudioContext();
  out = context.createDynamicsCompressor();
  const volume = context.createGain();
  volume.gain.value = 0.5;
  out.connect(volume).connect(context.destination);
  noise = context.createBuffer(1, context.sampleRate * 0.5, context.sampleRate);
  const samples = noise.getChannelData(0);
  for (let at = 0; at < samples.length; at++) samples[at] = 2 * Math.random() - 1;
}

/** Sound what has happened; nothing before the first touch, or where no sounds are wanted. */
export function play(name) {
  if (isTouched) wake(); // what sounds sooner than that is heard, too
  if (!context || !isWanted) return;
  const now = context.currentTime + 0.005;
  for (const each of CLACKS[name] ?? []) clack(now + (each.wait ?? 0), each);
  for (const each of BARS[name] ?? []) bar(now + (each.wait ?? 0), each);
}

/** A burst of noise in a body of wood, and the knock that makes it. */
function clack(at, { pitch, length, loud }) {
  const burst = context.createBufferSource();
  burst.buffer = noise;
  const body = context.createBiquadFilter();
  [body.type, body.frequency.value, body.Q.value] = ["bandpass", pitch * (0.96 + 0.08 * Math.random()), 7];
  burst.connect(body).connect(fading(at, loud * 11, length));
  burst.start(at, Math.random() * 0.2, length + 0.05);
  const knock = context.createOscillator();
  knock.frequency.setValueAtTime(pitch * 0.55, at);
  knock.frequency.exponentialRampToValueAtTime(pitch * 0.4, at + length);
  knock.connect(fading(at, loud * 1.1, length * 0.8));
  knock.start(at);
  knock.stop(at + length);
}

function bar(at, { pitch, length = 0.45 }) {
  for (const [times, loud, part] of [[1, 0.22, 1], [3.93, 0.06, 0.35], [9.5, 0.02, 0.15]]) {
    const tone = context.createOscillator();
    tone.frequency.value = pitch * times;
    tone.connect(fading(at, loud, length * part));
    tone.start(at);
    tone.stop(at + length * part);
  }
}

function fading(at, loud, length) {
  const volume = context.createGain();
  volume.gain.setValueAtTime(0.0001, at);
  volume.gain.exponentialRampToValueAtTime(loud, at + 0.003);
  volume.gain.exponentialRampToValueAtTime(0.0001, at + length);
  volume.connect(out);
  return volume;
}

/** Say something aloud in the page's language. */
export function aloud(words, language) {
  if (!("speechSynthesis" in window)) return;
  const spoken = new SpeechSynthesisUtterance(words);
  spoken.lang = language;
  speechSynthesis.speak(spoken);
}
