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

long long llabs(long long value) {
  return value < 0 ? -value : value;
}
lldiv_t lldiv(long long a, long long b) {
  return (lldiv_t){a / b, a % b};
}
intmax_t imaxabs(intmax_t value) {
  return llabs(value);
}
lldiv_t imaxdiv(intmax_t a, intmax_t b) {
  return lldiv(a, b);
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
int rand_r(unsigned* own) {
  *own = *own * 1103515245 + 12345;
  return *own >> 16 & RAND_MAX;
}

/* drand48(3C): X' = a X + c modulo 2^48. Arrays have the low 16 bits first. */
static const uint64_t first_a = 0x5deece66d;
enum { first_c = 11 };
static uint64_t x48 = 0x1234abcd330e, a48 = first_a;
static unsigned c48 = first_c;

static uint64_t join_48(const unsigned short* part) {
  return part[0] | (uint64_t)part[1] << 16 | (uint64_t)part[2] << 32;
}
static void split_48(uint64_t value, unsigned short* to) {
  for (int i = 0; i < 3; ++i) to[i] = value >> 16 * i;
}
static uint64_t behind_48(uint64_t x) {
  return (x * a48 + c48) & (((uint64_t)1 << 48) - 1);
}
static uint64_t next_48(void) {
  return x48 = behind_48(x48);
}
static uint64_t next_of(unsigned short* x) {
  const uint64_t next = behind_48(join_48(x));
  split_48(next, x);
  return next;
}
static void take_first_parameters(void) {
  a48 = first_a;
  c48 = first_c;
}
void srand48(long value) {
  x48 = (uint64_t)(uint32_t)value << 16 | 0x330e;
  take_first_parameters();
}
unsigned short* seed48(unsigned short* x) {
  static unsigned short old[3];
  split_48(x48, old);
  x48 = join_48(x);
  take_first_parameters();
  return old;
}
void lcong48(unsigned short* parameters) {
  x48 = join_48(parameters);
  a48 = join_48(parameters + 3);
  c48 = parameters[6];
}

static double as_fraction(uint64_t x) {
  return x / 281474976710656.0;
}
long lrand48(void) {
  return next_48() >> 17;
}
long nrand48(unsigned short* x) {
  return next_of(x) >> 17;
}
long mrand48(void) {
  return (int32_t)(next_48() >> 16);
}
long jrand48(unsigned short* x) {
  return (int32_t)(next_of(x) >> 16);
}
double drand48(void) {
  return as_fraction(next_48());
}
double erand48(unsigned short* x) {
  return as_fraction(next_of(x));
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
