/* Decimal numbers of many digits, for exact conversions of floating-point numbers. */
#pragma once
#include <long_double.h>
#include <stdint.h>

#pragma GCC visibility push(hidden) /* no program sees these */

/* Enough for any double or quad, and for what is between two of them. */
enum { decimal_digits = 11600 };

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

/* What a floating-point number is. */
struct parts {
  int is_negative;
  enum { part_finite, part_infinite, part_nan } kind;
  int exponent;         /* the value is mantissa * 2^exponent */
  uint32_t mantissa[4]; /* the first the most significant */
  int fraction_digits;  /* of the mantissa, in hexadecimal; in front of them is one bit */
};
struct parts parts_of_double(double value);
struct parts parts_of_quad(quad value);
void decimal_of(const struct parts* p, struct decimal* d);

/* Rounded to nearest; errno ERANGE. */
float float_of(struct decimal* d, int is_negative);
double double_of(struct decimal* d, int is_negative);
quad quad_of(struct decimal* d, int is_negative);

/* What is no number, or none of decimals. */
quad quad_infinite(int is_negative);
quad quad_nan(void);


#pragma GCC visibility pop
