// The profiling targets of blocks.S.
#pragma once

#include <stdint.h>

enum { BLOCKS = 4, BLOCK_BYTES = 32 };

extern char blocks[], blocks_end[];

// Runs the loop of block 0..3 that often (at least once).
void run_block(int block, uint32_t times);
