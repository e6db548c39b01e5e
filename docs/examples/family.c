// Whose counters count? This process turns profiling on and spins. Then it makes a child that spins as long, or becomes
// another program: family fork, family vfork, family sproc (IRIX), family exec.
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static unsigned short counters[64];

__attribute__((noinline)) int spin(int n) {
  volatile int left = n;
  while (left > 0)
    left = left - 1;
  return left;
}

static void say(const char *who) {
  int ticks = 0;
  for (int i = 0; i < 64; i++)
    ticks += counters[i];
  printf("%s has %d ticks\n", who, ticks);
  fflush(stdout);
}

static void be_child(void *unused) {
  spin(500000);
  say("the child");
  _exit(0);
}

static void become_another(const char *program) {
  char *const arguments[] = {(char *)program, NULL}, *const environment[] = {NULL};
  execve(program, arguments, environment);
}

int main(int argc, char **argv) {
  const char *way = argc > 1 ? argv[1] : "";
  if (*way != '\0')
    profil(counters, sizeof counters, (unsigned long)spin, 0x8000);
  spin(500000);
  say(*way != '\0' ? "the parent" : "the new program");
  pid_t child = 1;
  if (strcmp(way, "fork") == 0)
    child = fork();
#ifdef SYS_vfork
  if (strcmp(way, "vfork") == 0)
    child = vfork();
#endif
#ifdef PR_SADDR
  if (strcmp(way, "sproc") == 0)
    sproc(be_child, PR_SADDR);
#endif
  if (strcmp(way, "exec") == 0)
    become_another(argv[0]);
  if (child == 0)
    be_child(NULL);
  if (*way != '\0' && wait(NULL) > 0)
    say("the parent");
  return 0;
}
