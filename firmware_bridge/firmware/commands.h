/* Does what the host says, and answers. */
#pragma once
#include <stdint.h>

#include "packet.h"

void command_do(const struct packet *packet, uint32_t now);
