// Rows, columns, switches and diodes on the pins of an emulated chip, as firmware_bridge/emulation's
// matrix.c has them on another.
import { GPIOPinState } from 'rp2040js';

const SIDE = 10;
const NS_PER_US = 1000;

export class Matrix {
  constructor(wiring) {
    this.wiring = wiring;
    this.closed = new Array(SIDE * SIDE).fill(false);
    this.edges = []; // [ns, switch, closed], oldest first
    this.low = 0;
    this.highFrom = new Array(SIDE).fill(0);
    this.fights = 0;
    this.chance = 1;
  }

  attach(chip, now) {
    this.chip = chip;
    this.now = now;
    this.rows = this.wiring.rows.map((pin) => chip.gpio[pin]);
    this.columns = this.wiring.columns.map((pin) => chip.gpio[pin]);
    for (const pin of this.rows)
      pin.addListener((state, before) => {
        if (before === GPIOPinState.Low && state !== GPIOPinState.InputPullUp)
          throw new Error(`rank wire ${pin.index} floats, and holds files low`);
        this.settle(this.now());
      });
    Object.defineProperty(chip, 'gpioValues', { get: () => this.read() });
    this.settle(now());
  }

  findLow() {
    const rowLow = this.rows.map((pin) => pin.outputEnable && !pin.outputValue);
    let low = 0;
    for (let news = true; news; ) {
      news = false;
      for (let index = 0; index < SIDE * SIDE; index++) {
        if (!this.closed[index]) continue;
        const row = Math.floor(index / SIDE);
        const bit = 1 << index % SIDE;
        if (rowLow[row] && !(low & bit)) {
          low |= bit;
          news = true;
        } else if (!this.wiring.diodes && low & bit && !rowLow[row]) {
          rowLow[row] = news = true;
          if (this.rows[row].outputEnable) this.fights++;
        }
      }
    }
    return low;
  }

  settle(at) {
    const low = this.findLow();
    for (let column = 0; column < SIDE; column++)
      if ((this.low >> column) & 1 && !((low >> column) & 1))
        this.highFrom[column] = at + this.wiring.rise_us * NS_PER_US;
    this.low = low;
  }

  isHigh(column) {
    if ((this.low >> column) & 1 || this.now() < this.highFrom[column]) return false;
    if (this.columns[column].pullupEnabled) return true;
    this.chance = (Math.imul(this.chance, 1103515245) + 12345) >>> 0; // it floats
    return Boolean((this.chance >>> 16) & 1);
  }

  // What the chip reads of all its pins.
  read() {
    while (this.edges.length && this.edges[0][0] <= this.now()) {
      const [at, index, closed] = this.edges.shift();
      this.closed[index] = closed;
      this.settle(at);
    }
    let values = 0;
    for (let column = 0; column < SIDE; column++) {
      const pin = this.columns[column];
      if (pin.inputEnable && !pin.outputEnable && this.isHigh(column))
        values |= 1 << this.wiring.columns[column];
    }
    return values;
  }
}
