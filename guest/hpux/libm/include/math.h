/* What musl's sources ask of <math.h> and <features.h>, and what libm exports. errno is in ../errors.c,
 * for which renamed.h gives the functions that have errors another name. */
#pragma once

#define hidden /* build.sh says what is exported */
#define weak_alias_of(old, new) extern __typeof(old) new __attribute__((__weak__, __alias__(#old)))
#define weak_alias(old, new) weak_alias_of(old, new)

typedef float float_t;
typedef double double_t;

#define NAN __builtin_nanf("")
#define INFINITY __builtin_inff()
#define HUGE_VAL __builtin_inf()
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define FP_ILOGBNAN (-1 - 0x7fffffff)
#define FP_ILOGB0 FP_ILOGBNAN

#define isnan(x) __builtin_isnan(x)
#define isinf(x) __builtin_isinf(x)
#define isfinite(x) __builtin_isfinite(x)
#define signbit(x) __builtin_signbit(x)

#define OF_ONE(name) double name(double); float name##f(float); long double name##l(long double);
#define OF_TWO(name) double name(double, double); float name##f(float, float); long double name##l(long double, long double);
OF_ONE(acos) OF_ONE(acosh) OF_ONE(asin) OF_ONE(asinh) OF_ONE(atan) OF_ONE(atanh) OF_ONE(cbrt)
OF_ONE(ceil) OF_ONE(cos) OF_ONE(cosh) OF_ONE(erf) OF_ONE(erfc) OF_ONE(exp) OF_ONE(exp10)
OF_ONE(exp2) OF_ONE(expm1) OF_ONE(fabs) OF_ONE(floor) OF_ONE(j0) OF_ONE(j1) OF_ONE(lgamma)
OF_ONE(log) OF_ONE(log10) OF_ONE(log1p) OF_ONE(log2) OF_ONE(logb) OF_ONE(nearbyint) OF_ONE(rint)
OF_ONE(round) OF_ONE(significand) OF_ONE(sin) OF_ONE(sinh) OF_ONE(sqrt) OF_ONE(tan) OF_ONE(tanh)
OF_ONE(tgamma) OF_ONE(trunc) OF_ONE(y0) OF_ONE(y1)
OF_ONE(acosd) OF_ONE(asind) OF_ONE(atand) OF_ONE(cosd) OF_ONE(sind) OF_ONE(tand) OF_ONE(gamma)
OF_TWO(atan2) OF_TWO(atan2d) OF_TWO(copysign) OF_TWO(drem) OF_TWO(fdim) OF_TWO(fmax) OF_TWO(fmin)
OF_TWO(fmod) OF_TWO(hypot) OF_TWO(nextafter) OF_TWO(pow) OF_TWO(remainder) OF_TWO(scalb)
double fma(double, double, double), frexp(double, int*), jn(int, double), yn(int, double);
double ldexp(double, int), modf(double, double*), nan(const char*), remquo(double, double, int*);
double scalbln(double, long), scalbn(double, int), lgamma_r(double, int*);
float fmaf(float, float, float), frexpf(float, int*), jnf(int, float), ynf(int, float);
float ldexpf(float, int), modff(float, float*), nanf(const char*), remquof(float, float, int*);
float scalblnf(float, long), scalbnf(float, int), lgammaf_r(float, int*);
long double fmal(long double, long double, long double), frexpl(long double, int*), nanl(const char*);
long double ldexpl(long double, int), modfl(long double, long double*), remquol(long double, long double, int*);
long double scalblnl(long double, long), scalbnl(long double, int), lgammal_r(long double, int*);
long double nexttowardl(long double, long double);
double nexttoward(double, long double);
float nexttowardf(float, long double);
void sincos(double, double*, double*), sincosf(float, float*, float*), sincosl(long double, long double*, long double*);
int finite(double), finitef(float), ilogb(double), ilogbf(float), ilogbl(long double);
long lrint(double), lrintf(float), lrintl(long double), lround(double), lroundf(float), lroundl(long double);
long long llrint(double), llrintf(float), llrintl(long double);
long long llround(double), llroundf(float), llroundl(long double);
#undef OF_ONE
#undef OF_TWO
