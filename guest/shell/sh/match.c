// Patterns (POSIX.2, 2.13).
#include "shell.h"

static bool is_special(struct glyph glyph, char c) {
  return glyph.kind != glyph_quoted && glyph.c == c;
}

// The length of a bracket expression; 0: the bracket has no end and is a character.
static size_t bracket_length(const struct glyph* pattern, size_t length) {
  size_t at = 1;
  if (at < length && is_special(pattern[at], '!')) ++at;
  if (at < length && is_special(pattern[at], ']')) ++at;
  for (; at < length; ++at) {
    if (is_special(pattern[at], ']')) return at + 1;
    if (!is_special(pattern[at], '[') || at + 1 >= length || pattern[at + 1].c != ':') continue;
    size_t end = at + 2;
    while (end + 1 < length && !(pattern[end].c == ':' && pattern[end + 1].c == ']')) ++end;
    if (end + 1 < length) at = end + 1;
  }
  return 0;
}

bool is_pattern(const struct glyph* pattern, size_t length) {
  for (size_t at = 0; at < length; ++at) {
    if (is_special(pattern[at], '*') || is_special(pattern[at], '?')) return true;
    if (is_special(pattern[at], '[') && bracket_length(pattern + at, length - at) != 0) return true;
  }
  return false;
}

static bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}

static bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}

// In the POSIX locale.
static bool is_in_class(const char* name, size_t length, char c) {
  static const char* const names[] = {"alpha", "digit", "alnum", "upper", "lower", "space",
                                      "blank", "punct", "print", "graph", "cntrl", "xdigit"};
  const bool alpha = is_upper(c) || is_lower(c), graph = c > ' ' && c < 127;
  const bool is_in[] = {
      alpha,
      is_digit(c),
      alpha || is_digit(c),
      is_upper(c),
      is_lower(c),
      c == ' ' || (c >= '\t' && c <= '\r'),
      is_blank(c),
      graph && !alpha && !is_digit(c),
      graph || c == ' ',
      graph,
      (c >= 0 && c < ' ') || c == 127,
      is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'),
  };
  for (size_t at = 0; at < sizeof names / sizeof names[0]; ++at) {
    if (text_begins(name, names[at]) && text_length(names[at]) == length) return is_in[at];
  }
  return false;
}

// The class [:name:] at `pattern`: whether c is in it; *used is its length, 0 if there is none.
static bool matches_class(const struct glyph* pattern, size_t length, char c, size_t* used) {
  char name[8];
  size_t at = 2;
  *used = 0;
  if (length < 4 || !is_special(pattern[0], '[') || pattern[1].c != ':') return false;
  for (; at < length && is_lower(pattern[at].c) && at - 2 < sizeof name - 1; ++at) {
    name[at - 2] = pattern[at].c;
  }
  if (at + 1 >= length || pattern[at].c != ':' || pattern[at + 1].c != ']') return false;
  name[at - 2] = 0;
  *used = at + 2;
  return is_in_class(name, at - 2, c);
}

// `length` is bracket_length().
static bool matches_bracket(const struct glyph* pattern, size_t length, char c) {
  size_t at = 1;
  const bool is_not = is_special(pattern[at], '!');
  if (is_not) ++at;
  bool is_in = false;
  for (bool is_first = true; at < length - 1 || is_first; is_first = false) {
    size_t used;
    is_in |= matches_class(pattern + at, length - at, c, &used);
    if (used != 0) {
      at += used;
      continue;
    }
    const unsigned char low = (unsigned char)pattern[at].c;
    const bool is_range = at + 2 < length - 1 && is_special(pattern[at + 1], '-');
    const unsigned char high = is_range ? (unsigned char)pattern[at + 2].c : low;
    is_in |= (unsigned char)c >= low && (unsigned char)c <= high;
    at += is_range ? 3 : 1;
  }
  return is_in != is_not;
}

// The length of what matches one character at the start of the pattern; *is_match whether c does.
static size_t match_one(const struct glyph* pattern, size_t length, char c, bool* is_match) {
  if (is_special(pattern[0], '?')) {
    *is_match = true;
    return 1;
  }
  if (is_special(pattern[0], '[')) {
    const size_t size = bracket_length(pattern, length);
    if (size != 0) {
      *is_match = matches_bracket(pattern, size, c);
      return size;
    }
  }
  if (is_special(pattern[0], '\\') && length > 1) {
    *is_match = pattern[1].c == c;
    return 2;
  }
  *is_match = pattern[0].c == c;
  return 1;
}

// After a mismatch the last asterisk takes one character more.
bool matches(const struct glyph* pattern, size_t length, const char* text, size_t text_size) {
  size_t p = 0, t = 0, star = 0, star_text = 0;  // star: behind the last asterisk; 0: none
  for (;;) {
    if (p < length && is_special(pattern[p], '*')) {
      star = ++p;
      star_text = t;
      continue;
    }
    if (p == length && t == text_size) return true;
    bool is_match = false;
    size_t used = 0;
    if (p < length && t < text_size) used = match_one(pattern + p, length - p, text[t], &is_match);
    if (is_match) {
      p += used;
      ++t;
      continue;
    }
    if (star == 0 || star_text >= text_size) return false;
    p = star;
    t = ++star_text;
  }
}
