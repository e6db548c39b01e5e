/* Decimal numbers of many digits, for exact conversions of floating-point numbers. */
#pragma once
#include <stdint.h>

#pragma GCC visibility push(hidden) /* no program sees these */

/* Enough for any double; of a 128-bit number the digits behind these are known only to be there. */
enum { decimal_digits = 5200 };

/* 0.d0 d1 d2 ... times 10 to the point-th. No digits: 0. The last digit is not 0. */
struct decimal {
  int count, point;
  int is_inexact; /* digits that are not 0 were dropped */
  unsigned char digit[decimal_digits];
};

void decimal_multiply_add(struct decimal* d, unsigned factor,
                          unsigned add);         /* whole numbers; both < 2^16 */
void decimal_shift(struct decimal* d, int bits); /* times 2 to the bits-th */
void decimal_round(struct decimal* d,
                   int count); /* to so many digits, to even; at most 0 gives 0 or 1 digit */
uint64_t decimal_whole(const struct decimal* d); /* rounded to even; below 2^63 */

/* What a floating-point number is. */
struct parts {
  int is_negative;
  enum { part_finite, part_infinite, part_nan } kind;
  int exponent;         /* the value is mantissa * 2^exponent */
  uint32_t mantissa[4]; /* the first the most significant */
};
struct parts parts_of_double(double value);
struct parts parts_of_quad(const uint32_t* words);
void decimal_of(const struct parts* p, struct decimal* d);
double double_of(struct decimal* d, int is_negative); /* rounded to nearest; errno ERANGE */

#pragma GCC visibility pop
