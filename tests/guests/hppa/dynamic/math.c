/* Calls every function of libm with many values, and writes a line for each: the name, the arguments, the
 * results and errno. Numbers are written as their bits, so that nothing is lost; tests/cli/hpux_math_test.cc
 * compares. */
#include <errno.h>
#include <stdint.h>
#include <unistd.h>

#include "functions_of_math.h"

static char out[8192];
static int used;

static void flush(void) {
  write(1, out, used);
  used = 0;
}

static void put_text(const char *text) {
  while (*text != 0) out[used++] = *text++;
}

static void put_bits(uint64_t bits, int digits) {
  out[used++] = ' ';
  while (digits-- > 0) out[used++] = "0123456789abcdef"[bits >> 4 * digits & 15];
}
static void put_double(double x) {
  union { double x; uint64_t bits; } it = {x};
  put_bits(it.bits, 16);
}
static void put_float(float x) {
  union { float x; uint32_t bits; } it = {x};
  put_bits(it.bits, 8);
}
static void put_integer(long long x) { put_bits(x, 16); }
static void end_line(void) {
  put_bits(errno, 4);
  out[used++] = '\n';
  if (used > (int)sizeof out - 256) flush();
  errno = 0;
}

static uint64_t state;

static uint64_t random_bits(void) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

static double of_bits(uint64_t bits) {
  union { uint64_t bits; double x; } it = {bits};
  return it.x;
}

static const double special[] = {0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.0, -2.0, 2.5, 3.0, -3.0, 10.0, -90.0, 90.0, 180.0, 1000.0,
                                 -1000.0, 0x1p-149, -0x1p-140, 0x1p-126, 0x1.fffffep127, -0x1.fffffep127,
                                 0x1p-1074, -0x1p-1030, 0x1p-1022, 0x1.fffffffffffffp1023, -0x1.fffffffffffffp1023,
                                 __builtin_inf(), -__builtin_inf(), __builtin_nan("")};
enum { specials = sizeof special / sizeof *special, most = 500 };

/* Of [-scale, scale]. */
static double within(double scale) { return ((int64_t)random_bits() >> 11) * 0x1p-52 * scale; }

static double value(int index) {
  if (index < specials) return special[index];
  switch (index % 4) {
    case 0: return within(1);
    case 1: return within(20);
    case 2: return within(800);
    default: return of_bits(random_bits());
  }
}
/* Most doubles are no floats. */
static float value_of_float(int index) {
  if (index < specials || index % 4 != 3) return value(index);
  union { uint32_t bits; float x; } it = {(uint32_t)random_bits()};
  return it.x;
}

#define EACH                      \
  state = 88172645463325252;      \
  for (int i = 0; i < most; ++i)
#define ONE_OF(name, type, read, put)   \
  EACH {                       \
    type x = read(i), r = name(x);      \
    put_text(#name), put(x), put(r);    \
    end_line();                         \
  }
/* Pairs of special values, too. */
#define TWO_OF(name, type, read, put)                                               \
  EACH {                                                                   \
    type x = read(i), y = read(i < specials ? (i * 7 + 3) % specials : i + 1);      \
    type r = name(x, y);                                                            \
    put_text(#name), put(x), put(y), put(r);                                        \
    end_line();                                                                     \
  }
#define THREE_OF(name, type, read, put)                                             \
  EACH {                                                                   \
    type x = read(i), y = read(i % 2 ? i : i + 1), z = i % 3 ? read(i + 2) : -x * y; \
    type r = name(x, y, z);                                                         \
    put_text(#name), put(x), put(y), put(z), put(r);                                \
    end_line();                                                                     \
  }
#define TO_INTEGER_OF(name, type, read, put)   \
  EACH {                              \
    type x = read(i);                          \
    long long r = name(x);                     \
    put_text(#name), put(x), put_integer(r);   \
    end_line();                                \
  }
#define SCALED_OF(name, type, read, put)                                \
  EACH {                                                       \
    type x = read(i);                                                   \
    int n = (int)within(i % 2 ? 5 : 1200);                              \
    type r = name(x, n);                                                \
    put_text(#name), put(x), put_integer(n), put(r);                    \
    end_line();                                                         \
  }
#define ORDER_OF(name, type, read, put)                   \
  EACH {                                         \
    int n = i % 7 - 3;                                    \
    type x = read(i), r = name(n, x);                     \
    put_text(#name), put_integer(n), put(x), put(r);      \
    end_line();                                           \
  }
#define WITH_INTEGER_OF(name, type, read, put)                       \
  EACH {                                                    \
    int second = 0;                                                  \
    type x = read(i), r = name(x, &second);                          \
    put_text(#name), put(x), put(r), put_integer(second);            \
    end_line();                                                      \
  }
#define WITH_SECOND_OF(name, type, read, put)              \
  EACH {                                          \
    type second = 0, x = read(i), r = name(x, &second);    \
    put_text(#name), put(x), put(r), put(second);          \
    end_line();                                            \
  }
#define QUOTIENT_OF(name, type, read, put)                                         \
  EACH {                                                                  \
    int quotient = 0;                                                              \
    type x = read(i), y = read(i + 1), r = name(x, y, &quotient);                  \
    put_text(#name), put(x), put(y), put(r), put_integer(quotient & 7);            \
    end_line();                                                                    \
  }
#define BOTH_OF(name, type, read, put)               \
  EACH {                                    \
    type x = read(i), s = 0, c = 0;                  \
    name(x, &s, &c);                                 \
    put_text(#name), put(x), put(s), put(c);         \
    end_line();                                      \
  }

#define IN_BOTH(kind, name)                        \
  kind(name, double, value, put_double)            \
  kind(name##f, float, value_of_float, put_float)
#define ONE(name) static void call_##name(void) { IN_BOTH(ONE_OF, name) }
#define TWO(name) static void call_##name(void) { IN_BOTH(TWO_OF, name) }
#define THREE(name) static void call_##name(void) { IN_BOTH(THREE_OF, name) }
#define TO_INTEGER(name) static void call_##name(void) { IN_BOTH(TO_INTEGER_OF, name) }
#define SCALED(name) static void call_##name(void) { IN_BOTH(SCALED_OF, name) }
#define ORDER(name) static void call_##name(void) { IN_BOTH(ORDER_OF, name) }
#define WITH_INTEGER(name) static void call_##name(void) { IN_BOTH(WITH_INTEGER_OF, name) }
#define WITH_SECOND(name) static void call_##name(void) { IN_BOTH(WITH_SECOND_OF, name) }
#define QUOTIENT(name) static void call_##name(void) { IN_BOTH(QUOTIENT_OF, name) }
#define BOTH(name) static void call_##name(void) { IN_BOTH(BOTH_OF, name) }
FUNCTIONS_OF_MATH
#undef ONE
#undef TWO
#undef THREE
#undef TO_INTEGER
#undef SCALED
#undef ORDER
#undef WITH_INTEGER
#undef WITH_SECOND
#undef QUOTIENT
#undef BOTH

int main(void) {
#define ONE(name) call_##name();
#define TWO(name) call_##name();
#define THREE(name) call_##name();
#define TO_INTEGER(name) call_##name();
#define SCALED(name) call_##name();
#define ORDER(name) call_##name();
#define WITH_INTEGER(name) call_##name();
#define WITH_SECOND(name) call_##name();
#define QUOTIENT(name) call_##name();
#define BOTH(name) call_##name();
  FUNCTIONS_OF_MATH
  flush();
  return 0;
}
