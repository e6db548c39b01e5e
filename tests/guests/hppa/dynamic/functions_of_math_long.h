/* libm's functions of long double, by the kind of their arguments and results. */
#pragma once
#define FUNCTIONS_OF_LONG_MATH                                                                                      \
  ONE(acosl) ONE(acoshl) ONE(asinl) ONE(asinhl) ONE(atanl) ONE(atanhl) ONE(cbrtl) ONE(ceill) ONE(cosl) ONE(coshl)  \
  ONE(erfl) ONE(erfcl) ONE(expl) ONE(exp10l) ONE(exp2l) ONE(expm1l) ONE(fabsl) ONE(floorl) ONE(lgammal) ONE(logl)  \
  ONE(log10l) ONE(log1pl) ONE(log2l) ONE(logbl) ONE(nearbyintl) ONE(rintl) ONE(roundl) ONE(sinl) ONE(sinhl)        \
  ONE(sqrtl) ONE(tanl) ONE(tanhl) ONE(tgammal) ONE(truncl)                                                         \
  TWO_OF(atan2l) TWO_OF(copysignl) TWO_OF(fdiml) TWO_OF(fmaxl) TWO_OF(fminl) TWO_OF(fmodl) TWO_OF(hypotl)          \
  TWO_OF(nextafterl) TWO_OF(nexttowardl) TWO_OF(powl) TWO_OF(remainderl)                                           \
  THREE(fmal)                                                                                                      \
  TO_INTEGER(ilogbl) TO_INTEGER(llrintl) TO_INTEGER(llroundl) TO_INTEGER(lrintl) TO_INTEGER(lroundl)               \
  SCALED(ldexpl) SCALED(scalblnl) SCALED(scalbnl)                                                                  \
  WITH_INTEGER(frexpl)                                                                                             \
  TWO_RESULTS(modfl, r = modfl(x, &second)) TWO_RESULTS(sincosl, sincosl(x, &r, &second))

long double acosl(long double), acoshl(long double), asinl(long double), asinhl(long double), atanl(long double);
long double atanhl(long double), cbrtl(long double), ceill(long double), cosl(long double), coshl(long double);
long double erfl(long double), erfcl(long double), expl(long double), exp10l(long double), exp2l(long double);
long double expm1l(long double), fabsl(long double), floorl(long double), lgammal(long double), logl(long double);
long double log10l(long double), log1pl(long double), log2l(long double), logbl(long double), nearbyintl(long double);
long double rintl(long double), roundl(long double), sinl(long double), sinhl(long double), sqrtl(long double);
long double tanl(long double), tanhl(long double), tgammal(long double), truncl(long double);
long double atan2l(long double, long double), copysignl(long double, long double), fdiml(long double, long double);
long double fmaxl(long double, long double), fminl(long double, long double), fmodl(long double, long double);
long double hypotl(long double, long double), nextafterl(long double, long double), powl(long double, long double);
long double nexttowardl(long double, long double), remainderl(long double, long double);
long double fmal(long double, long double, long double), ldexpl(long double, int), scalbnl(long double, int);
long double scalblnl(long double, long), frexpl(long double, int *), modfl(long double, long double *);
int ilogbl(long double);
long lrintl(long double), lroundl(long double);
long long llrintl(long double), llroundl(long double);
void sincosl(long double, long double *, long double *);
