/* scanf(3S). */
#include <ctype.h>
#include <long_double.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A stream or, where that is null, a string. */
struct source {
  FILE* stream;
  const char* text;
  int count; /* bytes taken */
};

static int take(struct source* s) {
  int c = s->stream != NULL ? fgetc(s->stream) : *s->text != 0 ? (unsigned char)*s->text++ : EOF;
  if (c != EOF) ++s->count;
  return c;
}

static void give_back(struct source* s, int c) {
  if (c == EOF) return;
  --s->count;
  if (s->stream != NULL) {
    ungetc(c, s->stream);
  } else {
    --s->text;
  }
}

static int peek(struct source* s) {
  int c = take(s);
  give_back(s, c);
  return c;
}

static void skip_space(struct source* s) {
  int c;
  do c = take(s);
  while (isspace(c));
  give_back(s, c);
}

struct conversion {
  int is_skipped, width; /* 0: not given */
  int size;              /* -2 char, -1 short, 0, 1 long, 2 long long or long double */
  char letter;
  const char* set; /* of %[: behind the bracket */
};

static const char* read_conversion(const char* text, struct conversion* c) {
  memset(c, 0, sizeof *c);
  if (*text == '*') c->is_skipped = 1, ++text;
  for (; isdigit((unsigned char)*text); ++text) {
    if (c->width < 100000000) c->width = 10 * c->width + (*text - '0');
  }
  for (;; ++text) {
    if (*text == 'h') {
      --c->size;
    } else if (*text == 'l') {
      ++c->size;
    } else if (*text == 'L' || *text == 'q' || *text == 'j') {
      c->size = 2;
    } else if (*text != 'z' && *text != 't') {
      break;
    }
  }
  c->letter = *text;
  if (c->letter != 0 && strchr("DOU", c->letter) != NULL) c->size = 1;
  if (c->letter != 0) ++text;
  if (c->letter == '[') {
    c->set = text;
    if (*text == '^') ++text;
    if (*text == ']') ++text;
    while (*text != 0 && *text != ']') ++text;
    if (*text != 0) ++text;
  }
  return text;
}

static void store_whole(const struct conversion* c, void* to, uint64_t value) {
  if (c->size <= -2) {
    *(char*)to = value;
  } else if (c->size == -1) {
    *(short*)to = value;
  } else if (c->size == 0) {
    *(int*)to = value;
  } else if (c->size == 1) {
    *(long*)to = value;
  } else {
    *(long long*)to = value;
  }
}

enum { most_number = 2000 };

struct number {
  char text[most_number];
  int length, room;
};

static int accept(struct source* s, struct number* n, const char* set) {
  int c = n->room > 0 ? take(s) : EOF;
  if (c == EOF || c == 0 || strchr(set, c) == NULL) {
    if (n->room > 0) give_back(s, c);
    return 0;
  }
  n->text[n->length++] = c;
  n->text[n->length] = 0;
  --n->room;
  return c;
}

static int accept_all(struct source* s, struct number* n, const char* set) {
  int count = 0;
  while (accept(s, n, set)) ++count;
  return count;
}

static void start_number(struct number* n, int width) {
  n->length = n->text[0] = 0;
  n->room = width == 0 || width >= most_number ? most_number - 1 : width;
}

static int base_of(char letter) {
  switch (letter) {
    case 'i':
      return 0;
    case 'o':
    case 'O':
      return 8;
    case 'x':
    case 'X':
    case 'p':
      return 16;
    default:
      return 10;
  }
}

static int scan_whole(struct source* s, const struct conversion* c, void* to) {
  struct number n;
  int base = base_of(c->letter);
  start_number(&n, c->width);
  accept(s, &n, "+-");
  int count = 0;
  if ((base == 0 || base == 16) && accept(s, &n, "0")) {
    count = 1;
    if (accept(s, &n, "xX")) {
      base = 16;
      count = 0;
    } else if (base == 0) {
      base = 8;
    }
  }
  if (base == 0) base = 10;
  count += accept_all(s, &n,
                      base == 16  ? "0123456789abcdefABCDEF"
                      : base == 8 ? "01234567"
                                  : "0123456789");
  if (count == 0) return 0;
  uint64_t value =
      n.text[0] == '-' ? (uint64_t)strtoll(n.text, NULL, base) : strtoull(n.text, NULL, base);
  if (!c->is_skipped) store_whole(c, to, value);
  return 1;
}

static int scan_float(struct source* s, const struct conversion* c, void* to) {
  const char* digits = "0123456789";
  struct number n;
  start_number(&n, c->width);
  accept(s, &n, "+-");
  int count = accept_all(s, &n, digits);
  if (accept(s, &n, ".")) count += accept_all(s, &n, digits);
  if (count == 0) return 0;
  if (accept(s, &n, "eE")) {
    accept(s, &n, "+-");
    accept_all(s, &n, digits);
  }
  if (c->is_skipped) return 1;
  if (c->size >= 2) {
    *(quad*)to = strtold(n.text, NULL);
  } else if (c->size == 1) {
    *(double*)to = strtod(n.text, NULL);
  } else {
    *(float*)to = strtod(n.text, NULL);
  }
  return 1;
}

static int is_in_set(const char* set, int c) {
  int is_negated = *set == '^';
  if (is_negated) ++set;
  const char* first = set;
  for (; *set != 0 && (*set != ']' || set == first); ++set) {
    int is_range = set[1] == '-' && set[2] != ']' && set[2] != 0;
    unsigned char low = *set, high = is_range ? set[2] : *set;
    if (c >= low && c <= high) return !is_negated;
    if (is_range) set += 2;
  }
  return is_negated;
}

static int belongs(const struct conversion* c, int byte) {
  if (c->letter == 'c') return 1;
  return c->letter == 's' ? !isspace(byte) : is_in_set(c->set, byte);
}

static int scan_bytes(struct source* s, const struct conversion* c, char* to) {
  int is_text = c->letter != 'c', count = 0;
  int most = c->width != 0 ? c->width : is_text ? -1 : 1;
  while (count != most) {
    int byte = take(s);
    if (byte == EOF) break;
    if (!belongs(c, byte)) {
      give_back(s, byte);
      break;
    }
    if (!c->is_skipped) *to++ = byte;
    ++count;
  }
  if (!is_text) return count == most;
  if (count != 0 && !c->is_skipped) *to = 0;
  return count != 0;
}

static int scan_conversion(struct source* s, const struct conversion* c, void* to) {
  switch (c->letter) {
    case 's':
    case 'c':
    case '[':
      return scan_bytes(s, c, to);
    case 'e':
    case 'f':
    case 'g':
    case 'E':
    case 'F':
    case 'G':
    case 'a':
    case 'A':
      return scan_float(s, c, to);
    default:
      return scan_whole(s, c, to);
  }
}

static int scan(struct source* s, const char* text, va_list arguments) {
  int stored = 0;
  while (*text != 0) {
    if (isspace((unsigned char)*text)) {
      skip_space(s);
      ++text;
      continue;
    }
    struct conversion c = {.letter = '%'};
    char plain = *text;
    text = plain == '%' ? read_conversion(text + 1, &c) : text + 1;
    if (c.letter == 0) break;
    if (c.letter == 'n') {
      if (!c.is_skipped) store_whole(&c, va_arg(arguments, void*), s->count);
      continue;
    }
    if (c.letter == '%') {
      if (plain == '%') skip_space(s);
      int byte = take(s);
      if (byte == (unsigned char)plain) continue;
      give_back(s, byte);
      return byte == EOF && stored == 0 ? EOF : stored;
    }
    if (c.letter != 'c' && c.letter != '[') skip_space(s);
    if (peek(s) == EOF) return stored == 0 ? EOF : stored;
    if (!scan_conversion(s, &c, c.is_skipped ? NULL : va_arg(arguments, void*))) break;
    stored += !c.is_skipped;
  }
  return stored;
}

int vfscanf(FILE* stream, const char* text, va_list arguments) {
  struct source s = {stream, NULL, 0};
  return scan(&s, text, arguments);
}
int vscanf(const char* text, va_list arguments) {
  return vfscanf(stdin, text, arguments);
}
int vsscanf(const char* from, const char* text, va_list arguments) {
  struct source s = {NULL, from, 0};
  return scan(&s, text, arguments);
}

#define FORWARD(call)        \
  va_list arguments;         \
  va_start(arguments, text); \
  int count = call;          \
  va_end(arguments);         \
  return count

int fscanf(FILE* stream, const char* text, ...) {
  FORWARD(vfscanf(stream, text, arguments));
}
int scanf(const char* text, ...) {
  FORWARD(vfscanf(stdin, text, arguments));
}
int sscanf(const char* from, const char* text, ...) {
  FORWARD(vsscanf(from, text, arguments));
}
