// Three ways to spend cycles: multiply, wait for memory, and guess branches.
#include <stdio.h>

enum { ROUNDS = 20000, CELLS = 65536 };
static volatile unsigned cells[CELLS];

__attribute__((noinline)) unsigned multiply(unsigned x) {
  for (int i = 0; i < ROUNDS; i++)
    x = x * 2654435761u + 1;
  return x;
}

__attribute__((noinline)) unsigned stride(unsigned x) {
  for (int i = 0; i < ROUNDS; i++)
    x += cells[i * 16 % CELLS];
  return x;
}

__attribute__((noinline)) unsigned branches(unsigned x) {
  unsigned odd = 0;
  for (int i = 0; i < ROUNDS; i++) {
    x = x << 1 | ((x >> 31 ^ x >> 21) & 1);
    if (x & 4)
      odd += x;
  }
  return odd;
}

int main(void) {
  printf("%u\n", branches(stride(multiply(1))));
  return 0;
}
