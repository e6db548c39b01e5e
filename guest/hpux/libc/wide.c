/* multibyte(3C), wcstring(3C), wctype(3C): in locales of UTF-8 a wide character is Unicode's, in others a byte. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "codeset.h"

enum { most_bytes = 256 };

/* The bytes of the character; -1: it is none, or not whole. */
int mbtowc(wchar_t* to, const char* from, size_t size) {
  uint32_t c = 0;
  int taken = 1;
  if (from == NULL || size == 0) return from == NULL ? 0 : -1;
  if (_hc_codeset_data == _hc_utf_8) {
    taken = _hc_decode(_hc_utf_8, (const unsigned char*)from, size, &c);
    if (taken <= 0) {
      errno = EILSEQ;
      return -1;
    }
  } else {
    c = (unsigned char)*from;
  }
  if (to != NULL) *to = c;
  return *from == 0 ? 0 : taken;
}
int mblen(const char* from, size_t size) {
  return mbtowc(NULL, from, size);
}
int wctomb(char* to, wchar_t c) {
  enum { longest = 4 };
  if (to == NULL) return 0;
  const int is_surrogate = c >= 0xd800 && c <= 0xdfff;
  if (_hc_codeset_data == _hc_utf_8 && (unsigned)c <= 0x10ffff && !is_surrogate) {
    return _hc_encode(_hc_utf_8, c, (unsigned char*)to, longest);
  }
  if (_hc_codeset_data == _hc_utf_8 || (unsigned)c >= most_bytes) {
    errno = EILSEQ;
    return -1;
  }
  *to = c;
  return 1;
}

size_t mbstowcs(wchar_t* to, const char* from, size_t size) {
  enum { longest = 4 };
  for (size_t count = 0;; ++count) {
    if (to != NULL && count == size) return count;
    wchar_t c;
    const int taken = mbtowc(&c, from, longest);
    if (taken < 0) return -1;
    if (to != NULL) to[count] = c;
    if (taken == 0) return count;
    from += taken;
  }
}

/* Whole characters alone. */
size_t wcstombs(char* to, const wchar_t* from, size_t size) {
  for (size_t count = 0;; ++from) {
    char bytes[4];
    const int made = wctomb(bytes, *from);
    if (made < 0) return -1;
    if (to != NULL && count + made > size) return count;
    if (to != NULL) memcpy(to + count, bytes, made);
    if (*from == 0) return count;
    count += made;
  }
}

size_t wcslen(const wchar_t* text) {
  size_t length = 0;
  while (text[length] != 0) ++length;
  return length;
}
wchar_t* wcscpy(wchar_t* to, const wchar_t* from) {
  return memcpy(to, from, (wcslen(from) + 1) * sizeof *to);
}
wchar_t* wcsncpy(wchar_t* to, const wchar_t* from, size_t size) {
  size_t i = 0;
  for (; i < size && from[i] != 0; ++i) to[i] = from[i];
  for (; i < size; ++i) to[i] = 0;
  return to;
}
wchar_t* wcscat(wchar_t* to, const wchar_t* from) {
  wcscpy(to + wcslen(to), from);
  return to;
}
wchar_t* wcsncat(wchar_t* to, const wchar_t* from, size_t size) {
  wchar_t* at = to + wcslen(to);
  for (; size-- != 0 && *from != 0; ++from) *at++ = *from;
  *at = 0;
  return to;
}

int wcsncmp(const wchar_t* a, const wchar_t* b, size_t size) {
  for (; size-- != 0; ++a, ++b) {
    if (*a != *b) return (unsigned)*a < (unsigned)*b ? -1 : 1;
    if (*a == 0) break;
  }
  return 0;
}
int wcscmp(const wchar_t* a, const wchar_t* b) {
  return wcsncmp(a, b, -1);
}
int wcscoll(const wchar_t* a, const wchar_t* b) {
  return wcscmp(a, b);
}

wchar_t* wcschr(const wchar_t* text, wchar_t c) {
  for (;; ++text) {
    if (*text == c) return (wchar_t*)text;
    if (*text == 0) return NULL;
  }
}
wchar_t* wcsrchr(const wchar_t* text, wchar_t c) {
  const wchar_t* found = NULL;
  for (;; ++text) {
    if (*text == c) found = text;
    if (*text == 0) return (wchar_t*)found;
  }
}
wchar_t* wcsstr(const wchar_t* text, const wchar_t* part) {
  size_t length = wcslen(part);
  for (;; ++text) {
    if (wcsncmp(text, part, length) == 0) return (wchar_t*)text;
    if (*text == 0) return NULL;
  }
}
size_t wcsspn(const wchar_t* text, const wchar_t* set) {
  size_t length = 0;
  while (text[length] != 0 && wcschr(set, text[length]) != NULL) ++length;
  return length;
}
size_t wcscspn(const wchar_t* text, const wchar_t* set) {
  size_t length = 0;
  while (text[length] != 0 && wcschr(set, text[length]) == NULL) ++length;
  return length;
}
wchar_t* wcspbrk(const wchar_t* text, const wchar_t* set) {
  text += wcscspn(text, set);
  return *text == 0 ? NULL : (wchar_t*)text;
}
wchar_t* wcstok(wchar_t* text, const wchar_t* set, wchar_t** rest) {
  if (text == NULL) text = *rest;
  if (text == NULL) return NULL;
  text += wcsspn(text, set);
  if (*text == 0) return NULL;
  wchar_t* end = text + wcscspn(text, set);
  *rest = *end == 0 ? NULL : end + 1;
  *end = 0;
  return text;
}

/* A number's characters, as far as bytes; what follows ends it. */
static void narrow(char* to, size_t size, const wchar_t* from) {
  size_t i = 0;
  for (; i + 1 < size && from[i] != 0 && (unsigned)from[i] < most_bytes; ++i) to[i] = from[i];
  to[i] = 0;
}
enum { longest_number = 400 };

#define NARROWED(type, call)                                 \
  char bytes[longest_number], *end_of;                       \
  narrow(bytes, sizeof bytes, text);                         \
  type value = call;                                         \
  if (end != NULL) *end = (wchar_t*)text + (end_of - bytes); \
  return value

long wcstol(const wchar_t* text, wchar_t** end, int base) {
  NARROWED(long, strtol(bytes, &end_of, base));
}
unsigned long wcstoul(const wchar_t* text, wchar_t** end, int base) {
  NARROWED(unsigned long, strtoul(bytes, &end_of, base));
}
long long wcstoll(const wchar_t* text, wchar_t** end, int base) {
  NARROWED(long long, strtoll(bytes, &end_of, base));
}
unsigned long long wcstoull(const wchar_t* text, wchar_t** end, int base) {
  NARROWED(unsigned long long, strtoull(bytes, &end_of, base));
}
float wcstof(const wchar_t* text, wchar_t** end) {
  NARROWED(float, strtof(bytes, &end_of));
}
double wcstod(const wchar_t* text, wchar_t** end) {
  NARROWED(double, strtod(bytes, &end_of));
}

/* Of Unicode, from 128 on. */
static int is_unicode(wint_t c) {
  return c >= 128 && _hc_codeset_data == _hc_utf_8;
}
static int is_byte(wint_t c) {
  return c < 128 || (c < most_bytes && _hc_codeset_data != _hc_utf_8);
}
static int is_line_or_paragraph(wint_t c) {
  return c == 0x2028 || c == 0x2029;
}
static int is_control(wint_t c) {
  return c < 0xa0 || is_line_or_paragraph(c);
}
static int is_blank(wint_t c) {
  return c == 0x1680 || (c >= 0x2000 && c <= 0x200a && c != 0x2007) || is_line_or_paragraph(c) ||
         c == 0x205f || c == 0x3000;
}
static int is_character(wint_t c) {
  return c <= 0x10ffff && (c & 0xfffe) != 0xfffe && (c < 0xd800 || c > 0xdfff);
}
static int is_printing(wint_t c) {
  return is_character(c) && !is_control(c);
}

#define CLASS(name, in_unicode)                                         \
  int isw##name(wint_t c) {                                             \
    return is_unicode(c) ? (in_unicode) : is_byte(c) && is##name(c);    \
  }
CLASS(alpha, _hc_is_letter(c))
CLASS(alnum, _hc_is_letter(c))
CLASS(cntrl, is_control(c))
CLASS(digit, 0)
CLASS(graph, is_printing(c) && !is_blank(c))
CLASS(lower, _hc_is_lower(c))
CLASS(print, is_printing(c))
CLASS(punct, _hc_is_mark(c))
CLASS(space, is_blank(c))
CLASS(upper, _hc_to_lower(c) != c)
CLASS(xdigit, 0)

wint_t towlower(wint_t c) {
  return is_unicode(c) ? _hc_to_lower(c) : is_byte(c) ? (wint_t)tolower(c) : c;
}
wint_t towupper(wint_t c) {
  return is_unicode(c) ? _hc_upper_of(c) : is_byte(c) ? (wint_t)toupper(c) : c;
}
