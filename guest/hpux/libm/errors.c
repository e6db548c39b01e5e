/* errno, which HP's functions set: EDOM where the result is no number though the arguments are, ERANGE
 * where finite arguments have an infinite result, or one of exp(), pow() and their like underflows to 0. */
#include <errno.h>
#include <math.h>

extern int errno;

#define INNER(name) __typeof(name) _hc_##name;
#define ONE(name) INNER(name) INNER(name##f) INNER(name##l)
#define TWO(name) ONE(name)
#define SCALED(name, integer) ONE(name)
#define UNDERFLOWING(name) ONE(name)
#include "errors.inc"
ONE(pow)
INNER(yn)
INNER(ynf)
#undef ONE
#undef TWO
#undef SCALED
#undef UNDERFLOWING

static void check(double result, int are_numbers, int are_finite) {
  if (are_numbers && isnan(result)) errno = EDOM;
  if (are_finite && isinf(result)) errno = ERANGE;
}

static double check_1(double result, double x) {
  check(result, !isnan(x), isfinite(x));
  return result;
}
static double check_2(double result, double x, double y) {
  check(result, !isnan(x) && !isnan(y), isfinite(x) && isfinite(y));
  return result;
}

/* Where no finite argument has this result, but that it is too small. */
static double check_zero(double result, int is_zero) {
  if (result == 0 && !is_zero) errno = ERANGE;
  return result;
}

/* HP's libm for IA-64 has them for long double, too. */
#ifdef __ia64__
static long double checked(long double result, int are_numbers, int are_finite, int is_zero) {
  if (are_numbers && isnan(result)) errno = EDOM;
  if (are_finite && isinf(result)) errno = ERANGE;
  if (result == 0 && !is_zero) errno = ERANGE;
  return result;
}
#define ONE(name) \
  long double name##l(long double x) { return checked(_hc_##name##l(x), !isnan(x), isfinite(x), 1); }
#define TWO(name)                                                                                              \
  long double name##l(long double x, long double y) {                                                          \
    return checked(_hc_##name##l(x, y), !isnan(x) && !isnan(y), isfinite(x) && isfinite(y), 1);                \
  }
#define UNDERFLOWING(name) \
  long double name##l(long double x) { return checked(_hc_##name##l(x), !isnan(x), isfinite(x), !isfinite(x)); }
#define SCALED(name, integer) \
  long double name##l(long double x, integer n) { return checked(_hc_##name##l(x, n), !isnan(x), isfinite(x), x == 0); }
#define OF_LONG_DOUBLE
#include "errors.inc"
#undef ONE
#undef TWO
#undef SCALED
#undef UNDERFLOWING
#undef OF_LONG_DOUBLE

long double powl(long double x, long double y) {
  const int are_numbers = !isnan(x) && !isnan(y), are_finite = isfinite(x) && isfinite(y);
  return checked(_hc_powl(x, y), are_numbers, are_finite, x == 0 || !are_finite);
}
#endif

#define ONE(name)                                                   \
  double name(double x) { return check_1(_hc_##name(x), x); }       \
  float name##f(float x) { return check_1(_hc_##name##f(x), x); }
#define TWO(name)                                                                \
  double name(double x, double y) { return check_2(_hc_##name(x, y), x, y); }    \
  float name##f(float x, float y) { return check_2(_hc_##name##f(x, y), x, y); }
#define UNDERFLOWING(name)                                                                     \
  double name(double x) { return check_zero(check_1(_hc_##name(x), x), !isfinite(x)); }        \
  float name##f(float x) { return check_zero(check_1(_hc_##name##f(x), x), !isfinite(x)); }
#define SCALED(name, integer)                                                              \
  double name(double x, integer n) { return check_zero(check_1(_hc_##name(x, n), x), x == 0); } \
  float name##f(float x, integer n) { return check_zero(check_1(_hc_##name##f(x, n), x), x == 0); }
#include "errors.inc"

double yn(int n, double x) { return check_1(_hc_yn(n, x), x); }
float ynf(int n, float x) { return check_1(_hc_ynf(n, x), x); }

double pow(double x, double y) {
  return check_zero(check_2(_hc_pow(x, y), x, y), x == 0 || !isfinite(x) || !isfinite(y));
}
float powf(float x, float y) {
  return check_zero(check_2(_hc_powf(x, y), x, y), x == 0 || !isfinite(x) || !isfinite(y));
}
