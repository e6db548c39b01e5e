// The benchmark guest: sieve, CRC, sort and integer matrix product in turn, about one million
// instructions a round (MIPS I, -O2).
//
//   bench [ROUNDS]       the same under IRIX and Linux
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// With 40000, the sieve does not fit into a cache of 16 KB.
#ifndef SIEVE
#define SIEVE 8000
#endif

enum { PRIMES = SIEVE, BYTES = 5200, NUMBERS = 1280, N = 24 };

static uint8_t composite[PRIMES];
static uint32_t numbers[NUMBERS];
static uint32_t a[N][N], b[N][N], c[N][N];

static __attribute__((noipa)) uint32_t sieve(void) {
  uint32_t count = 0;
  memset(composite, 0, sizeof composite);
  for (uint32_t i = 2; i < PRIMES; ++i) {
    if (composite[i]) continue;
    ++count;
    for (uint32_t j = i * i; j < PRIMES; j += i) composite[j] = 1;
  }
  return count;
}

static __attribute__((noipa)) uint32_t crc(uint32_t seed) {
  uint32_t crc = ~seed;
  for (uint32_t i = 0; i < BYTES; ++i) {
    crc ^= (seed + i) & 0xff;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (0xedb88320u & -(crc & 1));
  }
  return ~crc;
}

static __attribute__((noipa)) uint32_t sort(uint32_t seed) {
  for (uint32_t i = 0; i < NUMBERS; ++i) numbers[i] = seed = seed * 1664525u + 1013904223u;
  for (uint32_t gap = NUMBERS / 2; gap > 0; gap /= 2) {
    for (uint32_t i = gap; i < NUMBERS; ++i) {
      uint32_t value = numbers[i];
      uint32_t j = i;
      for (; j >= gap && numbers[j - gap] > value; j -= gap) numbers[j] = numbers[j - gap];
      numbers[j] = value;
    }
  }
  return numbers[NUMBERS / 3];
}

static __attribute__((noipa)) uint32_t multiply(uint32_t seed) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < N * N; ++i) {
    a[i / N][i % N] = seed + i;
    b[i / N][i % N] = seed ^ i;
  }
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j < N; ++j) {
      uint32_t cell = 0;
      for (int k = 0; k < N; ++k) cell += a[i][k] * b[k][j];
      c[i][j] = cell;
      sum = sum * 31 + cell;
    }
  }
  return sum;
}

int main(int argc, char** argv) {
  uint32_t rounds = argc > 1 ? (uint32_t)atoi(argv[1]) : 10;
  uint32_t sum = 0;
  for (uint32_t i = 0; i < rounds; ++i) {
    sum = sum * 31 + sieve();
    sum = sum * 31 + crc(sum);
    sum = sum * 31 + sort(sum);
    sum = sum * 31 + multiply(sum);
  }
  printf("bench %u rounds: %08x\n", rounds, sum);
  return 0;
}
