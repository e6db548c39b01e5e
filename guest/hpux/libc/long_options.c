/* getopt_long(3C): as GNU's, operands move behind the options unless the options start with a plus sign or
 * POSIXLY_CORRECT is set. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is_option(const char* argument) {
  return argument[0] == '-' && argument[1] != 0;
}

/* Moves the arguments [middle, end) in front of [first, middle). */
static void rotate(char** arguments, int first, int middle, int end) {
  for (; middle < end; ++first, ++middle) {
    char* moved = arguments[middle];
    memmove(arguments + first + 1, arguments + first, (middle - first) * sizeof *arguments);
    arguments[first] = moved;
  }
}

static int complain(const char* program, const char* what, const char* name, size_t length) {
  if (opterr) fprintf(stderr, "%s: %s -- %.*s\n", program, what, (int)length, name);
  return '?';
}

/* Its index, or -1: none, -2: several begin like this. */
static int find(const struct option* all, const char* name, size_t length) {
  int found = -1;
  for (int i = 0; all[i].name != NULL; ++i) {
    if (strncmp(all[i].name, name, length) != 0) continue;
    if (all[i].name[length] == 0) return i;
    const int is_same = found >= 0 && all[found].has_arg == all[i].has_arg && all[found].flag == all[i].flag &&
                        all[found].val == all[i].val;
    if (!is_same) found = found == -1 ? i : -2;
    if (found == -2) break;
  }
  return found;
}

static int take(int count, char* const* arguments, const char* options, const struct option* option, char* value) {
  const size_t length = strlen(option->name);
  ++optind;
  optarg = value;
  if (value != NULL && option->has_arg == no_argument) {
    optopt = option->val;
    return complain(arguments[0], "option takes no argument", option->name, length);
  }
  if (value == NULL && option->has_arg == required_argument) {
    if (optind >= count) {
      optopt = option->val;
      if (options[*options == '+' || *options == '-'] == ':') return ':';
      return complain(arguments[0], "option requires an argument", option->name, length);
    }
    optarg = arguments[optind++];
  }
  if (option->flag == NULL) return option->val;
  *option->flag = option->val;
  return 0;
}

/* What stands at optind; -2 if it is for getopt(). */
static int take_long(int count, char* const* arguments, const char* options, const struct option* all, int* index,
                     int is_only) {
  char* name = arguments[optind] + 1;
  const int has_two = *name == '-';
  if (!has_two && !is_only) return -2;
  name += has_two;
  const size_t length = strcspn(name, "=");
  const int found = find(all, name, length);
  if (found >= 0) {
    if (index != NULL) *index = found;
    return take(count, arguments, options, &all[found], name[length] == '=' ? name + length + 1 : NULL);
  }
  if (!has_two && (found == -1 && strchr(options, *name) != NULL)) return -2;
  ++optind;
  optopt = 0;
  return complain(arguments[0], found == -2 ? "option is ambiguous" : "unrecognized option", name, length);
}

static int next(int count, char* const* arguments, const char* options, const struct option* all, int* index, int is_only) {
  static const char* inside; /* the argument whose letters getopt() is in */
  if (optind == 0) optind = 1, inside = NULL;
  const int is_inside = inside != NULL && optind < count && arguments[optind] == inside;
  if (!is_inside && optind < count && is_option(arguments[optind]) && strcmp(arguments[optind], "--") != 0) {
    const int taken = take_long(count, arguments, options, all, index, is_only);
    if (taken != -2) return taken;
  }
  inside = optind < count ? arguments[optind] : NULL;
  const int argument = optind, result = getopt(count, arguments, options + (*options == '+' || *options == '-'));
  if (optind != argument) inside = NULL;
  return result;
}

static int get(int count, char* const* arguments, const char* options, const struct option* all, int* index, int is_only) {
  if (optind == 0) optind = 1;
  const int first = optind;
  const int keeps_order = *options == '+' || getenv("POSIXLY_CORRECT") != NULL;
  if (optind < count && !is_option(arguments[optind]) && *options == '-') {
    optarg = arguments[optind++];
    return 1;
  }
  if (!keeps_order) {
    while (optind < count && !is_option(arguments[optind])) ++optind;
  }
  if (optind >= count) {
    optind = first;
    return EOF;
  }
  const int option = optind;
  const int result = next(count, arguments, options, all, index, is_only);
  rotate((char**)arguments, first, option, optind);
  optind -= option - first;
  return result;
}

int getopt_long(int count, char* const* arguments, const char* options, const struct option* all, int* index) {
  return get(count, arguments, options, all, index, 0);
}
int getopt_long_only(int count, char* const* arguments, const char* options, const struct option* all, int* index) {
  return get(count, arguments, options, all, index, 1);
}
