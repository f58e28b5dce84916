/*
 * What the board tells a USB host of itself. The numbers of maker and product are those under which
 * Raspberry Pi lets a Pico be a serial port, so every system has the driver.
 */
#pragma once
#include <stdint.h>

#define LOW_HIGH(number) (number) & 0xFF, (number) >> 8
#define STRINGS 3
#define CONFIGURATION_SIZE 75

static const uint8_t device_descriptor[] = {
    18, 1, LOW_HIGH(0x0200),
    0xEF, 2, 1, /* its interfaces tell what they are, by twos */
    64, LOW_HIGH(0x2E8A), LOW_HIGH(0x000A), LOW_HIGH(0x0100),
    1, 2, 0, /* maker and product by name, no serial number */
    1,
};

static const uint8_t configuration_descriptor[CONFIGURATION_SIZE] = {
    9, 2, LOW_HIGH(CONFIGURATION_SIZE), 2, 1, 0, 0x80, 250, /* two interfaces, up to 500 mA of the bus */
    8, 11, 0, 2, 2, 2, 0, 0, /* both are one serial port */
    9, 4, 0, 0, 1, 2, 2, 0, 0, /* how it is set up */
    5, 0x24, 0, LOW_HIGH(0x0110),
    5, 0x24, 1, 0, 1,
    4, 0x24, 2, 2, /* it knows of baud rates, and of who has opened it */
    5, 0x24, 6, 0, 1,
    7, 5, 0x81, 3, LOW_HIGH(8), 255,
    9, 4, 1, 0, 2, 10, 0, 0, 0, /* its bytes */
    7, 5, 0x82, 2, LOW_HIGH(64), 0,
    7, 5, 0x02, 2, LOW_HIGH(64), 0,
};

static const uint8_t languages[] = {4, 3, LOW_HIGH(0x0409)};
static const uint8_t maker[] = {24, 3, 'J', 0, 'e', 0, 't', 0, 'a', 0, 'n', 0, ' ', 0, 'T', 0, 'a', 0, 'b', 0, 'l', 0, 'e', 0};
static const uint8_t product[] = {24, 3, 'J', 0, 'e', 0, 't', 0, 'a', 0, 'n', 0, ' ', 0, 'b', 0, 'o', 0, 'a', 0, 'r', 0, 'd', 0};
static const uint8_t *const string_descriptors[STRINGS] = {languages, maker, product};
