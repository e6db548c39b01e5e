/* What HP's C library has of quads beside libgcc's soft-fp: comparisons, and what is simple. GCC's libgcc/config/pa/quadlib.c
 * and libgcc/config/ia64/quadlib.c say what they take and return. */
#include <long_double.h>
#include <stdint.h>

#include "soft-fp.h"
#include "quad.h"

int _U_Qfcmp(TFtype a, TFtype b, int relations);
TFtype _U_Qfabs(TFtype a), _U_Qfsqrt(TFtype a);
TFtype _U_Qfmin(TFtype a, TFtype b), _U_Qfmax(TFtype a, TFtype b);

static volatile double sink;

/* By operations that have them, so that they trap if they may. */
void _hc_raise_of_quad(int which) {
  static const volatile double zero = 0, one = 1, large = 1e308, small = 1e-308;
#ifdef __ia64__
  static const volatile double denormal = 5e-324;
  if (which & is_denormal) sink = denormal + denormal;
#endif
  if (which & is_invalid) sink = zero / zero;
  if (which & is_division) sink = one / zero;
  if (which & is_overflow) sink = large * large;
  if (which & is_underflow) sink = small * small;
  if (which & is_inexact) sink = one / (one + one + one);
}

/* Whether one of the relations holds: PA-RISC 2.0 Architecture, table 8-12. */
int _U_Qfcmp(TFtype a, TFtype b, int relations) {
  enum { signals = 1, unordered = 2, equal = 4, less = 8, greater = 16 };
  enum { no_order = 2 };
  FP_DECL_EX;
  FP_DECL_Q(A);
  FP_DECL_Q(B);
  int order;
  FP_INIT_EXCEPTIONS;
  FP_UNPACK_RAW_Q(A, a);
  FP_UNPACK_RAW_Q(B, b);
  FP_CMP_Q(order, A, B, no_order, (relations & signals ? 2 : 1));
  FP_HANDLE_EXCEPTIONS;
  const int is = order == no_order ? unordered : order == 0 ? equal : order < 0 ? less : greater;
  return (relations & is) != 0;
}

TFtype _U_Qfabs(TFtype a) {
  union quad_words u = {a};
  u.word[0] &= 0x7fffffff;
  return u.number;
}

#ifdef __ia64__
TFtype _U_Qfneg(TFtype a);
TFtype _U_Qfneg(TFtype a) {
  union quad_words u = {a};
  u.word[0] ^= 0x80000000;
  return u.number;
}
#endif

/* A number rather than none. */
static TFtype chosen(TFtype a, TFtype b, int wanted) {
  enum { unordered = 2 };
  return _U_Qfcmp(a, b, wanted) || _U_Qfcmp(b, b, unordered) ? a : b;
}
TFtype _U_Qfmin(TFtype a, TFtype b) {
  return chosen(a, b, 4 | 8);
}
TFtype _U_Qfmax(TFtype a, TFtype b) {
  return chosen(a, b, 4 | 16);
}

TFtype _U_Qfsqrt(TFtype a) {
  FP_DECL_EX;
  FP_DECL_Q(A);
  FP_DECL_Q(R);
  TFtype r;
  FP_INIT_ROUNDMODE;
  FP_UNPACK_Q(A, a);
  FP_SQRT_Q(R, A);
  FP_PACK_Q(r, R);
  FP_HANDLE_EXCEPTIONS;
  return r;
}

/* ---- Integers. */

int _hc_quad_to_int(TFtype a);

/* For 64-bit PA-RISC the integer is in the upper half ("for reasons unknown", says GCC's quadlib.c). */
#if defined(__LP64__) && !defined(__ia64__)
long _U_Qfcnvfxt_quad_to_sgl(TFtype a);
long _U_Qfcnvfxt_quad_to_sgl(TFtype a) {
  return (long)_hc_quad_to_int(a) << 32;
}
#else
int _U_Qfcnvfxt_quad_to_sgl(TFtype a);
int _U_Qfcnvfxt_quad_to_sgl(TFtype a) {
  return _hc_quad_to_int(a);
}
#endif

struct wide_integer {
  uint64_t high, low;
};
struct wide_integer _U_Qfcnvfxt_quad_to_quad(TFtype a);
TFtype _U_Qfcnvxf_quad_to_quad(struct wide_integer integer);
TFtype _U_Qfcnvxf_dbl_to_quad(int64_t integer), __floatunditf(uint64_t integer);
TFtype _U_Qfadd(TFtype a, TFtype b);

static struct wide_integer negated(struct wide_integer it) {
  it.low = -it.low;
  it.high = ~it.high + (it.low == 0);
  return it;
}

/* To the left if it is negative; by less than 128. */
static struct wide_integer shifted(struct wide_integer it, int right) {
  if (right >= 64) return (struct wide_integer){0, it.high >> (right - 64)};
  if (right <= -64) return (struct wide_integer){it.low << (-right - 64), 0};
  if (right > 0) return (struct wide_integer){it.high >> right, it.low >> right | it.high << (64 - right)};
  if (right == 0) return it;
  return (struct wide_integer){it.high << -right | it.low >> (64 + right), it.low << -right};
}

/* Toward zero. What does not fit is the integer furthest from zero, as soft-fp has it. */
struct wide_integer _U_Qfcnvfxt_quad_to_quad(TFtype a) {
  enum { bias = 16383, fraction_bits = 112, least_that_is_too_large = 127 };
  const union quad_words u = {a};
  const int is_negative = u.word[0] >> 31, exponent = (int)(u.word[0] >> 16 & 0x7fff) - bias;
  struct wide_integer it = {(uint64_t)((u.word[0] & 0xffff) | 0x10000) << 32 | u.word[1],
                            (uint64_t)u.word[2] << 32 | u.word[3]};
  const int is_zero = exponent == -bias && (it.high << 16 | it.low) == 0;
  if (exponent >= least_that_is_too_large) {
    const uint64_t least = (uint64_t)1 << 63;
    const int is_least = is_negative && exponent == least_that_is_too_large && it.high << 16 == 0 && it.low == 0;
    if (!is_least) _hc_raise_of_quad(is_invalid);
    return is_negative ? (struct wide_integer){least, 0} : (struct wide_integer){least - 1, -(uint64_t)1};
  }
  if (exponent < 0) {
    if (!is_zero) _hc_raise_of_quad(is_inexact);
    return (struct wide_integer){0, 0};
  }
  const struct wide_integer whole = shifted(it, fraction_bits - exponent);
  const struct wide_integer again = shifted(whole, exponent - fraction_bits);
  if (again.high != it.high || again.low != it.low) _hc_raise_of_quad(is_inexact);
  return is_negative ? negated(whole) : whole;
}

/* The halves are exact, and so their sum is rounded once. */
TFtype _U_Qfcnvxf_quad_to_quad(struct wide_integer integer) {
  union quad_words high = {_U_Qfcnvxf_dbl_to_quad(integer.high)};
  if (integer.high != 0) high.word[0] += 64 << 16;
  return _U_Qfadd(high.number, __floatunditf(integer.low));
}

/* Rounded once: what is shifted out leaves a bit, far behind the result's last. */
#define FROM_WIDE(name, type)                                                      \
  type name(struct wide_integer integer) {                                         \
    const int is_negative = (int64_t)integer.high < 0;                             \
    struct wide_integer rest = is_negative ? negated(integer) : integer;           \
    type scale = 1;                                                                \
    for (; rest.high != 0 || (int64_t)rest.low < 0; scale += scale) {              \
      rest.low = rest.low >> 1 | (rest.low & 1) | (uint64_t)(rest.high & 1) << 63; \
      rest.high = (uint64_t)rest.high >> 1;                                        \
    }                                                                              \
    return (is_negative ? -(int64_t)rest.low : (int64_t)rest.low) * scale;         \
  }
FROM_WIDE(_U_Qfcnvxf_quad_to_dbl, double)
FROM_WIDE(_U_Qfcnvxf_quad_to_sgl, float)
