/* The start of the microcontroller and why it has started, its clock, and its watchdog. */
#include "chip.h"

#include "start.h"

/* Everything runs at 48 MHz, which is what USB needs: one PLL does for all. */
#define XOSC_ON (0xFAB << 12 | 0xAA0)
#define XOSC_IS_STABLE (1U << 31)
#define PLL_IS_LOCKED (1U << 31)
#define PLL_OFF 0x2D
#define PLL_TIMES 100 /* 12 MHz to 1200 */
#define PLL_OVER (5 << 16 | 5 << 12)
#define BY_XOSC 2
#define BY_PLL (1 << 5 | 1)
#define USB_BY_PLL (1 << 11)
#define TICKS_OF_12_MHZ (1 << 9 | 12)

#define IO_BANK0 (1 << 5)
#define PADS_BANK0 (1 << 8)
#define PIO0 (1 << 10)
#define PLL_USB (1 << 13)
#define TIMER (1 << 21)
#define USBCTRL (1 << 24)
#define USED (IO_BANK0 | PADS_BANK0 | PIO0 | PLL_USB | TIMER)

#define WATCHDOG_ON (1U << 30)
#define WATCHDOG_ALL 0x1FFFC /* but the oscillators */
#define WATCHDOG_COUNT (2 * 250000) /* 250 ms: this chip counts each microsecond twice */
#define OURS 0x6A656461 /* the boot ROM uses the watchdog, too, and then clears this place */

#define HAD_POWER_ON (1 << 8)
#define HAD_BUTTON (1 << 16)

static uint8_t cause;

static uint8_t find_cause(void)
{
    uint32_t chip = REGISTER(CHIP_RESET);

    if (REGISTER(WATCHDOG_REASON) && REGISTER(WATCHDOG_SCRATCH4) == OURS)
        return 8;
    return chip & HAD_BUTTON ? 2 : chip & HAD_POWER_ON ? 1 : 0;
}

static void restart(uint32_t parts)
{
    SET(RESETS) = parts;
    CLEAR(RESETS) = parts;
    while ((REGISTER(RESETS_DONE) & parts) != parts) {
    }
}

static void clocks_start(void)
{
    REGISTER(XOSC_STARTUP) = 47; /* a millisecond */
    REGISTER(XOSC_CTRL) = XOSC_ON;
    while (!(REGISTER(XOSC_STATUS) & XOSC_IS_STABLE)) {
    }
    REGISTER(CLK_SYS_CTRL) = 0;
    while (REGISTER(CLK_SYS_SELECTED) != 1) {
    }
    REGISTER(CLK_REF_CTRL) = BY_XOSC;
    while (REGISTER(CLK_REF_SELECTED) != 1 << BY_XOSC) {
    }
    restart(USED);
    REGISTER(PLL_CS) = 1;
    REGISTER(PLL_FBDIV) = PLL_TIMES;
    REGISTER(PLL_PWR) = PLL_OFF & ~0x21; /* on, but for what comes after */
    while (!(REGISTER(PLL_CS) & PLL_IS_LOCKED)) {
    }
    REGISTER(PLL_PRIM) = PLL_OVER;
    REGISTER(PLL_PWR) = 4;
    REGISTER(CLK_SYS_CTRL) = BY_PLL & ~1;
    REGISTER(CLK_SYS_CTRL) = BY_PLL;
    while (REGISTER(CLK_SYS_SELECTED) != 2) {
    }
    REGISTER(CLK_USB_CTRL) = USB_BY_PLL;
    restart(USBCTRL); /* not before it has its clock */
    REGISTER(WATCHDOG_TICK) = TICKS_OF_12_MHZ;
}

void chip_start(void)
{
    cause = find_cause();
    REGISTER(WATCHDOG_CTRL) = 0;
    clocks_start();
    REGISTER(WATCHDOG_SCRATCH4) = OURS;
#if WATCHDOG
    REGISTER(PSM_WDSEL) = WATCHDOG_ALL;
    watchdog_kick();
    REGISTER(WATCHDOG_CTRL) = WATCHDOG_ON;
#endif
    REGISTER(TIMER_INTE) = 1;
    wire_start();
    usb_start();
    REGISTER(NVIC_ENABLE) = 1 << TIMER_IRQ | 1 << USB_IRQ;
}

uint32_t clock_ticks(void)
{
    uint32_t high, low;

    do {
        high = REGISTER(TIMER_HIGH);
        low = REGISTER(TIMER_LOW);
    } while (high != REGISTER(TIMER_HIGH));
    return high << 30 | low >> 2;
}

void timer_irq(void)
{
    REGISTER(TIMER_INTR) = 1;
}

/*
 * Sleep once, until then or until an interrupt; one that came just before counts, too. An alarm that
 * was set too late would come after 71 minutes.
 */
static void sleep(uint32_t until_us)
{
    REGISTER(TIMER_ALARM0) = until_us;
    if ((int32_t)(REGISTER(TIMER_LOW) - until_us) < 0)
        __asm__ volatile("wfe" ::: "memory");
}

void wait_us(uint16_t us)
{
    uint32_t until = REGISTER(TIMER_LOW) + us + 1;

    while ((int32_t)(REGISTER(TIMER_LOW) - until) < 0)
        sleep(until);
}

void chip_rest(uint32_t until_ticks)
{
    usb_flush();
    if ((int32_t)(clock_ticks() - until_ticks) < 0 && !usb_has_bytes())
        sleep(until_ticks << 2);
}

void watchdog_kick(void)
{
#if WATCHDOG
    REGISTER(WATCHDOG_LOAD) = WATCHDOG_COUNT;
#endif
}

uint8_t reset_cause(void)
{
    return cause;
}

uint16_t reset_boot_id(void)
{
    return found_in_ram;
}
