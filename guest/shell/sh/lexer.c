// Words and operators (POSIX.2, 2.3 "Token Recognition" and 2.2 "Quoting").
#include "shell.h"

struct lexer lexer;

struct pending_document {
  struct pending_document* next;
  struct redirection* redirection;
  char* end;
  bool strips_tabs, is_raw;
};

// Where a text of parts ends.
enum mode { mode_word, mode_quoted, mode_document, mode_brace, mode_quoted_brace, mode_arithmetic };

static struct part* read_parts(enum mode mode);

// ---- What a word is made of.

struct builder {
  struct part* parts;
  struct part** last;
  struct buffer text;  // of the literal at the end
  bool is_open, quoted;
};

static void add_part(struct builder* builder, struct part part) {
  struct part* const made = node_take(sizeof *made);
  *made = part;
  *builder->last = made;
  builder->last = &made->next;
}

static char* tree_text(const char* text, size_t length) {
  char* const made = node_take(length + 1);
  memcpy(made, text, length);
  made[length] = 0;
  return made;
}

static void close_literal(struct builder* builder) {
  if (!builder->is_open) return;
  char* const text = tree_text(builder->text.text, builder->text.length);
  add_part(builder, (struct part){.kind = part_literal, .quoted = builder->quoted, .text = text});
  builder->is_open = false;
  builder->text.length = 0;
}

static void open_literal(struct builder* builder, bool quoted) {
  if (builder->is_open && builder->quoted == quoted) return;
  close_literal(builder);
  builder->is_open = true;
  builder->quoted = quoted;
}

static void add_character(struct builder* builder, int c, bool quoted) {
  open_literal(builder, quoted);
  put(&builder->text, (char)c);
}

// ---- Expansions.

static int next_after_continuation(void) {
  for (;;) {
    const int c = next_character();
    if (c != '\\') return c;
    const int after = next_character();
    if (after != '\n') {
      if (after != end_of_input) push_back(after);
      return c;
    }
  }
}

static bool is_special_parameter(int c) {
  return c > 0 && text_find("@*#?-$!", (char)c) != NULL;
}

// Digits: all of them in braces, else one.
static char* read_parameter_name(int c, bool in_braces) {
  struct buffer name = {0};
  put(&name, (char)c);
  if (is_name_start((char)c)) {
    while ((c = next_after_continuation()) != end_of_input && is_name_character((char)c)) {
      put(&name, (char)c);
    }
    if (c != end_of_input) push_back(c);
  } else if (in_braces && is_digit((char)c)) {
    while ((c = next_after_continuation()) != end_of_input && is_digit((char)c))
      put(&name, (char)c);
    if (c != end_of_input) push_back(c);
  }
  return tree_text(name.text, name.length);
}

static bool is_parameter_start(int c) {
  return c != end_of_input && (is_name_character((char)c) || is_special_parameter(c));
}

// The operation of ${NAME, and its word. One that is wrong fails when it is expanded.
static void read_operation(struct part* part) {
  int c = next_after_continuation();
  part->operation = 0;
  if (c == '}' && *part->text != 0) return;
  if (c == ':') {
    part->colon = true;
    c = next_after_continuation();
  }
  const char* const known = part->colon ? "-=?+" : "-=?+#%";
  if (c != end_of_input && text_find(known, (char)c) == NULL) c = '!';
  const bool is_pattern = c == '#' || c == '%';
  if (is_pattern) {
    const int after = next_character();
    if (after == c) {
      c = c == '#' ? 'h' : 'p';
    } else if (after != end_of_input) {
      push_back(after);
    }
  }
  part->operation = (char)c;
  part->word = read_parts(part->quoted && !is_pattern ? mode_quoted_brace : mode_brace);
}

// Of those characters that may also be a parameter's: ${##1} takes a 1 away from $#.
static bool is_operation(int c) {
  return c == '#' || c == '-' || c == '?';
}

static void read_braces(struct builder* builder, bool quoted) {
  struct part part = {.kind = part_parameter, .quoted = quoted};
  int c = next_after_continuation();
  if (c == '#') {
    const int after = next_after_continuation();
    const int behind = next_after_continuation();
    push_back(behind);
    if (after == '}') {
      push_back(after);
    } else if (is_parameter_start(after) && !(behind != '}' && is_operation(after))) {
      part.operation = 'l';
      c = after;
    } else {
      push_back(after);
    }
  }
  part.text = is_parameter_start(c) ? read_parameter_name(c, true) : "";
  if (*part.text == 0) push_back(c);
  const bool is_length = part.operation == 'l';
  read_operation(&part);
  if (is_length) part.operation = part.operation == 0 ? 'l' : '!';
  add_part(builder, part);
}

static void read_command(struct builder* builder, bool quoted) {
  const struct lexer outer = lexer;
  lexer = (struct lexer){.failed = outer.failed};
  struct node* const list = parse_list_until_close();
  const bool failed = lexer.failed;
  lexer = outer;
  lexer.failed = failed;
  add_part(builder, (struct part){.kind = part_command, .quoted = quoted, .list = list});
}

static void read_dollar(struct builder* builder, bool quoted) {
  const int c = next_after_continuation();
  if (c == '(') {
    const int after = next_after_continuation();
    if (after == '(') {
      struct part* const word = read_parts(mode_arithmetic);
      add_part(builder, (struct part){.kind = part_arithmetic, .quoted = quoted, .word = word});
      return;
    }
    if (after != end_of_input) push_back(after);
    read_command(builder, quoted);
  } else if (c == '{') {
    read_braces(builder, quoted);
  } else if (is_parameter_start(c)) {
    char* const name = read_parameter_name(c, false);
    add_part(builder, (struct part){.kind = part_parameter, .quoted = quoted, .text = name});
  } else {
    if (c != end_of_input) push_back(c);
    add_character(builder, '$', quoted);
  }
}

// The text between ` and `, without the backslashes that it has for their sake.
static void read_backquotes(struct builder* builder, bool quoted) {
  struct buffer text = {0};
  for (;;) {
    int c = next_character();
    if (c == '`') break;
    if (c == end_of_input) {
      syntax_error("end of file in `");
      return;
    }
    if (c == '\\') {
      c = next_character();
      if (c == '\n') continue;
      if (c != '`' && c != '$' && c != '\\' && !(quoted && c == '"')) put(&text, '\\');
      if (c == end_of_input) continue;
    }
    put(&text, (char)c);
  }
  struct node* const list = parse_text(finish(&text));
  add_part(builder, (struct part){.kind = part_command, .quoted = quoted, .list = list});
}

// ---- Quotes.

static void read_single_quotes(struct builder* builder) {
  open_literal(builder, true);
  for (;;) {
    const int c = next_character();
    if (c == '\'') return;
    if (c == end_of_input) {
      syntax_error("end of file in '");
      return;
    }
    add_character(builder, c, true);
  }
}

static void read_double_quotes(struct builder* builder) {
  close_literal(builder);
  struct part* const parts = read_parts(mode_quoted);
  if (parts == NULL) {
    open_literal(builder, true);
    close_literal(builder);
    return;
  }
  *builder->last = parts;
  while (*builder->last != NULL) builder->last = &(*builder->last)->next;
}

static void read_backslash(struct builder* builder, enum mode mode) {
  static const char* const escapable[] = {[mode_quoted] = "$`\"\\",
                                          [mode_document] = "$`\\",
                                          [mode_quoted_brace] = "$`\"\\}",
                                          [mode_arithmetic] = "$`\\"};
  const bool quoted = mode != mode_word && mode != mode_brace;
  const int c = next_character();
  if (c == '\n') return;
  if (c == end_of_input) {
    add_character(builder, '\\', true);
    return;
  }
  if (quoted && text_find(escapable[mode], (char)c) == NULL) add_character(builder, '\\', true);
  add_character(builder, c, true);
}

// ---- Texts.

static bool ends_word(int c) {
  return c == end_of_input || text_find(" \t\n;&|<>()", (char)c) != NULL;
}

// Whether the text ends with this character. `depth` is of open parentheses.
static bool ends(enum mode mode, int c, int* depth) {
  switch (mode) {
    case mode_word:
      if (!ends_word(c)) return false;
      if (c != end_of_input) push_back(c);
      return true;
    case mode_document:
      return c == end_of_input;
    case mode_quoted:
      return c == '"';
    case mode_brace:
    case mode_quoted_brace:
      return c == '}';
    case mode_arithmetic:
      if (c == '(') ++*depth;
      if (c != ')') return false;
      if (*depth > 0) {
        --*depth;
        return false;
      }
      const int after = next_after_continuation();
      if (after == ')') return true;
      syntax_error("missing '))'");
      return true;
  }
  return true;
}

static const char* what_is_missing(enum mode mode) {
  if (mode == mode_quoted) return "end of file in \"";
  return mode == mode_arithmetic ? "missing '))'" : "missing '}'";
}

static struct part* read_parts(enum mode mode) {
  struct builder builder = {0};
  builder.last = &builder.parts;
  const bool quoted = mode != mode_word && mode != mode_brace;
  int depth = 0;
  for (;;) {
    const int c = next_character();
    if (ends(mode, c, &depth)) break;
    if (c == end_of_input || lexer.failed) {
      syntax_error(what_is_missing(mode));
      break;
    }
    if (c == '\\') {
      read_backslash(&builder, mode);
    } else if (c == '$' || c == '`') {
      close_literal(&builder);
      (c == '$' ? read_dollar : read_backquotes)(&builder, quoted);
    } else if (c == '\'' && !quoted) {
      read_single_quotes(&builder);
    } else if (c == '"' && (!quoted || mode == mode_quoted_brace)) {
      read_double_quotes(&builder);
    } else {
      add_character(&builder, c, quoted);
    }
  }
  close_literal(&builder);
  return builder.parts;
}

struct part* parse_quoted_text(const char* text) {
  struct source made;
  read_from_text(&made, text);
  struct part* const parts = read_parts(mode_document);
  leave_source();
  return parts;
}

static enum token read_word(void) {
  struct word* const word = node_take(sizeof *word);
  word->parts = read_parts(mode_word);
  lexer.word = word;
  const struct part* const first = word->parts;
  const bool is_plain =
      first != NULL && first->kind == part_literal && !first->quoted && first->next == NULL;
  lexer.plain = is_plain ? first->text : NULL;
  return token_word;
}

// ---- Here-documents.

static bool read_line(struct buffer* line) {
  int c;
  while ((c = next_character()) != '\n') {
    if (c == end_of_input) return line->length != 0;
    put(line, (char)c);
  }
  return true;
}

static void read_document(struct pending_document* document) {
  struct buffer text = {0};
  for (;;) {
    struct buffer line = {0};
    if (!read_line(&line)) break;
    const char* from = finish(&line);
    while (document->strips_tabs && *from == '\t') ++from;
    if (text_is(from, document->end)) break;
    put_text(&text, from);
    put(&text, '\n');
  }
  struct redirection* const redirection = document->redirection;
  const char* const all = finish(&text);
  if (!document->is_raw) {
    redirection->target = parse_quoted_text(all);
    return;
  }
  redirection->target = node_take(sizeof *redirection->target);
  *redirection->target =
      (struct part){.kind = part_literal, .quoted = true, .text = tree_text(all, text_length(all))};
}

static void read_documents(void) {
  while (lexer.documents != NULL) {
    struct pending_document* const document = lexer.documents;
    lexer.documents = document->next;
    read_document(document);
  }
}

static void expect_document(struct redirection* redirection, bool strips_tabs) {
  struct buffer end = {0};
  bool is_raw = false;
  for (const struct part* part = lexer.word->parts; part != NULL; part = part->next) {
    is_raw |= part->quoted;
    // $NAME is the text of an end like any other; the rest is more than anybody writes there.
    if (part->kind == part_parameter && part->operation == 0) put(&end, '$');
    if (part->text == NULL || part->operation != 0) {
      syntax_error("an expansion ends a here-document");
      return;
    }
    put_text(&end, part->text);
  }
  struct pending_document* const made = node_take(sizeof *made);
  char* const text = finish(&end);
  *made = (struct pending_document){.redirection = redirection,
                                    .end = tree_text(text, text_length(text)),
                                    .strips_tabs = strips_tabs,
                                    .is_raw = is_raw};
  struct pending_document** last = &lexer.documents;
  while (*last != NULL) last = &(*last)->next;
  *last = made;
}

// ---- Operators.

static int skip_blanks(void) {
  for (;;) {
    int c = next_after_continuation();
    if (c == '#') {
      do c = next_character();
      while (c != '\n' && c != end_of_input);
    }
    if (c == end_of_input || !is_blank((char)c)) return c;
  }
}

static bool next_is(char wanted) {
  const int c = next_after_continuation();
  if (c == wanted) return true;
  if (c != end_of_input) push_back(c);
  return false;
}

static enum redirection_kind read_redirection_kind(int first, bool* strips_tabs) {
  if (first == '<') {
    if (next_is('<')) {
      *strips_tabs = next_is('-');
      return redirect_document;
    }
    if (next_is('&')) return redirect_copy;
    return next_is('>') ? redirect_both : redirect_in;
  }
  if (next_is('>')) return redirect_append;
  if (next_is('&')) return redirect_copy;
  return next_is('|') ? redirect_clobber : redirect_out;
}

static enum token read_redirection(int first, int file) {
  bool strips_tabs = false;
  struct redirection* const made = node_take(sizeof *made);
  *made = (struct redirection){.kind = read_redirection_kind(first, &strips_tabs),
                               .file = file >= 0 ? file : first == '>'};
  const int c = skip_blanks();
  if (ends_word(c)) {
    if (c != end_of_input) push_back(c);
    syntax_error("redirection without a file");
    return token_end;
  }
  push_back(c);
  read_word();
  if (made->kind == redirect_document) {
    expect_document(made, strips_tabs);
  } else {
    made->target = lexer.word->parts;
  }
  lexer.redirection = made;
  return token_redirection;
}

static enum token read_operator(int c) {
  switch (c) {
    case '\n':
      read_documents();
      return token_newline;
    case ';':
      return next_is(';') ? token_double_semicolon : token_semicolon;
    case '&':
      return next_is('&') ? token_and : token_ampersand;
    case '|':
      return next_is('|') ? token_or : token_pipe;
    case '(':
      return token_open;
    case ')':
      return token_close;
    default:
      return read_redirection(c, -1);
  }
}

static enum token read_token(void) {
  const int c = skip_blanks();
  lexer.plain = NULL;
  if (c == end_of_input) {
    read_documents();
    return token_end;
  }
  if (ends_word(c)) return read_operator(c);
  if (is_digit((char)c)) {
    const int after = next_character();
    if (after == '<' || after == '>') return read_redirection(after, c - '0');
    if (after != end_of_input) push_back(after);
  }
  push_back(c);
  return read_word();
}

enum token peek(void) {
  if (lexer.failed) return token_end;
  if (!lexer.is_read) {
    lexer.token = read_token();
    lexer.is_read = true;
  }
  return lexer.failed ? token_end : lexer.token;
}
