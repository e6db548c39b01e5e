#include "tests/guests/profiling.h"

#include <sys/times.h>

static __attribute__((noipa)) void spin(uint32_t count) {
  for (; count > 0; --count) __asm__ volatile("");
}

void burn_ticks(int ticks) {
  struct tms unused;
  clock_t end = times(&unused) + ticks;
  while (times(&unused) < end) spin(10000);
}

uint32_t sum_counters(const volatile uint16_t* counters, size_t count) {
  uint32_t sum = 0;
  for (size_t i = 0; i < count; ++i) sum += counters[i];
  return sum;
}
