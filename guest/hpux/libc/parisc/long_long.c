/* Arithmetic of 64 bits for any PA-RISC processor: libgcc's needs PA-RISC 1.1, and there is none for
 * 64-bit programs. GCC calls these. */
#include <stdint.h>

#pragma GCC visibility push(hidden) /* each object has its own */

struct quotient {
  uint64_t quotient, remainder;
};

static struct quotient divide(uint64_t dividend, uint64_t divisor) {
  struct quotient result = {0, 0};
  for (int i = 63; i >= 0; --i) {
    int is_longer = result.remainder >> 63; /* than 64 bits, with the next one */
    result.remainder = result.remainder << 1 | (dividend >> i & 1);
    if (!is_longer && result.remainder < divisor) continue;
    result.remainder -= divisor;
    result.quotient |= (uint64_t)1 << i;
  }
  return result;
}

uint64_t __udivdi3(uint64_t dividend, uint64_t divisor) {
  return divide(dividend, divisor).quotient;
}
uint64_t __umoddi3(uint64_t dividend, uint64_t divisor) {
  return divide(dividend, divisor).remainder;
}

/* Of no zero. */
int __clzdi2(uint64_t value) {
  int count = 0;
  for (int step = 32; step != 0; step /= 2) {
    if (value >> (64 - step) != 0) continue;
    count += step;
    value <<= step;
  }
  return count;
}

static uint64_t magnitude(int64_t value) {
  return value < 0 ? -(uint64_t)value : (uint64_t)value;
}

int64_t __divdi3(int64_t dividend, int64_t divisor) {
  uint64_t quotient = divide(magnitude(dividend), magnitude(divisor)).quotient;
  return (dividend < 0) != (divisor < 0) ? -quotient : quotient;
}

int64_t __moddi3(int64_t dividend, int64_t divisor) {
  uint64_t remainder = divide(magnitude(dividend), magnitude(divisor)).remainder;
  return dividend < 0 ? -remainder : remainder;
}

/* In halves of words, whose products fit. */
static uint64_t product(uint32_t a, uint32_t b) {
  uint32_t a1 = a >> 16, a0 = a & 0xffff, b1 = b >> 16, b0 = b & 0xffff;
  uint64_t middle = (uint64_t)(a1 * b0) + a0 * b1;
  return ((uint64_t)(a1 * b1) << 32) + (middle << 16) + a0 * b0;
}

int64_t __muldi3(int64_t a, int64_t b) {
  uint32_t a0 = a, b0 = b, a1 = (uint64_t)a >> 32, b1 = (uint64_t)b >> 32;
  return product(a0, b0) + ((uint64_t)(a1 * b0 + a0 * b1) << 32);
}
