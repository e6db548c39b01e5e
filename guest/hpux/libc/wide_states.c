/* mbrtowc(3C), wcrtomb(3C) and their like: a character's first bytes are kept until the others come. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "codeset.h"

enum { longest = 4, most_bytes = 256 };

wint_t btowc(int byte) {
  if (byte < 0 || byte >= most_bytes) return WEOF;
  return byte < 128 || _hc_codeset_data != _hc_utf_8 ? (wint_t)byte : WEOF;
}
int wctob(wint_t c) {
  return btowc(c < most_bytes ? (int)c : -1) == c ? (int)c : -1;
}

int mbsinit(const mbstate_t* state) {
  return state == NULL || state->count == 0;
}

size_t mbrtowc(wchar_t* to, const char* from, size_t size, mbstate_t* state) {
  static mbstate_t own;
  if (state == NULL) state = &own;
  if (from == NULL) from = "", to = NULL, size = 1;
  for (size_t taken = 0; taken < size;) {
    uint32_t c;
    state->kept[state->count++] = from[taken++];
    const int length = _hc_codeset_data == _hc_utf_8 ? _hc_decode(_hc_utf_8, state->kept, state->count, &c) : 1;
    if (_hc_codeset_data != _hc_utf_8) c = state->kept[0];
    if (length > 0) {
      state->count = 0;
      if (to != NULL) *to = c;
      return c == 0 ? 0 : taken;
    }
    if (length == _hc_invalid || state->count == longest) {
      state->count = 0;
      errno = EILSEQ;
      return -1;
    }
  }
  return -2;
}

size_t mbrlen(const char* from, size_t size, mbstate_t* state) {
  static mbstate_t own;
  return mbrtowc(NULL, from, size, state != NULL ? state : &own);
}

/* No codeset here has states. */
size_t wcrtomb(char* to, wchar_t c, mbstate_t* state) {
  (void)state;
  return to == NULL ? 1 : (size_t)wctomb(to, c);
}

size_t mbsrtowcs(wchar_t* to, const char** from, size_t size, mbstate_t* state) {
  static mbstate_t own;
  if (state == NULL) state = &own;
  const char* at = *from;
  for (size_t count = 0;; ++count) {
    if (to != NULL && count == size) {
      *from = at;
      return count;
    }
    wchar_t c;
    const size_t taken = mbrtowc(&c, at, longest, state);
    if (taken == (size_t)-1 || taken == (size_t)-2) {
      if (to != NULL) *from = at;
      return -1;
    }
    if (to != NULL) to[count] = c;
    if (taken == 0) {
      if (to != NULL) *from = NULL;
      return count;
    }
    at += taken;
  }
}

size_t wcsrtombs(char* to, const wchar_t** from, size_t size, mbstate_t* state) {
  (void)state;
  const wchar_t* at = *from;
  for (size_t count = 0;; ++at) {
    char bytes[longest];
    const int made = wctomb(bytes, *at);
    const int is_full = to != NULL && made > 0 && count + made > size;
    if (to != NULL) *from = *at == 0 && !is_full ? NULL : at;
    if (made < 0) return -1;
    if (is_full) return count;
    if (to != NULL) memcpy(to + count, bytes, made);
    if (*at == 0) return count;
    count += made;
  }
}

/* As wcscoll() compares. */
size_t wcsxfrm(wchar_t* to, const wchar_t* from, size_t size) {
  const size_t length = wcslen(from);
  if (size != 0) {
    wcsncpy(to, from, size - 1);
    to[size - 1] = 0;
  }
  return length;
}
