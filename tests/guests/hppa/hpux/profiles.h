// A loop in two functions, of which hot takes 75 % of the time on a processor whose speed does not
// depend on what it computes.
#pragma once

#include "guest/runtime/guest.h"

enum { WARM_STEPS = 571, HOT_STEPS = 3 * WARM_STEPS };

#define IN_ORDER __attribute__((noipa, no_reorder))

static inline __attribute__((always_inline)) uint32_t scramble(uint32_t x, uint32_t steps) {
  do {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
  } while (--steps != 0);
  return x;
}

// The compiler keeps these in the order of the file: each ends where the next one begins.
IN_ORDER uint32_t hot(uint32_t x) {
  return scramble(x, HOT_STEPS);
}
IN_ORDER uint32_t warm(uint32_t x) {
  return scramble(x, WARM_STEPS);
}
IN_ORDER void end_of_warm(void) {}

// Until so many hundredths of a second of the process's time have passed.
static inline uint32_t burn(int ticks, uint32_t x) {
  struct tms now;
  times(&now);
  const clock_t end = now.tms_utime + ticks;
  while (now.tms_utime < end) {
    for (int i = 0; i < 20; ++i) x = warm(hot(x));
    times(&now);
  }
  return x;
}
