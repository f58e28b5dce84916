/* A pin by the address of its port's PIN register; DDR and PORT lie behind it. */
#pragma once
#include <avr/io.h>
#include <stdint.h>

#include "pins.h"

struct pin {
    volatile uint8_t *in;
    uint8_t mask;
};

#define PIN(port, bit) {&PIN##port, _BV(bit)}

static inline volatile uint8_t *pin_direction(struct pin pin)
{
    return pin.in + 1;
}

static inline volatile uint8_t *pin_output(struct pin pin)
{
    return pin.in + 2;
}
