/*
 * All that the program asks of its microcontroller. avr/ and rp2040/ answer it, each with the pins of
 * its pin.h beside: PIN, and of each pin pin_pull_up, pin_drive and pin_is_low; and wait_us, for
 * a number that is known when it is built.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "pin.h"

#ifndef WATCHDOG
#define WATCHDOG 1
#endif

#define US_PER_TICK 4
#define TICKS_PER_MS 250

/* Start the clock, the line, the wire of the lamps and the watchdog: first of all. */
void chip_start(void);

/* Ticks of 4 us; must be asked more often than every 262 ms. Wraps round after 4.7 hours. */
uint32_t clock_ticks(void);

/* Microseconds, which wrap round after 71 minutes: the host counts the turns. */
static inline uint32_t ticks_to_us(uint32_t ticks)
{
    return ticks * US_PER_TICK;
}

/* Do nothing until then, or until there is something to do; it may return at once. */
void chip_rest(uint32_t until_ticks);

void watchdog_kick(void);

/* Why it has started: 1 power, 2 button or host, 4 brown-out, 8 watchdog. */
uint8_t reset_cause(void);

/* A number that another start very likely does not have. */
uint16_t reset_boot_id(void);

/* The serial line: bytes in and out through rings, so that nobody waits for the wire. */

/* Take the next byte received; false if there is none. */
bool line_take(uint8_t *byte);

/* How many bytes can be put now without losing one. */
uint8_t line_room(void);
void line_put(uint8_t byte);

/* Counted since the start: bytes lost, and bytes that were garbled. */
uint16_t line_lost(void);
uint16_t line_garbled(void);

/* Send bytes to the WS2812 lamps, after a pause that shows them the frame's begin. */
#define LATCH_US 300 /* new lamps need 280 */
void wire_send(const uint8_t *bytes, uint16_t size);
