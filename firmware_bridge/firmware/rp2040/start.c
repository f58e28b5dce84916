/* From the flash to main: copies the program to RAM, and adds up what the RAM held before. */
#include <stdint.h>

#include "registers.h"
#include "start.h"

extern uint32_t program[], program_end[], program_in_flash[], zeros[], zeros_end[], stack_end[];
int main(void);

uint16_t found_in_ram;

__attribute__((section(".start"), noreturn, used)) void start(void)
{
    uint32_t sum = REGISTER(ROSC_RANDOMBIT);

    for (uint32_t *at = program; at < stack_end; at++)
        sum = (sum << 1 | sum >> 31) + *at;
    for (uint32_t *to = program, *from = program_in_flash; to < program_end;)
        *to++ = *from++;
    for (uint32_t *at = zeros; at < zeros_end;)
        *at++ = 0;
    found_in_ram = sum ^ sum >> 16;
    main();
    for (;;) {
    }
}

/* A fault, or an interrupt that nobody asked for: the watchdog ends it. */
static void hang(void)
{
    for (;;) {
    }
}

#define NOBODY (uintptr_t) hang

__attribute__((section(".vectors"), used)) const uintptr_t vectors[16 + 6] = {
    (uintptr_t)stack_end, (uintptr_t)start, NOBODY, NOBODY, NOBODY, NOBODY, NOBODY, NOBODY, NOBODY,
    NOBODY, NOBODY, NOBODY, NOBODY, NOBODY, NOBODY, NOBODY,
    [16 + TIMER_IRQ] = (uintptr_t)timer_irq,
    [17] = NOBODY, [18] = NOBODY, [19] = NOBODY, [20] = NOBODY,
    [16 + USB_IRQ] = (uintptr_t)usb_irq,
};
