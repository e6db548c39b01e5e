/* wordexp(3C): the shell expands, and printf there tells the words apart. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wordexp.h>

struct scan {
  int in_single, in_double, depth;
};

/* What ends words of the shell, or commands, where nothing is quoted: 0, or the error. */
static int check_character(struct scan* scan, const char** at, int has_no_commands) {
  const char c = **at;
  if (c == '\\' && !scan->in_single) {
    return *++*at == 0 ? WRDE_SYNTAX : 0;
  }
  if (c == '\'' && !scan->in_double) scan->in_single ^= 1;
  if (c == '"' && !scan->in_single) scan->in_double ^= 1;
  if (scan->in_single) return 0;
  const int is_arithmetic = strncmp(*at, "$((", 3) == 0;
  if (has_no_commands && (c == '`' || (strncmp(*at, "$(", 2) == 0 && !is_arithmetic))) return WRDE_CMDSUB;
  if (strncmp(*at, "$(", 2) == 0 || strncmp(*at, "${", 2) == 0) {
    ++scan->depth;
    ++*at;
  } else if (scan->depth > 0) {
    scan->depth += (c == '(' || c == '{') - (c == ')' || c == '}');
  } else if (!scan->in_double && c != 0 && strchr("\n|&;<>(){}", c) != NULL) {
    return WRDE_BADCHAR;
  }
  return 0;
}

static int check(const char* text, int flags) {
  struct scan scan = {0};
  for (; *text != 0; ++text) {
    const int error = check_character(&scan, &text, flags & WRDE_NOCMD);
    if (error != 0) return error;
  }
  return scan.in_single || scan.in_double || scan.depth != 0 ? WRDE_SYNTAX : 0;
}

static void run_shell(const char* text, int to, int flags) {
  static const char expand[] = "eval \"printf '%s\\\\0' x $1\"", quiet[] = "eval \"printf '%s\\\\0' x $1\" 2>/dev/null";
  const char* const command = flags & WRDE_SHOWERR ? expand : quiet;
  if (to != 1) dup2(to, 1);
  if (flags & WRDE_UNDEF) {
    execl("/bin/sh", "sh", "-uc", command, "sh", text, (char*)0);
  } else {
    execl("/bin/sh", "sh", "-c", command, "sh", text, (char*)0);
  }
  _exit(127);
}

/* What it writes, and its length; null if there is no memory. */
static char* read_all(int file, size_t* length) {
  size_t size = 256;
  char* all = malloc(size);
  *length = 0;
  for (ssize_t count; all != NULL && (count = read(file, all + *length, size - *length)) != 0;) {
    if (count < 0 && errno != EINTR) break;
    if (count > 0) *length += count;
    if (*length < size) continue;
    char* grown = realloc(all, size *= 2);
    if (grown == NULL) free(all);
    all = grown;
  }
  return all;
}

static int add_word(wordexp_t* to, const char* word) {
  const size_t used = to->we_offs + to->we_wordc;
  char** grown = realloc(to->we_wordv, (used + 2) * sizeof *grown);
  char* copy = grown == NULL ? NULL : strdup(word);
  if (grown != NULL) to->we_wordv = grown;
  if (copy == NULL) return WRDE_NOSPACE;
  grown[used] = copy;
  grown[used + 1] = NULL;
  ++to->we_wordc;
  return 0;
}

/* The first word is "x", which shows that there are others. */
static int add_words(wordexp_t* to, const char* all, size_t length) {
  const char* const end = all + length;
  if (length == 0) return WRDE_SYNTAX;
  for (const char* word = all + strlen(all) + 1; word < end; word += strlen(word) + 1) {
    if (add_word(to, word) != 0) return WRDE_NOSPACE;
  }
  return 0;
}

static int expand(const char* text, wordexp_t* to, int flags) {
  int ends[2], status;
  if (pipe(ends) < 0) return WRDE_NOSPACE;
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    run_shell(text, ends[1], flags);
  }
  close(ends[1]);
  size_t length = 0;
  char* all = child < 0 ? NULL : read_all(ends[0], &length);
  close(ends[0]);
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  int error = all == NULL ? WRDE_NOSPACE : WEXITSTATUS(status) != 0 ? (flags & WRDE_UNDEF ? WRDE_BADVAL : WRDE_SYNTAX) : 0;
  if (error == 0 && all[length == 0 ? 0 : length - 1] != 0) error = WRDE_SYNTAX;
  if (error == 0) error = add_words(to, all, length);
  free(all);
  return error;
}

static int make_room(wordexp_t* to, int flags) {
  if (flags & WRDE_REUSE) wordfree(to);
  if (flags & WRDE_APPEND) return 0;
  if (!(flags & WRDE_DOOFFS)) to->we_offs = 0;
  to->we_wordc = 0;
  to->we_wordv = calloc(to->we_offs + 1, sizeof *to->we_wordv);
  return to->we_wordv == NULL ? WRDE_NOSPACE : 0;
}

int wordexp(const char* text, wordexp_t* to, int flags) {
  int error = check(text, flags);
  if (error == 0) error = make_room(to, flags);
  return error != 0 ? error : expand(text, to, flags);
}

void wordfree(wordexp_t* words) {
  if (words->we_wordv == NULL) return;
  for (size_t i = 0; i < words->we_wordc; ++i) free(words->we_wordv[words->we_offs + i]);
  free(words->we_wordv);
  words->we_wordv = NULL;
  words->we_wordc = 0;
}
