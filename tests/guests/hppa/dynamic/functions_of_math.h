/* libm's functions, by the kind of their arguments and results; each name has one with an f for float. */
#pragma once
#include <math.h>

#define FUNCTIONS_OF_MATH                                                                          \
  ONE(acos) ONE(acosd) ONE(acosh) ONE(asin) ONE(asind) ONE(asinh) ONE(atan) ONE(atand) ONE(atanh)  \
  ONE(cbrt) ONE(ceil) ONE(cos) ONE(cosd) ONE(cosh) ONE(erf) ONE(erfc) ONE(exp) ONE(exp10)          \
  ONE(exp2) ONE(expm1) ONE(fabs) ONE(floor) ONE(gamma) ONE(j0) ONE(j1) ONE(lgamma) ONE(log)        \
  ONE(log10) ONE(log1p) ONE(log2) ONE(logb) ONE(nearbyint) ONE(rint) ONE(round) ONE(significand)   \
  ONE(sin) ONE(sind) ONE(sinh) ONE(sqrt) ONE(tan) ONE(tand) ONE(tanh) ONE(tgamma) ONE(trunc)       \
  ONE(y0) ONE(y1)                                                                                  \
  TWO(atan2) TWO(atan2d) TWO(copysign) TWO(drem) TWO(fdim) TWO(fmax) TWO(fmin) TWO(fmod)           \
  TWO(hypot) TWO(nextafter) TWO(pow) TWO(remainder) TWO(scalb)                                     \
  THREE(fma)                                                                                       \
  TO_INTEGER(finite) TO_INTEGER(ilogb) TO_INTEGER(isinf) TO_INTEGER(isnan) TO_INTEGER(llrint)      \
  TO_INTEGER(llround) TO_INTEGER(lrint) TO_INTEGER(lround)                                         \
  SCALED(ldexp) SCALED(scalbln) SCALED(scalbn)                                                     \
  ORDER(jn) ORDER(yn)                                                                              \
  WITH_INTEGER(frexp) WITH_SECOND(modf) QUOTIENT(remquo) BOTH(sincos)
