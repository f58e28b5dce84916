/* What only this microcontroller's other files need of the line. */
#pragma once

void line_start(void);

/* Fetch one byte while interrupts are off; to be called more often than bytes come. */
void line_poll(void);
