// Sounds and spoken moves, both off unless asked for. Nothing is loaded: tones are made here.

let context = null;

const TONES = { lift: [[520, 0.05]], put: [[300, 0.07]], ply: [[392, 0.08], [523, 0.12]], asks: [[660, 0.1], [550, 0.14]], over: [[392, 0.14], [330, 0.14], [262, 0.3]] };

/** Play the tones of something that has happened. */
export function play(name) {
  context ??= new AudioContext();
  let at = context.currentTime;
  for (const [pitch, length] of TONES[name]) {
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.12, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + length);
    tone.connect(volume).connect(context.destination);
    tone.start(at);
    tone.stop(at + length);
    at += length * 0.9;
  }
}

/** Say something aloud in the page's language. */
export function aloud(words, language) {
  if (!("speechSynthesis" in window)) return;
  const spoken = new SpeechSynthesisUtterance(words);
  spoken.lang = language;
  speechSynthesis.speak(spoken);
}
