/* system(3) and popen(3), which start /bin/sh. */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  char line[100];
  FILE *in, *out;
  int status = system("echo from system; exit 7");
  printf("status %d\n", status >> 8);
  fflush(stdout);
  in = popen("for i in 1 2; do echo line $i; done", "r");
  while (fgets(line, sizeof line, in) != NULL) printf("got %s", line);
  printf("status %d\n", pclose(in));
  fflush(stdout);
  out = popen("while read x; do echo \"<$x>\"; done; exit 3", "w");
  fputs("one\ntwo\n", out);
  printf("status %d\n", pclose(out) >> 8);
  fflush(stdout);
  status = system("rm nothing 2>&1");
  printf("status %d\n", status >> 8);
  return 0;
}
