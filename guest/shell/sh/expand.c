// Word expansions (POSIX.2, 2.6) up to field splitting.
#include "shell.h"

void add_glyph(struct glyphs* to, char c, enum glyph_kind kind) {
  if (to->count == to->room) {
    const size_t room = to->room == 0 ? 64 : 2 * to->room;
    struct glyph* const larger = take(room * sizeof *larger);
    if (to->count != 0) memcpy(larger, to->all, to->count * sizeof *larger);
    to->all = larger;
    to->room = room;
  }
  to->all[to->count++] = (struct glyph){c, (char)kind};
}

static void add_text(struct glyphs* to, const char* text, enum glyph_kind kind) {
  for (; *text != 0; ++text) add_glyph(to, *text, kind);
}

// The result of an expansion; a quoted one makes a field even if it is empty.
static void add_result(struct glyphs* to, const char* text, bool quoted) {
  if (quoted) add_glyph(to, 0, glyph_field);
  add_text(to, text, quoted ? glyph_quoted : glyph_split);
}

// ---- Parameters.

static char first_separator(void) {
  const char* const ifs = get("IFS");
  return ifs == NULL ? ' ' : *ifs;
}

static char* joined_parameters(char separator) {
  struct buffer all = {0};
  for (int at = 0; at < parameters.count; ++at) {
    if (at != 0 && separator != 0) put(&all, separator);
    put_text(&all, parameters.values[at]);
  }
  return finish(&all);
}

static const char* option_letters_set(void) {
  struct buffer letters = {0};
  for (char letter = 'a'; letter <= 'z'; ++letter) {
    if (option(letter)) put(&letters, letter == 'c' ? 'C' : letter);
  }
  return finish(&letters);
}

const char* parameter_value(const char* name, char* buffer) {
  if (text_is(name, "PWD")) return working_directory();
  if (is_name_start(*name)) return get(name);
  switch (*name) {
    case '?':
      return number_text(last_status, buffer);
    case '#':
      return number_text(parameters.count, buffer);
    case '$':
      return number_text(shell_process, buffer);
    case '!':
      return last_background == 0 ? NULL : number_text(last_background, buffer);
    case '-':
      return option_letters_set();
    case '@':
      return parameters.count == 0 ? NULL : joined_parameters(' ');
    case '*':
      return parameters.count == 0 ? NULL : joined_parameters(first_separator());
    default:
      break;
  }
  const int number = parse_number(name);
  if (number == 0) return shell_name;
  return number > 0 && number <= parameters.count ? parameters.values[number - 1] : NULL;
}

// $@, and $* without quotes: each a field.
static void add_parameters(struct glyphs* to, bool quoted) {
  for (int at = 0; at < parameters.count; ++at) {
    if (at != 0) add_glyph(to, 0, glyph_break);
    add_result(to, parameters.values[at], quoted);
  }
}

static bool is_list_of_fields(const struct part* part) {
  return text_is(part->text, "@") || (text_is(part->text, "*") && !part->quoted);
}

// What is not quoted of a ${} without quotes is split, as its value would be.
static void add_alternative(const struct part* part, struct glyphs* to) {
  const size_t from = to->count;
  if (part->quoted) add_glyph(to, 0, glyph_field);
  expand_parts(part->word, to);
  if (part->quoted) return;
  for (size_t at = from; at < to->count; ++at) {
    if (to->all[at].kind == glyph_literal) to->all[at].kind = glyph_split;
  }
}

static const char* stripped(const struct part* part, const char* value) {
  const struct glyphs pattern = expand_to_pattern(part->word);
  const size_t length = text_length(value);
  const bool is_front = part->operation == '#' || part->operation == 'h';
  const bool is_longest = part->operation == 'h' || part->operation == 'p';
  for (size_t step = 0; step <= length; ++step) {
    const size_t size = is_longest ? length - step : step;
    const char* const tried = is_front ? value : value + length - size;
    if (!matches(pattern.all, pattern.count, tried, size)) continue;
    return is_front ? value + size : take_text(value, length - size);
  }
  return value;
}

static void complain_of_parameter(const struct part* part) {
  const char* const message = expand_to_text(part->word);
  fail(part->text, ": ", *message != 0 ? message : "parameter not set", NULL);
}

static void assign_default(const struct part* part, struct glyphs* to) {
  if (!is_name_start(*part->text)) fail(part->text, ": bad substitution", NULL);
  set(part->text, expand_to_text(part->word));
  add_result(to, get(part->text), part->quoted);
}

static void add_value(const struct part* part, const char* value, struct glyphs* to) {
  if (is_list_of_fields(part)) {
    add_parameters(to, part->quoted);
  } else {
    add_result(to, value == NULL ? "" : value, part->quoted);
  }
}

void expand_parameter(const struct part* part, struct glyphs* to) {
  char digits[number_bytes];
  if (part->operation == '!') fail("bad substitution", NULL);
  const char* value = parameter_value(part->text, digits);
  const bool is_set = value != NULL && !(part->colon && *value == 0);
  const char operation = part->operation;
  if (operation != 0 && text_find("-+=?", operation) != NULL) {
    if (operation == '+' && is_set) {
      add_alternative(part, to);
    } else if (operation == '+') {
      if (part->quoted) add_glyph(to, 0, glyph_field);
    } else if (is_set) {
      add_value(part, value, to);
    } else if (operation == '-') {
      add_alternative(part, to);
    } else if (operation == '=') {
      assign_default(part, to);
    } else {
      complain_of_parameter(part);
    }
    return;
  }
  if (value == NULL && option('u') && *part->text != '@' && *part->text != '*') {
    fail(part->text, ": parameter not set", NULL);
  }
  if (operation == 'l') {
    char length[number_bytes];
    const size_t count = value == NULL ? 0 : text_length(value);
    add_result(to, number_text((int64_t)count, length), part->quoted);
  } else if (operation != 0) {
    add_result(to, value == NULL ? "" : stripped(part, value), part->quoted);
  } else {
    add_value(part, value, to);
  }
}

// ---- Words.

static void expand_part(const struct part* part, struct glyphs* to) {
  char digits[number_bytes];
  switch (part->kind) {
    case part_literal:
      if (part->quoted) add_glyph(to, 0, glyph_field);
      add_text(to, part->text, part->quoted ? glyph_quoted : glyph_literal);
      break;
    case part_parameter:
      expand_parameter(part, to);
      break;
    case part_command:
      add_result(to, output_of(part->list), part->quoted);
      break;
    case part_arithmetic:
      add_result(to, number_text(evaluate(expand_to_text(part->word)), digits), part->quoted);
      break;
  }
}

void expand_parts(const struct part* parts, struct glyphs* to) {
  for (const struct part* part = parts; part != NULL; part = part->next) expand_part(part, to);
}

// The directory of ~ at the start of a literal, and the length of what means it. Other users' are
// not looked up.
static const char* home_of(const char* text, bool is_last, bool is_assignment, size_t* length) {
  if (*text != '~') return NULL;
  const char after = text[1];
  if (after != '/' && !(after == 0 && is_last) && !(after == ':' && is_assignment)) return NULL;
  *length = 1;
  return get("HOME");
}

static void add_literal_with_home(const struct part* part, bool is_first, bool is_assignment,
                                  struct glyphs* to) {
  bool may_be_home = is_first && !is_assignment, has_value = !is_first;
  for (const char* at = part->text; *at != 0;) {
    size_t length = 0;
    const char* const home =
        may_be_home ? home_of(at, part->next == NULL, is_assignment, &length) : NULL;
    if (home != NULL) {
      add_result(to, home, true);
      at += length;
      may_be_home = false;
      continue;
    }
    may_be_home = is_assignment && (*at == ':' || (*at == '=' && !has_value));
    has_value |= *at == '=';
    add_glyph(to, *at++, glyph_literal);
  }
}

struct glyphs tilde_expanded(const struct part* parts, bool is_assignment) {
  struct glyphs made = {0};
  for (const struct part* part = parts; part != NULL; part = part->next) {
    if (part->kind == part_literal && !part->quoted) {
      add_literal_with_home(part, part == parts, is_assignment, &made);
    } else {
      expand_part(part, &made);
    }
  }
  return made;
}

static char* text_of(const struct glyphs* glyphs) {
  struct buffer text = {0};
  for (size_t at = 0; at < glyphs->count; ++at) {
    const struct glyph* const glyph = &glyphs->all[at];
    if (glyph->kind == glyph_field) continue;
    if (glyph->kind != glyph_break) {
      put(&text, glyph->c);
    } else if (first_separator() != 0) {
      put(&text, first_separator());
    }
  }
  return finish(&text);
}

char* expand_to_text(const struct part* parts) {
  const struct glyphs glyphs = tilde_expanded(parts, false);
  return text_of(&glyphs);
}

char* expand_assignment(const struct part* parts) {
  const struct glyphs glyphs = tilde_expanded(parts, true);
  return text_of(&glyphs);
}

struct glyphs expand_to_pattern(const struct part* parts) {
  const struct glyphs all = tilde_expanded(parts, false);
  struct glyphs pattern = {0};
  for (size_t at = 0; at < all.count; ++at) {
    const struct glyph glyph = all.all[at];
    if (glyph.kind == glyph_field) continue;
    if (glyph.kind == glyph_break) {
      add_glyph(&pattern, ' ', glyph_quoted);
    } else {
      add_glyph(&pattern, glyph.c, glyph.kind == glyph_quoted ? glyph_quoted : glyph_literal);
    }
  }
  return pattern;
}

void expand_word(const struct part* parts, struct fields* to) {
  const struct glyphs glyphs = tilde_expanded(parts, false);
  split_fields(&glyphs, to);
}
