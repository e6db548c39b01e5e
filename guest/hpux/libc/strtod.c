/* strtod(3C), strtold(3C): correctly rounded. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "decimal.h"

struct scan {
  const char* at;
  int is_negative;
};

static void add_digit(struct decimal* d, int digit) {
  if (d->count < decimal_digits) {
    d->digit[d->count++] = digit;
  } else {
    d->is_inexact |= digit != 0;
  }
}

/* Returns whether there are digits. */
static int scan_digits(struct scan* s, struct decimal* d) {
  const char* start = s->at;
  int any = 0, has_point = 0;
  for (;; ++s->at) {
    if (*s->at == '.' && !has_point) {
      has_point = 1;
      continue;
    }
    if (!isdigit((unsigned char)*s->at)) break;
    any = 1;
    int is_leading = *s->at == '0' && d->count == 0;
    if (is_leading) {
      if (has_point) --d->point;
      continue;
    }
    if (!has_point) ++d->point;
    add_digit(d, *s->at - '0');
  }
  if (!any) s->at = start;
  return any;
}

static void scan_exponent(struct scan* s, struct decimal* d) {
  const char* at = s->at;
  if (*at != 'e' && *at != 'E') return;
  ++at;
  int is_negative = *at == '-';
  if (*at == '-' || *at == '+') ++at;
  if (!isdigit((unsigned char)*at)) return;
  int value = 0;
  for (; isdigit((unsigned char)*at); ++at) {
    if (value < 100000) value = 10 * value + (*at - '0');
  }
  s->at = at;
  d->point += is_negative ? -value : value;
}

/* Up to 15 digits and 22 powers of ten are exact in a double, so that one operation rounds right.
 */
static int is_simple(const struct decimal* d, int scale) {
  return !d->is_inexact && d->count <= 15 && scale >= -22 && scale <= 22;
}

static double simple(const struct decimal* d, int scale, int is_negative) {
  static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  double value = 0;
  for (int i = 0; i < d->count; ++i) value = 10 * value + d->digit[i];
  value = scale < 0 ? value / powers[-scale] : value * powers[scale];
  return is_negative ? -value : value;
}

static int is_word(const char* text, const char* word) {
  return strncasecmp(text, word, strlen(word)) == 0;
}

enum kind { kind_none, kind_digits, kind_infinite, kind_nan };

static enum kind scan_word(struct scan* s) {
  if (is_word(s->at, "inf")) {
    s->at += is_word(s->at, "infinity") ? 8 : 3;
    return kind_infinite;
  }
  if (!is_word(s->at, "nan")) return kind_none;
  s->at += 3;
  return kind_nan;
}

/* To behind the number. */
static enum kind scan_number(struct scan* s, struct decimal* d) {
  const char* const start = s->at;
  while (isspace((unsigned char)*s->at)) ++s->at;
  s->is_negative = *s->at == '-';
  if (*s->at == '-' || *s->at == '+') ++s->at;
  d->count = d->point = d->is_inexact = 0;
  if (scan_digits(s, d)) {
    scan_exponent(s, d);
    while (d->count > 0 && d->digit[d->count - 1] == 0) --d->count;
    if (d->count == 0) d->point = 0;
    return kind_digits;
  }
  const enum kind kind = scan_word(s);
  if (kind == kind_none) s->at = start;
  return kind;
}

double strtod(const char* text, char** end) {
  const double big = 1e308 * 10;
  struct scan s = {.at = text};
  struct decimal d;
  const enum kind kind = scan_number(&s, &d);
  if (end != NULL) *end = (char*)s.at;
  if (kind == kind_infinite) return s.is_negative ? -big : big;
  if (kind == kind_nan) return big - big;
  if (kind == kind_none) return 0;
  const int scale = d.point - d.count;
  return is_simple(&d, scale) ? simple(&d, scale, s.is_negative) : double_of(&d, s.is_negative);
}

float strtof(const char* text, char** end) {
  struct scan s = {.at = text};
  struct decimal d;
  const enum kind kind = scan_number(&s, &d);
  if (end != NULL) *end = (char*)s.at;
  if (kind == kind_infinite) return s.is_negative ? -__builtin_inff() : __builtin_inff();
  if (kind == kind_nan) return __builtin_nanf("");
  return float_of(&d, s.is_negative && kind == kind_digits);
}

quad strtold(const char* text, char** end) {
  struct scan s = {.at = text};
  struct decimal d;
  const enum kind kind = scan_number(&s, &d);
  if (end != NULL) *end = (char*)s.at;
  if (kind == kind_infinite) return quad_infinite(s.is_negative);
  if (kind == kind_nan) return quad_nan();
  return quad_of(&d, s.is_negative && kind == kind_digits);
}

double atof(const char* text) {
  return strtod(text, NULL);
}
