/* A pin by the address of its port's PIN register; DDR and PORT lie behind it. */
#pragma once
#include <avr/io.h>
#include <stdbool.h>
#include <stdint.h>
#include <util/delay.h>

#include "pins.h"

struct pin {
    volatile uint8_t *in;
    uint8_t mask;
};

#define PIN(port, bit) {&PIN##port, _BV(bit)}
#define wait_us(us) _delay_us(us)

static inline void pin_pull_up(struct pin pin)
{
    pin.in[1] &= (uint8_t)~pin.mask;
    pin.in[2] |= pin.mask;
}

static inline void pin_drive(struct pin pin, bool is_high)
{
    if (is_high)
        pin.in[2] |= pin.mask;
    else
        pin.in[2] &= (uint8_t)~pin.mask;
    pin.in[1] |= pin.mask;
}

static inline bool pin_is_low(struct pin pin)
{
    return !(*pin.in & pin.mask);
}
