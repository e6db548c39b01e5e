// printf.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

FILE _streams[3] = {{0}, {1}, {2}};

struct output {
  int fd;
  int total;
  size_t used;
  char text[256];
};

struct field {
  int left;
  int zeros;
  int width;
  int longs;  // how many l
};

static void send(struct output* out) {
  size_t done = 0;
  while (done < out->used) {
    ssize_t n = write(out->fd, out->text + done, out->used - done);
    if (n <= 0) break;
    done += (size_t)n;
  }
  out->used = 0;
}

static void put(struct output* out, char c) {
  if (out->used == sizeof out->text) send(out);
  out->text[out->used++] = c;
  ++out->total;
}

static void fill(struct output* out, char c, int count) {
  for (; count > 0; --count) put(out, c);
}

static void put_field(struct output* out, const struct field* field, const char* text,
                      size_t length) {
  const int filler = field->width - (int)length;
  if (!field->left) fill(out, ' ', filler);
  while (length-- > 0) put(out, *text++);
  if (field->left) fill(out, ' ', filler);
}

static void put_number(struct output* out, const struct field* field, unsigned long long value,
                       unsigned int base, int negative, int capital) {
  char digits[24];
  char* first = digits + sizeof digits;
  const char* names = capital ? "0123456789ABCDEF" : "0123456789abcdef";
  // Most numbers fit a word, where the machine can divide by itself.
  for (; value > 0xffffffff; value /= base) *--first = names[value % base];
  unsigned int word = (unsigned int)value;
  do {
    *--first = names[word % base];
    word /= base;
  } while (word != 0);
  size_t length = (size_t)(digits + sizeof digits - first);
  if (field->zeros && !field->left) {
    if (negative) put(out, '-');
    fill(out, '0', field->width - (int)length - negative);
    while (length-- > 0) put(out, *first++);
    return;
  }
  if (negative) {
    *--first = '-';
    ++length;
  }
  put_field(out, field, first, length);
}

static const char* parse_field(const char* format, struct field* field) {
  *field = (struct field){0};
  for (;; ++format) {
    if (*format == '-') {
      field->left = 1;
    } else if (*format == '0') {
      field->zeros = 1;
    } else {
      break;
    }
  }
  while (*format >= '0' && *format <= '9') field->width = field->width * 10 + (*format++ - '0');
  for (; *format == 'l' || *format == 'h'; ++format) field->longs += *format == 'l';
  return format;
}

static void put_signed(struct output* out, const struct field* field, long long value) {
  const unsigned long long magnitude = (unsigned long long)value;
  put_number(out, field, value < 0 ? -magnitude : magnitude, 10, value < 0, 0);
}

static void put_unsigned(struct output* out, const struct field* field, char conversion,
                         unsigned long long value) {
  const unsigned int base = conversion == 'u' ? 10 : conversion == 'o' ? 8 : 16;
  put_number(out, field, value, base, 0, conversion == 'X');
}

// int, long and pointers are one word.
static void put_argument(struct output* out, const struct field* field, char conversion,
                         unsigned long word) {
  const char c = (char)word;
  const char* text = (const char*)word;
  switch (conversion) {
    case 'c':
      put_field(out, field, &c, 1);
      break;
    case 's':
      put_field(out, field, text, strlen(text));
      break;
    case 'd':
    case 'i':
      put_signed(out, field, (long)word);
      break;
    case 'p':
      put(out, '0');
      put(out, 'x');
      put_unsigned(out, field, 'x', word);
      break;
    default:
      put_unsigned(out, field, conversion, word);
  }
}

static int print(int fd, const char* format, va_list* arguments) {
  struct output out;
  struct field field;
  out.fd = fd;
  out.total = 0;
  out.used = 0;
  for (; *format != 0; ++format) {
    if (*format != '%') {
      put(&out, *format);
    } else if (format[1] == '%') {
      put(&out, *++format);
    } else {
      format = parse_field(format + 1, &field);
      if (*format == 0) break;
      if (field.longs < 2) {
        put_argument(&out, &field, *format, va_arg(*arguments, unsigned long));
      } else if (*format == 'd' || *format == 'i') {
        put_signed(&out, &field, va_arg(*arguments, long long));
      } else {
        put_unsigned(&out, &field, *format, va_arg(*arguments, unsigned long long));
      }
    }
  }
  send(&out);
  return out.total;
}

int printf(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int total = print(1, format, &arguments);
  va_end(arguments);
  return total;
}

int fprintf(FILE* file, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int total = print(file->fd, format, &arguments);
  va_end(arguments);
  return total;
}

int fputs(const char* text, FILE* file) {
  return fprintf(file, "%s", text);
}

int puts(const char* text) {
  return printf("%s\n", text);
}

int putchar(int c) {
  return printf("%c", c) == 1 ? (unsigned char)c : EOF;
}

int fflush(FILE* file) {
  (void)file;
  return 0;
}
