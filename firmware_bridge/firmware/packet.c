#include "packet.h"

#include <string.h>

#include "count.h"

#define CRC_START 0xFFFF
#define FULL_BLOCK 0xFF

/* CRC-16 with the polynomial 0x1021, highest bit first: a byte at a time without a table. */
static uint16_t crc_add(uint16_t crc, uint8_t byte)
{
    uint8_t mixed = (uint8_t)(crc >> 8) ^ byte;

    mixed ^= mixed >> 4;
    return (uint16_t)(crc << 8) ^ (uint16_t)((uint16_t)mixed << 12) ^ (uint16_t)((uint16_t)mixed << 5) ^
           mixed;
}

static uint16_t crc_of(const uint8_t *bytes, uint16_t size)
{
    uint16_t crc = CRC_START;

    while (size--)
        crc = crc_add(crc, *bytes++);
    return crc;
}

static void begin(struct unpacker *unpacker)
{
    unpacker->size = 0;
    unpacker->left = 0;
    unpacker->zero_follows = false;
    unpacker->is_bad = false;
}

void unpacker_start(struct unpacker *unpacker)
{
    begin(unpacker);
    unpacker->bad_packets = 0;
}

static void keep(struct unpacker *unpacker, uint8_t byte)
{
    if (unpacker->size == sizeof unpacker->bytes)
        unpacker->is_bad = true;
    else
        unpacker->bytes[unpacker->size++] = byte;
}

static bool is_whole(const struct unpacker *unpacker)
{
    uint16_t size = unpacker->size;

    if (unpacker->is_bad || unpacker->left || size < AROUND_PAYLOAD)
        return false;
    uint16_t told = unpacker->bytes[size - 2] | (uint16_t)unpacker->bytes[size - 1] << 8;
    return crc_of(unpacker->bytes, size - 2) == told;
}

static bool end(struct unpacker *unpacker, struct packet *packet)
{
    bool found = is_whole(unpacker);

    if (found) {
        packet->code = unpacker->bytes[0];
        packet->sequence = unpacker->bytes[1];
        packet->size = unpacker->size - AROUND_PAYLOAD;
        packet->payload = unpacker->bytes + 2;
    } else if (unpacker->size || unpacker->left || unpacker->is_bad) {
        count_up(&unpacker->bad_packets);
    }
    begin(unpacker);
    return found;
}

bool unpacker_feed(struct unpacker *unpacker, uint8_t byte, struct packet *packet)
{
    if (byte == 0)
        return end(unpacker, packet);
    if (unpacker->left) {
        unpacker->left--;
        keep(unpacker, byte);
        return false;
    }
    if (unpacker->zero_follows)
        keep(unpacker, 0);
    unpacker->left = byte - 1;
    unpacker->zero_follows = byte != FULL_BLOCK;
    return false;
}

void packet_write(uint8_t code, uint8_t sequence, const void *payload, uint8_t size,
                  void (*put)(uint8_t byte))
{
    uint8_t bytes[LONGEST_REPORT];
    uint8_t end = size + 2;

    bytes[0] = code;
    bytes[1] = sequence;
    memcpy(bytes + 2, payload, size);
    uint16_t crc = crc_of(bytes, end);
    bytes[end++] = (uint8_t)crc;
    bytes[end++] = (uint8_t)(crc >> 8);

    put(0);
    /* No report fills a block of 254, so each block ends at a zero or at the end. */
    for (uint8_t at = 0; at <= end; at++) {
        uint8_t run = at;
        while (run < end && bytes[run])
            run++;
        put(run - at + 1);
        for (; at < run; at++)
            put(bytes[at]);
    }
    put(0);
}
