#include "decimal.h"

#include <errno.h>
#include <string.h>

static void drop_zeros(struct decimal* d) {
  while (d->count > 0 && d->digit[d->count - 1] == 0) --d->count;
  if (d->count == 0) d->point = 0;
}

/* Puts the digits of `carry` in front. */
static void push_front(struct decimal* d, uint32_t carry) {
  int extra = 0;
  for (uint32_t rest = carry; rest != 0; rest /= 10) ++extra;
  int kept = d->count;
  if (kept + extra > decimal_digits) {
    kept = decimal_digits - extra;
    for (int i = kept; i < d->count; ++i) d->is_inexact |= d->digit[i] != 0;
  }
  memmove(d->digit + extra, d->digit, kept);
  for (int i = extra; i-- > 0; carry /= 10) d->digit[i] = carry % 10;
  d->count = kept + extra;
  d->point += extra;
}

static void multiply(struct decimal* d, uint32_t factor, uint32_t carry) {
  for (int i = d->count; i-- > 0;) {
    uint32_t value = d->digit[i] * factor + carry;
    carry = value / 10;
    d->digit[i] = value - 10 * carry;
  }
  push_front(d, carry);
}

/* The digits are made to reach the unit, so that `add` has its place. */
void decimal_multiply_add(struct decimal* d, unsigned factor, unsigned add) {
  while (d->count < d->point) d->digit[d->count++] = 0;
  multiply(d, factor, add);
  drop_zeros(d);
}

static void append(struct decimal* d, int* to, uint32_t digit) {
  if (*to < decimal_digits) {
    d->digit[(*to)++] = digit;
  } else {
    d->is_inexact |= digit != 0;
  }
}

/* Divides by 2^bits as by hand. */
static void divide(struct decimal* d, int bits) {
  uint32_t value = 0, mask = ((uint32_t)1 << bits) - 1;
  int from = 0, to = 0;
  while (value >> bits == 0) {
    if (from >= d->count && value == 0) break;
    value = 10 * value + (from < d->count ? d->digit[from] : 0);
    ++from;
  }
  d->point -= from - 1;
  for (; from < d->count; ++from) {
    append(d, &to, value >> bits);
    value = 10 * (value & mask) + d->digit[from];
  }
  for (; value != 0; value = 10 * (value & mask)) append(d, &to, value >> bits);
  d->count = to;
  drop_zeros(d);
}

void decimal_shift(struct decimal* d, int bits) {
  enum { step = 27 }; /* 10 * 2^27 fits */
  if (d->count == 0) return;
  while (bits > 0) {
    int part = bits < step ? bits : step;
    multiply(d, (uint32_t)1 << part, 0);
    drop_zeros(d);
    bits -= part;
  }
  while (bits < 0) {
    int part = -bits < step ? -bits : step;
    divide(d, part);
    bits += part;
  }
}

static int rounds_up(const struct decimal* d, int count) {
  if (count < 0 || count >= d->count || d->digit[count] < 5) return 0;
  if (d->digit[count] > 5 || count + 1 < d->count || d->is_inexact) return 1;
  return count > 0 && d->digit[count - 1] % 2 != 0;
}

void decimal_round(struct decimal* d, int count) {
  if (count >= d->count) return;
  int up = rounds_up(d, count);
  d->count = count < 0 ? 0 : count;
  while (up && d->count > 0 && d->digit[d->count - 1] == 9) --d->count;
  if (up && d->count > 0) {
    ++d->digit[d->count - 1];
  } else if (up) {
    d->digit[0] = 1;
    d->count = 1;
    ++d->point;
  }
  drop_zeros(d);
}

uint64_t decimal_whole(const struct decimal* d) {
  uint64_t value = 0;
  for (int i = 0; i < d->point; ++i) value = value * 10 + (i < d->count ? d->digit[i] : 0);
  return value + rounds_up(d, d->point);
}

struct parts parts_of_double(double value) {
  union {
    double number;
    uint64_t bits;
  } u = {value};
  int biased = u.bits >> 52 & 0x7ff;
  uint64_t fraction = u.bits & (((uint64_t)1 << 52) - 1);
  struct parts p = {.is_negative = (int)(u.bits >> 63)};
  p.kind = biased != 0x7ff ? part_finite : fraction == 0 ? part_infinite : part_nan;
  if (biased != 0) fraction |= (uint64_t)1 << 52;
  p.exponent = (biased == 0 ? 1 : biased) - 1075;
  p.mantissa[2] = fraction >> 32;
  p.mantissa[3] = fraction;
  return p;
}

struct parts parts_of_quad(const uint32_t* words) {
  int biased = words[0] >> 16 & 0x7fff;
  struct parts p = {.is_negative = (int)(words[0] >> 31)};
  p.mantissa[0] = words[0] & 0xffff;
  for (int i = 1; i < 4; ++i) p.mantissa[i] = words[i];
  int has_fraction = (p.mantissa[0] | words[1] | words[2] | words[3]) != 0;
  p.kind = biased != 0x7fff ? part_finite : has_fraction ? part_nan : part_infinite;
  if (biased != 0) p.mantissa[0] |= 0x10000;
  p.exponent = (biased == 0 ? 1 : biased) - 16495;
  return p;
}

void decimal_of(const struct parts* p, struct decimal* d) {
  d->count = d->point = d->is_inexact = 0;
  for (int i = 0; i < 4; ++i) {
    decimal_multiply_add(d, 0x8000, p->mantissa[i] >> 17);
    decimal_multiply_add(d, 0x8000, p->mantissa[i] >> 2 & 0x7fff);
    decimal_multiply_add(d, 4, p->mantissa[i] & 3);
  }
  decimal_shift(d, p->exponent);
}

static double make(uint64_t mantissa, int biased, int is_negative) {
  union {
    uint64_t bits;
    double number;
  } u = {(mantissa & (((uint64_t)1 << 52) - 1)) | (uint64_t)biased << 52 |
         (uint64_t)is_negative << 63};
  return u.number;
}

static double infinite(int is_negative) {
  errno = ERANGE;
  return make(0, 0x7ff, is_negative);
}

/* Scales to [1/2, 1) in steps that need few digits. */
static int normalize(struct decimal* d) {
  static const unsigned char steps[] = {0, 3, 6, 9, 13, 16, 19, 23, 26};
  enum { last = sizeof steps - 1 };
  int exponent = 0;
  while (d->point > 0) {
    int step = d->point > last ? steps[last] : steps[d->point];
    decimal_shift(d, -step);
    exponent += step;
  }
  while (d->point < 0 || d->digit[0] < 5) {
    int step = -d->point > last ? steps[last] : d->point == 0 ? 1 : steps[-d->point];
    decimal_shift(d, step);
    exponent -= step;
  }
  return exponent;
}

double double_of(struct decimal* d, int is_negative) {
  enum { precision = 53, bias = 1022, least = 1 - bias };
  if (d->count == 0 || d->point < -330) {
    if (d->count != 0) errno = ERANGE;
    return make(0, 0, is_negative);
  }
  if (d->point > 310) return infinite(is_negative);
  int exponent = normalize(d); /* the value is d * 2^exponent */
  if (exponent < least) {
    decimal_shift(d, exponent - least);
    exponent = least;
  }
  decimal_shift(d, precision);
  uint64_t mantissa = decimal_whole(d);
  if (mantissa >> precision != 0) mantissa >>= 1, ++exponent;
  int is_normal = (mantissa >> (precision - 1)) != 0;
  if (exponent + bias >= 0x7ff) return infinite(is_negative);
  if (!is_normal) errno = ERANGE;
  return make(mantissa, is_normal ? exponent + bias : 0, is_negative);
}
