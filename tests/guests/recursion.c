// A deep recursion under profiling: the sample is the pc, not the call stack, so every tick of fib
// falls into fib's few instructions at whatever depth.
//
//   recursion [N]
//
// profil(2): "the cell count represents the number of times that the process was executing code in
// the subdivision associated with that cell when the process was interrupted."
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/guests/profiling.h"

#define IN_ORDER __attribute__((noipa, no_reorder))

IN_ORDER uint32_t fib(uint32_t n) {
  return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
IN_ORDER void end_of_fib(void) {}

static uint16_t counters[256];

int main(int argc, char** argv) {
  uint32_t n = argc > 1 ? (uint32_t)atoi(argv[1]) : 25;
  uint32_t size = (uint32_t)end_of_fib - (uint32_t)fib;
  profil(counters, size / 2, (uint32_t)fib, PROFIL_ONE_PER_INSTRUCTION);
  uint32_t result = fib(n);
  profil(NULL, 0, 0, 0);

  printf("fib(%u) = %u\n", n, result);
  for (uint32_t i = 0; i < size / 4; ++i) {
    if (counters[i] != 0) printf("# fib+0x%02x %u\n", 4 * i, counters[i]);
  }
  return 0;
}
