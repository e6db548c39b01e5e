/* What GCC calls for divisions, of 64 bits and of 32 that it has extended. */
#include <stdint.h>

#pragma GCC visibility push(hidden) /* each object has its own */

uint64_t __milli_divU(uint64_t dividend, uint64_t divisor);
uint64_t __milli_remU(uint64_t dividend, uint64_t divisor);
int64_t __milli_divI(int64_t dividend, int64_t divisor);
int64_t __milli_remI(int64_t dividend, int64_t divisor);

struct division {
  uint64_t quotient, rest;
};

/* Bit by bit, from the highest on. */
static struct division divide(uint64_t dividend, uint64_t divisor) {
  struct division result = {0, 0};
  for (int bit = dividend >> 32 != 0 ? 63 : 31; bit >= 0; --bit) {
    int is_longer = result.rest >> 63; /* than 64 bits, with the next one */
    result.rest = result.rest << 1 | (dividend >> bit & 1);
    if (!is_longer && result.rest < divisor) continue;
    result.rest -= divisor;
    result.quotient |= (uint64_t)1 << bit;
  }
  return result;
}

uint64_t __milli_divU(uint64_t dividend, uint64_t divisor) {
  return divide(dividend, divisor).quotient;
}

uint64_t __milli_remU(uint64_t dividend, uint64_t divisor) {
  return divide(dividend, divisor).rest;
}

static uint64_t magnitude(int64_t value) {
  return value < 0 ? -(uint64_t)value : (uint64_t)value;
}

int64_t __milli_divI(int64_t dividend, int64_t divisor) {
  uint64_t quotient = divide(magnitude(dividend), magnitude(divisor)).quotient;
  return (dividend < 0) != (divisor < 0) ? -quotient : quotient;
}

int64_t __milli_remI(int64_t dividend, int64_t divisor) {
  uint64_t rest = divide(magnitude(dividend), magnitude(divisor)).rest;
  return dividend < 0 ? -rest : rest;
}
