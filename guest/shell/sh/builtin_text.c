// echo, printf, read and getopts.
#include "shell.h"

// ---- echo.

static const char* octal(const char* at, int most, struct buffer* to) {
  int value = 0;
  for (; most > 0 && *at >= '0' && *at <= '7'; --most) value = value * 8 + (*at++ - '0');
  put(to, (char)value);
  return at;
}

const char* escape(const char* at, struct buffer* to, bool zero_first, bool* stop) {
  static const char letters[] = "abfnrtv\\", means[] = "\a\b\f\n\r\t\v\\";
  const char c = *at;
  if (c == 'c' && zero_first) {
    *stop = true;
    return at + 1;
  }
  if (c == '0' && zero_first) return octal(at + 1, 3, to);
  if (c >= '0' && c <= '7') return octal(at, 3, to);
  const char* const letter = c == 0 ? NULL : text_find(letters, c);
  if (letter != NULL) {
    put(to, means[letter - letters]);
    return at + 1;
  }
  put(to, '\\');
  return at;
}

static void out_buffer(const struct buffer* buffer) {
  for (size_t at = 0; at < buffer->length; ++at) out_character(buffer->text[at]);
}

static bool expand_escapes(const char* text, struct buffer* to) {
  bool stop = false;
  while (*text != 0 && !stop) {
    if (*text != '\\') {
      put(to, *text++);
    } else {
      text = escape(text + 1, to, true, &stop);
    }
  }
  return stop;
}

int echo_builtin(char** arguments, int count) {
  const bool has_no_end = count > 1 && text_is(arguments[1], "-n");
  struct buffer text = {0};
  const int first = has_no_end ? 2 : 1;
  for (int at = first; at < count; ++at) {
    if (at != first) put(&text, ' ');
    if (expand_escapes(arguments[at], &text)) {
      out_buffer(&text);
      return 0;
    }
  }
  if (!has_no_end) put(&text, '\n');
  out_buffer(&text);
  return 0;
}

// ---- printf.

struct directive {
  bool left, plus, space, other_form, zeros;
  int width, precision;  // precision -1: none
};

static char** printf_arguments;  // those that are left
static int printf_status;

static const char* next_argument(void) {
  return *printf_arguments == NULL ? "" : *printf_arguments++;
}

static int64_t number_argument(void) {
  const char* text = next_argument();
  if (*text == '\'' || *text == '"') return (unsigned char)text[1];
  const bool is_negative = *text == '-';
  const char* at = text + (is_negative || *text == '+');
  const bool is_hex = at[0] == '0' && (at[1] == 'x' || at[1] == 'X');
  const unsigned base = is_hex ? 16 : *at == '0' ? 8 : 10;
  if (is_hex) at += 2;
  uint64_t value = 0;
  for (;; ++at) {
    const char low = (char)(*at | 0x20);
    const unsigned digit = is_digit(*at)              ? (unsigned)(*at - '0')
                           : low >= 'a' && low <= 'f' ? (unsigned)(low - 'a' + 10)
                                                      : 16;
    if (digit >= base) break;
    value = value * base + digit;
  }
  if (*at != 0) {
    complain("printf: ", text, ": not a number", NULL);
    printf_status = 1;
  }
  return is_negative ? (int64_t)-value : (int64_t)value;
}

static void out_padded(const struct directive* directive, const char* text, size_t length) {
  const size_t width = directive->width < 0 ? 0 : (size_t)directive->width;
  if (!directive->left) {
    for (size_t at = length; at < width; ++at) out_character(' ');
  }
  for (size_t at = 0; at < length; ++at) out_character(text[at]);
  if (directive->left) {
    for (size_t at = length; at < width; ++at) out_character(' ');
  }
}

static void out_number(const struct directive* directive, char kind) {
  const int64_t number = number_argument();
  const bool is_signed = kind == 'd' || kind == 'i';
  const uint64_t base = kind == 'o' ? 8 : kind == 'x' || kind == 'X' ? 16 : 10;
  const bool is_negative = is_signed && number < 0;
  uint64_t left = is_negative ? -(uint64_t)number : (uint64_t)number;
  const char* const front = is_negative                          ? "-"
                            : is_signed && directive->plus       ? "+"
                            : is_signed && directive->space      ? " "
                            : directive->other_form && base == 8 ? "0"
                            : directive->other_form && base == 16 && left != 0
                                ? (kind == 'x' ? "0x" : "0X")
                                : "";
  char digits[72];
  size_t at = sizeof digits;
  while (left != 0) {
    uint64_t digit;
    left = divide(left, base, &digit);
    digits[--at] = (kind == 'X' ? "0123456789ABCDEF" : "0123456789abcdef")[digit];
  }
  struct buffer text = {0};
  put_text(&text, front);
  const size_t count = sizeof digits - at;
  size_t least = directive->precision >= 0 ? (size_t)directive->precision : 1;
  const bool fills = directive->zeros && !directive->left && directive->precision < 0;
  if (fills && directive->width > (int)text.length) least = (size_t)directive->width - text.length;
  for (size_t zero = count; zero < least; ++zero) put(&text, '0');
  for (; at < sizeof digits; ++at) put(&text, digits[at]);
  out_padded(directive, text.text, text.length);
}

static void out_text(const struct directive* directive, const char* text, size_t length) {
  const bool is_cut = directive->precision >= 0 && (size_t)directive->precision < length;
  out_padded(directive, text, is_cut ? (size_t)directive->precision : length);
}

enum { widest = 1 << 20 };

static const char* read_size(const char* at, int* size) {
  if (*at == '*') {
    *size = (int)number_argument();
    return at + 1;
  }
  for (*size = 0; is_digit(*at); ++at) {
    if (*size < widest) *size = *size * 10 + (*at - '0');
  }
  return at;
}

static const char* read_directive(const char* at, struct directive* directive) {
  *directive = (struct directive){.precision = -1};
  for (;; ++at) {
    if (*at == '-')
      directive->left = true;
    else if (*at == '+')
      directive->plus = true;
    else if (*at == ' ')
      directive->space = true;
    else if (*at == '#')
      directive->other_form = true;
    else if (*at == '0')
      directive->zeros = true;
    else
      break;
  }
  at = read_size(at, &directive->width);
  if (directive->width < 0) {
    directive->left = true;
    directive->width = -directive->width;
  }
  return *at == '.' ? read_size(at + 1, &directive->precision) : at;
}

// After the percent sign; null: the output ends.
static const char* out_directive(const char* at) {
  struct directive directive;
  at = read_directive(at, &directive);
  struct buffer text = {0};
  const char* argument;
  switch (*at) {
    case '%':
      out_character('%');
      break;
    case 'c':
      argument = next_argument();
      out_text(&directive, argument, *argument != 0);
      break;
    case 's':
      argument = next_argument();
      out_text(&directive, argument, text_length(argument));
      break;
    case 'b': {
      const bool stops = expand_escapes(next_argument(), &text);
      out_text(&directive, text.text, text.length);
      if (stops) return NULL;
      break;
    }
    case 'd':
    case 'i':
    case 'o':
    case 'u':
    case 'x':
    case 'X':
      out_number(&directive, *at);
      break;
    default:
      complain("printf: %", *at == 0 ? "" : join((const char[]){*at, 0}, NULL),
               ": no such directive", NULL);
      printf_status = 2;
      return NULL;
  }
  return at + 1;
}

static bool out_format(const char* format) {
  while (*format != 0) {
    if (*format == '%') {
      format = out_directive(format + 1);
      if (format == NULL) return false;
    } else if (*format == '\\') {
      struct buffer text = {0};
      bool stop = false;
      format = escape(format + 1, &text, false, &stop);
      out_buffer(&text);
    } else {
      out_character(*format++);
    }
  }
  return true;
}

// The format again while it takes arguments.
int printf_builtin(char** arguments, int count) {
  if (count < 2) {
    complain("printf: usage: printf FORMAT [ARGUMENT...]", NULL);
    return 2;
  }
  printf_arguments = arguments + 2;
  printf_status = 0;
  char** before;
  do {
    before = printf_arguments;
    if (!out_format(arguments[1])) break;
  } while (*printf_arguments != NULL && printf_arguments != before);
  return printf_status;
}

// ---- read.

static bool is_separator(const struct glyph* glyph, const char* ifs) {
  return glyph->kind == glyph_split && text_find(ifs, glyph->c) != NULL;
}

static bool is_white(char c) {
  return c == ' ' || c == '\t' || c == '\n';
}

// A line without its backslashes; false: the input has ended.
static bool read_line(struct glyphs* line, bool is_raw) {
  bool is_escaped = false;
  for (char c;;) {
    const long count = sys_read(0, &c, 1);
    if (count == -EINTR && !trap_is_pending) continue;
    if (count <= 0) return false;
    if (c == 0) continue;
    if (is_escaped) {
      if (c != '\n') add_glyph(line, c, glyph_quoted);
      is_escaped = false;
    } else if (c == '\\' && !is_raw) {
      is_escaped = true;
    } else if (c == '\n') {
      return true;
    } else {
      add_glyph(line, c, glyph_split);
    }
  }
}

static void set_from(const char* name, const struct glyph* from, size_t length) {
  struct buffer text = {0};
  for (size_t at = 0; at < length; ++at) put(&text, from[at].c);
  set(name, finish(&text));
}

static size_t skip_white(const struct glyphs* line, size_t at, const char* ifs) {
  while (at < line->count && is_separator(&line->all[at], ifs) && is_white(line->all[at].c)) ++at;
  return at;
}

// The field at `at`, and behind its separator.
static size_t field_end(const struct glyphs* line, size_t at, const char* ifs, size_t* next) {
  while (at < line->count && !is_separator(&line->all[at], ifs)) ++at;
  *next = skip_white(line, at, ifs);
  if (*next < line->count && is_separator(&line->all[*next], ifs)) {
    *next = skip_white(line, *next + 1, ifs);
  }
  return at;
}

// The last variable has the rest, without white space at its end, or a separator that ends all.
static void set_rest(const char* name, const struct glyphs* line, size_t at, const char* ifs) {
  size_t next, end = line->count;
  const size_t first_end = field_end(line, at, ifs, &next);
  if (next == line->count) end = first_end;
  while (end > at && is_separator(&line->all[end - 1], ifs) && is_white(line->all[end - 1].c))
    --end;
  set_from(name, line->all + at, end - at);
}

int read_builtin(char** arguments, int count) {
  const bool is_raw = count > 1 && text_is(arguments[1], "-r");
  const int first = is_raw ? 2 : 1;
  if (count <= first) {
    complain("read: no variable", NULL);
    return 2;
  }
  struct glyphs line = {0};
  const bool is_whole = read_line(&line, is_raw);
  const char* const set_ifs = get("IFS");
  const char* const ifs = set_ifs == NULL ? " \t\n" : join(set_ifs, NULL);
  size_t at = skip_white(&line, 0, ifs);
  for (int name = first; name + 1 < count; ++name) {
    size_t next;
    const size_t end = field_end(&line, at, ifs, &next);
    set_from(arguments[name], line.all + at, end - at);
    at = next;
  }
  set_rest(arguments[count - 1], &line, at, ifs);
  return is_whole ? 0 : 1;
}

// ---- getopts.

static int finish_options(const char* name, int index) {
  char digits[number_bytes];
  set("OPTIND", number_text(index, digits));
  set(name, "?");
  unset_variable("OPTARG");
  return 1;
}

// A letter that is no option, or lacks its argument; ':' first in the list keeps it quiet.
static void wrong_option(const char* name, bool is_quiet, char letter, bool lacks) {
  const char text[] = {letter, 0};
  set(name, is_quiet && lacks ? ":" : "?");
  if (is_quiet) {
    set("OPTARG", text);
  } else {
    unset_variable("OPTARG");
    complain(lacks ? "No arg for -" : "Illegal option -", text, lacks ? " option" : "", NULL);
  }
}

int getopts_builtin(char** arguments, int count) {
  static int known_index, place;  // in the argument
  if (count < 3) {
    complain("getopts: usage: getopts OPTIONS NAME [ARGUMENT...]", NULL);
    return 2;
  }
  const char* const index_text = get("OPTIND");
  int index = index_text == NULL ? 1 : parse_number(index_text);
  char** const values = count > 3 ? arguments + 3 : parameters.values;
  const int all = count > 3 ? count - 3 : parameters.count;
  if (index < 1) index = 1;
  if (index != known_index) place = 0;
  if (place == 0) {
    if (index > all || values[index - 1][0] != '-' || values[index - 1][1] == 0) {
      return finish_options(arguments[2], index);
    }
    if (text_is(values[index - 1], "--")) return finish_options(arguments[2], index + 1);
    place = 1;
  }
  const char* const word = values[index - 1];
  const char letter = word[place++];
  const bool is_quiet = arguments[1][0] == ':', is_last = word[place] == 0;
  const char* const found = letter == ':' ? NULL : text_find(arguments[1], letter);
  const char* rest = word + place;
  if (is_last) ++index, place = 0;
  if (found == NULL) {
    wrong_option(arguments[2], is_quiet, letter, false);
  } else {
    const char text[] = {letter, 0};
    bool lacks = false;
    if (found[1] == ':') {
      if (is_last) {
        lacks = index > all;
        if (!lacks) rest = values[index - 1];
      }
      ++index;
      if (lacks) --index;
      place = 0;
      if (!lacks) set("OPTARG", rest);
    } else {
      unset_variable("OPTARG");
    }
    if (lacks) {
      wrong_option(arguments[2], is_quiet, letter, true);
    } else {
      set(arguments[2], text);
    }
  }
  char digits[number_bytes];
  set("OPTIND", number_text(index, digits));
  known_index = index;
  return 0;
}
