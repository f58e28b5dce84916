/* A pin by its number, GP0 to GP28. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "pins.h"
#include "registers.h"

#define PAD_INPUT 0x40
#define PAD_SCHMITT 0x02
#define PAD_4_MA 0x10
#define PAD_PULL_UP 0x08
#define PIN_BY_PROGRAM 5

struct pin {
    uint8_t number;
};

#define PIN(number) {number}

void wait_us(uint16_t us);

static inline void pin_pull_up(struct pin pin)
{
    REGISTER(SIO_DRIVE_CLEAR) = 1U << pin.number;
    REGISTER(PAD(pin.number)) = PAD_INPUT | PAD_SCHMITT | PAD_4_MA | PAD_PULL_UP;
    REGISTER(PIN_CTRL(pin.number)) = PIN_BY_PROGRAM;
}

static inline void pin_drive(struct pin pin, bool is_high)
{
    REGISTER(is_high ? SIO_OUT_SET : SIO_OUT_CLEAR) = 1U << pin.number;
    REGISTER(SIO_DRIVE_SET) = 1U << pin.number;
}

static inline bool pin_is_low(struct pin pin)
{
    return !(REGISTER(SIO_IN) >> pin.number & 1);
}
