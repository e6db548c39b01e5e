/* fgetws(3C), wprintf(3C). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "codeset.h"

wint_t fgetwc(FILE* stream) {
  enum { longest = 4 };
  char bytes[longest];
  for (int count = 0; count < longest;) {
    const int byte = fgetc(stream);
    if (byte == EOF) return WEOF;
    bytes[count++] = byte;
    uint32_t c;
    if (_hc_codeset_data != _hc_utf_8) return byte;
    const int taken = _hc_decode(_hc_utf_8, (const unsigned char*)bytes, count, &c);
    if (taken > 0) return c;
    if (taken == _hc_invalid) break;
  }
  errno = EILSEQ;
  return WEOF;
}
wint_t fputwc(wint_t c, FILE* stream) {
  char bytes[4];
  const int count = wctomb(bytes, c);
  return count < 0 || fwrite(bytes, 1, count, stream) != (size_t)count ? WEOF : c;
}

wint_t getwc(FILE* stream) {
  return fgetwc(stream);
}
wint_t putwc(wint_t c, FILE* stream) {
  return fputwc(c, stream);
}
wint_t getwchar(void) {
  return fgetwc(stdin);
}
wint_t putwchar(wint_t c) {
  return fputwc(c, stdout);
}

wchar_t* fgetws(wchar_t* to, int size, FILE* stream) {
  wchar_t* at = to;
  while (size-- > 1) {
    const wint_t c = fgetwc(stream);
    if (c == WEOF) break;
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

/* From malloc(); null if there is no memory, or for what is no character. */
static char* narrowed(const wchar_t* text) {
  enum { longest = 4 };
  size_t size = longest * wcslen(text) + 1;
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
  enum { longest = 4 };
  char *format = narrowed(text), *bytes = size == 0 ? NULL : malloc(longest * size);
  size_t count = -1;
  if (format != NULL && bytes != NULL &&
      (size_t)vsnprintf(bytes, longest * size, format, arguments) < longest * size) {
    count = mbstowcs(to, bytes, size);
  }
  free(format);
  free(bytes);
  return count < size ? (int)count : -1;
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
