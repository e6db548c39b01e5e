/* iconv(3C) between ASCII, ISO 8859-1, HP's Roman-8 (RFC 1345, hp-roman8) and UTF-8. */
#include <ctype.h>
#include <errno.h>
#include <iconv.h>
#include <stdint.h>
#include <string.h>

enum codeset { ascii, latin_1, roman_8, utf_8, codesets };
enum { invalid = -1, too_short = 0 };

/* Small letters and digits of the names that HP, and others, have for them. */
static const struct {
  const char* name;
  enum codeset codeset;
} names[] = {{"ascii", ascii},      {"usascii", ascii},  {"ansix341968", ascii}, {"iso88591", latin_1},
             {"88591", latin_1},    {"latin1", latin_1}, {"roman8", roman_8},    {"hproman8", roman_8},
             {"roma8", roman_8},    {"utf8", utf_8}};

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
    if (!isalnum((unsigned char)*name)) continue;
    if (tolower((unsigned char)*name) != *plain++) return 0;
  }
  return *plain == 0;
}

static int find_codeset(const char* name) {
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    if (is_called(name, names[i].name)) return names[i].codeset;
  }
  return invalid;
}

/* The bytes behind the first, by that; invalid: it begins no character. */
static int bytes_behind(unsigned char first) {
  if (first < 0x80) return 0;
  if (first < 0xc2) return invalid;
  return first < 0xe0 ? 1 : first < 0xf0 ? 2 : first < 0xf5 ? 3 : invalid;
}

/* The shortest form alone, no surrogates (RFC 3629). */
static int is_character(uint32_t c, int behind) {
  static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
  return c >= least[behind] && c <= 0x10ffff && (c < 0xd800 || c > 0xdfff);
}

/* The bytes that a character takes, too_short or invalid. */
static int decode_utf_8(const unsigned char* from, size_t left, uint32_t* c) {
  int behind = bytes_behind(*from);
  if (behind < 0) return invalid;
  *c = behind == 0 ? *from : *from & (0x3f >> behind);
  for (int i = 1; i <= behind; ++i) {
    if ((size_t)i == left) return too_short;
    if ((from[i] & 0xc0) != 0x80) return invalid;
    *c = *c << 6 | (from[i] & 0x3f);
  }
  return is_character(*c, behind) ? behind + 1 : invalid;
}

static int decode(enum codeset codeset, const unsigned char* from, size_t left, uint32_t* c) {
  if (codeset == utf_8) return decode_utf_8(from, left, c);
  *c = *from;
  if (codeset == ascii && *c >= 0x80) return invalid;
  if (codeset == roman_8 && *c >= first_of_roman_8) *c = roman_8_characters[*c - first_of_roman_8];
  return *c == 0 && *from != 0 ? invalid : 1;
}

static int encode_utf_8(uint32_t c, unsigned char* to, size_t left) {
  static const unsigned char marks[] = {0, 0xc0, 0xe0, 0xf0};
  int behind = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  if ((size_t)behind >= left) return too_short;
  for (int i = behind; i > 0; --i, c >>= 6) to[i] = 0x80 | (c & 0x3f);
  *to = marks[behind] | c;
  return behind + 1;
}

static int byte_of_roman_8(uint32_t c) {
  if (c < first_of_roman_8) return c;
  for (int i = 0; i < count_of_roman_8; ++i) {
    if (roman_8_characters[i] == c) return first_of_roman_8 + i;
  }
  return invalid;
}

static int encode(enum codeset codeset, uint32_t c, unsigned char* to, size_t left) {
  if (codeset == utf_8) return encode_utf_8(c, to, left);
  int byte = codeset == roman_8 ? byte_of_roman_8(c) : (int)c;
  if (byte < 0 || byte > 0xff || (codeset == ascii && byte >= 0x80)) return invalid;
  if (left == 0) return too_short;
  *to = byte;
  return 1;
}

/* A conversion is told by a number: no state is kept. */
iconv_t iconv_open(const char* to, const char* from) {
  int target = find_codeset(to), source = find_codeset(from);
  if (target < 0 || source < 0) {
    errno = EINVAL;
    return (iconv_t)-1;
  }
  return (iconv_t)(intptr_t)(1 + target * codesets + source);
}

static int is_open(iconv_t conversion) {
  intptr_t number = (intptr_t)conversion;
  return number >= 1 && number <= codesets * codesets;
}

static size_t fail(int error) {
  errno = error;
  return -1;
}

size_t iconv(iconv_t conversion, char** from, size_t* from_left, char** to, size_t* to_left) {
  if (!is_open(conversion)) return fail(EBADF);
  int number = (int)(intptr_t)conversion - 1;
  if (from == NULL || *from == NULL) return 0;
  while (*from_left != 0) {
    uint32_t c;
    int taken = decode(number % codesets, (const unsigned char*)*from, *from_left, &c);
    if (taken <= 0) return fail(taken == too_short ? EINVAL : EILSEQ);
    int made = encode(number / codesets, c, (unsigned char*)*to, *to_left);
    if (made <= 0) return fail(made == too_short ? E2BIG : EILSEQ);
    *from += taken;
    *from_left -= taken;
    *to += made;
    *to_left -= made;
  }
  return 0;
}

int iconv_close(iconv_t conversion) {
  return is_open(conversion) ? 0 : (int)fail(EBADF);
}
