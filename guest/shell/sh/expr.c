// expr (POSIX.2, 4.22), for systems whose root has none: scripts count with it.
#include "shell.h"

static char** at;
static char** end;

static const char* alternative(void);

static void __attribute__((noreturn)) wrong(void) {
  complain("expr: syntax error", NULL);
  flush();
  sys_exit(2);
}

static bool is_integer(const char* text, int64_t* number) {
  const bool is_negative = *text == '-';
  const char* digit = text + is_negative;
  int64_t value = 0;
  if (!is_digit(*digit)) return false;
  for (; is_digit(*digit); ++digit) value = value * 10 + (*digit - '0');
  *number = is_negative ? -value : value;
  return *digit == 0;
}

static const char* from_number(int64_t number) {
  char digits[number_bytes];
  return join(number_text(number, digits), NULL);
}

static bool is_null(const char* text) {
  int64_t number;
  return *text == 0 || (is_integer(text, &number) && number == 0);
}

// ---- Basic regular expressions, from the start of a text, by trying. Groups are 1 to 9.

enum { groups = 10 };
static const char *group_start[groups], *group_end[groups];  // end null: not closed
static const char* group_pattern[groups];                    // behind its \(
static int open_groups[groups], open_count, group_count;

static const char* match_here(const char* pattern, const char* text);

static size_t bracket_size(const char* pattern) {
  size_t size = 1;
  if (pattern[size] == '^') ++size;
  if (pattern[size] == ']') ++size;
  while (pattern[size] != 0 && pattern[size] != ']') ++size;
  return pattern[size] == 0 ? 0 : size + 1;
}

static bool in_bracket(const char* pattern, size_t size, char c) {
  size_t place = 1;
  const bool is_not = pattern[place] == '^';
  if (is_not) ++place;
  bool is_in = false;
  for (bool is_first = true; place < size - 1 || is_first; is_first = false, ++place) {
    const unsigned char low = (unsigned char)pattern[place];
    unsigned char high = low;
    if (pattern[place + 1] == '-' && place + 2 < size - 1) {
      high = (unsigned char)pattern[place + 2];
      place += 2;
    }
    is_in |= (unsigned char)c >= low && (unsigned char)c <= high;
  }
  return c != 0 && is_in != is_not;
}

// The size of what matches one character; 0: it is something else.
static size_t single_size(const char* pattern) {
  if (*pattern == '[') {
    const size_t size = bracket_size(pattern);
    return size == 0 ? 1 : size;
  }
  if (*pattern != '\\') return 1;
  return pattern[1] == 0 || text_find("()123456789", pattern[1]) != NULL ? 0 : 2;
}

static bool matches_single(const char* pattern, size_t size, char c) {
  if (c == 0) return false;
  if (*pattern == '.' && size == 1) return true;
  if (*pattern == '[' && size > 1) return in_bracket(pattern, size, c);
  return c == pattern[size - 1];
}

static const char* match_repeated(const char* pattern, size_t size, const char* rest, int least,
                                  int most, const char* text) {
  int count = 0;
  while ((most < 0 || count < most) && matches_single(pattern, size, text[count])) ++count;
  for (; count >= least; --count) {
    const char* const result = match_here(rest, text + count);
    if (result != NULL) return result;
  }
  return NULL;
}

// \{least[,[most]]\} behind a single; null: there is none.
static const char* read_interval(const char* pattern, int* least, int* most) {
  if (pattern[0] != '\\' || pattern[1] != '{') return NULL;
  pattern += 2;
  for (*least = 0; is_digit(*pattern); ++pattern) *least = *least * 10 + (*pattern - '0');
  *most = *least;
  if (*pattern == ',') {
    ++pattern;
    *most = is_digit(*pattern) ? 0 : -1;
    for (; is_digit(*pattern); ++pattern) *most = *most * 10 + (*pattern - '0');
  }
  return pattern[0] == '\\' && pattern[1] == '}' ? pattern + 2 : NULL;
}

// Behind the \) that ends the group; groups in it count. Null: there is none.
static const char* behind_group(const char* pattern, int* count) {
  for (int depth = 1; *pattern != 0; ++pattern) {
    if (*pattern == '[') {
      const size_t size = bracket_size(pattern);
      if (size != 0) pattern += size - 1;
      continue;
    }
    if (*pattern != '\\' || pattern[1] == 0) continue;
    ++pattern;
    if (*pattern == '(') ++depth, ++*count;
    if (*pattern == ')' && --depth == 0) return pattern + 1;
  }
  return NULL;
}

static const char* enter_group(int group, const char* text) {
  const char* const old = group_start[group];
  group_start[group] = text;
  open_groups[open_count++] = group;
  const char* const result = match_here(group_pattern[group], text);
  if (result != NULL) return result;
  --open_count;
  group_start[group] = old;
  return NULL;
}

// Once at least, or with an asterisk behind it not at all.
static const char* match_group_start(const char* pattern, const char* text) {
  if (group_count + 1 >= groups) return NULL;
  const int group = ++group_count;
  group_pattern[group] = pattern + 2;
  const char* result = enter_group(group, text);
  if (result != NULL) return result;
  int inner = 0;
  const char* const behind = behind_group(pattern + 2, &inner);
  group_count = group + inner;
  if (behind != NULL && *behind == '*') result = match_here(behind + 1, text);
  if (result == NULL) group_count = group - 1;
  return result;
}

static const char* match_group_end(const char* pattern, const char* text) {
  if (open_count == 0) return NULL;
  const int group = open_groups[--open_count], count = group_count;
  const char* const old = group_end[group];
  const bool repeats = pattern[2] == '*';
  group_end[group] = text;
  const char* result = NULL;
  if (repeats && text != group_start[group]) {
    group_count = group;
    result = enter_group(group, text);
    group_count = count;
  }
  if (result == NULL) result = match_here(pattern + (repeats ? 3 : 2), text);
  if (result != NULL) return result;
  group_end[group] = old;
  open_groups[open_count++] = group;
  return NULL;
}

static const char* match_again(const char* pattern, const char* text) {
  const int group = pattern[1] - '0';
  if (group > group_count || group_end[group] == NULL) return NULL;
  for (const char* each = group_start[group]; each != group_end[group]; ++each, ++text) {
    if (*each != *text) return NULL;
  }
  return match_here(pattern + 2, text);
}

static const char* match_here(const char* pattern, const char* text) {
  if (*pattern == 0) return text;
  if (*pattern == '$' && pattern[1] == 0) return *text == 0 ? text : NULL;
  if (*pattern == '\\' && pattern[1] == '(') return match_group_start(pattern, text);
  if (*pattern == '\\' && pattern[1] == ')') return match_group_end(pattern, text);
  const size_t size = single_size(pattern);
  if (size == 0) return pattern[1] == 0 ? NULL : match_again(pattern, text);
  const char* const behind = pattern + size;
  int least, most;
  const char* const after = read_interval(behind, &least, &most);
  if (after != NULL) return match_repeated(pattern, size, after, least, most, text);
  if (*behind == '*') return match_repeated(pattern, size, behind + 1, 0, -1, text);
  return matches_single(pattern, size, *text) ? match_here(behind, text + 1) : NULL;
}

static bool has_group(const char* pattern) {
  for (; *pattern != 0; ++pattern) {
    if (*pattern != '\\') continue;
    if (*++pattern == '(') return true;
    if (*pattern == 0) return false;
  }
  return false;
}

// The first group, or how many characters match.
static const char* match(const char* text, const char* pattern) {
  open_count = group_count = 0;
  for (int group = 0; group < groups; ++group) group_end[group] = NULL;
  if (*pattern == '^') ++pattern;
  const char* const result = match_here(pattern, text);
  if (!has_group(pattern)) return from_number(result == NULL ? 0 : result - text);
  if (result == NULL || group_end[1] == NULL) return "";
  return take_text(group_start[1], (size_t)(group_end[1] - group_start[1]));
}

// ---- The expression.

static bool accept(const char* token) {
  if (at == end || !text_is(*at, token)) return false;
  ++at;
  return true;
}

static const char* primary(void) {
  if (at == end) wrong();
  if (accept("(")) {
    const char* const value = alternative();
    if (!accept(")")) wrong();
    return value;
  }
  return *at++;
}

static const char* matching(void) {
  const char* value = primary();
  while (accept(":")) value = match(value, primary());
  return value;
}

static int64_t integer(const char* text) {
  int64_t number;
  if (is_integer(text, &number)) return number;
  complain("expr: non-numeric argument", NULL);
  flush();
  sys_exit(2);
}

static int64_t divided(int64_t a, int64_t b, bool wants_rest) {
  uint64_t rest;
  if (b == 0) {
    complain("expr: division by zero", NULL);
    flush();
    sys_exit(2);
  }
  const uint64_t high = a < 0 ? -(uint64_t)a : (uint64_t)a,
                 low = b < 0 ? -(uint64_t)b : (uint64_t)b;
  const uint64_t whole = divide(high, low, &rest);
  if (wants_rest) return (int64_t)(a < 0 ? -rest : rest);
  return (int64_t)((a < 0) != (b < 0) ? -whole : whole);
}

static const char* product(void) {
  const char* value = matching();
  for (;;) {
    if (accept("*")) {
      value = from_number((int64_t)((uint64_t)integer(value) * (uint64_t)integer(matching())));
    } else if (at != end && (text_is(*at, "/") || text_is(*at, "%"))) {
      const bool wants_rest = text_is(*at++, "%");
      const int64_t left = integer(value);
      value = from_number(divided(left, integer(matching()), wants_rest));
    } else {
      return value;
    }
  }
}

static const char* sum(void) {
  const char* value = product();
  for (;;) {
    const bool is_plus = accept("+");
    if (!is_plus && !accept("-")) return value;
    const uint64_t left = (uint64_t)integer(value), right = (uint64_t)integer(product());
    value = from_number((int64_t)(is_plus ? left + right : left - right));
  }
}

static bool holds(const char* operation, int64_t difference) {
  if (text_is(operation, "=") || text_is(operation, "==")) return difference == 0;
  if (text_is(operation, "!=")) return difference != 0;
  if (text_is(operation, "<")) return difference < 0;
  if (text_is(operation, "<=")) return difference <= 0;
  return text_is(operation, ">") ? difference > 0 : difference >= 0;
}

static bool is_comparison(const char* text) {
  return text_is(text, "=") || text_is(text, "==") || text_is(text, "!=") || text_is(text, "<") ||
         text_is(text, "<=") || text_is(text, ">") || text_is(text, ">=");
}

static const char* comparison(void) {
  const char* value = sum();
  while (at != end && is_comparison(*at)) {
    const char* const operation = *at++;
    const char* const right = sum();
    int64_t a, b;
    int64_t difference = text_compare(value, right);
    if (is_integer(value, &a) && is_integer(right, &b)) difference = a < b ? -1 : a > b;
    value = holds(operation, difference) ? "1" : "0";
  }
  return value;
}

static const char* both(void) {
  const char* value = comparison();
  while (accept("&")) {
    const char* const right = comparison();
    if (is_null(value) || is_null(right)) value = "0";
  }
  return value;
}

static const char* alternative(void) {
  const char* value = both();
  while (accept("|")) {
    const char* const right = both();
    if (is_null(value)) value = is_null(right) ? "0" : right;
  }
  return value;
}

int expr_command(char** arguments, int count) {
  at = arguments + 1;
  end = arguments + count;
  const char* const value = alternative();
  if (at != end) wrong();
  out(value);
  out_character('\n');
  return is_null(value);
}
