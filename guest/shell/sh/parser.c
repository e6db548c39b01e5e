// The grammar (POSIX.2, 2.10), by recursive descent.
#include "shell.h"

struct tree* parsing;

void* node_take(size_t bytes) {
  return memset(arena_take(&parsing->arena, bytes), 0, bytes);
}

void syntax_error(const char* what) {
  if (!lexer.failed) complain("syntax error: ", what, NULL);
  lexer.failed = true;
  last_status = 2;
  if (!option('i') || is_subshell) leave(2);
}

static void advance(void) {
  lexer.is_read = false;
  is_continuation = true;
}

static bool accept(enum token token) {
  if (peek() != token) return false;
  advance();
  return true;
}

static bool is_plain(const char* word) {
  return peek() == token_word && lexer.plain != NULL && text_is(lexer.plain, word);
}

static bool accept_plain(const char* word) {
  if (!is_plain(word)) return false;
  advance();
  return true;
}

static void unexpected(void) {
  static const char* const names[] = {[token_newline] = "newline",
                                      [token_end] = "end of file",
                                      [token_semicolon] = "\";\"",
                                      [token_double_semicolon] = "\";;\"",
                                      [token_ampersand] = "\"&\"",
                                      [token_and] = "\"&&\"",
                                      [token_pipe] = "\"|\"",
                                      [token_or] = "\"||\"",
                                      [token_open] = "\"(\"",
                                      [token_close] = "\")\"",
                                      [token_redirection] = "redirection"};
  const enum token token = peek();
  const char* what = token != token_word   ? names[token]
                     : lexer.plain != NULL ? lexer.plain
                                           : "word";
  if (!lexer.failed) syntax_error(join(what, " unexpected", NULL));
}

static void expect_plain(const char* word) {
  if (!accept_plain(word) && !lexer.failed) {
    unexpected();
  }
}

static void skip_newlines(void) {
  while (accept(token_newline)) continue;
}

static struct node* make(struct node node) {
  struct node* const made = node_take(sizeof *made);
  *made = node;
  return made;
}

static struct node* parse_and_or(void);

static bool is_list_end(void) {
  static const char* const words[] = {"then", "else", "elif", "fi", "do", "done", "esac", "}"};
  const enum token token = peek();
  if (token == token_end || token == token_close || token == token_double_semicolon) return true;
  for (size_t at = 0; at < sizeof words / sizeof words[0]; ++at) {
    if (is_plain(words[at])) return true;
  }
  return false;
}

static struct node* in_sequence(struct node* list, struct node* next) {
  if (list == NULL) return next;
  return make((struct node){.kind = node_sequence, .first = list, .second = next});
}

// With newlines as separators, too, or up to the first.
static struct node* parse_list(bool has_lines) {
  struct node* list = NULL;
  for (;;) {
    if (has_lines) skip_newlines();
    if (is_list_end() || peek() == token_newline) return list;
    struct node* const next = parse_and_or();
    if (lexer.failed) return NULL;
    if (accept(token_ampersand)) {
      list = in_sequence(list, make((struct node){.kind = node_background, .first = next}));
      continue;
    }
    list = in_sequence(list, next);
    if (!accept(token_semicolon) && !(has_lines && accept(token_newline))) return list;
  }
}

// A list that must have a command.
static struct node* parse_body(void) {
  struct node* const list = parse_list(true);
  if (list == NULL) unexpected();
  return list;
}

// ---- Compound commands.

static struct node* parse_if(void) {
  struct node* const made = make((struct node){.kind = node_if});
  made->first = parse_body();
  expect_plain("then");
  made->second = parse_body();
  if (accept_plain("elif")) {
    made->third = parse_if();
    return made;
  }
  if (accept_plain("else")) made->third = parse_body();
  expect_plain("fi");
  return made;
}

static struct node* parse_do(void) {
  expect_plain("do");
  struct node* const body = parse_body();
  expect_plain("done");
  return body;
}

static struct node* parse_while(enum node_kind kind) {
  struct node* const made = make((struct node){.kind = kind});
  made->first = parse_body();
  made->second = parse_do();
  return made;
}

static void add_word(struct word*** last) {
  **last = lexer.word;
  *last = &lexer.word->next;
  advance();
}

static struct node* parse_for(void) {
  struct node* const made = make((struct node){.kind = node_for});
  if (peek() != token_word || lexer.plain == NULL ||
      name_length(lexer.plain) != text_length(lexer.plain)) {
    syntax_error("bad for loop variable");
    return made;
  }
  made->name = lexer.plain;
  advance();
  skip_newlines();
  if (accept_plain("in")) {
    made->in = true;
    struct word** last = &made->words;
    while (peek() == token_word) add_word(&last);
    if (!accept(token_semicolon) && peek() != token_newline) unexpected();
  } else {
    accept(token_semicolon);
  }
  skip_newlines();
  made->first = parse_do();
  return made;
}

static struct case_item* parse_case_item(void) {
  struct case_item* const item = node_take(sizeof *item);
  struct word** last = &item->patterns;
  accept(token_open);
  do {
    if (peek() != token_word) {
      unexpected();
      return item;
    }
    add_word(&last);
  } while (accept(token_pipe));
  if (!accept(token_close)) unexpected();
  item->body = parse_list(true);
  return item;
}

static struct node* parse_case(void) {
  struct node* const made = make((struct node){.kind = node_case});
  if (peek() != token_word) {
    unexpected();
    return made;
  }
  made->words = lexer.word;
  advance();
  skip_newlines();
  expect_plain("in");
  struct case_item** last = &made->items;
  for (;;) {
    skip_newlines();
    if (accept_plain("esac") || lexer.failed) return made;
    *last = parse_case_item();
    last = &(*last)->next;
    skip_newlines();
    if (accept(token_double_semicolon)) continue;
    expect_plain("esac");
    return made;
  }
}

static struct node* parse_group(void) {
  struct node* const made = make((struct node){.kind = node_group, .first = parse_body()});
  expect_plain("}");
  return made;
}

static struct node* parse_subshell(void) {
  struct node* const made = make((struct node){.kind = node_subshell, .first = parse_body()});
  if (!accept(token_close)) unexpected();
  return made;
}

static struct node* parse_compound(void) {
  if (accept(token_open)) return parse_subshell();
  if (accept_plain("{")) return parse_group();
  if (accept_plain("if")) return parse_if();
  if (accept_plain("while")) return parse_while(node_while);
  if (accept_plain("until")) return parse_while(node_until);
  if (accept_plain("for")) return parse_for();
  if (accept_plain("case")) return parse_case();
  return NULL;
}

// ---- Commands.

static void add_redirection(struct redirection*** last) {
  **last = lexer.redirection;
  *last = &lexer.redirection->next;
  advance();
}

static struct node* parse_command_or_group(void);

static struct node* parse_function(const struct word* name) {
  struct node* const made = make((struct node){.kind = node_function, .home = parsing});
  made->name = name->parts->text;
  if (!accept(token_close)) unexpected();
  skip_newlines();
  made->first = parse_command_or_group();
  return made;
}

static bool is_assignment(const struct word* word) {
  const struct part* const first = word->parts;
  if (first == NULL || first->kind != part_literal || first->quoted) return false;
  const size_t length = name_length(first->text);
  return length != 0 && first->text[length] == '=';
}

static struct node* parse_simple(void) {
  struct node* const made = make((struct node){.kind = node_simple});
  struct word **words = &made->words, **assignments = &made->assignments;
  struct redirection** redirections = &made->redirections;
  for (;;) {
    const enum token token = peek();
    if (token == token_redirection) {
      add_redirection(&redirections);
    } else if (token == token_word) {
      const bool assigns = made->words == NULL && is_assignment(lexer.word);
      const char* const plain = lexer.plain;
      add_word(assigns ? &assignments : &words);
      const bool may_be_name = !assigns && plain != NULL && made->words->next == NULL &&
                               made->assignments == NULL && made->redirections == NULL;
      if (may_be_name && accept(token_open)) return parse_function(made->words);
    } else {
      break;
    }
  }
  if (made->words == NULL && made->assignments == NULL && made->redirections == NULL) unexpected();
  return made;
}

static struct node* parse_command_or_group(void) {
  struct node* const compound = parse_compound();
  if (compound == NULL) return parse_simple();
  struct redirection** last = &compound->redirections;
  while (peek() == token_redirection) add_redirection(&last);
  return compound;
}

static struct node* parse_pipeline(void) {
  const bool is_not = accept_plain("!");
  struct node* result = parse_command_or_group();
  if (peek() == token_pipe) {
    struct node* last = result;
    result = make((struct node){.kind = node_pipeline, .first = result});
    while (accept(token_pipe)) {
      skip_newlines();
      last = last->next = parse_command_or_group();
    }
  }
  if (!is_not) return result;
  return make((struct node){.kind = node_not, .first = result});
}

static struct node* parse_and_or(void) {
  struct node* result = parse_pipeline();
  for (;;) {
    const bool is_and = accept(token_and);
    if (!is_and && !accept(token_or)) return result;
    skip_newlines();
    const enum node_kind kind = is_and ? node_and : node_or;
    struct node* const right = parse_pipeline();
    result = make((struct node){.kind = kind, .first = result, .second = right});
  }
}

// ---- What is read at once.

struct node* parse_command(bool* at_end) {
  lexer = (struct lexer){0};
  is_continuation = false;
  *at_end = false;
  if (accept(token_newline)) return NULL;
  if (peek() == token_end) {
    *at_end = !lexer.failed;
    return NULL;
  }
  struct node* const list = parse_list(false);
  if (!lexer.failed && peek() != token_newline && peek() != token_end) unexpected();
  if (!lexer.failed) return list;
  // An interactive shell goes on with the next line.
  source->at = source->length;
  source->backs = 0;
  return NULL;
}

struct node* parse_list_until_close(void) {
  struct node* const list = parse_list(true);
  if (!accept(token_close)) unexpected();
  return list;
}

struct node* parse_text(const char* text) {
  const struct lexer outer = lexer;
  lexer = (struct lexer){0};
  struct source made;
  read_from_text(&made, text);
  struct node* const list = parse_list(true);
  if (peek() != token_end) unexpected();
  leave_source();
  const bool failed = lexer.failed;
  lexer = outer;
  lexer.failed |= failed;
  return list;
}
