#include "format_float.h"

#include <string.h>

static void put(struct float_text* to, char c) {
  to->text[to->length++] = c;
}

static void put_word(struct float_text* to, const char* word) {
  while (*word != 0) put(to, *word++);
}

/* `more` zeros, here; only one place of a number needs any that its digits do not have. */
static void put_zeros(struct float_text* to, int more) {
  if (more <= 0) return;
  to->zeros_at = to->length;
  to->zeros = more;
}

/* The digits from `first` on, counted from the decimal point's place, up to `count`. */
static void put_fraction(const struct decimal* d, int first, int count, struct float_text* to) {
  int put_count = 0;
  for (int i = first; i < d->count && put_count < count; ++i, ++put_count) {
    put(to, i < 0 ? '0' : '0' + d->digit[i]);
  }
  put_zeros(to, count - put_count);
}

static void put_fixed(struct decimal* d, int precision, int is_alternate, struct float_text* to) {
  decimal_round(d, d->point + precision);
  if (d->point <= 0 || d->count == 0) put(to, '0');
  for (int i = 0; i < d->point; ++i) put(to, i < d->count ? '0' + d->digit[i] : '0');
  if (precision > 0 || is_alternate) put(to, '.');
  put_fraction(d, d->count == 0 ? 0 : d->point, precision, to);
}

static void put_exponent(struct float_text* to, char mark, int exponent, int digits) {
  char reversed[12];
  int count = 0;
  put(to, mark);
  put(to, exponent < 0 ? '-' : '+');
  for (int rest = exponent < 0 ? -exponent : exponent; rest != 0 || count < digits; rest /= 10) {
    reversed[count++] = '0' + rest % 10;
  }
  while (count > 0) put(to, reversed[--count]);
}

static void put_scientific(struct decimal* d, int precision, int is_alternate,
                           struct float_text* to) {
  decimal_round(d, precision + 1);
  put(to, d->count == 0 ? '0' : '0' + d->digit[0]);
  if (precision > 0 || is_alternate) put(to, '.');
  put_fraction(d, 1, precision, to);
  put_exponent(to, 'e', d->count == 0 ? 0 : d->point - 1, 2);
}

static void put_general(struct decimal* d, const struct float_format* how, struct float_text* to) {
  int precision = how->precision < 0 ? 6 : how->precision == 0 ? 1 : how->precision;
  decimal_round(d, precision);
  int exponent = d->count == 0 ? 0 : d->point - 1;
  int is_fixed = exponent >= -4 && exponent < precision;
  int behind_point = is_fixed ? precision - 1 - exponent : precision - 1;
  if (!how->is_alternate) {
    int present = is_fixed ? d->count - d->point : d->count - 1;
    if (d->count == 0 || present < 0) present = 0;
    if (behind_point > present) behind_point = present;
  }
  if (is_fixed) {
    put_fixed(d, behind_point, how->is_alternate, to);
  } else {
    put_scientific(d, behind_point, how->is_alternate, to);
  }
}

enum { most_fraction_digits = 28 };

/* The mantissa's hexadecimal digits, the leading one 1 unless the number is 0 or denormal. */
static void digits_of_mantissa(const struct parts* p, unsigned char* to) {
  for (int i = 0; i <= p->fraction_digits; ++i) {
    const int bit = 4 * (p->fraction_digits - i);
    to[i] = p->mantissa[3 - bit / 32] >> bit % 32 & 15;
  }
}

/* To so many behind the first, to even. */
static void round_digits(unsigned char* digit, int count, int kept) {
  if (kept >= count) return;
  int rest = digit[kept + 1] > 8 || (digit[kept] & 1);
  for (int i = kept + 2; i <= count; ++i) rest |= digit[i] != 0;
  const int is_up = digit[kept + 1] >= 8 && rest;
  memset(digit + kept + 1, 0, count - kept);
  if (!is_up) return;
  int at = kept;
  for (; at > 0 && digit[at] == 15; --at) digit[at] = 0;
  ++digit[at];
}

static void put_hexadecimal(const struct parts* p, const struct float_format* how,
                            struct float_text* to) {
  unsigned char digit[most_fraction_digits + 1];
  const int count = p->fraction_digits;
  digits_of_mantissa(p, digit);
  int last = count;
  while (last >= 0 && digit[last] == 0) --last;
  const int exponent = last < 0 ? 0 : p->exponent + 4 * count;
  if (last < 0) last = 0;
  if (how->precision >= 0) {
    round_digits(digit, count, how->precision);
    last = how->precision < count ? how->precision : count;
  }
  put_word(to, "0x");
  put(to, '0' + digit[0]);
  if (last > 0 || how->is_alternate) put(to, '.');
  for (int i = 1; i <= last; ++i) put(to, "0123456789abcdef"[digit[i]]);
  put_zeros(to, how->precision - count);
  put_exponent(to, 'p', exponent, 1);
}

void format_float(const struct parts* p, const struct float_format* how, struct float_text* to) {
  to->length = to->zeros_at = to->zeros = 0;
  if (p->kind != part_finite) {
    put_word(to, p->kind == part_nan ? "nan" : "inf");
    return;
  }
  if (how->conversion == 'a') {
    put_hexadecimal(p, how, to);
    return;
  }
  struct decimal d;
  decimal_of(p, &d);
  int precision = how->precision < 0 ? 6 : how->precision;
  if (how->conversion == 'f') {
    put_fixed(&d, precision, how->is_alternate, to);
  } else if (how->conversion == 'e') {
    put_scientific(&d, precision, how->is_alternate, to);
  } else {
    put_general(&d, how, to);
  }
}
