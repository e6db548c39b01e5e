// What hold_registers() of abis_registers.S puts into registers. For C and assembly.
#pragma once

#define PATTERN(n) (0x8123456789ab0000 + (n))
#define FLOAT_PATTERN(n) (0x7edcba9876540000 + (n))
#define PATTERN_HI 0x1122334455667788
#define PATTERN_LO 0x99aabbccddeeff00
