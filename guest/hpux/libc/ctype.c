/* ctype(3C), conv(3C). In the C locale, and in one of more bytes a character, those from 128 on are in no class. */
#include <ctype.h>
#include <wchar.h>

#include "codeset.h"

/* Of a byte from 128 on in a locale of one byte a character, in Unicode; 0: there is none. */
static wint_t wide_of(int c) {
  const unsigned char byte = c;
  uint32_t wide;
  if (c < 128 || c > 255 || _hc_codeset_data == _hc_ascii || _hc_codeset_data == _hc_utf_8) return 0;
  return _hc_decode(_hc_codeset_data, &byte, 1, &wide) == 1 ? wide : 0;
}

static int byte_of(wint_t wide, int otherwise) {
  unsigned char byte;
  return _hc_encode(_hc_codeset_data, wide, &byte, 1) == 1 ? byte : otherwise;
}

static int is_control(wint_t c) {
  return c >= 0x80 && c < 0xa0;
}

int isupper(int c) {
  const wint_t wide = wide_of(c);
  return (c >= 'A' && c <= 'Z') || _hc_to_lower(wide) != wide;
}
int islower(int c) {
  return (c >= 'a' && c <= 'z') || _hc_is_lower(wide_of(c));
}
int isalpha(int c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || _hc_is_letter(wide_of(c));
}
int isdigit(int c) {
  return c >= '0' && c <= '9';
}
int isalnum(int c) {
  return isalpha(c) || isdigit(c);
}
int isxdigit(int c) {
  return isdigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
int isspace(int c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}
int isblank(int c) {
  return c == ' ' || c == '\t';
}
int isgraph(int c) {
  return (c > ' ' && c <= '~') || wide_of(c) >= 0xa0;
}
int isprint(int c) {
  return (c >= ' ' && c <= '~') || wide_of(c) >= 0xa0;
}
int ispunct(int c) {
  return isgraph(c) && !isalnum(c);
}
int iscntrl(int c) {
  return (c >= 0 && c < ' ') || c == 0x7f || is_control(wide_of(c));
}
int isascii(int c) {
  return c >= 0 && c <= 0x7f;
}
int toascii(int c) {
  return c & 0x7f;
}
int tolower(int c) {
  if (c >= 'A' && c <= 'Z') return c + ('a' - 'A');
  const wint_t wide = wide_of(c);
  return wide == 0 ? c : byte_of(_hc_to_lower(wide), c);
}
int toupper(int c) {
  if (c >= 'a' && c <= 'z') return c - ('a' - 'A');
  const wint_t wide = wide_of(c);
  return wide == 0 ? c : byte_of(_hc_upper_of(wide), c);
}
int _tolower(int c) {
  return c + ('a' - 'A');
}
int _toupper(int c) {
  return c - ('a' - 'A');
}
