/* strfmon(3C) in the C locale, which has no currency, no groups, and two digits behind the point. */
#include <errno.h>
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

struct form {
  char fill;
  int is_left, is_bracketed;
  int width, left, right; /* left -1: not given */
  char letter;
};

/* At most 999: no number of a program's own makes room without end. */
static int read_number(const char** at) {
  int value = 0;
  for (; isdigit((unsigned char)**at); ++*at) {
    if (value < 100) value = 10 * value + (**at - '0');
  }
  return value;
}

/* Behind the letter; null if there is none. */
static const char* read_form(const char* at, struct form* form) {
  *form = (struct form){' ', 0, 0, 0, -1, 2, 0};
  for (;; ++at) {
    if (*at == '=') {
      if (at[1] == 0) return NULL;
      form->fill = *++at;
    } else if (*at == '(') {
      form->is_bracketed = 1;
    } else if (*at == '-') {
      form->is_left = 1;
    } else if (*at == 0 || strchr("^+!", *at) == NULL) {
      break;
    }
  }
  form->width = read_number(&at);
  if (*at == '#') ++at, form->left = read_number(&at);
  if (*at == '.') ++at, form->right = read_number(&at);
  form->letter = *at;
  return *at == 'i' || *at == 'n' || *at == '%' ? at + 1 : NULL;
}

/* The sign's place is kept where a number of digits is given: columns stay even. */
static int write_number(char* to, size_t size, const struct form* form, double value) {
  const int is_negative = value < 0;
  const int is_even = form->left >= 0;
  const char* before = is_negative ? (form->is_bracketed ? "(" : "-") : is_even ? " " : "";
  const char* behind = is_negative && form->is_bracketed ? ")" : "";
  char digits[400 + 1000];
  snprintf(digits, sizeof digits, "%.*f", form->right, is_negative ? -value : value);
  const int whole = strcspn(digits, ".");
  char filled[1000];
  const int missing = form->left > whole ? form->left - whole : 0;
  memset(filled, form->fill, missing);
  return snprintf(to, size, "%s%.*s%s%s", before, missing, filled, digits, behind);
}

ssize_t strfmon(char* to, size_t size, const char* format, ...) {
  va_list values;
  va_start(values, format);
  char* at = to;
  size_t left = size;
  while (left > 0 && *format != 0) {
    struct form form;
    if (*format != '%') {
      *at++ = *format++, --left;
      continue;
    }
    format = read_form(format + 1, &form);
    if (format == NULL) {
      va_end(values);
      errno = EINVAL;
      return -1;
    }
    char text[2500];
    const int length = form.letter == '%' ? snprintf(text, sizeof text, "%%")
                                          : write_number(text, sizeof text, &form, va_arg(values, double));
    const int room = length < form.width ? form.width : length;
    if ((size_t)room >= left) {
      left = 0;
      break;
    }
    memset(at, ' ', room);
    memcpy(form.is_left ? at : at + room - length, text, length);
    at += room, left -= room;
  }
  va_end(values);
  if (left == 0) {
    errno = E2BIG;
    return -1;
  }
  *at = 0;
  return at - to;
}
