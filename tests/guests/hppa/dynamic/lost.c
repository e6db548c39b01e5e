/* Needs libalpha and libbeta, which are nowhere, and libgreet. */
#include <stdio.h>
#include <string.h>

extern int greet(const char *name); /* library.c */
extern int alpha(int value), beta(int value);

int main(int count, char **arguments) {
  if (count > 1 && strcmp(arguments[1], "call") == 0) return alpha(1) + beta(2) + beta(3) + greet("all");
  puts("none of them is called");
  fflush(stdout);
  return 0;
}
