/*
 * The pulses of the lamps, by a state machine beside the processor: a bit takes ten steps of 125 ns,
 * high for two of them (250 ns) as a zero, for seven (875 ns) as a one.
 */
#include "chip.h"
#include "start.h"

#define BY_STATE_MACHINE 6
#define STEP_CYCLES 6
#define OUT_OF_STEPS (1 << 24)
#define IS_FULL (1 << 16)

/* By the data sheet's encoding: bit 12 is the wire's level, bits 8 to 11 are steps to wait. */
static const uint16_t steps[] = {
    0x6221, /* 0: the next bit to x; low, 3 steps */
    0x1123, /* 1: to 3 if it is a zero; high, 2 steps */
    0x1400, /* 2: to 0; high, 5 more steps */
    0xA442, /* 3: nothing; low, 5 steps; then from 0 on */
};

void wire_start(void)
{
    for (uint8_t step = 0; step < 4; step++)
        REGISTER(PIO_INSTR_MEM0 + 4 * step) = steps[step];
    REGISTER(PIO_SM0_CLKDIV) = STEP_CYCLES << 16;
    REGISTER(PIO_SM0_EXECCTRL) = 3 << 12;                    /* after step 3 comes step 0 */
    REGISTER(PIO_SM0_SHIFTCTRL) = 1 << 30 | 24 << 25 | 1 << 17; /* 24 bits a word, highest first */
    REGISTER(PIO_SM0_PINCTRL) = 1 << 29 | 1 << 26 | LAMP_PIN << 10 | LAMP_PIN << 5;
    REGISTER(PIO_SM0_INSTR) = 0xE081; /* the wire is driven */
    REGISTER(PIN_CTRL(LAMP_PIN)) = BY_STATE_MACHINE;
    REGISTER(PIO_CTRL) = 1 << 4 | 1; /* begin, with nothing left to send */
}

void wire_send(const uint8_t *bytes, uint16_t size)
{
    wait_us(LATCH_US);
    for (; size; size -= 3, bytes += 3) {
        while (REGISTER(PIO_FSTAT) & IS_FULL) {
        }
        REGISTER(PIO_TXF0) = (uint32_t)bytes[0] << 24 | bytes[1] << 16 | bytes[2] << 8;
    }
    REGISTER(PIO_FDEBUG) = OUT_OF_STEPS;
    while (!(REGISTER(PIO_FDEBUG) & OUT_OF_STEPS)) {
    }
}
