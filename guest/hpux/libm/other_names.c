/* What HP-UX's <math.h> has and musl's not: drem() and gamma() under their old names, macros that are
 * functions, too, and the functions of degrees (trigd(3M)). */
#include <math.h>
#include <stdint.h>

int signgam;

double __sin(double, double, int), __cos(double, double), __tan(double, double, int);
#undef isnan /* which musl's sources use as macros */
#undef isinf

int isnan(double x) {
  return __builtin_isnan(x);
}
int isnanf(float x) {
  return __builtin_isnan(x);
}
/* The sign of the infinity. The compiler's own would call these. */
int isinf(double x) {
  return x == HUGE_VAL ? 1 : -(x == -HUGE_VAL);
}
int isinff(float x) {
  return x == HUGE_VAL ? 1 : -(x == -HUGE_VAL);
}

double drem(double x, double y) {
  return remainder(x, y);
}
float dremf(float x, float y) {
  return remainderf(x, y);
}
double gamma(double x) {
  return lgamma(x);
}
float gammaf(float x) {
  return lgammaf(x);
}

static const double radians_high = 0x1.1df46a2529d39p-6, radians_low = 0x1.5c1d8becdd291p-62;
static const double degrees_high = 0x1.ca5dc1a63c1f8p+5, degrees_low = -0x1.1e7ab456405f9p-49;

/* As a double and what it lacks. */
struct angle {
  double value, rest;
  int quadrant;
};

/* Exact but for the factor: the value is within 45 degrees. */
static struct angle reduced(double degrees) {
  int quotient;
  double within = remquo(degrees, 90, &quotient);
  double value = within * radians_high;
  double rest = fma(within, radians_high, -value) + within * radians_low;
  return (struct angle){value, rest, quotient & 3};
}

static double sine(const struct angle* angle) {
  if (angle->value == 0) return angle->value;
  return __sin(angle->value, angle->rest, 1);
}
static double cosine(const struct angle* angle) {
  return __cos(angle->value, angle->rest);
}

double sind(double x) {
  struct angle angle = reduced(x);
  double result = angle.quadrant & 1 ? cosine(&angle) : sine(&angle);
  if (result == 0) return copysign(result, x);
  return angle.quadrant & 2 ? -result : result;
}

double cosd(double x) {
  struct angle angle = reduced(x);
  double result = angle.quadrant & 1 ? sine(&angle) : cosine(&angle);
  if (result == 0) return 0;
  return (angle.quadrant + 1) & 2 ? -result : result;
}

double tand(double x) {
  struct angle angle = reduced(x);
  if (angle.value == 0 && !(angle.quadrant & 1)) return copysign(angle.value, x);
  if (angle.value == 0) return copysign(HUGE_VAL, x);
  return __tan(angle.value, angle.rest, angle.quadrant & 1);
}

static double in_degrees(double radians) {
  double value = radians * degrees_high;
  if (!__builtin_isfinite(value)) return value;
  return value + (fma(radians, degrees_high, -value) + radians * degrees_low);
}

double asind(double x) {
  return in_degrees(asin(x));
}
double acosd(double x) {
  return in_degrees(acos(x));
}
double atand(double x) {
  return in_degrees(atan(x));
}
/* Where the angle is y / x, that may be subnormal when it is not in degrees. */
double atan2d(double y, double x) {
  double radians = atan2(y, x);
  if (y == 0 || fabs(radians) > 0x1p-900) return in_degrees(radians);
  return y * 0x1p100 * degrees_high / x * 0x1p-100;
}

float sindf(float x) {
  return sind(x);
}
float cosdf(float x) {
  return cosd(x);
}
float tandf(float x) {
  return tand(x);
}
float asindf(float x) {
  return asind(x);
}
float acosdf(float x) {
  return acosd(x);
}
float atandf(float x) {
  return atand(x);
}
float atan2df(float y, float x) {
  return atan2d(y, x);
}
