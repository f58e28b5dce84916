#include "commands.h"

#include "chip.h"
#include "events.h"
#include "lamps.h"
#include "matrix.h"
#include "messages.h"
#include "reports.h"
#include "switches.h"

#define MOST_COLOURS 16
#define MOST_DEBOUNCE_MS 200

static void done(const struct packet *packet, uint8_t result, uint16_t value)
{
    struct done answer = {packet->sequence, result, value};

    report_send(MSG_DONE, &answer, sizeof answer);
}

static void configure(const struct packet *packet)
{
    const struct configure *told = (const struct configure *)packet->payload;

    if (told->debounce_ms < 1 || told->debounce_ms > MOST_DEBOUNCE_MS) {
        done(packet, RESULT_REFUSED, told->debounce_ms);
        return;
    }
    switches_set_debounce(told->debounce_ms);
    lamps_configure(told->brightness, told->limit_ma);
    done(packet, RESULT_OK, told->limit_ma);
}

static void show_colours(const struct packet *packet)
{
    if (packet->size != 3 * LAMPS) {
        done(packet, RESULT_REFUSED, packet->size);
        return;
    }
    for (uint8_t lamp = 0; lamp < LAMPS; lamp++)
        lamps_set(lamp, packet->payload + 3 * lamp);
    done(packet, RESULT_OK, lamps_show());
}

static void show_palette(const struct packet *packet)
{
    const struct show_palette *told = (const struct show_palette *)packet->payload;
    uint8_t colours = told->colours;
    const uint8_t *numbers = told->rest + 3 * colours;

    if (colours < 1 || colours > MOST_COLOURS ||
        packet->size != sizeof *told + 3 * colours + LAMPS / 2) {
        done(packet, RESULT_REFUSED, packet->size);
        return;
    }
    for (uint8_t lamp = 0; lamp < LAMPS; lamp++) {
        uint8_t number = lamp & 1 ? numbers[lamp / 2] >> 4 : numbers[lamp / 2] & 0x0F;
        lamps_set(lamp, told->rest + 3 * (number < colours ? number : 0));
    }
    done(packet, RESULT_OK, lamps_show());
}

static void pong(const struct packet *packet, uint32_t now)
{
    const struct ping *asked = (const struct ping *)packet->payload;
    struct pong answer = {asked->mark, ticks_to_us(now)};

    report_send(MSG_PONG, &answer, sizeof answer);
}

static void probe(void)
{
    struct probed answer = {matrix_low_columns(), 0};

    for (uint8_t row = 0; row < ROWS; row++)
        for (uint16_t closed = switches_told()[row]; closed; closed &= closed - 1)
            answer.closed++;
    report_send(MSG_PROBED, &answer, sizeof answer);
}

/* Bytes a command has after its code; those that end in any number are checked where they are read. */
static uint8_t least_size(uint8_t code)
{
    switch (code) {
    case MSG_GREET:
        return sizeof(struct greet);
    case MSG_PING:
        return sizeof(struct ping);
    case MSG_CONFIGURE:
        return sizeof(struct configure);
    case MSG_SHOW_PALETTE:
        return sizeof(struct show_palette);
    case MSG_REPEAT:
        return sizeof(struct repeat);
    default:
        return 0;
    }
}

void command_do(const struct packet *packet, uint32_t now)
{
    if (packet->size < least_size(packet->code)) {
        done(packet, RESULT_REFUSED, packet->size);
        return;
    }
    switch (packet->code) {
    case MSG_GREET:
        report_hello();
        break;
    case MSG_PING:
        pong(packet, now);
        break;
    case MSG_CONFIGURE:
        configure(packet);
        break;
    case MSG_SHOW_COLOURS:
        show_colours(packet);
        break;
    case MSG_SHOW_PALETTE:
        show_palette(packet);
        break;
    case MSG_REPEAT: {
        bool is_kept = events_repeat(((const struct repeat *)packet->payload)->number);
        done(packet, is_kept ? RESULT_OK : RESULT_GONE, events_count());
        break;
    }
    case MSG_LOOK:
        reports_look();
        break;
    case MSG_COUNT:
        reports_count();
        break;
    case MSG_PROBE:
        probe();
        break;
    default:
        done(packet, RESULT_UNKNOWN, packet->code);
    }
}
