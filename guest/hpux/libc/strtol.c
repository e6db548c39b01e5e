/* strtol(3C). */
#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

struct whole {
  unsigned long long value;
  int is_negative, is_too_large;
  const char* end; /* null: no number */
};

static int digit_of(char c) {
  if (isdigit((unsigned char)c)) return c - '0';
  return isalpha((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10 : 99;
}

static struct whole scan(const char* text, int base, unsigned long long most) {
  struct whole w = {0};
  while (isspace((unsigned char)*text)) ++text;
  w.is_negative = *text == '-';
  if (*text == '-' || *text == '+') ++text;
  int has_prefix = text[0] == '0' && (text[1] == 'x' || text[1] == 'X') && digit_of(text[2]) < 16;
  if ((base == 0 || base == 16) && has_prefix) {
    text += 2;
    base = 16;
  }
  if (base == 0) base = *text == '0' ? 8 : 10;
  if (base < 2 || base > 36) {
    errno = EINVAL;
    return w;
  }
  for (int digit; (digit = digit_of(*text)) < base; w.end = ++text) {
    if (w.value > (most - digit) / base) w.is_too_large = 1;
    w.value = w.value * base + digit;
  }
  return w;
}

static void set_end(char** end, const char* text, const struct whole* w) {
  if (end != NULL) *end = (char*)(w->end != NULL ? w->end : text);
}

static unsigned long long as_unsigned(const char* text, char** end, int base,
                                      unsigned long long most) {
  struct whole w = scan(text, base, most);
  set_end(end, text, &w);
  if (w.is_too_large) {
    errno = ERANGE;
    return most;
  }
  return w.is_negative ? -w.value : w.value;
}

static long long as_signed(const char* text, char** end, int base, unsigned long long most) {
  struct whole w = scan(text, base, most + 1);
  set_end(end, text, &w);
  unsigned long long limit = w.is_negative ? most + 1 : most;
  if (w.is_too_large || w.value > limit) {
    errno = ERANGE;
    w.value = limit;
  }
  return w.is_negative ? -w.value : w.value;
}

long strtol(const char* text, char** end, int base) {
  return as_signed(text, end, base, (unsigned long)-1 >> 1);
}
unsigned long strtoul(const char* text, char** end, int base) {
  return as_unsigned(text, end, base, (unsigned long)-1);
}
long long strtoll(const char* text, char** end, int base) {
  return as_signed(text, end, base, INT64_MAX);
}
unsigned long long strtoull(const char* text, char** end, int base) {
  return as_unsigned(text, end, base, UINT64_MAX);
}
long long __strtoll(const char* text, char** end, int base) {
  return strtoll(text, end, base);
}
unsigned long long __strtoull(const char* text, char** end, int base) {
  return strtoull(text, end, base);
}
int atoi(const char* text) {
  return strtol(text, NULL, 10);
}
long atol(const char* text) {
  return strtol(text, NULL, 10);
}

long long atoll(const char* text) {
  return strtoll(text, NULL, 10);
}
