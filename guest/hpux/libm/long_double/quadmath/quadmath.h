/* What libquadmath's quadmath-imp.h and sources ask of <quadmath.h>: the names that libm's functions of long double
 * have, which is IA-64's __float128. */
#pragma once
#include <math.h>

#define acoshq acoshl
#define asinhq asinhl
#define atanhq atanhl
#define ceilq ceill
#define copysignq copysignl
#define cosq cosl
#define coshq coshl
#define erfcq erfcl
#define erfq erfl
#define exp2q exp2l
#define expm1q expm1l
#define expq expl
#define fabsq fabsl
#define finiteq isfinite
#define floorq floorl
#define fmaq fmal
#define fmodq fmodl
#define frexpq frexpl
#define isinfq isinf
#define issignalingq __issignalingl
#define ldexpq ldexpl
#define __quadmath_lgammaq_r lgammal_r
#define lgammaq lgammal
#define log10q log10l
#define log1pq log1pl
#define log2q log2l
#define logq logl
#define powq powl
#define remquoq remquol
#define rintq rintl
#define roundq roundl
#define scalbnq scalbnl
#define signbitq signbit
#define sinhq sinhl
#define sinq sinl
#define sqrtq sqrtl
#define tanhq tanhl
#define tgammaq tgammal
#define truncq truncl
typedef _Complex long double __complex128; /* of prototypes alone */
int issignalingq(__float128);
extern int signgam;

#define FLT128_MANT_DIG __LDBL_MANT_DIG__
#define FLT128_MAX __LDBL_MAX__
#define FLT128_MIN __LDBL_MIN__
#define FLT128_EPSILON __LDBL_EPSILON__
#define M_PIq 3.14159265358979323846264338327950288419717L
#define M_SQRT1_2q 0.70710678118654752440084436210484903928484L
