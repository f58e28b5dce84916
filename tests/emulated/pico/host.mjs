// A USB host with one device: it asks what the device is, gives it an address, opens its serial port.
// It holds the device to what the emulator lets pass: packets take turns, and no answer is too long.
const PACKET_NS = 60000; // a full packet on a full-speed bus, with what is around it
const IN = 0x80;
const SECOND = 1 << 13;
const FULL = 1 << 15;
const STALL = 1 << 11;
const AVAILABLE = 1 << 10;
const LENGTH = 0x3ff;
const DATA_IN = 4; // as the firmware numbers its buffers

const setup = (to, request, value, index, length) =>
  Uint8Array.of(to, request, value & 0xff, value >> 8, index, 0, length & 0xff, length >> 8);

export class Host {
  constructor() {
    this.heard = []; // bytes on their way to the board
    this.said = []; // [ns, byte]
    this.wantsOpen = true;
  }

  plug(chip, now) {
    const usb = chip.usbCtrl;
    Object.assign(this, { chip, usb, now, steps: [], step: null });
    this.isKnown = this.isOpen = this.isArmed = false;
    this.turns = new Array(32).fill(0);
    this.descriptors = {};
    const armed = usb.DPRAMUpdated.bind(usb);
    usb.DPRAMUpdated = (offset, value) => {
      this.check(offset, value);
      armed(offset, value);
    };
    const ready = usb.indicateBufferReady.bind(usb);
    const sent = chip.clock.createAlarm(() => ready(2, false));
    usb.indicateBufferReady = (endpoint, out) =>
      endpoint === 2 && !out ? sent.schedule(PACKET_NS) : ready(endpoint, out);
    usb.onUSBEnabled = () => usb.resetDevice();
    usb.onResetReceived = () => this.enumerate();
    usb.onEndpointWrite = (endpoint, bytes) => this.came(endpoint, bytes);
    usb.onEndpointRead = (endpoint, size) => this.wanted(endpoint, size);
  }

  check(offset, value) {
    if (offset < 0x80 || offset > 0xfc) return;
    const buffer = (offset - 0x80) / 4;
    if (value & STALL) this.refused(buffer);
    if (!(value & AVAILABLE)) return;
    if (Boolean(value & SECOND) !== Boolean(this.turns[buffer]))
      throw new Error(`buffer ${buffer} out of turn`);
    this.turns[buffer] ^= 1;
    if (!(buffer & 1) && !(value & FULL)) throw new Error(`buffer ${buffer} sent empty`);
    if ((value & LENGTH) > 64) throw new Error(`buffer ${buffer} too long`);
    if (buffer === DATA_IN && (value & LENGTH) === 64) throw new Error('a host waits for more');
  }

  refused(buffer) {
    const isArmed = this.usb.epStallArm & (1 << buffer);
    if (!this.step?.isRefused || !isArmed) throw new Error(`refused: ${this.step?.name}`);
    if (buffer === 0) this.later(() => this.finish([]));
  }

  later(act) {
    this.chip.clock.createAlarm(act).schedule(PACKET_NS);
  }

  enumerate() {
    const keep = (name) => (bytes) => (this.descriptors[name] = bytes);
    this.steps = [
      { name: 'device, at first', setup: setup(IN, 6, 0x100, 0, 64) },
      { name: 'address', setup: setup(0, 5, 1, 0, 0) },
      { name: 'device', setup: setup(IN, 6, 0x100, 0, 18), then: keep('device') },
      {
        name: 'configuration',
        setup: setup(IN, 6, 0x200, 0, 9),
        then: (bytes) => {
          this.steps[0].setup = setup(IN, 6, 0x200, 0, bytes[2] | (bytes[3] << 8));
        },
      },
      { name: 'all of it', then: keep('configuration') },
      ...[0, 1, 2].map((number) => ({
        name: `string ${number}`,
        setup: setup(IN, 6, 0x300 | number, 0, 255),
        then: keep(`string ${number}`),
      })),
      { name: 'what it is at high speed', setup: setup(IN, 6, 0x600, 0, 10), isRefused: true },
      { name: 'configure', setup: setup(0, 9, 1, 0, 0), before: () => this.turns.fill(0) },
      {
        name: 'rate',
        setup: setup(0x21, 0x20, 0, 0, 7),
        data: Uint8Array.of(0x00, 0xc2, 0x01, 0x00, 0, 0, 8),
      },
      { name: 'rate again', setup: setup(0xa1, 0x21, 0, 0, 7), then: keep('rate') },
    ];
    this.turns.fill(0);
    this.isKnown = true;
    if (this.wantsOpen) this.open(true);
    else this.next();
  }

  open(wanted) {
    this.wantsOpen = wanted;
    if (!this.isKnown) return;
    this.steps.push({
      name: 'open',
      setup: setup(0x21, 0x22, wanted ? 3 : 0, 0, 0),
      then: () => {
        this.isOpen = wanted;
        this.deliver();
      },
    });
    if (!this.step) this.next();
  }

  next() {
    this.step = this.steps.shift() ?? null;
    if (!this.step) return;
    this.step.before?.();
    this.answer = [];
    this.isEp0Armed = false;
    this.turns[0] = this.turns[1] = 1;
    this.usb.sendSetupPacket(this.step.setup);
  }

  finish(answer) {
    this.step?.then?.(answer);
    this.next();
  }

  came(endpoint, bytes) {
    if (endpoint === 2) {
      if (this.isOpen) for (const byte of bytes) this.said.push([this.now(), byte]);
      return;
    }
    if (endpoint !== 0 || !this.step) return;
    const wanted = this.step.setup[6] | (this.step.setup[7] << 8);
    if (!(this.step.setup[0] & IN)) return this.finish([]);
    this.answer.push(...bytes);
    if (this.answer.length > wanted) throw new Error(`${this.step.name}: too long`);
    if (bytes.length < 64 || this.answer.length === wanted) {
      this.isAnswered = true;
      this.end();
    }
  }

  wanted(endpoint, size) {
    if (endpoint === 2) {
      this.isArmed = true;
      this.deliver();
    } else if (this.step?.data) {
      this.usb.endpointReadDone(0, this.step.data);
    } else {
      this.isEp0Armed = true;
      this.end();
    }
  }

  // The host ends what it has read by an empty packet.
  end() {
    if (!this.isAnswered || !this.isEp0Armed) return;
    this.isAnswered = false;
    this.usb.endpointReadDone(0, new Uint8Array(0));
    const { answer } = this;
    this.later(() => this.finish(answer));
  }

  hear(bytes) {
    this.heard.push(...bytes);
    this.deliver();
  }

  deliver() {
    if (!this.isArmed || !this.isOpen || !this.heard.length) return;
    this.isArmed = false;
    this.usb.endpointReadDone(2, Uint8Array.from(this.heard.splice(0, 64)), PACKET_NS / 1000);
  }

  unplug() {
    this.isKnown = this.isOpen = false;
    this.heard = [];
  }
}
