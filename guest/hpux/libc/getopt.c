/* getopt(3C). */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

char* optarg;
int optind = 1, opterr = 1, optopt;

static int complain(const char* program, const char* what) {
  if (opterr) fprintf(stderr, "%s: %s -- %c\n", program, what, optopt);
  return '?';
}

int getopt(int count, char* const* arguments, const char* options) {
  static const char* at = "";
  if (*at == 0) {
    if (optind >= count || arguments[optind][0] != '-' || arguments[optind][1] == 0) return EOF;
    if (strcmp(arguments[optind], "--") == 0) {
      ++optind;
      return EOF;
    }
    at = arguments[optind] + 1;
  }
  optopt = (unsigned char)*at++;
  int is_last = *at == 0;
  if (is_last) ++optind;
  const char* known = optopt == ':' ? NULL : strchr(options, optopt);
  if (known == NULL) return complain(arguments[0], "illegal option");
  optarg = NULL;
  if (known[1] != ':') return optopt;
  if (known[2] == ':' && is_last) return optopt; /* as GNU's: the argument may only be in the same word */
  if (is_last && optind >= count) {
    return *options == ':' ? ':' : complain(arguments[0], "option requires an argument");
  }
  optarg = is_last ? arguments[optind] : (char*)at;
  ++optind;
  at = "";
  return optopt;
}
