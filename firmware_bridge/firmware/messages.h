/* Written by tools/c_headers.py from messages.py and build.py: change those. */
#pragma once
#include <stdint.h>

#define PROTOCOL_MAJOR 1
#define PROTOCOL_MINOR 0

#define RESULT_OK 0
#define RESULT_GONE 1
#define RESULT_UNKNOWN 2
#define RESULT_REFUSED 3
#define SENSOR_REED 0
#define SENSOR_HALL 1

#define MSG_GREET 0x01
struct __attribute__((packed)) greet {
    uint8_t major;
    uint8_t minor;
};
_Static_assert(sizeof(struct greet) == 2, "greet has gaps");

#define MSG_PING 0x02
struct __attribute__((packed)) ping {
    uint32_t mark;
};
_Static_assert(sizeof(struct ping) == 4, "ping has gaps");

#define MSG_CONFIGURE 0x03
struct __attribute__((packed)) configure {
    uint8_t debounce_ms;
    uint8_t brightness;
    uint16_t limit_ma;
};
_Static_assert(sizeof(struct configure) == 4, "configure has gaps");

#define MSG_SHOW_COLOURS 0x04

#define MSG_SHOW_PALETTE 0x05
struct __attribute__((packed)) show_palette {
    uint8_t colours;
    uint8_t rest[];
};
_Static_assert(sizeof(struct show_palette) == 1, "show_palette has gaps");

#define MSG_REPEAT 0x06
struct __attribute__((packed)) repeat {
    uint16_t number;
};
_Static_assert(sizeof(struct repeat) == 2, "repeat has gaps");

#define MSG_LOOK 0x07

#define MSG_COUNT 0x08

#define MSG_PROBE 0x09

#define MSG_HELLO 0x81
struct __attribute__((packed)) hello {
    uint8_t major;
    uint8_t minor;
    uint16_t boot;
    uint8_t reset;
    uint8_t rows;
    uint8_t columns;
    uint8_t sensor;
    uint8_t lamps;
    uint8_t has_diodes;
    uint8_t has_watchdog;
    uint8_t events_kept;
    uint16_t release;
};
_Static_assert(sizeof(struct hello) == 14, "hello has gaps");

#define MSG_SWITCH_EVENT 0x82
struct __attribute__((packed)) switch_event {
    uint16_t number;
    uint32_t at_us;
    uint8_t switch_index;
    uint8_t level;
};
_Static_assert(sizeof(struct switch_event) == 8, "switch_event has gaps");

#define MSG_SNAPSHOT 0x83
struct __attribute__((packed)) snapshot {
    uint16_t boot;
    uint16_t next_number;
    uint32_t at_us;
    uint8_t levels[];
};
_Static_assert(sizeof(struct snapshot) == 8, "snapshot has gaps");

#define MSG_DONE 0x84
struct __attribute__((packed)) done {
    uint8_t of;
    uint8_t result;
    uint16_t value;
};
_Static_assert(sizeof(struct done) == 4, "done has gaps");

#define MSG_PONG 0x85
struct __attribute__((packed)) pong {
    uint32_t mark;
    uint32_t at_us;
};
_Static_assert(sizeof(struct pong) == 8, "pong has gaps");

#define MSG_COUNTS 0x86
struct __attribute__((packed)) counts {
    uint32_t up_s;
    uint32_t scans;
    uint16_t longest_gap_us;
    uint16_t lost_bytes;
    uint16_t framing_errors;
    uint16_t bad_packets;
    uint16_t doubts;
};
_Static_assert(sizeof(struct counts) == 18, "counts has gaps");

#define MSG_BOUNCES 0x87

#define MSG_PROBED 0x88
struct __attribute__((packed)) probed {
    uint16_t low_columns;
    uint8_t closed;
};
_Static_assert(sizeof(struct probed) == 3, "probed has gaps");

#define MSG_DOUBTED 0x89
struct __attribute__((packed)) doubted {
    uint32_t at_us;
    uint8_t switches[];
};
_Static_assert(sizeof(struct doubted) == 4, "doubted has gaps");

#define LONGEST_FIXED_COMMAND 4
