/* fgetws(3C), wprintf(3C) in the C locale: a wide character is a byte. */
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

wint_t fgetwc(FILE* stream) {
  int c = fgetc(stream);
  return c == EOF ? WEOF : (wint_t)c;
}
wint_t fputwc(wint_t c, FILE* stream) {
  return c > 255 || fputc(c, stream) == EOF ? WEOF : c;
}

wchar_t* fgetws(wchar_t* to, int size, FILE* stream) {
  wchar_t* at = to;
  while (size-- > 1) {
    int c = fgetc(stream);
    if (c == EOF) break;
    *at++ = c;
    if (c == '\n') break;
  }
  if (at == to) return NULL;
  *at = 0;
  return to;
}

int fputws(const wchar_t* text, FILE* stream) {
  for (; *text != 0; ++text) {
    if (fputwc(*text, stream) == WEOF) return EOF;
  }
  return 0;
}

/* From malloc(); null if there is no memory, or for a character that is no byte. */
static char* narrowed(const wchar_t* text) {
  size_t size = wcslen(text) + 1;
  char* bytes = malloc(size);
  if (bytes != NULL && wcstombs(bytes, text, size) == (size_t)-1) {
    free(bytes);
    return NULL;
  }
  return bytes;
}

int vfwprintf(FILE* stream, const wchar_t* text, va_list arguments) {
  char* bytes = narrowed(text);
  int count = bytes == NULL ? -1 : vfprintf(stream, bytes, arguments);
  free(bytes);
  return count;
}

/* -1 if it does not fit. */
int vswprintf(wchar_t* to, size_t size, const wchar_t* text, va_list arguments) {
  char *format = narrowed(text), *bytes = size == 0 ? NULL : malloc(size);
  int count = -1;
  if (format != NULL && bytes != NULL) {
    count = vsnprintf(bytes, size, format, arguments);
    mbstowcs(to, bytes, size);
  }
  free(format);
  free(bytes);
  return count >= 0 && (size_t)count < size ? count : -1;
}

int vwprintf(const wchar_t* text, va_list arguments) {
  return vfwprintf(stdout, text, arguments);
}

#define FORWARD(call)        \
  va_list arguments;         \
  va_start(arguments, text); \
  int count = call;          \
  va_end(arguments);         \
  return count

int fwprintf(FILE* stream, const wchar_t* text, ...) {
  FORWARD(vfwprintf(stream, text, arguments));
}
int wprintf(const wchar_t* text, ...) {
  FORWARD(vwprintf(text, arguments));
}
int swprintf(wchar_t* to, size_t size, const wchar_t* text, ...) {
  FORWARD(vswprintf(to, size, text, arguments));
}
