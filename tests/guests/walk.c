// Reads a byte of each 16 of an array, in order, again and again: what a cache of a given size,
// with lines of 16 bytes, misses of that can be worked out by hand.
//
//   walk [KIB] [ROUNDS]    an array of 1 to 64 KIB
#include <stdio.h>
#include <stdlib.h>

enum { LINE = 16, KIB_BYTES = 1024, MOST_KIB = 64 };

// At a multiple of its size: its first line has the first place of every cache.
static volatile unsigned char array[MOST_KIB * KIB_BYTES]
    __attribute__((aligned(MOST_KIB * KIB_BYTES)));

__attribute__((noipa)) static void walk(unsigned size) {
  for (unsigned i = 0; i < size; i += LINE) (void)array[i];
}

int main(int argc, char** argv) {
  const unsigned kib = argc > 1 ? (unsigned)atoi(argv[1]) : 12;
  const unsigned rounds = argc > 2 ? (unsigned)atoi(argv[2]) : 100;
  if (kib < 1 || kib > MOST_KIB) return 2;
  for (unsigned round = 0; round < rounds; ++round) walk(kib * KIB_BYTES);
  printf("%u reads\n", rounds * kib * KIB_BYTES / LINE);
  return 0;
}
