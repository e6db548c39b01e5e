/* ASCII, ISO 8859-1, HP's Roman-8 (RFC 1345, hp-roman8) and UTF-8. */
#include "codeset.h"

#include <string.h>

enum _hc_codeset _hc_codeset_data = _hc_ascii;

/* Small letters and digits of the names that HP, and others, have for them. */
static const struct {
  const char* name;
  enum _hc_codeset codeset;
} names[] = {{"ascii", _hc_ascii},      {"usascii", _hc_ascii},  {"ansix341968", _hc_ascii}, {"iso88591", _hc_latin_1},
             {"88591", _hc_latin_1},    {"latin1", _hc_latin_1}, {"roman8", _hc_roman_8},    {"hproman8", _hc_roman_8},
             {"roma8", _hc_roman_8},    {"utf8", _hc_utf_8}};

/* From 0xa0 on; 0 is none. */
static const uint16_t roman_8_characters[] = {
    0x00a0, 0x00c0, 0x00c2, 0x00c8, 0x00ca, 0x00cb, 0x00ce, 0x00cf, 0x00b4, 0x02cb, 0x02c6, 0x00a8,
    0x02dc, 0x00d9, 0x00db, 0x20a4, 0x00af, 0x00dd, 0x00fd, 0x00b0, 0x00c7, 0x00e7, 0x00d1, 0x00f1,
    0x00a1, 0x00bf, 0x00a4, 0x00a3, 0x00a5, 0x00a7, 0x0192, 0x00a2, 0x00e2, 0x00ea, 0x00f4, 0x00fb,
    0x00e1, 0x00e9, 0x00f3, 0x00fa, 0x00e0, 0x00e8, 0x00f2, 0x00f9, 0x00e4, 0x00eb, 0x00f6, 0x00fc,
    0x00c5, 0x00ee, 0x00d8, 0x00c6, 0x00e5, 0x00ed, 0x00f8, 0x00e6, 0x00c4, 0x00ec, 0x00d6, 0x00dc,
    0x00c9, 0x00ef, 0x00df, 0x00d4, 0x00c1, 0x00c3, 0x00e3, 0x00d0, 0x00f0, 0x00cd, 0x00cc, 0x00d3,
    0x00d2, 0x00d5, 0x00f5, 0x0160, 0x0161, 0x00da, 0x0178, 0x00ff, 0x00de, 0x00fe, 0x00b7, 0x00b5,
    0x00b6, 0x00be, 0x2014, 0x00bc, 0x00bd, 0x00aa, 0x00ba, 0x00ab, 0x25a0, 0x00bb, 0x00b1, 0x0000,
};
enum { first_of_roman_8 = 0xa0, count_of_roman_8 = 96 };

static int is_called(const char* name, const char* plain) {
  for (; *name != 0; ++name) {
    const char c = *name >= 'A' && *name <= 'Z' ? *name - 'A' + 'a' : *name;
    if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9')) continue;
    if (c != *plain++) return 0;
  }
  return *plain == 0;
}

int _hc_find_codeset(const char* name) {
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    if (is_called(name, names[i].name)) return names[i].codeset;
  }
  return _hc_invalid;
}

/* The bytes behind the first, by that; _hc_invalid: it begins no character. */
static int bytes_behind(unsigned char first) {
  if (first < 0x80) return 0;
  if (first < 0xc2) return _hc_invalid;
  return first < 0xe0 ? 1 : first < 0xf0 ? 2 : first < 0xf5 ? 3 : _hc_invalid;
}

/* The shortest form alone, no surrogates (RFC 3629). */
static int is_character(uint32_t c, int behind) {
  static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
  return c >= least[behind] && c <= 0x10ffff && (c < 0xd800 || c > 0xdfff);
}

static int decode_utf_8(const unsigned char* from, size_t left, uint32_t* c) {
  int behind = bytes_behind(*from);
  if (behind < 0) return _hc_invalid;
  *c = behind == 0 ? *from : *from & (0x3f >> behind);
  for (int i = 1; i <= behind; ++i) {
    if ((size_t)i == left) return _hc_too_short;
    if ((from[i] & 0xc0) != 0x80) return _hc_invalid;
    *c = *c << 6 | (from[i] & 0x3f);
  }
  return is_character(*c, behind) ? behind + 1 : _hc_invalid;
}

int _hc_decode(enum _hc_codeset codeset, const unsigned char* from, size_t left, uint32_t* c) {
  if (codeset == _hc_utf_8) return decode_utf_8(from, left, c);
  *c = *from;
  if (codeset == _hc_ascii && *c >= 0x80) return _hc_invalid;
  if (codeset == _hc_roman_8 && *c >= first_of_roman_8) *c = roman_8_characters[*c - first_of_roman_8];
  return *c == 0 && *from != 0 ? _hc_invalid : 1;
}

static int encode_utf_8(uint32_t c, unsigned char* to, size_t left) {
  static const unsigned char marks[] = {0, 0xc0, 0xe0, 0xf0};
  int behind = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  if ((size_t)behind >= left) return _hc_too_short;
  for (int i = behind; i > 0; --i, c >>= 6) to[i] = 0x80 | (c & 0x3f);
  *to = marks[behind] | c;
  return behind + 1;
}

static int byte_of_roman_8(uint32_t c) {
  if (c < first_of_roman_8) return c;
  for (int i = 0; i < count_of_roman_8; ++i) {
    if (roman_8_characters[i] == c) return first_of_roman_8 + i;
  }
  return _hc_invalid;
}

int _hc_encode(enum _hc_codeset codeset, uint32_t c, unsigned char* to, size_t left) {
  if (codeset == _hc_utf_8) return encode_utf_8(c, to, left);
  int byte = codeset == _hc_roman_8 ? byte_of_roman_8(c) : (int)c;
  if (byte < 0 || byte > 0xff || (codeset == _hc_ascii && byte >= 0x80)) return _hc_invalid;
  if (left == 0) return _hc_too_short;
  *to = byte;
  return 1;
}
