#include "tests/guests/tap.h"

#include <errno.h>
#include <stdio.h>

static int checks;
static int failures;

int check(int condition, const char* what) {
  ++checks;
  if (!condition) ++failures;
  printf("%s %d - %s\n", condition ? "ok" : "not ok", checks, what);
  return condition;
}

int check_number(long seen, long expected, const char* what) {
  if (check(seen == expected, what)) return 1;
  printf("# %ld (0x%lx); expected %ld\n", seen, seen, expected);
  return 0;
}

int check_error(long result, int error, const char* what) {
  const int seen = errno;
  if (check(result == -1 && seen == error, what)) return 1;
  printf("# returned %ld with errno %d; expected -1 with errno %d\n", result, seen, error);
  return 0;
}

int finish_checks(void) {
  printf("1..%d\n", checks);
  return failures == 0 ? 0 : 1;
}
