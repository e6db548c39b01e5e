/* libm's functions for double; those for float have an f at their names' ends. */
#pragma once
#define HC_1(type) (type)
#define HC_2(type) (type, type)
#define HC_3(type) (type, type, type)
#define HC_N(type) (int, type)
#define HC_SCALED(type) (type, int)
#define HC_SCALED_LONG(type) (type, long)
#define HC_INTEGER_BEHIND(type) (type, int*)
#define HC_NUMBER_BEHIND(type) (type, type*)
#define HC_OF(name, shape) double name shape(double); float name##f shape(float);
#define HC_TO(result, name) result name(double), name##f(float);
HC_OF(acos, HC_1) HC_OF(acosd, HC_1) HC_OF(acosh, HC_1) HC_OF(asin, HC_1) HC_OF(asind, HC_1)
HC_OF(asinh, HC_1) HC_OF(atan, HC_1) HC_OF(atan2, HC_2) HC_OF(atan2d, HC_2) HC_OF(atand, HC_1)
HC_OF(atanh, HC_1) HC_OF(cbrt, HC_1) HC_OF(ceil, HC_1) HC_OF(copysign, HC_2) HC_OF(cos, HC_1)
HC_OF(cosd, HC_1) HC_OF(cosh, HC_1) HC_OF(drem, HC_2) HC_OF(erf, HC_1) HC_OF(erfc, HC_1)
HC_OF(exp, HC_1) HC_OF(exp10, HC_1) HC_OF(exp2, HC_1) HC_OF(expm1, HC_1) HC_OF(fabs, HC_1)
HC_OF(fdim, HC_2) HC_OF(floor, HC_1) HC_OF(fma, HC_3) HC_OF(fmax, HC_2) HC_OF(fmin, HC_2)
HC_OF(fmod, HC_2) HC_OF(frexp, HC_INTEGER_BEHIND) HC_OF(gamma, HC_1) HC_OF(hypot, HC_2)
HC_OF(j0, HC_1) HC_OF(j1, HC_1) HC_OF(jn, HC_N) HC_OF(ldexp, HC_SCALED) HC_OF(lgamma, HC_1)
HC_OF(log, HC_1) HC_OF(log10, HC_1) HC_OF(log1p, HC_1)
HC_OF(log2, HC_1) HC_OF(logb, HC_1) HC_OF(modf, HC_NUMBER_BEHIND) HC_OF(nearbyint, HC_1)
HC_OF(nextafter, HC_2) HC_OF(pow, HC_2) HC_OF(remainder, HC_2) HC_OF(rint, HC_1) HC_OF(round, HC_1)
HC_OF(scalb, HC_2) HC_OF(scalbln, HC_SCALED_LONG) HC_OF(scalbn, HC_SCALED) HC_OF(significand, HC_1)
HC_OF(sin, HC_1) HC_OF(sind, HC_1) HC_OF(sinh, HC_1) HC_OF(sqrt, HC_1) HC_OF(tan, HC_1)
HC_OF(tand, HC_1) HC_OF(tanh, HC_1) HC_OF(tgamma, HC_1) HC_OF(trunc, HC_1) HC_OF(y0, HC_1)
HC_OF(y1, HC_1) HC_OF(yn, HC_N)
HC_TO(int, finite) HC_TO(int, ilogb) HC_TO(int, isinf) HC_TO(int, isnan)
HC_TO(long, lrint) HC_TO(long, lround) HC_TO(long long, llrint) HC_TO(long long, llround)
double nan(const char*), remquo(double, double, int*);
float nanf(const char*), remquof(float, float, int*);
void sincos(double, double*, double*), sincosf(float, float*, float*);
double lgamma_r(double, int*);
float lgammaf_r(float, int*);
extern int signgam;
