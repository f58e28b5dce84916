#include "reset.h"

#include <avr/io.h>
#include <avr/wdt.h>

static uint8_t cause __attribute__((section(".noinit")));
static uint16_t boot_id __attribute__((section(".noinit")));

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

uint8_t reset_cause(void)
{
    return cause & 0x0F;
}

uint16_t reset_boot_id(void)
{
    return boot_id;
}

void watchdog_start(void)
{
#if WATCHDOG
    wdt_enable(WDTO_250MS);
#endif
}

void watchdog_kick(void)
{
#if WATCHDOG
    wdt_reset();
#endif
}
