/* Sets of characters: what iconv() and the locales know. */
#pragma once
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)
enum _hc_codeset { _hc_ascii, _hc_latin_1, _hc_roman_8, _hc_utf_8, _hc_codesets };
enum { _hc_invalid = -1, _hc_too_short = 0 };

/* By its name, as far as letters and digits; _hc_invalid: none of these. */
int _hc_find_codeset(const char* name);
/* One character of Unicode: the bytes that it takes, _hc_too_short or _hc_invalid. */
int _hc_decode(enum _hc_codeset, const unsigned char* from, size_t left, uint32_t* c);
int _hc_encode(enum _hc_codeset, uint32_t c, unsigned char* to, size_t left);

/* Classes of Unicode's characters, and their other case (musl). */
int _hc_is_letter(unsigned c), _hc_is_mark(unsigned c);
unsigned _hc_to_lower(unsigned c), _hc_to_upper(unsigned c);
/* Beside what has another case: the two ordinals. Sharp s has none that is one letter of old sets. */
static inline int _hc_is_lower(unsigned c) {
  return c == 0xaa || c == 0xba || _hc_to_upper(c) != c;
}
static inline unsigned _hc_upper_of(unsigned c) {
  return c == 0xdf ? c : _hc_to_upper(c);
}
#pragma GCC visibility pop

/* Of the locale's category LC_CTYPE; _hc_ascii is the C locale's. Exported: GNU ld for 64-bit PA-RISC knows no
 * other data of another file (build.sh). */
extern enum _hc_codeset _hc_codeset_data;
