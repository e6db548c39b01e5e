// 64-bit arithmetic that a 32-bit MIPS leaves to the library; the compiler calls these by name.
#include <stddef.h>
#include <stdint.h>

uint64_t __udivmoddi4(uint64_t dividend, uint64_t divisor, uint64_t* remainder);
uint64_t __udivdi3(uint64_t a, uint64_t b);
uint64_t __umoddi3(uint64_t a, uint64_t b);
int64_t __divdi3(int64_t a, int64_t b);
int64_t __moddi3(int64_t a, int64_t b);
uint64_t __ashldi3(uint64_t value, int count);
uint64_t __lshrdi3(uint64_t value, int count);
int64_t __ashrdi3(int64_t value, int count);

union halves {
  uint64_t all;
  struct {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    uint32_t high, low;
#else
    uint32_t low, high;
#endif
  };
};

// One quotient bit a step; a zero divisor traps as in 32 bits.
uint64_t __udivmoddi4(uint64_t dividend, uint64_t divisor, uint64_t* remainder) {
  uint64_t quotient = 0;
  uint64_t rest = 0;
  if (divisor == 0) __asm__ volatile("break 7");
  for (int bit = 63; bit >= 0; --bit) {
    rest = (rest << 1) | (dividend >> 63);
    dividend <<= 1;
    quotient <<= 1;
    if (rest >= divisor) {
      rest -= divisor;
      quotient |= 1;
    }
  }
  if (remainder != NULL) *remainder = rest;
  return quotient;
}

uint64_t __udivdi3(uint64_t a, uint64_t b) {
  return __udivmoddi4(a, b, NULL);
}

uint64_t __umoddi3(uint64_t a, uint64_t b) {
  uint64_t rest;
  __udivmoddi4(a, b, &rest);
  return rest;
}

static uint64_t magnitude(int64_t value) {
  return value < 0 ? -(uint64_t)value : (uint64_t)value;
}

int64_t __divdi3(int64_t a, int64_t b) {
  uint64_t quotient = __udivmoddi4(magnitude(a), magnitude(b), NULL);
  return (int64_t)((a < 0) != (b < 0) ? -quotient : quotient);
}

int64_t __moddi3(int64_t a, int64_t b) {
  uint64_t rest;
  __udivmoddi4(magnitude(a), magnitude(b), &rest);
  return (int64_t)(a < 0 ? -rest : rest);
}

uint64_t __ashldi3(uint64_t value, int count) {
  union halves v = {.all = value};
  if (count >= 32) {
    v.high = v.low << (count - 32);
    v.low = 0;
  } else if (count > 0) {
    v.high = (v.high << count) | (v.low >> (32 - count));
    v.low <<= count;
  }
  return v.all;
}

uint64_t __lshrdi3(uint64_t value, int count) {
  union halves v = {.all = value};
  if (count >= 32) {
    v.low = v.high >> (count - 32);
    v.high = 0;
  } else if (count > 0) {
    v.low = (v.low >> count) | (v.high << (32 - count));
    v.high >>= count;
  }
  return v.all;
}

int64_t __ashrdi3(int64_t value, int count) {
  union halves v = {.all = (uint64_t)value};
  uint32_t sign = v.high & 0x80000000 ? UINT32_MAX : 0;
  if (count >= 32) {
    v.low = (uint32_t)((int32_t)v.high >> (count - 32));
    v.high = sign;
  } else if (count > 0) {
    v.low = (v.low >> count) | (v.high << (32 - count));
    v.high = (uint32_t)((int32_t)v.high >> count);
  }
  return (int64_t)v.all;
}
