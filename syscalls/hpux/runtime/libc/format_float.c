#include "format_float.h"

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

/* The mantissa's hexadecimal digits, the leading one 1 unless the number is 0 or denormal. */
static void put_hexadecimal(const struct parts* p, const struct float_format* how,
                            struct float_text* to) {
  enum { fraction_digits = 13 };
  uint64_t mantissa = (uint64_t)p->mantissa[2] << 32 | p->mantissa[3];
  int exponent = mantissa == 0 ? 0 : p->exponent + 52;
  int digits = how->precision < 0 ? fraction_digits : how->precision;
  if (digits < fraction_digits) {
    uint64_t unit = (uint64_t)1 << 4 * (fraction_digits - digits), rest = mantissa & (unit - 1);
    mantissa -= rest;
    if (rest > unit / 2 || (rest == unit / 2 && (mantissa & unit) != 0)) mantissa += unit;
  }
  put_word(to, "0x");
  put(to, '0' + (int)(mantissa >> 52));
  int last = fraction_digits;
  while (how->precision < 0 && last > 0 && (mantissa >> 4 * (fraction_digits - last) & 15) == 0)
    --last;
  if (how->precision >= 0) last = digits < fraction_digits ? digits : fraction_digits;
  if (last > 0 || digits > fraction_digits || how->is_alternate) put(to, '.');
  for (int i = 1; i <= last; ++i)
    put(to, "0123456789abcdef"[mantissa >> 4 * (fraction_digits - i) & 15]);
  if (how->precision > fraction_digits) put_zeros(to, how->precision - fraction_digits);
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
