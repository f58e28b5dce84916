// A board with a Pico: takes a command a line, a JSON object, and answers each with what there is to
// see. Times are microseconds since power-on. `node board.mjs IMAGE.uf2 WIRING`
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

import { readUf2, start } from './chip.mjs';
import { Host } from './host.mjs';
import { Matrix } from './matrix.mjs';
import { Strip } from './strip.mjs';

const NS_PER_US = 1000;
const HANG = 0xe7fe; // a branch to itself
const WATCHDOG = 8;
const CAUSES = { 1: 1 << 8, 2: 1 << 16 }; // as the chip tells of power and of its pin RUN

class Board {
  constructor(image, wiring) {
    this.flash = readUf2(image);
    this.wiring = wiring;
    this.matrix = new Matrix(wiring);
    this.strip = new Strip();
    this.host = new Host();
    this.past = 0; // of the chips before the last reset
    this.heldUntil = 0;
    this.begin(1);
  }

  get now() {
    return this.past + this.chip.clock.nanos;
  }

  begin(cause) {
    const before = this.chip;
    if (before) this.past = this.now;
    this.chip = start(this.flash, before);
    const watchdog = this.chip.peripherals[0x40058];
    if (before && cause === WATCHDOG) {
      const old = before.peripherals[0x40058];
      watchdog.scratchData.set(old.scratchData);
      watchdog.reason = old.reason;
    } else {
      this.cause = CAUSES[cause];
    }
    watchdog.onWatchdogTrigger = () => {
      this.isBitten = true;
      watchdog.timer.enable = false; // or rp2040js would ring for ever in this moment
    };
    const power = this.chip.peripherals[0x40064];
    power.readUint32 = (offset) => (offset === 8 ? this.cause : 0);
    const ring = this.chip.peripherals[0x40060];
    ring.readUint32 = () => 1;
    const now = () => this.now;
    this.matrix.attach(this.chip, now);
    this.host.plug(this.chip, now);
    const wire = this.chip.gpio[this.wiring.lamps];
    this.strip.write(this.now, false);
    wire.addListener(() => this.strip.write(this.now, wire.outputEnable && wire.outputValue));
  }

  reset(cause, held) {
    this.host.unplug();
    this.begin(cause);
    this.heldUntil = this.now + held;
  }

  hang() {
    const { core } = this.chip;
    this.chip.writeUint16(core.PC & ~1, HANG);
  }

  run(until) {
    if (this.heldUntil > this.now) this.past += Math.min(this.heldUntil, until) - this.now;
    while (this.now < until) {
      const { core, clock } = this.chip;
      if (core.waiting) {
        clock.tick(Math.min(clock.nanosToNextAlarm, until - this.now));
      } else {
        const cycles = core.executeInstruction();
        clock.tick((cycles * 1e9) / this.chip.clkSys);
      }
      if (this.isBitten) {
        this.isBitten = false;
        this.reset(WATCHDOG, 0);
      }
    }
    this.strip.settle(this.now);
  }

  obey(command) {
    for (const [at, index, closed] of command.edges ?? [])
      this.matrix.edges.push([at * NS_PER_US, index, Boolean(closed)]);
    if (command.hear) this.host.hear(Buffer.from(command.hear, 'hex'));
    if (command.reset) this.reset(command.reset, command.held * NS_PER_US);
    if (command.hang) this.hang();
    if ('open' in command) this.host.open(command.open);
    if (command.run) this.run(command.run * NS_PER_US);
    const said = this.host.said.map(([at, byte]) => [at / NS_PER_US, byte]);
    this.host.said = [];
    return { now: this.now / NS_PER_US, said, ...(command.look && this.look()) };
  }

  look() {
    const { strip, host } = this;
    return {
      lights: Buffer.from(strip.shown).toString('hex'),
      shown_at: strip.shownAt / NS_PER_US,
      frames: strip.frames,
      bad_pulses: strip.badPulses,
      longest_gap_us: strip.longestGap / NS_PER_US,
      fights: this.matrix.fights,
      descriptors: host.descriptors,
    };
  }
}

const board = new Board(readFileSync(process.argv[2]), JSON.parse(process.argv[3]));
for await (const line of createInterface({ input: process.stdin }))
  process.stdout.write(`${JSON.stringify(board.obey(JSON.parse(line)))}\n`);
