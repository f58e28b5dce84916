#include "reports.h"

#include "chip.h"
#include "events.h"
#include "lamps.h"
#include "matrix.h"
#include "messages.h"
#include "packet.h"
#include "switches.h"

#define HEARTBEAT_MS 500
#define FIRMWARE_RELEASE 1

static uint8_t sequence;
static uint32_t beat_due, scans;
static uint16_t longest_gap_us, bad_packets;
static bool look_due, counts_due, bounces_due, doubts_due;

void report_send(uint8_t code, const void *payload, uint8_t size)
{
    packet_write(code, sequence++, payload, size, line_put);
}

bool reports_have_room(void)
{
    return line_room() >= ON_WIRE(SWITCHES);
}

static bool has_room_for(uint8_t size)
{
    return line_room() >= ON_WIRE(size);
}

void report_hello(void)
{
    struct hello hello = {
        .major = PROTOCOL_MAJOR,
        .minor = PROTOCOL_MINOR,
        .boot = reset_boot_id(),
        .reset = reset_cause(),
        .rows = ROWS,
        .columns = COLUMNS,
        .sensor = SENSOR_REED,
        .lamps = LAMPS,
        .has_diodes = DIODES,
        .has_watchdog = WATCHDOG,
        .events_kept = EVENTS_KEPT,
        .release = FIRMWARE_RELEASE,
    };

    report_send(MSG_HELLO, &hello, sizeof hello);
    look_due = true;
}

void reports_look(void)
{
    look_due = true;
}

void reports_count(void)
{
    counts_due = bounces_due = true;
}

void reports_scanned(uint32_t gap_us)
{
    scans++;
    if (gap_us > longest_gap_us)
        longest_gap_us = gap_us > UINT16_MAX ? UINT16_MAX : gap_us;
}

void reports_bad_packets(uint16_t count)
{
    bad_packets = count;
}

static void send_snapshot(uint32_t now)
{
    struct {
        struct snapshot head;
        uint8_t levels[BITMAP_BYTES];
    } snapshot = {.head = {reset_boot_id(), events_count(), ticks_to_us(now)}};

    matrix_pack(switches_told(), snapshot.levels);
    report_send(MSG_SNAPSHOT, &snapshot, sizeof snapshot);
}

static void send_doubts(uint32_t now)
{
    struct {
        struct doubted head;
        uint8_t switches[BITMAP_BYTES];
    } doubted = {.head = {ticks_to_us(now)}};

    matrix_pack(switches_doubted(), doubted.switches);
    report_send(MSG_DOUBTED, &doubted, sizeof doubted);
}

static void send_counts(uint32_t now)
{
    struct counts counts = {
        .up_s = now / (TICKS_PER_MS * 1000UL),
        .scans = scans,
        .longest_gap_us = longest_gap_us,
        .lost_bytes = line_lost(),
        .framing_errors = line_garbled(),
        .bad_packets = bad_packets,
        .doubts = switches_doubts(),
    };

    report_send(MSG_COUNTS, &counts, sizeof counts);
}

/* Send one of the rarer reports that are due; the snapshot comes when every event is on its way. */
static void go_on_rarely(uint32_t now)
{
    if (look_due && has_room_for(sizeof(struct snapshot) + BITMAP_BYTES)) {
        look_due = false;
        send_snapshot(now);
    } else if (doubts_due && has_room_for(sizeof(struct doubted) + BITMAP_BYTES)) {
        doubts_due = false;
        send_doubts(now);
    } else if (counts_due && has_room_for(sizeof(struct counts))) {
        counts_due = false;
        send_counts(now);
    } else if (bounces_due && has_room_for(SWITCHES)) {
        bounces_due = false;
        report_send(MSG_BOUNCES, switches_bounces(), SWITCHES);
    }
}

void reports_go_on(uint32_t now)
{
    struct switch_event event;

    if ((int32_t)(now - beat_due) >= 0) {
        beat_due = now + HEARTBEAT_MS * (uint32_t)TICKS_PER_MS;
        look_due = true;
    }
    if (switches_doubts_changed())
        doubts_due = true;
    while (has_room_for(sizeof event)) {
        if (!events_next(&event)) {
            go_on_rarely(now);
            return;
        }
        events_sent();
        report_send(MSG_SWITCH_EVENT, &event, sizeof event);
    }
}
