/*
 * The line, as a USB serial port (CDC-ACM) at full speed. The host takes bytes when it likes, so none
 * is lost or garbled on the way; where no program has opened the port, they are let go.
 */
#include <string.h>

#include "chip.h"
#include "descriptors.h"
#include "start.h"

#define BUS_RESET (1 << 19)
#define SETUP_CAME (1 << 17)
#define EACH_EP0_PACKET (1 << 29)
#define PULL_UP (1 << 16)
#define ON_BUFFERS (1 << 4)
#define ON_BUS_RESET (1 << 12)
#define ON_SETUP (1 << 16)

/* Of an endpoint, and of its buffer. */
#define ENDPOINT_ON (1U << 31)
#define EACH_PACKET (1 << 29)
#define KIND(kind) ((kind) << 26)
#define IS_FULL (1 << 15)
#define IS_SECOND (1 << 13) /* DATA1 and DATA0 take turns */
#define STALL (1 << 11)
#define AVAILABLE (1 << 10)
#define LENGTH 0x3FF

/* Buffers by their bits in USB_BUFF_STATUS. */
enum { EP0_IN, EP0_OUT, NOTICE_IN = 2, DATA_IN = 4, DATA_OUT = 5, BUFFERS };

#define NOTICE_AT 0x180
#define DATA_IN_AT 0x1C0
#define DATA_OUT_AT 0x200
#define EP0_AT 0x100

#define RING 256 /* places are bytes */
#define MOST_SENT 63 /* a packet that is not full tells the host that it may hand all on */

struct setup {
    uint8_t to, request;
    uint16_t value, index, length;
};

static uint8_t received[RING], sending[RING];
static volatile uint8_t received_end, received_begin, sending_end, sending_begin;
static volatile bool is_open, is_sending, is_receiving;
static uint8_t coding[7] = {0x20, 0xA1, 0x07, 0x00, 0, 0, 8}; /* 500,000 baud, 8N1: only kept */
static uint8_t configuration, next_address;
static bool is_coding_due;
static const uint8_t *answer;
static uint16_t answer_left;
static uint32_t turn[BUFFERS];

static volatile uint32_t *word(uint16_t at)
{
    return &REGISTER(USB_RAM + at);
}

static void interrupts_off(void)
{
    __asm__ volatile("cpsid i" ::: "memory");
}

static void interrupts_on(void)
{
    __asm__ volatile("cpsie i" ::: "memory");
}

/* Hand a buffer to the controller: what it says must stand before the bit that hands it over. */
static void hand_over(uint8_t buffer, uint32_t value)
{
    volatile uint32_t *control = word(0x80 + 4 * buffer);

    value |= turn[buffer];
    turn[buffer] ^= IS_SECOND;
    *control = value;
    __asm__ volatile("nop\n nop\n nop\n nop\n nop\n nop");
    *control = value | AVAILABLE;
}

static void send(uint8_t buffer, uint16_t at, const uint8_t *bytes, uint8_t size)
{
    volatile uint8_t *to = (volatile uint8_t *)word(at);

    for (uint8_t index = 0; index < size; index++)
        to[index] = bytes[index];
    hand_over(buffer, IS_FULL | size);
}

static void answer_on(void)
{
    uint8_t size = answer_left < 64 ? answer_left : 64;

    send(EP0_IN, EP0_AT, answer, size);
    answer += size;
    answer_left -= size;
}

static void answer_with(const struct setup *asked, const void *bytes, uint16_t size)
{
    answer = bytes;
    answer_left = size < asked->length ? size : asked->length;
    answer_on();
    hand_over(EP0_OUT, 64); /* the host ends it by an empty packet */
}

static void agree(void)
{
    send(EP0_IN, EP0_AT, 0, 0);
}

static void refuse(void)
{
    REGISTER(USB_STALL_ARM) = 3;
    *word(0x80) = STALL;
    *word(0x84) = STALL;
}

static void describe(const struct setup *asked)
{
    uint8_t kind = asked->value >> 8, number = asked->value;

    if (kind == 1)
        answer_with(asked, device_descriptor, sizeof device_descriptor);
    else if (kind == 2)
        answer_with(asked, configuration_descriptor, sizeof configuration_descriptor);
    else if (kind == 3 && number < STRINGS)
        answer_with(asked, string_descriptors[number], string_descriptors[number][0]);
    else
        refuse();
}

static void receive(void)
{
    is_receiving = configuration && (uint8_t)(received_begin - received_end - 1) >= 64;
    if (is_receiving)
        hand_over(DATA_OUT, 64);
}

static void open(bool wanted)
{
    is_open = wanted;
    if (!is_open)
        sending_begin = sending_end;
}

static void configure(uint8_t wanted)
{
    configuration = wanted;
    turn[NOTICE_IN] = turn[DATA_IN] = turn[DATA_OUT] = 0;
    is_sending = false;
    open(false);
    *word(0x08) = ENDPOINT_ON | EACH_PACKET | KIND(3) | NOTICE_AT;
    *word(0x10) = ENDPOINT_ON | EACH_PACKET | KIND(2) | DATA_IN_AT;
    *word(0x14) = ENDPOINT_ON | EACH_PACKET | KIND(2) | DATA_OUT_AT;
    receive();
}

static void obey_setup(void)
{
    static const uint8_t zeros[2];
    struct setup asked;

    memcpy(&asked, (const void *)word(0), sizeof asked);
    turn[EP0_IN] = turn[EP0_OUT] = IS_SECOND;
    is_coding_due = false;
    answer_left = 0;
    switch (asked.to << 8 | asked.request) {
    case 0x8006:
        describe(&asked);
        break;
    case 0x0005:
        next_address = asked.value;
        agree();
        break;
    case 0x0009:
        configure(asked.value);
        agree();
        break;
    case 0x8008:
        answer_with(&asked, &configuration, 1);
        break;
    case 0x8000: /* of the device, an interface, an endpoint */
    case 0x8100:
    case 0x8200:
    case 0x810A:
        answer_with(&asked, zeros, asked.request ? 1 : 2);
        break;
    case 0x0201: /* an endpoint begins anew */
        turn[asked.index & 0x80 ? DATA_IN : DATA_OUT] = 0;
        agree();
        break;
    case 0x2120:
        is_coding_due = true;
        hand_over(EP0_OUT, 64);
        break;
    case 0xA121:
        answer_with(&asked, coding, sizeof coding);
        break;
    case 0x2122:
        open(asked.value & 1);
        agree();
        break;
    default:
        refuse();
    }
}

static void sent_to_host(void)
{
    if (next_address) {
        REGISTER(USB_ADDRESS) = next_address;
        next_address = 0;
    } else if (answer_left) {
        answer_on();
    }
}

static void came_to_ep0(void)
{
    if (!is_coding_due)
        return;
    is_coding_due = false;
    memcpy(coding, (const void *)word(EP0_AT), sizeof coding);
    agree();
}

static void came(void)
{
    const volatile uint8_t *from = (const volatile uint8_t *)word(DATA_OUT_AT);
    uint8_t size = *word(0x80 + 4 * DATA_OUT) & LENGTH;

    while (size--)
        received[received_end++] = *from++;
    receive();
}

void usb_irq(void)
{
    uint32_t status = REGISTER(USB_SIE_STATUS);
    uint32_t buffers = REGISTER(USB_BUFF_STATUS);

    REGISTER(USB_BUFF_STATUS) = buffers;
    if (buffers >> EP0_IN & 1)
        sent_to_host();
    if (buffers >> EP0_OUT & 1)
        came_to_ep0();
    if (buffers >> DATA_IN & 1)
        is_sending = false;
    if (buffers >> DATA_OUT & 1)
        came();
    if (status & SETUP_CAME) {
        REGISTER(USB_SIE_STATUS) = SETUP_CAME;
        obey_setup();
    }
    if (status & BUS_RESET) {
        REGISTER(USB_ADDRESS) = 0;
        configuration = next_address = 0;
        open(false);
        REGISTER(USB_SIE_STATUS) = BUS_RESET;
    }
}

void usb_start(void)
{
    for (uint16_t at = 0; at < 0x100; at += 4)
        *word(at) = 0;
    REGISTER(USB_MUXING) = 1 << 3 | 1 << 0; /* the controller's wires go to the plug */
    REGISTER(USB_PWR) = 1 << 3 | 1 << 2;    /* no pin tells whether there is a host: take it for granted */
    REGISTER(USB_MAIN_CTRL) = 1;
    REGISTER(USB_SIE_CTRL) = EACH_EP0_PACKET;
    REGISTER(USB_INTE) = ON_BUFFERS | ON_BUS_RESET | ON_SETUP;
    SET(USB_SIE_CTRL) = PULL_UP; /* now the host sees that something is there */
}

void usb_flush(void)
{
    uint8_t bytes[MOST_SENT], size = 0;

    interrupts_off();
    if (configuration && !is_sending) {
        while (size < MOST_SENT && sending_begin != sending_end)
            bytes[size++] = sending[sending_begin++];
        if (size) {
            is_sending = true;
            send(DATA_IN, DATA_IN_AT, bytes, size);
        }
    }
    interrupts_on();
}

bool usb_has_bytes(void)
{
    return received_begin != received_end;
}

bool line_take(uint8_t *byte)
{
    if (!usb_has_bytes())
        return false;
    *byte = received[received_begin++];
    interrupts_off();
    if (!is_receiving)
        receive();
    interrupts_on();
    return true;
}

uint8_t line_room(void)
{
    return RING - 1 - (uint8_t)(sending_end - sending_begin);
}

void line_put(uint8_t byte)
{
    interrupts_off();
    if (is_open)
        sending[sending_end++] = byte;
    interrupts_on();
}

uint16_t line_lost(void)
{
    return 0;
}

uint16_t line_garbled(void)
{
    return 0;
}
