// An RP2040 from power-on: what its boot ROM does, and its state machines in step with its clock,
// which rp2040js leaves to whoever runs it.
import { RP2040 } from 'rp2040js';

const FLASH = 0x10000000;
const RAM = 0x20000000;
const STAGE_AT = 0x20041f00;
const STAGE_SIZE = 256;
const UF2_BLOCK = 512;
const MAGICS = [
  [0, 0x0a324655],
  [4, 0x9e5d5157],
  [508, 0x0ab16f30],
  [28, 0xe48bff56],
];

// The bytes that a drive of this chip writes to its flash.
export function readUf2(file) {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const flash = [];
  for (let at = 0; at < file.length; at += UF2_BLOCK) {
    for (const [offset, magic] of MAGICS)
      if (view.getUint32(at + offset, true) !== magic) throw new Error(`no UF2 at ${at + offset}`);
    const target = view.getUint32(at + 12, true) - FLASH;
    const size = view.getUint32(at + 16, true);
    if (size !== 256 || target % 256 || view.getUint32(at + 24, true) !== file.length / UF2_BLOCK)
      throw new Error('a block that the boot ROM leaves out');
    flash.push([target, file.subarray(at + 32, at + 32 + size)]);
  }
  return flash;
}

export function checksum(bytes) {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte << 24;
    for (let bit = 0; bit < 8; bit++) sum = sum & 0x80000000 ? (sum << 1) ^ 0x04c11db7 : sum << 1;
  }
  return sum >>> 0;
}

export function start(flash, before) {
  const chip = new RP2040();
  chip.logger = quiet;
  for (const [at, bytes] of flash) chip.flash.set(bytes, at);
  if (before) chip.sram.set(before.sram);
  const stage = chip.flash.subarray(0, STAGE_SIZE);
  if (checksum(stage.subarray(0, STAGE_SIZE - 4)) !== chip.flashView.getUint32(STAGE_SIZE - 4, true))
    throw new Error('the boot ROM finds no program: wrong checksum');
  chip.sram.set(stage, STAGE_AT - RAM);
  chip.core.PC = STAGE_AT;
  chip.clkSys = 6500000; // of the ring oscillator, until the program has set up its clocks
  stepByClock(chip);
  holdInReset(chip);
  return chip;
}

// What is in reset cannot be used, and USB does not leave it before it has its clock.
function holdInReset(chip) {
  const resets = chip.peripherals[0x4000c];
  const USB = 24;
  const PARTS = {
    0x40014: 5, // pins
    0x4001c: 8, // pads
    0x4002c: 13, // the PLL of USB
    0x40054: 21, // the timer
    0x50100: USB,
    0x50110: USB,
    0x50200: 10, // state machines
  };
  resets.reset = resets.reset_done;
  const read = resets.readUint32.bind(resets);
  resets.readUint32 = (offset) => {
    if (offset !== 8) return read(offset);
    const hasClock = chip.clocks.usbCtrl & (1 << 11) && chip.pllUsb.frequency === 48e6;
    return ~resets.reset & resets.reset_done & (hasClock ? ~0 : ~(1 << USB));
  };
  const find = chip.findPeripheral.bind(chip);
  chip.findPeripheral = (address) => {
    const bit = PARTS[(address >>> 14) << 2];
    if (bit !== undefined && (resets.reset >> bit) & 1)
      throw new Error(`${address.toString(16)} is used while it is in reset`);
    return find(address);
  };
}

const quiet = {
  debug() {},
  info() {},
  warn(part, message) {
    throw new Error(`${part}: ${message}`);
  },
  error(part, message) {
    throw new Error(`${part}: ${message}`);
  },
};

function stepByClock(chip) {
  const [pio] = chip.pio;
  const [machine] = pio.machines;
  const stepNs = () => ((machine.clockDivInt + machine.clockDivFrac / 256) * 1e9) / chip.clkSys;
  const alarm = chip.clock.createAlarm(() => {
    const before = machine.cycles;
    pio.step();
    if (!machine.waiting && machine.enabled) alarm.schedule((machine.cycles - before) * stepNs());
  });
  pio.run = () => alarm.schedule(stepNs());
  const write = machine.writeFIFO.bind(machine);
  machine.writeFIFO = (value) => {
    const wasWaiting = machine.waiting;
    const before = machine.cycles;
    write(value);
    if (wasWaiting && !machine.waiting)
      alarm.schedule((machine.cycles - before + 1) * stepNs());
  };
}
