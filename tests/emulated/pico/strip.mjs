// WS2812 lamps: the widths of pulses become bits, a long pause shows them.
const LATCH_NS = 280000;
const BITS = 2400;

export class Strip {
  constructor() {
    this.isHigh = false;
    this.roseAt = this.fellAt = this.shownAt = 0;
    this.bits = [];
    this.shown = new Uint8Array(300);
    this.frames = this.badPulses = this.longestGap = 0;
  }

  write(now, isHigh) {
    if (isHigh === this.isHigh) return;
    this.isHigh = isHigh;
    if (isHigh) {
      const gap = now - this.fellAt;
      if (gap >= LATCH_NS) this.latch();
      else if (this.bits.length) this.longestGap = Math.max(this.longestGap, gap);
      this.roseAt = now;
    } else {
      const width = now - this.roseAt;
      if (!(width >= 200 && width <= 500) && !(width >= 550 && width <= 1000)) this.badPulses++;
      if (this.bits.length < BITS) this.bits.push(width > 525 ? 1 : 0);
      this.fellAt = now;
    }
  }

  settle(now) {
    if (!this.isHigh && now - this.fellAt >= LATCH_NS) this.latch();
  }

  latch() {
    if (!this.bits.length) return;
    for (let lamp = 0; lamp < Math.floor(this.bits.length / 24); lamp++)
      [1, 0, 2].forEach((channel, place) => {
        const from = lamp * 24 + place * 8; // the wire has green first
        this.shown[lamp * 3 + channel] = this.bits.slice(from, from + 8).reduce((a, b) => a * 2 + b);
      });
    this.shownAt = this.fellAt + LATCH_NS;
    this.frames++;
    this.bits = [];
  }
}
