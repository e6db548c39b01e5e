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

static void put_number(struct output* out, const struct field* field, unsigned long value,
                       unsigned int base, int negative, int capital) {
  char digits[16];
  char* first = digits + sizeof digits;
  const char* names = capital ? "0123456789ABCDEF" : "0123456789abcdef";
  do {
    *--first = names[value % base];
    value /= base;
  } while (value != 0);
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
  while (*format == 'l' || *format == 'h') ++format;
  return format;
}

// int, long and pointers are one word.
static void put_argument(struct output* out, const struct field* field, char conversion,
                         unsigned long word) {
  const long value = (long)word;
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
      put_number(out, field, value < 0 ? -word : word, 10, value < 0, 0);
      break;
    case 'u':
      put_number(out, field, word, 10, 0, 0);
      break;
    case 'o':
      put_number(out, field, word, 8, 0, 0);
      break;
    case 'p':
      put(out, '0');
      put(out, 'x');
      put_number(out, field, word, 16, 0, 0);
      break;
    default:
      put_number(out, field, word, 16, 0, conversion == 'X');
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
      put_argument(&out, &field, *format, va_arg(*arguments, unsigned long));
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
