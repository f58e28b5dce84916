/* The pulses of the lamps, by counted cycles. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>

#include "chip.h"
#include "line.h"

/*
 * One byte, highest bit first, 20 cycles a bit: high for 6 (375 ns) is a zero, for 13 (812 ns) a
 * one. Interrupts must be off.
 */
static inline void send(uint8_t byte)
{
    uint8_t bits = 8;
    uint8_t high = LAMP_PORT | _BV(LAMP_BIT);
    uint8_t low = LAMP_PORT & (uint8_t)~_BV(LAMP_BIT);

    __asm__ volatile("1: out %[port], %[high]\n\t"
                     "rjmp .\n\t"
                     "rjmp .\n\t"
                     "sbrs %[byte], 7\n\t"
                     "out %[port], %[low]\n\t"
                     "lsl %[byte]\n\t"
                     "rjmp .\n\t"
                     "rjmp .\n\t"
                     "nop\n\t"
                     "out %[port], %[low]\n\t"
                     "rjmp .\n\t"
                     "nop\n\t"
                     "dec %[bits]\n\t"
                     "brne 1b\n\t"
                     : [byte] "+&r"(byte), [bits] "+&r"(bits)
                     : [port] "I"(_SFR_IO_ADDR(LAMP_PORT)), [high] "r"(high), [low] "r"(low));
}

void wire_send(const uint8_t *bytes, uint16_t size)
{
    wait_us(LATCH_US);
    /* An interrupt between two lamps would make a gap that old lamps take for the frame's end. */
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        for (; size; size--) {
            send(*bytes++);
            line_poll();
        }
    }
}
