// The shell: POSIX.2's command language (IEEE 1003.1, "Shell Command Language") without job control
// and line editing. It has no C library: systems/system.h is all that it knows of its system.
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../systems/system.h"

// The compiler calls them by name, too.
void* memcpy(void* to, const void* from, size_t bytes);
void* memset(void* to, int value, size_t bytes);

// ---- text.c

size_t text_length(const char* text);
int text_compare(const char* a, const char* b);
bool text_is(const char* a, const char* b);
bool text_begins(const char* text, const char* front);
const char* text_find(const char* text, char what);  // null: it is not there
bool is_digit(char c);
bool is_blank(char c);
bool is_name_start(char c);
bool is_name_character(char c);
size_t name_length(const char* text);  // of the name that text begins with; 0: none
// Decimal digits and nothing else, at most the largest int; -1: something else.
int parse_number(const char* text);
uint64_t divide(uint64_t dividend, uint64_t divisor, uint64_t* rest);
enum { number_bytes = 24 };
const char* number_text(int64_t number, char* buffer);  // of number_bytes

// ---- memory.c

// Lives until it is dropped.
void* keep(size_t bytes);
void drop(void* memory);
char* keep_text(const char* text);

// Memory that is given back at once. Commands' trees have one each, and what runs shares another.
struct chunk;
struct arena {
  struct chunk* top;
};
struct mark {
  struct chunk* top;
  size_t used;
};
void* arena_take(struct arena* arena, size_t bytes);
struct mark arena_mark(const struct arena* arena);
void arena_release(struct arena* arena, struct mark mark);

extern struct arena scratch;
void* take(size_t bytes);  // of scratch
char* take_text(const char* text, size_t length);
char* join(const char* first, ...);  // texts, ended by a null pointer

// Text that grows, in scratch.
struct buffer {
  char* text;
  size_t length, room;
};
void put(struct buffer* buffer, char c);
void put_text(struct buffer* buffer, const char* text);
char* finish(struct buffer* buffer);  // with a 0 behind it

// ---- output.c

void out(const char* text);
void out_character(char c);
void out_quoted(const char* text);  // so that the shell reads it again
bool flush(void);                   // false: standard output took not all
void discard_output(void);
// One line on standard error, of texts ended by a null pointer.
void complain(const char* first, ...);
void fail(const char* first, ...) __attribute__((noreturn));  // and ends the shell with status 2
const char* error_text(long error);

// ---- variables.c

struct variable {
  struct variable* next;
  char* name;
  char* value;  // null: not set
  bool exported, read_only;
};
struct variable* find_variable(const char* name);  // null: there is none
const char* get(const char* name);                 // null: not set
void set(const char* name, const char* value);
void set_of_length(const char* name, size_t length, const char* value);
bool unset_variable(const char* name);  // false: it is read-only
struct variable* declare(const char* name);
char** environment_of(void);
void import_environment(char** environment);
void list_variables(bool (*chosen)(const struct variable*), const char* before);
// local: what has the value again when the function returns.
struct saved_variable {
  struct saved_variable* next;
  struct variable* variable;
  char* value;
  bool exported, read_only;
};
void save_variable(struct saved_variable** list, const char* name);
void restore_variables(struct saved_variable* list);

struct parameters {
  int count;
  char** values;
  char** owned;  // all that were set at once, ended by a null pointer; or null
};
extern struct parameters parameters;
void set_parameters(char** values, int count);  // to copies
void release_parameters(void);
extern const char* shell_name;  // $0
extern int last_status;         // $?
extern long shell_process;      // $$
extern long last_background;    // $!; 0: none

// set -e and its like, by letter; c is -C.
enum { option_letters = 26 };
extern bool options[option_letters];
static inline bool option(char letter) {
  return options[letter - 'a'];
}

// ---- input.c

enum { end_of_input = -1 };
struct source {
  struct source* outer;
  const char* text;  // all of it, or null where it is read from a file
  int file;
  bool by_character;  // children read on where the shell stopped
  bool prompts;
  char* bytes;
  size_t at, length;
  int back[4], backs;
};
extern struct source* source;
void read_from_text(struct source* made, const char* text);
void read_from_file(struct source* made, int file, bool by_character);
void leave_source(void);
int next_character(void);  // or end_of_input
void push_back(int c);
extern bool is_continuation;  // what the prompt says

// ---- The tree of a command (lexer.c, parser.c).

enum part_kind { part_literal, part_parameter, part_command, part_arithmetic };

struct part {
  struct part* next;
  enum part_kind kind;
  bool quoted;
  char* text;      // the literal, the parameter's name, or the source of `...`
  char operation;  // of ${}: one of - = ? + # % or, for the longest, h and p; l: the length; !:
                   // none that is known
  bool colon;
  struct part* word;  // of ${}, $(())
  struct node* list;  // of $()
};

struct word {
  struct word* next;
  struct part* parts;
};

enum redirection_kind {
  redirect_in,
  redirect_out,
  redirect_append,
  redirect_both,
  redirect_clobber,
  redirect_copy,
  redirect_document
};
struct redirection {
  struct redirection* next;
  enum redirection_kind kind;
  int file;
  struct part* target;  // of a here-document, its text
};

enum node_kind {
  node_simple,
  node_pipeline,
  node_and,
  node_or,
  node_sequence,
  node_background,
  node_not,
  node_subshell,
  node_group,
  node_if,
  node_while,
  node_until,
  node_for,
  node_case,
  node_function
};

struct case_item {
  struct case_item* next;
  struct word* patterns;
  struct node* body;
};

struct node {
  enum node_kind kind;
  struct redirection* redirections;
  struct word* words;        // simple, for, case
  struct word* assignments;  // simple
  struct node *first, *second, *third;
  struct case_item* items;
  char* name;         // for, function
  bool in;            // for: there is a list
  struct tree* home;  // function
  struct node* next;  // pipeline
};

// What a command was parsed into; kept for good if it defines functions.
struct tree {
  struct arena arena;
  bool kept;
};
extern struct tree* parsing;
void* node_take(size_t bytes);

enum token {
  token_word,
  token_newline,
  token_end,
  token_semicolon,
  token_double_semicolon,
  token_ampersand,
  token_and,
  token_pipe,
  token_or,
  token_open,
  token_close,
  token_redirection
};

struct lexer {
  enum token token;
  bool is_read;  // ahead of what is parsed
  bool failed;   // a syntax error was found: nothing but ends follow
  struct word* word;
  char* plain;  // the word, if nothing of it is quoted or expanded; else null
  struct redirection* redirection;
  struct pending_document* documents;  // whose text begins behind the next newline
};
extern struct lexer lexer;
enum token peek(void);
// A word as in a here-document; of the whole text.
struct part* parse_quoted_text(const char* text);
// Says so, and ends a shell that is not interactive.
void syntax_error(const char* what);

// The next complete command, with its newline; null at the end, or for an empty line, which the
// second one tells.
struct node* parse_command(bool* at_end);
struct node* parse_list_until_close(void);  // of $(
struct node* parse_text(const char* text);  // of `

// ---- Expansion (expand.c, fields.c, match.c, arithmetic.c).

// A character of an expansion, and what may become of it.
enum glyph_kind { glyph_literal, glyph_quoted, glyph_split, glyph_break, glyph_field };
struct glyph {
  char c;
  char kind;
};
struct glyphs {
  struct glyph* all;
  size_t count, room;
};
void add_glyph(struct glyphs* to, char c, enum glyph_kind kind);
void expand_parts(const struct part* parts, struct glyphs* to);
struct fields {
  int count, room;
  char** values;  // with a null pointer behind the last
};
void add_field(struct fields* to, char* value);
void split_fields(const struct glyphs* glyphs, struct fields* to);
void expand_word(const struct part* parts, struct fields* to);
char* expand_to_text(const struct part* parts);     // without fields
char* expand_assignment(const struct part* parts);  // likewise; ~ may follow a colon
struct glyphs expand_to_pattern(const struct part* parts);
struct glyphs tilde_expanded(const struct part* parts, bool is_assignment);
const char* parameter_value(const char* name, char* buffer);  // of number_bytes; null: not set
void expand_parameter(const struct part* part, struct glyphs* to);

bool is_pattern(const struct glyph* pattern, size_t length);
bool matches(const struct glyph* pattern, size_t length, const char* text, size_t text_length);
void add_paths(const struct glyph* pattern, size_t length, struct fields* to);

int64_t evaluate(const char* expression);

// ---- Running (run.c, redirect.c, programs.c).

enum skip { skip_nothing, skip_break, skip_continue, skip_return };
extern enum skip skip;
extern int skip_levels, loop_depth, function_depth;

// Flags of run().
enum { run_tested = 1, run_last = 2 };
int run(struct node* node, int flags);
int run_source(int flags);  // the commands of the source that was opened last, until its end
int run_text(const char* text, int flags);
char* output_of(struct node* list);  // without the newlines at its end
bool is_function(const char* name);
void drop_function(const char* name);
extern struct saved_variable** locals;  // of the function that runs; null: none

struct saved_file {
  struct saved_file* next;
  int file, copy;  // copy -1: it was closed
};
// False: one of them failed, and a line says so.
bool redirect(const struct redirection* all, struct saved_file** saved);
void restore_files(struct saved_file* saved);
void move_file(int from, int to);  // and closes `from`
int open_high(const char* path);   // for reading, away from the numbers that scripts use

long fork_shell(void);
void exec_program(char** arguments, char** environment) __attribute__((noreturn));
int wait_for(long child);
int wait_for_background(long child);  // -1: a trap came first
int wait_for_all(void);               // likewise; else 0
// Whether a program of that name is on the path: where.
char* program_path(const char* name);
// The next directory of a path, with a slash; null behind the last.
const char* next_directory(const char** path);
void leave(int status) __attribute__((noreturn));  // exit traps run first
extern bool is_subshell;

// ---- Traps (traps.c).

int signal_number(const char* name);  // -1: there is none
void start_interaction(void);         // whose signals do not end the shell
int trap_builtin(char** arguments, int count);
void reset_traps(void);  // of a subshell
void run_traps(void);    // of signals that have come
void run_exit_trap(void);
bool has_traps(void);
extern volatile bool trap_is_pending;
extern int status_before_trap;  // of the trap that runs: what exit ends with; -1: none runs

// ---- Built-in commands (builtins*.c).

struct builtin {
  const char* name;
  int (*function)(char** arguments, int count);
  bool is_special;  // an error ends the shell, and assignments before it stay
};
const struct builtin* find_builtin(const char* name);

int cd_builtin(char** arguments, int count);
int pwd_builtin(char** arguments, int count);
int echo_builtin(char** arguments, int count);
int printf_builtin(char** arguments, int count);
int read_builtin(char** arguments, int count);
int test_builtin(char** arguments, int count);
int getopts_builtin(char** arguments, int count);
int set_builtin(char** arguments, int count);
int type_builtin(char** arguments, int count);
int command_builtin(char** arguments, int count);
int kill_builtin(char** arguments, int count);
int expr_command(char** arguments, int count);
bool set_option(char letter, bool value);  // false: there is none
bool set_named_option(const char* name, bool value);
// Computed when it is first asked for.
const char* working_directory(void);
// What follows a backslash of echo, printf and their like.
const char* escape(const char* at, struct buffer* to, bool zero_first, bool* stop);
