#include "shell.h"

// ---- Standard output of built-in commands; they flush it when they end.

enum { output_bytes = 512 };
static char output[output_bytes];
static size_t output_length;
static bool has_failed;

static bool write_all(int file, const char* text, size_t length) {
  while (length != 0) {
    const long count = sys_write(file, text, length);
    if (count == -EINTR) continue;
    if (count < 0) return false;
    text += count;
    length -= (size_t)count;
  }
  return true;
}

static void write_output(void) {
  if (!write_all(1, output, output_length)) has_failed = true;
  output_length = 0;
}

void out_character(char c) {
  if (output_length == output_bytes) write_output();
  output[output_length++] = c;
}

void out(const char* text) {
  for (; *text != 0; ++text) out_character(*text);
}

void out_quoted(const char* text) {
  out_character('\'');
  for (; *text != 0; ++text) {
    if (*text == '\'') {
      out("'\\'");
    }
    out_character(*text);
  }
  out_character('\'');
}

bool flush(void) {
  write_output();
  const bool is_written = !has_failed;
  has_failed = false;
  return is_written;
}

void discard_output(void) {
  output_length = 0;
}

// ---- Messages.

const char* error_text(long error) {
  static char text[16 + number_bytes];
  static const char* const texts[] = {
      [1] = "Operation not permitted",
      [2] = "No such file or directory",
      [4] = "Interrupted",
      [5] = "I/O error",
      [7] = "Argument list too long",
      [8] = "Exec format error",
      [9] = "Bad file descriptor",
      [11] = "Cannot fork",
      [12] = "No memory",
      [13] = "Permission denied",
      [17] = "File exists",
      [20] = "Not a directory",
      [21] = "Is a directory",
      [23] = "File table overflow",
      [24] = "Too many open files",
      [26] = "Text file busy",
      [28] = "No space left on device",
      [30] = "Read-only file system",
  };
  const unsigned long number = error < 0 ? -(unsigned long)error : (unsigned long)error;
  if (number < sizeof texts / sizeof texts[0] && texts[number] != NULL) return texts[number];
  char digits[number_bytes];
  char* to = text;
  for (const char* from = "error "; *from != 0;) *to++ = *from++;
  for (const char* from = number_text((int64_t)number, digits); *from != 0;) *to++ = *from++;
  *to = 0;
  return text;
}

static void write_line(const char* first, va_list more) {
  const struct mark mark = arena_mark(&scratch);
  struct buffer line = {0};
  put_text(&line, shell_name);
  put_text(&line, ": ");
  for (const char* each = first; each != NULL; each = va_arg(more, const char*)) {
    put_text(&line, each);
  }
  put(&line, '\n');
  write_all(2, line.text, line.length);
  arena_release(&scratch, mark);
}

void complain(const char* first, ...) {
  va_list more;
  va_start(more, first);
  write_line(first, more);
  va_end(more);
}

void fail(const char* first, ...) {
  va_list more;
  va_start(more, first);
  flush();
  write_line(first, more);
  va_end(more);
  leave(2);
}
