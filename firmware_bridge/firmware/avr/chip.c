/* The start of the microcontroller and why it has started, its clock, and its watchdog. */
#include "chip.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/wdt.h>

#include "line.h"

static uint8_t cause __attribute__((section(".noinit")));
static uint16_t boot_id __attribute__((section(".noinit")));
static uint16_t turns;
static uint16_t last;

/*
 * Runs before variables are set: after a watchdog reset the watchdog is still on, with its
 * shortest time. Some bootloaders clear MCUSR and hand it over in r2. The RAM still holds what it
 * held, which differs at every start: noise after power-on, clocks and counts after a reset.
 */
__attribute__((naked, used, section(".init3"))) static void before_main(void)
{
    uint8_t handed_over;
    uint16_t sum = 1;

    __asm__ volatile("mov %0, r2" : "=r"(handed_over));
    uint8_t told = MCUSR;
    MCUSR = 0;
    wdt_disable();
    for (uint8_t *at = (uint8_t *)RAMSTART; at <= (uint8_t *)RAMEND; at++)
        sum = (sum << 1 | sum >> 15) + *at;
    cause = told ? told : handed_over;
    boot_id = sum;
}

void chip_start(void)
{
#if WATCHDOG
    wdt_enable(WDTO_250MS);
#endif
    TCCR1A = 0;
    TCCR1B = _BV(CS11) | _BV(CS10); /* 16 MHz / 64 */
    LAMP_PORT &= (uint8_t)~_BV(LAMP_BIT);
    LAMP_DDR |= _BV(LAMP_BIT);
    line_start();
    sei();
}

/* Polled, so that long lamp frames lose no time. */
uint32_t clock_ticks(void)
{
    uint16_t now = TCNT1;

    if (now < last)
        turns++;
    last = now;
    return (uint32_t)turns << 16 | now;
}

void chip_rest(uint32_t until_ticks)
{
    (void)until_ticks;
}

void watchdog_kick(void)
{
#if WATCHDOG
    wdt_reset();
#endif
}

uint8_t reset_cause(void)
{
    return cause & 0x0F;
}

uint16_t reset_boot_id(void)
{
    return boot_id;
}
