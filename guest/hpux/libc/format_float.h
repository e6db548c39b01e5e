/* The conversions a, e, f, g of printf(3S). */
#pragma once
#include "decimal.h"

#pragma GCC visibility push(hidden) /* no program sees these */

struct float_format {
  char conversion; /* lower case */
  int precision;   /* -1: not given */
  int is_alternate;
};

/* The digits without sign, and how many zeros belong behind `zeros_at` bytes of them: far more than
 * a buffer holds, when a precision asks for them. */
struct float_text {
  int length, zeros_at, zeros;
  char text[decimal_digits + 16];
};
void format_float(const struct parts* p, const struct float_format* how, struct float_text* to);

#pragma GCC visibility pop
