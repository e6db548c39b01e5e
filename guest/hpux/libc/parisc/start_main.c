/* What a program's start code calls. */
#include <stdlib.h>
#include <unistd.h>

extern int main(int count, char** arguments, char** environment);

/* The program's functions are called through pointers: its code expects what $$dyncall leaves. */
static int (*volatile start)(int, char**, char**) = main;

/* The start code has set `environ`, which programs have of their own. */
void _start(int count, char** arguments, char** environment) {
  if (environ == NULL) environ = environment;
  exit(start(count, arguments, environment));
}
