/* abs(3C), div(3C), rand(3C), random(3M), drand48(3C). */
#include <stdint.h>
#include <stdlib.h>

int abs(int value) {
  return value < 0 ? -value : value;
}
long labs(long value) {
  return value < 0 ? -value : value;
}
div_t div(int a, int b) {
  return (div_t){a / b, a % b};
}
ldiv_t ldiv(long a, long b) {
  return (ldiv_t){a / b, a % b};
}

/* The generator of the C standard's example, as System V has it. */
static uint32_t seed = 1;

int rand(void) {
  seed = seed * 1103515245 + 12345;
  return seed >> 16 & RAND_MAX;
}
void srand(unsigned value) {
  seed = value;
}

/* drand48(3C): X' = 0x5deece66d X + 11 modulo 2^48. */
static uint64_t x48 = 0x1234abcd330e;

static uint64_t next_48(void) {
  x48 = (x48 * 0x5deece66d + 11) & (((uint64_t)1 << 48) - 1);
  return x48;
}
void srand48(long value) {
  x48 = (uint64_t)(uint32_t)value << 16 | 0x330e;
}
long lrand48(void) {
  return next_48() >> 17;
}
long mrand48(void) {
  return (int32_t)(next_48() >> 16);
}
double drand48(void) {
  return next_48() / 281474976710656.0;
}

/* Additive feedback of degree 31, separation 3, with a multiplicative start (random(3M)). */
enum { degree = 31, separation = 3 };
static uint32_t state[degree];
static int front, is_seeded;

void srandom(unsigned value) {
  int32_t word = value == 0 ? 1 : value;
  for (int i = 0; i < degree; ++i) {
    state[i] = word;
    int32_t high = word / 127773, low = word % 127773;
    word = 16807 * low - 2836 * high;
    if (word < 0) word += 2147483647;
  }
  front = separation;
  is_seeded = 1;
  for (int i = 0; i < 10 * degree; ++i) random();
}

long random(void) {
  if (!is_seeded) srandom(1);
  int rear = (front + degree - separation) % degree;
  state[front] += state[rear];
  long result = state[front] >> 1;
  front = (front + 1) % degree;
  return result;
}
