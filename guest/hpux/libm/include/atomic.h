#pragma once
#include <stdint.h>
static inline int a_clz_64(uint64_t value) {
  int count = 0;
  for (int step = 32; step != 0; step /= 2) {
    if (value >> (64 - step) != 0) continue;
    count += step;
    value <<= step;
  }
  return count;
}
