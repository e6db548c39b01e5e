// printf.
#include <stdarg.h>

#include "guest/runtime/guest.h"

struct output {
  char text[512];
  size_t used;
};

struct field {
  char pad;
  int width;
  int longs;  // how many l
};

static void flush(struct output* out) {
  size_t done = 0;
  while (done < out->used) {
    ssize_t n = write(1, out->text + done, out->used - done);
    if (n <= 0) break;
    done += (size_t)n;
  }
  out->used = 0;
}

static void put(struct output* out, char c) {
  if (out->used == sizeof out->text) flush(out);
  out->text[out->used++] = c;
}

static void put_text(struct output* out, const struct field* field, const char* text, int length) {
  for (int i = length; i < field->width; ++i) put(out, ' ');
  while (length-- > 0) put(out, *text++);
}

static void put_number(struct output* out, const struct field* field, uint64_t value, unsigned base,
                       int negative) {
  char digits[24];
  int length = 0;
  // Most numbers fit a word, where the machine can divide by itself.
  while (value > UINT32_MAX) {
    digits[length++] = "0123456789abcdef"[value % base];
    value /= base;
  }
  uint32_t word = (uint32_t)value;
  do {
    digits[length++] = "0123456789abcdef"[word % base];
    word /= base;
  } while (word != 0);

  int filler = field->width - length - negative;
  if (field->pad == ' ') {
    for (; filler > 0; --filler) put(out, ' ');
  }
  if (negative) put(out, '-');
  for (; filler > 0; --filler) put(out, '0');
  while (length > 0) put(out, digits[--length]);
}

static const char* parse_field(const char* format, struct field* field) {
  *field = (struct field){.pad = ' '};
  if (*format == '0') {
    field->pad = '0';
    ++format;
  }
  while (*format >= '0' && *format <= '9') field->width = field->width * 10 + (*format++ - '0');
  while (*format == 'l') {
    ++field->longs;
    ++format;
  }
  return format;
}

static void put_argument(struct output* out, const struct field* field, char conversion,
                         va_list* arguments) {
  if (conversion == 'c') {
    char c = (char)va_arg(*arguments, int);
    put_text(out, field, &c, 1);
  } else if (conversion == 's') {
    const char* text = va_arg(*arguments, const char*);
    put_text(out, field, text, (int)strlen(text));
  } else if (conversion == 'd') {
    int64_t value = field->longs > 1 ? va_arg(*arguments, int64_t) : va_arg(*arguments, int32_t);
    uint64_t magnitude = value < 0 ? -(uint64_t)value : (uint64_t)value;
    put_number(out, field, magnitude, 10, value < 0);
  } else {
    uint64_t value = field->longs > 1 ? va_arg(*arguments, uint64_t) : va_arg(*arguments, uint32_t);
    put_number(out, field, value, conversion == 'x' ? 16 : 10, 0);
  }
}

void printf(const char* format, ...) {
  struct output out;
  struct field field;
  va_list arguments;
  out.used = 0;
  va_start(arguments, format);
  for (; *format != 0; ++format) {
    if (*format != '%') {
      put(&out, *format);
    } else if (format[1] == '%') {
      put(&out, *++format);
    } else {
      format = parse_field(format + 1, &field);
      put_argument(&out, &field, *format, &arguments);
    }
  }
  va_end(arguments);
  flush(&out);
}
