// Load latency by size and stride, as McVoy and Staelin measure it ("lmbench", USENIX 1996, "Memory
// read latency"): a ring of pointers that leads backwards through an array in steps of the stride,
// and a chain of dependent loads along it. The ring is walked twice before it is timed: the first
// time a part of it that was just written may still be in a cache, and stays dirty.
//
//   lat_mem_rd [LARGEST_KB [STRIDE...]]       8192 KB at most; strides in bytes, 128 by default
//
// Prints "load.STRIDE.SIZE VALUE ns" for the powers of two from 512 bytes up, and those and a half.
// The time is that of the whole load; lmbench's figures of 1996 are less by one processor cycle.
#include <stdlib.h>

#include "tests/guests/lmbench/measure.h"

enum { SMALLEST = 512, LARGEST = 8 * 1024 * 1024, LEAST_LOADS = 20000 };

static char array[LARGEST] __attribute__((aligned(4096)));

#define FIVE(x) x x x x x
#define HUNDRED(x) FIVE(FIVE(x x x x))

static __attribute__((noipa)) char** walk(char** p, uint32_t hundreds) {
  for (; hundreds > 0; --hundreds) {
    HUNDRED(p = (char**)*p;)
  }
  return p;
}

// Each element points to the one before it, the first to the last. Returns their number.
static uint32_t make_ring(uint32_t size, uint32_t stride) {
  uint32_t elements = size / stride;
  for (uint32_t i = 0; i < elements; ++i) {
    uint32_t before = i == 0 ? elements - 1 : i - 1;
    *(char**)(array + i * stride) = array + before * stride;
  }
  return elements;
}

static void measure(uint32_t size, uint32_t stride) {
  uint32_t round = (make_ring(size, stride) + 99) / 100;
  uint32_t hundreds = round < LEAST_LOADS / 100 ? LEAST_LOADS / 100 : round;
  char** p = walk((char**)array, 2 * round);
  uint64_t start = now();
  walk(p, hundreds);
  uint64_t elapsed = since(start);
  printf("load.%u.%u", stride, size);
  print_each(elapsed, hundreds * 100);
}

static int measure_sizes(uint32_t largest, uint32_t stride) {
  if (stride % sizeof(char*) != 0 || stride == 0 || stride > SMALLEST) return 1;
  for (uint32_t size = SMALLEST; size <= largest; size *= 2) {
    measure(size, stride);
    if (size + size / 2 <= largest) measure(size + size / 2, stride);
  }
  return 0;
}

int main(int argc, char** argv) {
  uint32_t largest = argc > 1 ? (uint32_t)atoi(argv[1]) : LARGEST / 1024;
  if (largest > LARGEST / 1024) return 1;
  if (argc <= 2) return measure_sizes(largest * 1024, 128);
  for (int i = 2; i < argc; ++i) {
    if (measure_sizes(largest * 1024, (uint32_t)atoi(argv[i])) != 0) return 1;
  }
  return 0;
}
