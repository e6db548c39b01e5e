// Floating point: printing and reading, rounding modes, flags, the mathematical library.
#include <fenv.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static volatile double zero = 0, one = 1, three = 3, tiny = DBL_MIN, huge = DBL_MAX;

static void show_flags(const char* what) {
  int set = fetestexcept(FE_ALL_EXCEPT);
  printf("%s:%s%s%s%s%s\n", what, set & FE_INVALID ? " invalid" : "",
         set & FE_DIVBYZERO ? " divbyzero" : "", set & FE_OVERFLOW ? " overflow" : "",
         set & FE_UNDERFLOW ? " underflow" : "", set & FE_INEXACT ? " inexact" : "");
  feclearexcept(FE_ALL_EXCEPT);
}

int main(void) {
  static const double values[] = {0, -0.0, 1, 0.1, 1e300, 5e-324, 123456.789, -2.5e-7};
  for (unsigned i = 0; i < sizeof values / sizeof *values; ++i) {
    printf("%g %.17g %a %e %f\n", values[i], values[i], values[i], values[i], values[i] / 3);
  }
  printf("%Lg %.30Lg\n", 1.0L / 3, sqrtl(2.0L));
  printf("%.17g %.17g %a\n", strtod("1e-310", NULL), strtod("0x1.8p3", NULL), atof("3.1415926535"));
  static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
  for (int i = 0; i < 4; ++i) {
    fesetround(modes[i]);
    printf("mode %d: %.20g %.20g %ld %ld\n", i, one / three, -one / three, lrint(2.5), lrint(-2.5));
  }
  fesetround(FE_TONEAREST);
  feclearexcept(FE_ALL_EXCEPT);
  volatile double kept = one / zero;
  show_flags("1/0");
  kept = zero / zero;
  show_flags("0/0");
  kept = huge * huge;
  show_flags("huge*huge");
  kept = tiny / three;
  show_flags("tiny/3");
  kept = sqrt(-one);
  show_flags("sqrt(-1)");
  volatile int whole = (int)(huge * one);
  printf("to int %d, %d %d\n", whole, (int)(zero / zero), isnan(kept) != 0);
  printf("nan %d inf %d %f\n", isnan(zero / zero) != 0, isinf(one / zero) != 0, -one / zero);
  printf("%.15g %.15g %.15g %.15g\n", sin(1), exp(1), log(10), pow(2, 0.5));
  printf("%.15g %.15g %.15g\n", atan2(1, -1), fmod(10, 3.3), cbrt(27));
  volatile float single = 16777216.0f;
  printf("%.9g %.9g\n", single + 1.0f, (float)(0.1f * 3));
  long long wide = LLONG_MAX;
  printf("%.0f %.0f %lld\n", (double)wide, (double)(unsigned long long)wide, (long long)1e18);
  return 0;
}
