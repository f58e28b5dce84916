/* What this microcontroller's files need of each other. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/* A sum over the RAM as it was found at the start. */
extern uint16_t found_in_ram;

void timer_irq(void);
void usb_irq(void);
void usb_start(void);

/* Begin to send what has been put; whether bytes are waiting to be taken. */
void usb_flush(void);
bool usb_has_bytes(void);
void wire_start(void);
