/*
 * Packets: 0x00, stuffed (code, sequence number, payload, CRC-16), 0x00. PROTOCOL.md has the
 * reasons. This file knows no microcontroller: the tests build it for the host too.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#define AROUND_PAYLOAD 4
#define LONGEST_COMMAND 304 /* 100 colours and what is around them */
#define LONGEST_REPORT 108  /* a byte a switch, with some to spare */

/* Bytes that a payload of so many takes on the wire. */
#define ON_WIRE(payload) ((payload) + AROUND_PAYLOAD + 4)

struct packet {
    uint8_t code;
    uint8_t sequence;
    uint16_t size; /* of the payload */
    const uint8_t *payload;
};

/* A packet that is being received. */
struct unpacker {
    uint8_t bytes[LONGEST_COMMAND];
    uint16_t size;
    uint8_t left;      /* bytes that still belong to this block */
    bool zero_follows; /* the block stands for a zero after it, if another block comes */
    bool is_bad;
    uint16_t bad_packets;
};

void unpacker_start(struct unpacker *unpacker);

/* Take in a byte; true if it ends a whole packet, which is valid until the next byte. */
bool unpacker_feed(struct unpacker *unpacker, uint8_t byte, struct packet *packet);

/* Write a packet with `put`. The payload has at most LONGEST_REPORT - AROUND_PAYLOAD bytes. */
void packet_write(uint8_t code, uint8_t sequence, const void *payload, uint8_t size,
                  void (*put)(uint8_t byte));
