#include "lamps.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <string.h>
#include <util/atomic.h>
#include <util/delay.h>

#include "pin.h"
#include "reset.h"
#include "uart.h"

#define CHANNEL_MA 20 /* of one channel at 255; the chip in each lamp draws about 1 mA besides */
#define IDLE_MA LAMPS
#define LATCH_US 300 /* the wire is quiet so long between frames: new lamps need 280 */

static uint8_t frame[LAMPS][3]; /* in the wire's order: green, red, blue */
static uint8_t brightness = UINT8_MAX;
static uint16_t limit_ma = FIRST_LIMIT_MA;
static bool is_lit;

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

static void output(void)
{
    _delay_us(LATCH_US);
    /* An interrupt between two lamps would make a gap that old lamps take for the frame's end. */
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        for (uint8_t lamp = 0; lamp < LAMPS; lamp++) {
            for (uint8_t channel = 0; channel < 3; channel++) {
                send(frame[lamp][channel]);
                uart_poll();
            }
        }
    }
    watchdog_kick();
}

void lamps_start(void)
{
    LAMP_PORT &= (uint8_t)~_BV(LAMP_BIT);
    LAMP_DDR |= _BV(LAMP_BIT);
    memset(frame, 0, sizeof frame);
    output();
    is_lit = false;
}

void lamps_configure(uint8_t wanted, uint16_t most_ma)
{
    brightness = wanted;
    limit_ma = most_ma;
}

void lamps_set(uint8_t lamp, const uint8_t rgb[3])
{
    uint16_t share = brightness + 1;

    frame[lamp][0] = rgb[1] * share >> 8;
    frame[lamp][1] = rgb[0] * share >> 8;
    frame[lamp][2] = rgb[2] * share >> 8;
}

static uint16_t light_ma(void)
{
    const uint8_t *channel = frame[0];
    uint32_t sum = 0;

    for (uint16_t index = 0; index < sizeof frame; index++)
        sum += channel[index];
    return (sum * CHANNEL_MA + UINT8_MAX - 1) / UINT8_MAX;
}

static void dim(uint16_t share) /* of 65536 */
{
    uint8_t *channel = frame[0];

    for (uint16_t index = 0; index < sizeof frame; index++)
        channel[index] = (uint32_t)channel[index] * share >> 16;
}

uint16_t lamps_show(void)
{
    uint16_t most = limit_ma > IDLE_MA ? limit_ma - IDLE_MA : 0;
    uint16_t wanted = light_ma();

    if (wanted > most) {
        dim(((uint32_t)most << 16) / wanted);
        wanted = light_ma();
    }
    is_lit = wanted > 0;
    output();
    return wanted + IDLE_MA;
}

void lamps_blank(void)
{
    if (is_lit)
        lamps_start();
}
