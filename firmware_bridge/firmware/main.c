/* The board's life: scan every millisecond, do what the host says, tell what has changed. */
#include "chip.h"
#include "commands.h"
#include "lamps.h"
#include "matrix.h"
#include "packet.h"
#include "reports.h"
#include "switches.h"

#define HOST_GONE_TICKS (3000UL * TICKS_PER_MS)

static uint32_t scanned_at, scan_due, heard_at;
static struct unpacker unpacker;

static void scan(uint32_t now)
{
    uint16_t raw[ROWS];
    uint8_t elapsed_ms = 0;

    while ((int32_t)(now - scan_due) >= 0) {
        scan_due += TICKS_PER_MS;
        elapsed_ms++;
    }
    reports_scanned(ticks_to_us(now - scanned_at));
    scanned_at = now;
    matrix_scan(raw);
    if (!switches_look(raw, elapsed_ms))
        return;
    matrix_scan(raw);
    switches_confirm(raw, now);
}

/* Take one command. It is left waiting while its answer has no room. */
static void listen(uint32_t now)
{
    struct packet packet = {0};
    uint8_t byte;

    while (reports_have_room() && line_take(&byte)) {
        if (!unpacker_feed(&unpacker, byte, &packet))
            continue;
        heard_at = now;
        command_do(&packet, now);
        return;
    }
    reports_bad_packets(unpacker.bad_packets);
}

int main(void)
{
    uint16_t raw[ROWS];

    chip_start();
    lamps_start();
    matrix_start();
    unpacker_start(&unpacker);
    matrix_scan(raw);
    switches_start(raw);
    report_hello();
    scan_due = scanned_at = clock_ticks();
    for (;;) {
        uint32_t now = clock_ticks();

        watchdog_kick();
        if ((int32_t)(now - scan_due) >= 0)
            scan(now);
        listen(now);
        reports_go_on(now);
        if (now - heard_at > HOST_GONE_TICKS) {
            heard_at = now;
            lamps_blank();
        }
        chip_rest(scan_due);
    }
}
