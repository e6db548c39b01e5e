// Runs commands (POSIX.2, 2.9).
#include "shell.h"

enum skip skip;
int skip_levels, loop_depth, function_depth;
struct saved_variable** locals;

static int substitution_status;

// ---- Functions.

struct function {
  struct function* next;
  char* name;
  struct node* body;
};
static struct function* functions;

static struct function* find_function(const char* name) {
  struct function* each = functions;
  while (each != NULL && !text_is(each->name, name)) each = each->next;
  return each;
}

bool is_function(const char* name) {
  return find_function(name) != NULL;
}

void drop_function(const char* name) {
  for (struct function** link = &functions; *link != NULL; link = &(*link)->next) {
    struct function* const each = *link;
    if (!text_is(each->name, name)) continue;
    *link = each->next;
    drop(each->name);
    drop(each);
    return;
  }
}

static int define_function(struct node* node) {
  drop_function(node->name);
  node->home->kept = true;
  struct function* const made = keep(sizeof *made);
  *made = (struct function){.next = functions, .name = keep_text(node->name), .body = node->first};
  functions = made;
  return 0;
}

static int run_function(struct node* body, char** arguments, int count, int flags) {
  const struct parameters outer = parameters;
  const int outer_loops = loop_depth;
  struct saved_variable** const outer_locals = locals;
  struct saved_variable* own_locals = NULL;
  parameters = (struct parameters){.count = count - 1, .values = arguments + 1};
  loop_depth = 0;
  locals = &own_locals;
  ++function_depth;
  const int status = run(body, flags & run_tested);
  --function_depth;
  if (skip == skip_return) skip = skip_nothing;
  restore_variables(own_locals);
  locals = outer_locals;
  loop_depth = outer_loops;
  release_parameters();
  parameters = outer;
  return status;
}

// ---- Simple commands.

static void expand_words(const struct word* words, struct fields* to) {
  for (const struct word* word = words; word != NULL; word = word->next) {
    expand_word(word->parts, to);
  }
}

// In the order of their words; with a list, the old values go there.
static void assign(const struct word* assignments, struct saved_variable** saved, bool exports) {
  for (const struct word* word = assignments; word != NULL; word = word->next) {
    const char* const text = expand_assignment(word->parts);
    const size_t length = name_length(text);
    const char* const name = take_text(text, length);
    if (saved != NULL) save_variable(saved, name);
    set(name, text + length + 1);
    if (exports) declare(name)->exported = true;
  }
}

static void trace(const struct word* assignments, const struct fields* fields) {
  if (!option('x')) return;
  struct buffer line = {0};
  const char* const prompt = get("PS4");
  put_text(&line, prompt == NULL ? "+ " : prompt);
  const char* separator = "";
  for (const struct word* word = assignments; word != NULL; word = word->next) {
    put_text(&line, separator);
    put_text(&line, expand_assignment(word->parts));
    separator = " ";
  }
  for (int at = 0; at < fields->count; ++at) {
    put_text(&line, separator);
    put_text(&line, fields->values[at]);
    separator = " ";
  }
  put(&line, '\n');
  sys_write(2, line.text, line.length);
}

static int run_empty(const struct node* node) {
  struct saved_file* saved = NULL;
  const bool is_redirected = redirect(node->redirections, &saved);
  restore_files(saved);
  if (!is_redirected) return 2;
  assign(node->assignments, NULL, false);
  return substitution_status;
}

// exec without a program keeps what is redirected.
static void keep_files(struct saved_file* saved) {
  while (saved != NULL) {
    struct saved_file* const next = saved->next;
    if (saved->copy >= 0) sys_close(saved->copy);
    drop(saved);
    saved = next;
  }
}

static int run_builtin(const struct builtin* builtin, const struct node* node,
                       const struct fields* fields) {
  struct saved_file* saved = NULL;
  const bool keeps_files = fields->count == 1 && text_is(fields->values[0], "exec");
  if (!redirect(node->redirections, &saved)) {
    restore_files(saved);
    if (builtin->is_special && !option('i')) leave(2);
    return 2;
  }
  struct saved_variable* old_values = NULL;
  assign(node->assignments, builtin->is_special ? NULL : &old_values, !builtin->is_special);
  int status = builtin->function(fields->values, fields->count);
  if (!flush()) {
    complain(fields->values[0], ": cannot write", NULL);
    if (status == 0) status = 1;
  }
  restore_variables(old_values);
  (keeps_files ? keep_files : restore_files)(saved);
  return status;
}

static int call_function(struct function* function, const struct node* node,
                         const struct fields* fields, int flags) {
  struct saved_file* saved = NULL;
  struct saved_variable* old_values = NULL;
  int status = 2;
  if (redirect(node->redirections, &saved)) {
    assign(node->assignments, &old_values, true);
    status = run_function(function->body, fields->values, fields->count, flags);
  }
  restore_variables(old_values);
  restore_files(saved);
  return status;
}

static void become_program(const struct node* node, const struct fields* fields) {
  if (!redirect(node->redirections, NULL)) leave(2);
  struct saved_variable* old_values = NULL;
  assign(node->assignments, &old_values, true);
  exec_program(fields->values, environment_of());
}

// expr is there where the system has none: scripts count with it.
static int run_program(const struct node* node, const struct fields* fields, int flags) {
  static const struct builtin expr = {"expr", expr_command, false};
  const bool is_expr = text_is(fields->values[0], "expr") && program_path("expr") == NULL;
  if ((flags & run_last) != 0 && !has_traps() && !is_expr) become_program(node, fields);
  const long child = fork_shell();
  if (child == 0 && is_expr) leave(run_builtin(&expr, node, fields));
  if (child == 0) become_program(node, fields);
  return wait_for(child);
}

static int run_simple(const struct node* node, int flags) {
  struct fields fields = {0};
  substitution_status = 0;
  expand_words(node->words, &fields);
  trace(node->assignments, &fields);
  if (fields.count == 0) return run_empty(node);
  const struct builtin* const builtin = find_builtin(fields.values[0]);
  if (builtin != NULL && builtin->is_special) return run_builtin(builtin, node, &fields);
  struct function* const function = find_function(fields.values[0]);
  if (function != NULL) return call_function(function, node, &fields, flags);
  if (builtin != NULL) return run_builtin(builtin, node, &fields);
  return run_program(node, &fields, flags);
}

// ---- Processes.

static int run_pipeline(const struct node* node) {
  int input = -1;
  int count = 0;
  for (const struct node* each = node->first; each != NULL; each = each->next) ++count;
  long* const processes = take((size_t)count * sizeof *processes);
  count = 0;
  for (struct node* each = node->first; each != NULL; each = each->next) {
    int ends[2] = {-1, -1};
    if (each->next != NULL && sys_pipe(ends) < 0) fail("cannot make a pipe", NULL);
    const long child = fork_shell();
    if (child == 0) {
      if (ends[0] >= 0) sys_close(ends[0]);
      if (input >= 0) move_file(input, 0);
      if (ends[1] >= 0) move_file(ends[1], 1);
      leave(run(each, run_last));
    }
    processes[count++] = child;
    if (input >= 0) sys_close(input);
    if (ends[1] >= 0) sys_close(ends[1]);
    input = ends[0];
  }
  int status = 0;
  for (int at = 0; at < count; ++at) status = wait_for(processes[at]);
  return status;
}

static int run_subshell(const struct node* node, int flags) {
  if ((flags & run_last) == 0 || has_traps()) {
    const long child = fork_shell();
    if (child != 0) return wait_for(child);
  }
  is_subshell = true;
  if (!redirect(node->redirections, NULL)) leave(2);
  leave(run(node->first, run_last | (flags & run_tested)));
}

// Its input is no terminal's, and it is not interrupted from there.
static int run_background(const struct node* node) {
  const long child = fork_shell();
  if (child == 0) {
    sys_signal(SIGINT, SIGNAL_IGNORE);
    sys_signal(SIGQUIT, SIGNAL_IGNORE);
    const long nothing = sys_open("/dev/null", open_read, false);
    if (nothing > 0) move_file((int)nothing, 0);
    leave(run(node->first, run_last));
  }
  last_background = child;
  return 0;
}

static void read_all(int file, struct buffer* to) {
  char bytes[512];
  for (;;) {
    const long count = sys_read(file, bytes, sizeof bytes);
    if (count == -EINTR) continue;
    if (count <= 0) return;
    for (long at = 0; at < count; ++at) {
      if (bytes[at] != 0) put(to, bytes[at]);
    }
  }
}

char* output_of(struct node* list) {
  int ends[2];
  if (sys_pipe(ends) < 0) fail("cannot make a pipe", NULL);
  const long child = fork_shell();
  if (child == 0) {
    sys_close(ends[0]);
    move_file(ends[1], 1);
    leave(run(list, run_last));
  }
  sys_close(ends[1]);
  struct buffer text = {0};
  read_all(ends[0], &text);
  sys_close(ends[0]);
  last_status = substitution_status = wait_for(child);
  while (text.length != 0 && text.text[text.length - 1] == '\n') --text.length;
  return finish(&text);
}

// ---- Compound commands.

// After a round of a loop: whether it ends.
static bool leaves_loop(void) {
  if (skip == skip_nothing) return false;
  if (skip == skip_return) return true;
  if (--skip_levels > 0) return true;
  const bool goes_on = skip == skip_continue;
  skip = skip_nothing;
  return !goes_on;
}

static int run_loop(const struct node* node, int flags) {
  int status = 0;
  ++loop_depth;
  for (;;) {
    const bool is_true = run(node->first, run_tested) == 0;
    if (skip != skip_nothing) {
      if (skip == skip_return) status = last_status;
      if (leaves_loop()) break;
      continue;
    }
    if (is_true != (node->kind == node_while)) break;
    status = run(node->second, flags & run_tested);
    if (leaves_loop()) break;
  }
  --loop_depth;
  return status;
}

static int run_for(const struct node* node, int flags) {
  struct fields fields = {0};
  if (node->in) {
    expand_words(node->words, &fields);
  } else {
    for (int at = 0; at < parameters.count; ++at)
      add_field(&fields, join(parameters.values[at], NULL));
  }
  int status = 0;
  ++loop_depth;
  for (int at = 0; at < fields.count; ++at) {
    set(node->name, fields.values[at]);
    status = run(node->first, flags & run_tested);
    if (leaves_loop()) break;
  }
  --loop_depth;
  return status;
}

static int run_case(const struct node* node, int flags) {
  const char* const text = expand_to_text(node->words->parts);
  const size_t length = text_length(text);
  for (const struct case_item* item = node->items; item != NULL; item = item->next) {
    for (const struct word* word = item->patterns; word != NULL; word = word->next) {
      const struct glyphs pattern = expand_to_pattern(word->parts);
      if (matches(pattern.all, pattern.count, text, length)) return run(item->body, flags);
    }
  }
  return 0;
}

static int run_if(const struct node* node, int flags) {
  const bool is_true = run(node->first, run_tested) == 0;
  if (skip != skip_nothing) return last_status;
  return run(is_true ? node->second : node->third, flags);
}

static int run_and_or(const struct node* node, int flags) {
  const int status = run(node->first, run_tested);
  if (skip != skip_nothing || (status == 0) != (node->kind == node_and)) return status;
  return run(node->second, flags);
}

static int run_kind(struct node* node, int flags) {
  switch (node->kind) {
    case node_simple:
      return run_simple(node, flags);
    case node_pipeline:
      return run_pipeline(node);
    case node_and:
    case node_or:
      return run_and_or(node, flags);
    case node_sequence: {
      const int status = run(node->first, flags & ~run_last);
      return skip != skip_nothing ? status : run(node->second, flags);
    }
    case node_background:
      return run_background(node);
    case node_not:
      return run(node->first, run_tested) == 0;
    case node_subshell:
      return run_subshell(node, flags);
    case node_group:
      return run(node->first, flags);
    case node_if:
      return run_if(node, flags);
    case node_while:
    case node_until:
      return run_loop(node, flags);
    case node_for:
      return run_for(node, flags);
    case node_case:
      return run_case(node, flags);
    case node_function:
      return define_function(node);
  }
  return 0;
}

static bool is_compound(enum node_kind kind) {
  return kind >= node_group && kind <= node_case;
}

// set -e is for what fails by itself, not for a list whose last command was looked at already.
static bool may_end_shell(enum node_kind kind) {
  return kind == node_simple || kind == node_pipeline || kind == node_subshell;
}

int run(struct node* node, int flags) {
  if (node == NULL || option('n')) return 0;
  const struct mark mark = arena_mark(&scratch);
  struct saved_file* saved = NULL;
  int status = 2;
  const bool redirects = is_compound(node->kind) && node->redirections != NULL;
  if (redirects) flags &= ~run_last;
  if (!redirects || redirect(node->redirections, &saved)) status = run_kind(node, flags);
  restore_files(saved);
  arena_release(&scratch, mark);
  last_status = status;
  if (trap_is_pending) run_traps();
  if (status != 0 && option('e') && (flags & run_tested) == 0 && may_end_shell(node->kind) &&
      skip == skip_nothing) {
    leave(status);
  }
  return status;
}

// ---- Sources.

static struct tree* make_tree(void) {
  struct tree* const made = keep(sizeof *made);
  *made = (struct tree){0};
  return made;
}

static void drop_tree(struct tree* tree) {
  if (tree->kept) return;
  arena_release(&tree->arena, (struct mark){0});
  drop(tree);
}

static bool is_at_end_of_text(void) {
  if (source->text == NULL || source->backs != 0) return false;
  for (size_t at = source->at; at < source->length; ++at) {
    if (!is_blank(source->text[at]) && source->text[at] != '\n') return false;
  }
  return true;
}

int run_source(int flags) {
  int status = 0;
  for (bool at_end = false; !at_end;) {
    struct tree* const outer = parsing;
    const struct lexer outer_lexer = lexer;
    const struct mark mark = arena_mark(&scratch);
    struct tree* const tree = parsing = make_tree();
    struct node* const command = parse_command(&at_end);
    parsing = outer;
    const bool failed = lexer.failed;
    lexer = outer_lexer;
    arena_release(&scratch, mark);
    const int own = is_at_end_of_text() ? flags : flags & ~run_last;
    if (command != NULL) status = run(command, own);
    if (failed) status = last_status;
    drop_tree(tree);
    if (skip != skip_nothing) break;
  }
  leave_source();
  return status;
}

int run_text(const char* text, int flags) {
  struct source made;
  read_from_text(&made, text);
  return run_source(flags);
}
