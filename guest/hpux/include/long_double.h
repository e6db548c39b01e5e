/* HP's long double, which has IEEE 754's 128 bits, as compilers for HP-UX pass it. GCC for Linux on PA-RISC has no such
 * type; a structure of its size is passed the same way: by its address. */
#pragma once
#include <stdint.h>
#if __SIZEOF_LONG_DOUBLE__ == 16
typedef long double quad;
#else
typedef struct {
  uint32_t word[4];
} quad;
#endif
union quad_words {
  quad number;
  uint32_t word[4]; /* the first has the sign and the exponent */
};
