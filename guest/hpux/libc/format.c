#include "format.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format_float.h"

enum length {
  length_none,
  length_char,
  length_short,
  length_long,
  length_long_long,
  length_double
};
enum { most_positions = 32 };

struct conversion {
  int is_left, has_sign, has_blank, is_alternate, has_zeros;
  int position, width, width_position, precision, precision_position; /* positions: 0 the next */
  int width_given, precision_given; /* 1: a number, 2: an argument */
  enum length length;
  char letter;
};

union value {
  uintmax_t whole;
  void* pointer;
  struct parts parts;
};

/* ---- Reading a conversion */

static int read_number(const char** text) {
  int value = 0;
  for (; isdigit((unsigned char)**text); ++*text) {
    if (value < 100000000) value = 10 * value + (**text - '0');
  }
  return value;
}

/* "12$", or 0 and nothing is taken. */
static int read_position(const char** text) {
  const char* at = *text;
  int value = read_number(&at);
  if (value == 0 || *at != '$') return 0;
  *text = at + 1;
  return value;
}

static const char* read_flags(const char* text, struct conversion* c) {
  for (;; ++text) {
    switch (*text) {
      case '-':
        c->is_left = 1;
        break;
      case '+':
        c->has_sign = 1;
        break;
      case ' ':
        c->has_blank = 1;
        break;
      case '#':
        c->is_alternate = 1;
        break;
      case '0':
        c->has_zeros = 1;
        break;
      case '\'':
        break; /* the C locale groups no digits */
      default:
        return text;
    }
  }
}

static const char* read_amount(const char* text, int* value, int* position, int* given) {
  if (*text == '*') {
    ++text;
    *position = read_position(&text);
    *given = 2;
  } else {
    *given = isdigit((unsigned char)*text) || *given;
    *value = read_number(&text);
  }
  return text;
}

static const char* read_length(const char* text, struct conversion* c) {
  for (;; ++text) {
    if (*text == 'h') {
      c->length = c->length == length_short ? length_char : length_short;
    } else if (*text == 'l') {
      c->length = c->length == length_long ? length_long_long : length_long;
    } else if (*text == 'z' || *text == 't') {
      c->length = length_long;
    } else if (*text == 'q' || *text == 'j') {
      c->length = length_long_long;
    } else if (*text == 'L') {
      c->length = length_double;
    } else {
      return text;
    }
  }
}

/* D, O, U: the long forms of old. */
static void read_letter(char letter, struct conversion* c) {
  c->letter = letter;
  if (letter != 0 && strchr("DOU", letter) != NULL) {
    c->letter = tolower(letter);
    c->length = length_long;
  }
}

/* From behind the % to behind the letter. */
static const char* read_conversion(const char* text, struct conversion* c) {
  memset(c, 0, sizeof *c);
  c->position = read_position(&text);
  text = read_flags(text, c);
  text = read_amount(text, &c->width, &c->width_position, &c->width_given);
  if (*text == '.') {
    c->precision_given = 1;
    text = read_amount(text + 1, &c->precision, &c->precision_position, &c->precision_given);
  }
  text = read_length(text, c);
  read_letter(*text, c);
  return *text == 0 ? text : text + 1;
}

/* ---- Fetching arguments. With positions all are fetched before, in their order. */

static int is_signed(char letter) {
  return letter == 'd' || letter == 'i';
}
static int is_whole(char letter) {
  return letter != 0 && strchr("diouxXc", letter) != NULL;
}
static int is_float(char letter) {
  return letter != 0 && strchr("eEfFgGaA", letter) != NULL;
}

static uintmax_t fetch_whole(const struct conversion* c, va_list* arguments) {
  int sign = is_signed(c->letter);
  switch (c->length) {
    case length_char: {
      int value = va_arg(*arguments, int);
      return sign ? (uintmax_t)(signed char)value : (unsigned char)value;
    }
    case length_short: {
      int value = va_arg(*arguments, int);
      return sign ? (uintmax_t)(short)value : (unsigned short)value;
    }
    case length_long: {
      long value = va_arg(*arguments, long);
      return sign ? (uintmax_t)value : (unsigned long)value;
    }
    case length_long_long:
    case length_double:
      return va_arg(*arguments, long long);
    default: {
      int value = va_arg(*arguments, int);
      return sign ? (uintmax_t)value : (unsigned)value;
    }
  }
}

static void fetch(const struct conversion* c, va_list* arguments, union value* to) {
  if (is_whole(c->letter)) {
    to->whole = fetch_whole(c, arguments);
  } else if (is_float(c->letter) && c->length == length_double) {
    to->parts = parts_of_quad(va_arg(*arguments, quad));
  } else if (is_float(c->letter)) {
    to->parts = parts_of_double(va_arg(*arguments, double));
  } else {
    to->pointer = va_arg(*arguments, void*);
  }
}

static int takes_argument(char letter) {
  return is_whole(letter) || is_float(letter) || (letter != 0 && strchr("psSn", letter) != NULL);
}

struct positions {
  int count; /* 0: the format has none */
  struct conversion kind[most_positions];
  union value value[most_positions];
};

static void note(struct positions* all, int position, const struct conversion* c) {
  if (position < 1 || position > most_positions) return;
  all->kind[position - 1] = *c;
  if (position > all->count) all->count = position;
}

static void fetch_positions(const char* text, va_list* arguments, struct positions* all) {
  const struct conversion number = {.letter = 'd'};
  all->count = 0;
  for (int i = 0; i < most_positions; ++i) all->kind[i] = number;
  while ((text = strchr(text, '%')) != NULL) {
    struct conversion c;
    text = read_conversion(text + 1, &c);
    if (c.position == 0) continue;
    note(all, c.position, &c);
    if (c.width_position != 0) note(all, c.width_position, &number);
    if (c.precision_position != 0) note(all, c.precision_position, &number);
  }
  for (int i = 0; i < all->count; ++i) fetch(&all->kind[i], arguments, &all->value[i]);
}

static void get(const struct positions* all, int position, const struct conversion* c,
                va_list* arguments, union value* to) {
  if (position >= 1 && position <= all->count) {
    *to = all->value[position - 1];
  } else {
    fetch(c, arguments, to);
  }
}

static int get_number(const struct positions* all, int position, va_list* arguments) {
  const struct conversion number = {.letter = 'd'};
  union value value;
  get(all, position, &number, arguments, &value);
  return value.whole;
}

/* ---- Writing */

static void put(struct sink* sink, const char* bytes, size_t count) {
  if (count == 0) return;
  sink->put(sink, bytes, count);
  sink->count += count;
}

static void pad(struct sink* sink, char byte, int count) {
  char bytes[32];
  if (count <= 0) return;
  memset(bytes, byte, sizeof bytes);
  for (; count > (int)sizeof bytes; count -= sizeof bytes) put(sink, bytes, sizeof bytes);
  put(sink, bytes, count);
}

/* A sign or prefix, zeros, and the rest, in the field. */
static void put_field(struct sink* sink, const struct conversion* c, const char* prefix, int zeros,
                      const char* bytes, int count, int fill_zeros) {
  int used = (int)strlen(prefix) + zeros + count;
  int blank = c->width > used ? c->width - used : 0;
  if (fill_zeros && !c->is_left) zeros += blank, blank = 0;
  if (!c->is_left) pad(sink, ' ', blank);
  put(sink, prefix, strlen(prefix));
  pad(sink, '0', zeros);
  put(sink, bytes, count);
  if (c->is_left) pad(sink, ' ', blank);
}

static const char* sign_of(const struct conversion* c, int is_negative) {
  return is_negative ? "-" : c->has_sign ? "+" : c->has_blank ? " " : "";
}

/* The digits, at the end of a buffer of so many bytes. */
static char* digits_of(uintmax_t value, unsigned base, int is_upper, char* end) {
  const char* digits = is_upper ? "0123456789ABCDEF" : "0123456789abcdef";
  if (base == 16 || base == 8) {
    int shift = base == 16 ? 4 : 3;
    for (; value != 0; value >>= shift) *--end = digits[value & (base - 1)];
    return end;
  }
  for (; value >> 32 != 0; value /= base) *--end = digits[value % base];
  for (uint32_t rest = value; rest != 0; rest /= base) *--end = digits[rest % base];
  return end;
}

static void put_whole(struct sink* sink, const struct conversion* c, uintmax_t value) {
  char room[32], *end = room + sizeof room;
  int is_hex = c->letter == 'x' || c->letter == 'X';
  const char* prefix = "";
  if (is_signed(c->letter)) {
    prefix = sign_of(c, (intmax_t)value < 0);
    if ((intmax_t)value < 0) value = -value;
  } else if (is_hex && c->is_alternate && value != 0) {
    prefix = c->letter == 'x' ? "0x" : "0X";
  }
  char* first = digits_of(value, is_hex ? 16 : c->letter == 'o' ? 8 : 10, c->letter == 'X', end);
  int count = end - first, least = c->precision_given ? c->precision : 1;
  if (c->letter == 'o' && c->is_alternate && least <= count) least = count + 1;
  int zeros = least > count ? least - count : 0;
  put_field(sink, c, prefix, zeros, first, count, c->has_zeros && !c->precision_given);
}

static void put_float(struct sink* sink, const struct conversion* c, const struct parts* p) {
  struct float_text text;
  struct float_format how = {tolower(c->letter), c->precision_given ? c->precision : -1,
                             c->is_alternate};
  format_float(p, &how, &text);
  if (isupper(c->letter)) {
    for (int i = 0; i < text.length; ++i) text.text[i] = toupper(text.text[i]);
  }
  const char* sign = sign_of(c, p->is_negative);
  int used = (int)strlen(sign) + text.length + text.zeros;
  int blank = c->width > used ? c->width - used : 0;
  int fill = c->has_zeros && !c->is_left && p->kind == part_finite;
  if (!fill && !c->is_left) pad(sink, ' ', blank);
  put(sink, sign, strlen(sign));
  int prefix = how.conversion == 'a' && p->kind == part_finite ? 2 : 0;
  put(sink, text.text, prefix);
  if (fill) pad(sink, '0', blank);
  int front = text.zeros != 0 ? text.zeros_at : text.length;
  put(sink, text.text + prefix, front - prefix);
  pad(sink, '0', text.zeros);
  put(sink, text.text + front, text.length - front);
  if (c->is_left) pad(sink, ' ', blank);
}

static void put_string(struct sink* sink, const struct conversion* c, const char* text) {
  if (text == NULL) text = "(null)";
  size_t count = 0, most = c->precision_given ? (size_t)c->precision : (size_t)-1;
  while (count < most && text[count] != 0) ++count;
  put_field(sink, c, "", 0, text, count, 0);
}

/* Whole characters, as many bytes as the precision; it ends at what is no character. */
static void put_wide_string(struct sink* sink, const struct conversion* c, const wchar_t* text) {
  enum { longest = 4 };
  if (text == NULL) text = L"(null)";
  size_t count = 0, most = c->precision_given ? (size_t)c->precision : (size_t)-1;
  size_t length = 0;
  while (length < most && text[length] != 0) ++length;
  char* bytes = malloc(longest * length + 1);
  if (bytes == NULL) return;
  for (; length != 0; --length, ++text) {
    char each[longest];
    const int made = wctomb(each, *text);
    if (made < 0 || count + made > most) break;
    memcpy(bytes + count, each, made);
    count += made;
  }
  put_field(sink, c, "", 0, bytes, count, 0);
  free(bytes);
}

static void put_character(struct sink* sink, const struct conversion* c, unsigned value) {
  char bytes[4] = {value};
  const int count = c->length == length_long ? wctomb(bytes, value) : 1;
  put_field(sink, c, "", 0, bytes, count < 0 ? 0 : count, 0);
}

static void store_count(const struct conversion* c, void* place, size_t count) {
  if (c->length == length_short) {
    *(short*)place = count;
  } else if (c->length == length_long_long) {
    *(long long*)place = count;
  } else {
    *(int*)place = count;
  }
}

static void put_value(struct sink* sink, struct conversion* c, union value* value) {
  if (c->letter == 'c') {
    put_character(sink, c, value->whole);
  } else if (is_whole(c->letter)) {
    put_whole(sink, c, value->whole);
  } else if (is_float(c->letter)) {
    put_float(sink, c, &value->parts);
  } else if (c->letter == 'S' || (c->letter == 's' && c->length == length_long)) {
    put_wide_string(sink, c, value->pointer);
  } else if (c->letter == 's') {
    put_string(sink, c, value->pointer);
  } else if (c->letter == 'p') {
    c->letter = 'x';
    c->precision_given = 1;
    c->precision = 2 * sizeof(void*);
    put_whole(sink, c, (uintptr_t)value->pointer);
  } else {
    store_count(c, value->pointer, sink->count);
  }
}

static void put_conversion(struct sink* sink, struct conversion* c, const struct positions* all,
                           va_list* arguments) {
  if (c->width_given == 2) c->width = get_number(all, c->width_position, arguments);
  if (c->width < 0) c->is_left = 1, c->width = -c->width;
  if (c->precision_given == 2) c->precision = get_number(all, c->precision_position, arguments);
  if (c->precision < 0) c->precision_given = 0;
  if (!takes_argument(c->letter)) {
    if (c->letter != 0) put_field(sink, c, "", 0, &c->letter, 1, 0); /* %% among them */
    return;
  }
  union value value;
  get(all, c->position, c, arguments, &value);
  put_value(sink, c, &value);
}

int format(struct sink* sink, const char* text, va_list given) {
  va_list arguments;
  va_copy(arguments, given);
  struct positions all;
  all.count = 0;
  if (strchr(text, '$') != NULL) fetch_positions(text, &arguments, &all);
  while (*text != 0) {
    size_t plain = strcspn(text, "%");
    put(sink, text, plain);
    text += plain;
    if (*text == 0) break;
    struct conversion c;
    text = read_conversion(text + 1, &c);
    put_conversion(sink, &c, &all, &arguments);
  }
  va_end(arguments);
  return sink->count;
}
