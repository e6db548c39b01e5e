/* HP's long double: the functions that compilers call for it, its conversions, and for IA-64 libm's functions. Each result is
 * a line: the name, the rounding mode, the arguments and results as bits, and the exceptions.
 * tests/cli/hpux_quads_test.cc compares. */
#include <long_double.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

quad _U_Qfadd(quad, quad), _U_Qfsub(quad, quad), _U_Qfmpy(quad, quad), _U_Qfdiv(quad, quad);
quad _U_Qfmin(quad, quad), _U_Qfmax(quad, quad), _U_Qfsqrt(quad), _U_Qfabs(quad);
quad _U_Qfcnvff_sgl_to_quad(float), _U_Qfcnvff_dbl_to_quad(double);
float _U_Qfcnvff_quad_to_sgl(quad);
double _U_Qfcnvff_quad_to_dbl(quad);
quad _U_Qfcnvxf_sgl_to_quad(int), _U_Qfcnvxf_dbl_to_quad(long long);
long _U_Qfcnvfxt_quad_to_sgl(quad);
long long _U_Qfcnvfxt_quad_to_dbl(quad);
struct wide {
  uint64_t high, low;
};
quad _U_Qfcnvxf_quad_to_quad(struct wide);
struct wide _U_Qfcnvfxt_quad_to_quad(quad);
int _U_Qfcmp(quad, quad, int);
int fpsetround(int), fpsetsticky(int), fpgetsticky(void);

static uint64_t state = 88172645463325252ull;
static uint64_t random_bits(void) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

static quad made(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
  union quad_words u = {.word = {a, b, c, d}};
  return u.number;
}

static const uint32_t special[][4] = {
    {0}, {0x80000000}, {0x3fff0000}, {0xbfff0000}, {0x40000000}, {0x3ffe0000}, {0x3fff8000}, {0x7fff0000}, {0xffff0000},
    {0x00010000}, {0, 0, 0, 1}, {0x80000000, 0, 0, 1}, {0x0000ffff, -1u, -1u, -1u}, {0x7ffeffff, -1u, -1u, -1u},
    {0xfffeffff, -1u, -1u, -1u}, {0x403e0000}, {0xc03e0000}, {0x407e0000}, {0xc07e0000}, {0x401dffff, 0xfffff000},
    {0x3f8d0000}, {0x3fff0000, 0, 0, 1}, {0x40020000, 0, 0, 0}, {0x43feffff, 0xffffffff, 0xf8000000, 0},
    {0x7fff4000, 1}, {0x47fe0000}, {0x407dffff, -1u, -1u, -1u}, {0x3bcd0000}, {0x3bcc8000}, {0x3c00ffff, -1u, 0xf0000000, 1}};
enum { specials = sizeof special / sizeof *special, most = 130 };

/* Numbers of all sizes, of nearly one size, and with few bits. */
static quad value(int index) {
  if (index < specials) return made(special[index][0], special[index][1], special[index][2], special[index][3]);
  const uint64_t high = random_bits(), low = random_bits();
  uint32_t exponent = high >> 48 & 0x7fff, sign = high >> 63 << 31;
  if (exponent == 0x7fff) exponent = 0;
  if (index % 4 < 3) exponent = 0x3fff + exponent % (index % 4 == 0 ? 5 : 140) - (index % 4 == 0 ? 2 : 70);
  if (index % 5 == 0) return made(sign | exponent << 16 | (high >> 32 & 0xffff), 0, 0, 0);
  return made(sign | exponent << 16 | (high >> 32 & 0xffff), high, low >> 32, low);
}

static int mode;
static void put_quad(quad x) {
  const union quad_words u = {x};
  printf(" %08x%08x%08x%08x", u.word[0], u.word[1], u.word[2], u.word[3]);
}
static void put_double(double x) {
  union { double x; uint64_t bits; } u = {x};
  printf(" %016llx", (unsigned long long)u.bits);
}
static void put_float(float x) {
  union { float x; uint32_t bits; } u = {x};
  printf(" %08x", u.bits);
}
static void put_integer(struct wide x) { printf(" i%016llx%016llx", (unsigned long long)x.high, (unsigned long long)x.low); }
static struct wide wide(long long x) { return (struct wide){x < 0 ? -1ull : 0, x}; }
static void start(const char *name) {
  printf("%s %d", name, mode);
  fpsetsticky(0);
}
static void end(int flags) { printf(" f%x\n", flags); }

/* The flags are read before anything else computes. */
#define LINE(name, arguments, call, put) \
  do {                                   \
    start(name);                         \
    __typeof(call) result = call;        \
    const int flags = fpgetsticky();     \
    arguments;                           \
    put(result);                         \
    end(flags);                          \
  } while (0)

static void two(quad a, quad b) {
#define TWO(name) LINE(#name, (put_quad(a), put_quad(b)), _U_Qf##name(a, b), put_quad)
  TWO(add);
  TWO(sub);
  TWO(mpy);
  TWO(div);
  TWO(min);
  TWO(max);
  for (int relations = 0; relations < 32; relations += mode == 0 ? 3 : 13) {
    char name[8];
    sprintf(name, "cmp%d", relations);
    LINE(name, (put_quad(a), put_quad(b)), wide(_U_Qfcmp(a, b, relations)), put_integer);
  }
}

#ifdef __ia64__
enum { is_ia64 = 1 };
#else
enum { is_ia64 = 0 };
#endif

/* GCC's quadlib.c: for 64-bit PA-RISC it is in the upper half. */
static int int_of_quad(quad a) {
  const long result = _U_Qfcnvfxt_quad_to_sgl(a);
  return sizeof(long) == 8 && !is_ia64 ? (int)(result >> 16 >> 16) : (int)result;
}

static void one(quad a) {
  LINE("sqrt", put_quad(a), _U_Qfsqrt(a), put_quad);
  LINE("abs", put_quad(a), _U_Qfabs(a), put_quad);
  LINE("to_float", put_quad(a), _U_Qfcnvff_quad_to_sgl(a), put_float);
  LINE("to_double", put_quad(a), _U_Qfcnvff_quad_to_dbl(a), put_double);
  LINE("to_int", put_quad(a), wide(int_of_quad(a)), put_integer);
  LINE("to_long", put_quad(a), wide(_U_Qfcnvfxt_quad_to_dbl(a)), put_integer);
  LINE("to_wide", put_quad(a), _U_Qfcnvfxt_quad_to_quad(a), put_integer);
}

static void of_others(int index) {
  union { uint64_t bits; double x; } d = {random_bits()};
  union { uint32_t bits; float x; } f = {(uint32_t)random_bits()};
  if (index % 8 == 0) d.bits &= 0x800fffffffffffffull, f.bits &= 0x807fffff; /* subnormal */
  if ((f.bits & 0x7f800000) == 0x7f800000) f.bits = 0;
  if ((d.bits & 0x7ff0000000000000ull) == 0x7ff0000000000000ull) d.bits = 0;
  const struct wide integer = {random_bits() >> index % 64, random_bits()};
  const long long part = (long long)random_bits() >> index % 64;
  LINE("of_float", put_float(f.x), _U_Qfcnvff_sgl_to_quad(f.x), put_quad);
  LINE("of_double", put_double(d.x), _U_Qfcnvff_dbl_to_quad(d.x), put_quad);
  LINE("of_int", put_integer(wide((int)part)), _U_Qfcnvxf_sgl_to_quad((int)part), put_quad);
  LINE("of_long", put_integer(wide(part)), _U_Qfcnvxf_dbl_to_quad(part), put_quad);
  LINE("of_wide", put_integer(integer), _U_Qfcnvxf_quad_to_quad(integer), put_quad);
}

static void arithmetic(void) {
  for (mode = 0; mode < 4; ++mode) {
    fpsetround(mode);
    for (int i = 0; i < most; ++i) {
      const quad a = value(i), b = value(i < specials ? (i * 5 + 3 + mode) % specials : i + 1);
      two(a, b);
      two(a, a);
      one(a);
      of_others(i);
    }
  }
  fpsetround(1);
}

/* ---- printf(), scanf(), strtold(), ldcvt(3C). */

/* No literals where they are used: GCC for Linux on PA-RISC takes long double for a double. */
static const char *with_hex = " =%La=%.5La=%d %Lg %d\n", *long_number = "%Lf", *longest_number = "%.36Lg";

static void print(quad x) {
  static const char *const formats[] = {"%Lf",   "%Le",     "%Lg",    "%.0Lf", "%.35Lg", "%.33Le", "%+.3Lg",
                                        "%.0Le", "%#.0Lf", "%30.3Le", "%.60Lg", "%.40Lf"};
  /* Of the smallest and the largest fewer: their digits are many. */
  const union quad_words u = {x};
  const uint32_t exponent = u.word[0] >> 16 & 0x7fff;
  const int is_long = exponent < 0x3000 || (exponent > 0x5000 && exponent != 0x7fff);
  for (unsigned i = 0; i < sizeof formats / sizeof *formats; i += is_long ? 9 : 1) {
    printf("print %d", i);
    put_quad(x);
    printf(" =");
    printf(formats[i], x);
    printf("=\n");
  }
  printf("hex 0");
  put_quad(x);
  printf(with_hex, x, x, 7, x, 8);
}

static void read_back(const char *text) {
  char *end;
  const quad a = strtold(text, &end);
  quad b = made(0, 0, 0, 0);
  const int count = sscanf(text, long_number, &b);
  printf("read %d", (int)(end - text));
  put_quad(a);
  if (count == 1 && memcmp(&a, &b, sizeof a) != 0) printf(" but sscanf()");
  printf(" =%s=\n", text);
}

static void conversions(void) {
  static const char *const texts[] = {"0", "-0", "1", "0.1", "1e4932", "1.18973149535723176508575932662800702e4932",
                                      "1.1897314953572317650857593266280071e4932", "3.4e-4932", "6.5e-4966", "3.2e-4966",
                                      "3.3e-4966", "1e-5000", "1e5000", "123456789012345678901234567890123456789",
                                      "10384593717069655257060992658440192.5", "10384593717069655257060992658440193.5",
                                      "5192296858534827628530496329220096.5", "inf", "-Infinity", "x", "12.5e", "7.e-1z"};
  enum { others = is_ia64 ? 6 : 24 }; /* its instructions take longer to simulate */
  for (int i = 0; i < specials + others; ++i) print(value(i));
  for (unsigned i = 0; i < sizeof texts / sizeof *texts; ++i) read_back(texts[i]);
  for (int i = 0; i < 2 * others; ++i) {
    char text[80];
    sprintf(text, "%llu%016llue%d", (unsigned long long)random_bits(), (unsigned long long)(random_bits() >> 11),
            i % 20 == 0 ? (int)(random_bits() % 9950) - 5010 : (int)(random_bits() % 200) - 120);
    read_back(text);
    quad x = value(i % 10 == 0 ? i : specials + 1); /* of moderate size, and any */
    sprintf(text, longest_number, x);
    read_back(text);
  }
  int point, sign;
  char text[64];
  const char *digits = _ldecvt(made(0xc000921f, 0xb54442d1, 0x8469898c, 0xc51701b8), 12, &point, &sign);
  printf("ldcvt 0 %s %d %d", digits, point, sign);
  digits = _ldfcvt(made(0x4002921f, 0xb54442d1, 0x8469898c, 0xc51701b8), 3, &point, &sign);
  printf(" %s %d %d", digits, point, sign);
  printf(" %s\n", _ldgcvt(made(0x3fff8000, 0, 0, 0), 5, text));
}

#ifdef __ia64__
#include <errno.h>
#include "functions_of_math_long.h"

static long double within(long double scale) {
  union quad_words u = {value(specials + 1)};
  u.word[0] = (u.word[0] & 0x8000ffff) | 0x3fff0000;
  return (u.number - (u.number < 0 ? -1 : 1)) * scale;
}
static long double argument(int index) {
  if (index < specials) return value(index);
  switch (index % 5) {
    case 0: return within(1);
    case 1: return within(20);
    case 2: return within(3000);
    case 3: return 1 + within(0.01L);
    default: return value(index);
  }
}
static void end_with_errno(void) {
  printf(" e%d\n", errno);
  errno = 0;
}
enum { most_of_math = 150 };
#define EACH for (int i = 0; i < most_of_math; ++i)
#define ONE(name)                            \
  EACH {                                     \
    const long double x = argument(i), r = name(x); \
    printf("%s 1", #name), put_quad(x), put_quad(r); \
    end_with_errno();                        \
  }
#define TWO_OF(name)                                                                  \
  EACH {                                                                              \
    const long double x = argument(i), y = argument(i < specials ? (i * 7 + 3) % specials : i + 1); \
    const long double r = name(x, y);                                                 \
    printf("%s 1", #name), put_quad(x), put_quad(y), put_quad(r);                     \
    end_with_errno();                                                                 \
  }
#define THREE(name)                                                                            \
  EACH {                                                                                       \
    const long double x = argument(i), y = argument(i + 1), z = i % 3 ? argument(i + 2) : -x * y; \
    const long double r = name(x, y, z);                                                       \
    printf("%s 1", #name), put_quad(x), put_quad(y), put_quad(z), put_quad(r);                 \
    end_with_errno();                                                                          \
  }
#define TO_INTEGER(name)                                                     \
  EACH {                                                                     \
    const long double x = argument(i);                                       \
    const long long r = name(x);                                             \
    printf("%s 1", #name), put_quad(x), put_integer(wide(r));                \
    end_with_errno();                                                        \
  }
#define SCALED(name)                                                                     \
  EACH {                                                                                 \
    const long double x = argument(i);                                                   \
    const int n = (int)(random_bits() % (i % 2 ? 10 : 36000)) - (i % 2 ? 5 : 18000);     \
    const long double r = name(x, n);                                                    \
    printf("%s 1", #name), put_quad(x), put_integer(wide(n)), put_quad(r);               \
    end_with_errno();                                                                    \
  }
#define WITH_INTEGER(name)                                                                 \
  EACH {                                                                                   \
    int n = 0;                                                                             \
    const long double x = argument(i), r = name(x, &n);                                    \
    printf("%s 1", #name), put_quad(x), put_quad(r), put_integer(wide(n));                 \
    end_with_errno();                                                                      \
  }
#define TWO_RESULTS(name, call)                                                  \
  EACH {                                                                         \
    long double r, second;                                                       \
    const long double x = argument(i);                                           \
    call;                                                                        \
    printf("%s 1", #name), put_quad(x), put_quad(r), put_quad(second);           \
    end_with_errno();                                                            \
  }

static void mathematics(void) {
  errno = 0;
  FUNCTIONS_OF_LONG_MATH
}
#else
static void mathematics(void) {}
#endif

int main(int argc, char **argv) {
  switch (argc < 2 ? 'a' : argv[1][0]) {
    case 'a': arithmetic(); break;
    case 'c': conversions(); break;
    default: mathematics(); break;
  }
  return 0;
}
