// What the compiler calls for divisions of 32 bits.
#include <stdint.h>

uint32_t __milli_divU(uint32_t dividend, uint32_t divisor);
uint32_t __milli_remU(uint32_t dividend, uint32_t divisor);

// Bit by bit, from the highest on.
static uint32_t divide(uint32_t dividend, uint32_t divisor, uint64_t* rest) {
  uint32_t quotient = 0;
  *rest = 0;
  for (int bit = 31; bit >= 0; --bit) {
    *rest = *rest << 1 | (dividend >> bit & 1);
    if (*rest < divisor) continue;
    *rest -= divisor;
    quotient |= 1U << bit;
  }
  return quotient;
}

uint32_t __milli_divU(uint32_t dividend, uint32_t divisor) {
  uint64_t rest;
  return divide(dividend, divisor, &rest);
}

uint32_t __milli_remU(uint32_t dividend, uint32_t divisor) {
  uint64_t rest;
  divide(dividend, divisor, &rest);
  return (uint32_t)rest;
}
