#include "lamps.h"

#include <string.h>

#include "chip.h"

#define CHANNEL_MA 20 /* of one channel at 255; the chip in each lamp draws about 1 mA besides */
#define IDLE_MA LAMPS

static uint8_t frame[LAMPS][3]; /* in the wire's order: green, red, blue */
static uint8_t brightness = UINT8_MAX;
static uint16_t limit_ma = FIRST_LIMIT_MA;
static bool is_lit;

static void output(void)
{
    wire_send(frame[0], sizeof frame);
    watchdog_kick();
}

void lamps_start(void)
{
    memset(frame, 0, sizeof frame);
    output();
    is_lit = false;
}

void lamps_configure(uint8_t wanted, uint16_t most_ma)
{
    brightness = wanted;
    limit_ma = most_ma;
}

void lamps_set(uint8_t lamp, const uint8_t rgb[3])
{
    uint16_t share = brightness + 1;

    frame[lamp][0] = rgb[1] * share >> 8;
    frame[lamp][1] = rgb[0] * share >> 8;
    frame[lamp][2] = rgb[2] * share >> 8;
}

static uint16_t light_ma(void)
{
    const uint8_t *channel = frame[0];
    uint32_t sum = 0;

    for (uint16_t index = 0; index < sizeof frame; index++)
        sum += channel[index];
    return (sum * CHANNEL_MA + UINT8_MAX - 1) / UINT8_MAX;
}

static void dim(uint16_t share) /* of 65536 */
{
    uint8_t *channel = frame[0];

    for (uint16_t index = 0; index < sizeof frame; index++)
        channel[index] = (uint32_t)channel[index] * share >> 16;
}

uint16_t lamps_show(void)
{
    uint16_t most = limit_ma > IDLE_MA ? limit_ma - IDLE_MA : 0;
    uint16_t wanted = light_ma();

    if (wanted > most) {
        dim(((uint32_t)most << 16) / wanted);
        wanted = light_ma();
    }
    is_lit = wanted > 0;
    output();
    return wanted + IDLE_MA;
}

void lamps_blank(void)
{
    if (is_lit)
        lamps_start();
}
