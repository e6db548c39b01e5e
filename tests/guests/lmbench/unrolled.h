// Loops over an area, unrolled as lmbench's are.
#pragma once

#include <stdint.h>

enum { WORDS = 32 };  // in a turn of a loop

// x(i) for each word of a turn.
#define FOUR(x, i) x(i) x(i + 1) x(i + 2) x(i + 3)
#define SIXTEEN(x, i) FOUR(x, i) FOUR(x, i + 4) FOUR(x, i + 8) FOUR(x, i + 12)
#define ALL(x) SIXTEEN(x, 0) SIXTEEN(x, 16)

static __attribute__((noipa)) uint32_t read_area(const uint32_t* p, const uint32_t* end) {
  uint32_t sum = 0;
#define ADD(i) sum += p[i];
  for (; p < end; p += WORDS) {
    ALL(ADD)
  }
  return sum;
}
