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

/* The same number in digits of nine decimals, for many divisions one after the other. */
enum { limb_digits = 9, limb_base = 1000000000, most_limbs = decimal_digits / limb_digits + 3 };
struct limbs {
  int first, end, point; /* those in [first, end); the point is as many behind limb 0 */
  uint32_t limb[most_limbs];
};

static void limbs_of(const struct decimal* d, struct limbs* to) {
  const int over = d->point % limb_digits;
  const int lead = over == 0 ? 0 : over > 0 ? limb_digits - over : -over;
  to->first = to->end = 0;
  to->point = (d->point + lead) / limb_digits;
  for (int at = -lead; at < d->count; at += limb_digits) {
    uint32_t value = 0;
    for (int i = at; i < at + limb_digits; ++i) {
      value = 10 * value + (i >= 0 && i < d->count ? d->digit[i] : 0);
    }
    to->limb[to->end++] = value;
  }
}

static void divide_limbs(struct decimal* d, struct limbs* all, int bits) {
  const uint64_t mask = ((uint64_t)1 << bits) - 1;
  uint64_t rest = 0;
  for (int i = all->first; i < all->end; ++i) {
    const uint64_t value = rest * limb_base + all->limb[i];
    all->limb[i] = value >> bits;
    rest = value & mask;
  }
  for (; rest != 0 && all->end < most_limbs; rest &= mask) {
    rest *= limb_base;
    all->limb[all->end++] = rest >> bits;
  }
  d->is_inexact |= rest != 0;
  while (all->first < all->end && all->limb[all->first] == 0) ++all->first;
}

static void decimal_of_limbs(const struct limbs* all, struct decimal* to) {
  int count = 0;
  to->point = limb_digits * (all->point - all->first);
  for (int at = all->first; at < all->end; ++at) {
    char digits[limb_digits];
    uint32_t value = all->limb[at];
    for (int i = limb_digits; i-- > 0; value /= 10) digits[i] = value % 10;
    for (int i = 0; i < limb_digits; ++i) {
      if (count == 0 && digits[i] == 0) {
        --to->point;
      } else {
        append(to, &count, digits[i]);
      }
    }
  }
  to->count = count;
  drop_zeros(to);
}

static void divide_often(struct decimal* d, int bits) {
  enum { step = 32 };
  struct limbs all;
  limbs_of(d, &all);
  for (; bits > 0; bits -= step) divide_limbs(d, &all, bits < step ? bits : step);
  decimal_of_limbs(&all, d);
}

void decimal_shift(struct decimal* d, int bits) {
  enum { step = 27 /* 10 * 2^27 fits */, many = 4 * step };
  if (d->count == 0) return;
  if (bits < -many) {
    divide_often(d, -bits);
    return;
  }
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

enum { words = 4 };

/* Rounded to even; below 2^128. The first word is the most significant. */
static void whole_of(const struct decimal* d, uint32_t* to) {
  memset(to, 0, words * sizeof *to);
  for (int i = 0; i <= d->point; ++i) {
    const int is_last = i == d->point;
    uint64_t carry = is_last ? rounds_up(d, i) : i < d->count ? d->digit[i] : 0;
    for (int at = words; at-- > 0; carry >>= 32) {
      carry += (uint64_t)to[at] * (is_last ? 1 : 10);
      to[at] = carry;
    }
  }
}

struct parts parts_of_double(double value) {
  union {
    double number;
    uint64_t bits;
  } u = {value};
  int biased = u.bits >> 52 & 0x7ff;
  uint64_t fraction = u.bits & (((uint64_t)1 << 52) - 1);
  struct parts p = {.is_negative = (int)(u.bits >> 63), .fraction_digits = 13};
  p.kind = biased != 0x7ff ? part_finite : fraction == 0 ? part_infinite : part_nan;
  if (biased != 0) fraction |= (uint64_t)1 << 52;
  p.exponent = (biased == 0 ? 1 : biased) - 1075;
  p.mantissa[2] = fraction >> 32;
  p.mantissa[3] = fraction;
  return p;
}

struct parts parts_of_quad(quad value) {
  const union quad_words u = {value};
  int biased = u.word[0] >> 16 & 0x7fff;
  struct parts p = {.is_negative = (int)(u.word[0] >> 31), .fraction_digits = 28};
  p.mantissa[0] = u.word[0] & 0xffff;
  for (int i = 1; i < words; ++i) p.mantissa[i] = u.word[i];
  int has_fraction = (p.mantissa[0] | p.mantissa[1] | p.mantissa[2] | p.mantissa[3]) != 0;
  p.kind = biased != 0x7fff ? part_finite : has_fraction ? part_nan : part_infinite;
  if (biased != 0) p.mantissa[0] |= 0x10000;
  p.exponent = (biased == 0 ? 1 : biased) - 16495;
  return p;
}

void decimal_of(const struct parts* p, struct decimal* d) {
  d->count = d->point = d->is_inexact = 0;
  for (int i = 0; i < words; ++i) {
    decimal_multiply_add(d, 0x8000, p->mantissa[i] >> 17);
    decimal_multiply_add(d, 0x8000, p->mantissa[i] >> 2 & 0x7fff);
    decimal_multiply_add(d, 4, p->mantissa[i] & 3);
  }
  decimal_shift(d, p->exponent);
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

/* A format of binary numbers: of a mantissa below 1, and the exponents' places for it. */
struct binary_format {
  int precision, bias, least_point, most_point;
};

struct binary {
  uint32_t mantissa[words]; /* with the leading bit */
  int biased;
};

static int has_bit(const uint32_t* mantissa, int bit) {
  return mantissa[words - 1 - bit / 32] >> bit % 32 & 1;
}
static void set_power_of_2(uint32_t* mantissa, int bit) {
  memset(mantissa, 0, words * sizeof *mantissa);
  mantissa[words - 1 - bit / 32] = (uint32_t)1 << bit % 32;
}

static struct binary infinite(const struct binary_format* format) {
  errno = ERANGE;
  return (struct binary){.biased = 2 * format->bias + 3};
}

static struct binary binary_of(struct decimal* d, const struct binary_format* format) {
  struct binary result = {.biased = 0};
  if (d->count == 0 || d->point < format->least_point) {
    if (d->count != 0) errno = ERANGE;
    return result;
  }
  if (d->point > format->most_point) return infinite(format);
  const int precision = format->precision, least = 1 - format->bias;
  int exponent = normalize(d); /* the value is d * 2^exponent */
  if (exponent < least) {
    decimal_shift(d, exponent - least);
    exponent = least;
  }
  decimal_shift(d, precision);
  whole_of(d, result.mantissa);
  if (has_bit(result.mantissa, precision)) set_power_of_2(result.mantissa, precision - 1), ++exponent;
  const int is_normal = has_bit(result.mantissa, precision - 1);
  result.biased = is_normal ? exponent + format->bias : 0;
  if (result.biased >= 2 * format->bias + 3) return infinite(format);
  if (!is_normal) errno = ERANGE;
  return result;
}

float float_of(struct decimal* d, int is_negative) {
  static const struct binary_format format = {24, 126, -50, 40};
  const struct binary binary = binary_of(d, &format);
  union {
    uint32_t bits;
    float number;
  } u = {(binary.mantissa[3] & 0x7fffff) | (uint32_t)binary.biased << 23 | (uint32_t)is_negative << 31};
  return u.number;
}

double double_of(struct decimal* d, int is_negative) {
  static const struct binary_format format = {53, 1022, -330, 310};
  const struct binary binary = binary_of(d, &format);
  const uint64_t mantissa = (uint64_t)binary.mantissa[2] << 32 | binary.mantissa[3];
  union {
    uint64_t bits;
    double number;
  } u = {(mantissa & (((uint64_t)1 << 52) - 1)) | (uint64_t)binary.biased << 52 |
         (uint64_t)is_negative << 63};
  return u.number;
}

quad quad_of(struct decimal* d, int is_negative) {
  static const struct binary_format format = {113, 16382, -4970, 4940};
  const struct binary binary = binary_of(d, &format);
  union quad_words u;
  memcpy(u.word, binary.mantissa, sizeof u.word);
  u.word[0] = (u.word[0] & 0xffff) | (uint32_t)binary.biased << 16 | (uint32_t)is_negative << 31;
  return u.number;
}

quad quad_infinite(int is_negative) {
  const union quad_words u = {.word = {(uint32_t)is_negative << 31 | 0x7fff0000}};
  return u.number;
}
/* Quiet: on PA-RISC by the fraction's first bit that is not set. */
quad quad_nan(void) {
#ifdef __ia64__
  const union quad_words u = {.word = {0x7fff8000}};
#else
  const union quad_words u = {.word = {0x7fff4000}};
#endif
  return u.number;
}
