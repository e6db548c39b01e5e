/* What GCC's soft-fp asks of a processor, for quads: words, NaNs, rounding and exceptions. */
#pragma once
#include "environment.h"

#if defined(__LP64__) || defined(__ia64__)
#define _FP_W_TYPE_SIZE 64
#define _FP_W_TYPE unsigned long long
#define _FP_WS_TYPE long long
#define _FP_I_TYPE long long
#define _FP_MUL_MEAT_Q(R, X, Y) _FP_MUL_MEAT_2_wide(_FP_WFRACBITS_Q, R, X, Y, umul_ppmm)
#define _FP_DIV_MEAT_Q(R, X, Y) _FP_DIV_MEAT_2_udiv(Q, R, X, Y)
#define QUAD_WORDS(first, others) first, others
#else
#define _FP_W_TYPE_SIZE 32
#define _FP_W_TYPE unsigned
#define _FP_WS_TYPE int
#define _FP_I_TYPE int
#define _FP_MUL_MEAT_Q(R, X, Y) _FP_MUL_MEAT_4_wide(_FP_WFRACBITS_Q, R, X, Y, umul_ppmm)
#define _FP_DIV_MEAT_Q(R, X, Y) _FP_DIV_MEAT_4_udiv(Q, R, X, Y)
#define QUAD_WORDS(first, others) first, others, others, others
#endif

/* The NaN of an invalid operation is the processor's own. On PA-RISC a quiet one has the fraction's first bit clear. */
#ifdef __ia64__
#define _FP_NANFRAC_S _FP_QNANBIT_S
#define _FP_NANFRAC_D _FP_QNANBIT_D
#define _FP_NANFRAC_E QUAD_WORDS(_FP_QNANBIT_E, 0)
#define _FP_NANFRAC_Q QUAD_WORDS(_FP_QNANBIT_Q, 0)
#define _FP_NANSIGN_S 1
#define _FP_NANSIGN_D 1
#define _FP_NANSIGN_E 1
#define _FP_NANSIGN_Q 1
#define _FP_QNANNEGATEDP 0
#define FP_EX_DENORM is_denormal
#else
#define _FP_NANFRAC_S (_FP_QNANBIT_S - 1)
#if _FP_W_TYPE_SIZE == 64
#define _FP_NANFRAC_D (_FP_QNANBIT_D - 1)
#else
#define _FP_NANFRAC_D (_FP_QNANBIT_D - 1), -1
#endif
#define _FP_NANFRAC_Q QUAD_WORDS((_FP_QNANBIT_Q - 1), -1)
#define _FP_NANSIGN_S 0
#define _FP_NANSIGN_D 0
#define _FP_NANSIGN_Q 0
#define _FP_QNANNEGATEDP 1
#endif
#define _FP_KEEPNANFRACP 1
/* The first of two. */
#define _FP_CHOOSENAN(fs, wc, R, X, Y, OP) \
  do {                                     \
    R##_s = X##_s;                         \
    _FP_FRAC_COPY_##wc(R, X);              \
    R##_c = FP_CLS_NAN;                    \
  } while (0)

#define FP_EX_INVALID is_invalid
#define FP_EX_DIVZERO is_division
#define FP_EX_OVERFLOW is_overflow
#define FP_EX_UNDERFLOW is_underflow
#define FP_EX_INEXACT is_inexact
#define _FP_TININESS_AFTER_ROUNDING 1

#define FP_RND_NEAREST to_nearest
#define FP_RND_ZERO toward_zero
#define FP_RND_PINF upward
#define FP_RND_MINF downward
#define _FP_DECL_EX status quad_status __attribute__((unused)) = 0
#define FP_INIT_ROUNDMODE quad_status = _hc_get_status()
#define FP_ROUNDMODE (quad_status >> rounding_at & 3)
#define FP_TRAPPING_EXCEPTIONS ((traps_are_masks ? ~quad_status : quad_status) >> traps_at & exceptions)
#define FP_HANDLE_EXCEPTIONS \
  do {                       \
    if (_fex != 0) _hc_raise_of_quad(_fex); \
  } while (0)
__attribute__((visibility("hidden"))) void _hc_raise_of_quad(int which);

#define __LITTLE_ENDIAN 1234
#define __BIG_ENDIAN 4321
#define __BYTE_ORDER __BIG_ENDIAN
