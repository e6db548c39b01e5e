/* multibyte(3C), wcstring(3C), wctype(3C) in the C locale: a wide character is a byte. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

enum { most_bytes = 256 };

int mbtowc(wchar_t* to, const char* from, size_t size) {
  if (from == NULL || size == 0) return from == NULL ? 0 : -1;
  if (to != NULL) *to = (unsigned char)*from;
  return *from != 0;
}
int mblen(const char* from, size_t size) {
  return mbtowc(NULL, from, size);
}
int wctomb(char* to, wchar_t c) {
  if (to == NULL) return 0;
  if ((unsigned)c >= most_bytes) return -1;
  *to = c;
  return 1;
}

size_t mbstowcs(wchar_t* to, const char* from, size_t size) {
  size_t count = 0;
  if (to == NULL) return strlen(from);
  for (; count < size; ++count) {
    to[count] = (unsigned char)from[count];
    if (from[count] == 0) break;
  }
  return count;
}

size_t wcstombs(char* to, const wchar_t* from, size_t size) {
  for (size_t count = 0;; ++count) {
    if (to != NULL && count == size) return count;
    if ((unsigned)from[count] >= most_bytes) {
      errno = EILSEQ;
      return -1;
    }
    if (to != NULL) to[count] = from[count];
    if (from[count] == 0) return count;
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
double wcstod(const wchar_t* text, wchar_t** end) {
  NARROWED(double, strtod(bytes, &end_of));
}

#define CLASS(name)                \
  int isw##name(wint_t c) {        \
    return c < 128 && is##name(c); \
  }
CLASS(alpha)
CLASS(alnum)
CLASS(cntrl)
CLASS(digit)
CLASS(graph)
CLASS(lower)
CLASS(print)
CLASS(punct)
CLASS(space)
CLASS(upper)
CLASS(xdigit)

wint_t towlower(wint_t c) {
  return c < 128 ? (wint_t)tolower(c) : c;
}
wint_t towupper(wint_t c) {
  return c < 128 ? (wint_t)toupper(c) : c;
}
