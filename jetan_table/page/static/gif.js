// Writes animated GIF files: pictures of at most 256 colours, each after the first told by what has changed.

const MOST_COLOURS = 256;
const FINE = 5; // bits of each of red, green and blue that tell colours apart

/** The bytes of a GIF that repeats; `frames` are {pixels, ms} of ImageData, all of one size. */
export function encodeGif(frames) {
  const { width, height } = frames[0].pixels;
  const palette = paletteOf(frames.map(({ pixels }) => pixels.data));
  const out = new Bytes();
  out.text("GIF89a");
  out.word(width, height);
  out.byte(0xf7, 0, 0); // a palette of 256 for all frames
  for (let at = 0; at < MOST_COLOURS; at++) out.byte(...(palette.colours[at] ?? [0, 0, 0]));
  out.byte(0x21, 0xff, 11);
  out.text("NETSCAPE2.0");
  out.byte(3, 1, 0, 0, 0); // for ever
  let before = null;
  for (const { pixels, ms } of frames) {
    const drawn = palette.of(pixels.data);
    const part = before ? changedPart(before, drawn, width, height) : { left: 0, top: 0, wide: width, high: height };
    out.byte(0x21, 0xf9, 4, 4); // what is drawn stays
    out.word(Math.max(2, Math.round(ms / 10)));
    out.byte(0, 0, 0x2c);
    out.word(part.left, part.top, part.wide, part.high);
    out.byte(0);
    compress(cut(drawn, width, part), out);
    before = drawn;
  }
  out.byte(0x3b);
  return out.whole();
}

class Bytes {
  #bytes = new Uint8Array(1 << 16);
  #length = 0;

  byte(...values) {
    for (const value of values) {
      if (this.#length === this.#bytes.length) {
        const larger = new Uint8Array(2 * this.#bytes.length);
        larger.set(this.#bytes);
        this.#bytes = larger;
      }
      this.#bytes[this.#length++] = value;
    }
  }

  word(...values) {
    for (const value of values) this.byte(value & 255, value >> 8);
  }

  text(words) {
    this.byte(...[...words].map((each) => each.charCodeAt(0)));
  }

  whole() {
    return this.#bytes.slice(0, this.#length);
  }
}

const keyOf = (data, at) => ((data[at] >> (8 - FINE)) << (2 * FINE)) | ((data[at + 1] >> (8 - FINE)) << FINE) | (data[at + 2] >> (8 - FINE));

/** The commonest colours of all pictures; every other one is drawn in the nearest of them. */
function paletteOf(pictures) {
  const cells = new Map(); // of colours that are nearly the same: how many there are, and their sums
  for (const data of pictures) {
    for (let at = 0; at < data.length; at += 4) {
      const key = keyOf(data, at);
      let cell = cells.get(key);
      if (!cell) cells.set(key, (cell = [0, 0, 0, 0]));
      cell[0]++;
      for (let part = 0; part < 3; part++) cell[part + 1] += data[at + part];
    }
  }
  const commonest = [...cells].sort(([, one], [, other]) => other[0] - one[0]);
  const colours = commonest.slice(0, MOST_COLOURS).map(([, [count, ...sums]]) => sums.map((sum) => Math.round(sum / count)));
  const index = new Uint8Array(1 << (3 * FINE));
  commonest.forEach(([key, [count, ...sums]], at) => {
    index[key] = at < MOST_COLOURS ? at : nearest(colours, sums.map((sum) => sum / count));
  });
  const of = (data) => {
    const drawn = new Uint8Array(data.length / 4);
    for (let at = 0; at < drawn.length; at++) drawn[at] = index[keyOf(data, 4 * at)];
    return drawn;
  };
  return { colours, of };
}

function nearest(colours, colour) {
  const far = colours.map((each) => each.reduce((sum, part, at) => sum + (part - colour[at]) ** 2, 0));
  return far.indexOf(Math.min(...far));
}

/** The smallest rectangle that holds all that differs; one pixel where nothing does. */
function changedPart(before, now, width, height) {
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let at = 0; at < now.length; at++) {
    if (now[at] === before[at]) continue;
    const [x, y] = [at % width, Math.floor(at / width)];
    [left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x), Math.max(bottom, y)];
  }
  return right < 0 ? { left: 0, top: 0, wide: 1, high: 1 } : { left, top, wide: right - left + 1, high: bottom - top + 1 };
}

function cut(drawn, width, { left, top, wide, high }) {
  const part = new Uint8Array(wide * high);
  for (let row = 0; row < high; row++) {
    const from = (top + row) * width + left;
    part.set(drawn.subarray(from, from + wide), row * wide);
  }
  return part;
}

/** LZW, as GIF has it: codes of 9 to 12 bits, in blocks of at most 255 bytes. */
function compress(drawn, out) {
  const [clear, end] = [MOST_COLOURS, MOST_COLOURS + 1];
  let [block, held, bits] = [[], 0, 0];
  let [known, next, size] = [new Map(), end + 1, 9];
  const flush = () => {
    if (block.length) out.byte(block.length, ...block);
    block = [];
  };
  const put = (code) => {
    held |= code << bits;
    for (bits += size; bits >= 8; bits -= 8) {
      block.push(held & 255);
      held >>>= 8;
      if (block.length === 255) flush();
    }
  };
  out.byte(8);
  put(clear);
  let run = drawn[0];
  for (let at = 1; at < drawn.length; at++) {
    const longer = (run << 8) | drawn[at];
    const code = known.get(longer);
    if (code !== undefined) {
      run = code;
      continue;
    }
    put(run);
    known.set(longer, next);
    if (next === 1 << size) size++;
    next++;
    if (next > 4095) {
      put(clear);
      [known, next, size] = [new Map(), end + 1, 9];
    }
    run = drawn[at];
  }
  put(run);
  put(end);
  if (bits) block.push(held & 255);
  flush();
  out.byte(0);
}
