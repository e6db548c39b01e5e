// What a program finds at its start: arguments, environment, auxiliary vector, identity.
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

extern char** environ;

static __thread int thread_local_value = 42;
static __thread char thread_local_zeros[100];
static int constructed;

__attribute__((constructor)) static void construct(void) {
  constructed = 1;
}
static void at_exit(void) {
  puts("atexit");
}

static int is_aligned(const void* address, uintptr_t by) {
  return (uintptr_t)address % by == 0;
}

int main(int argc, char** argv) {
  atexit(at_exit);
  for (int i = 0; i < argc; ++i) printf("argv[%d] %s\n", i, argv[i]);
  printf("argv ends with NULL: %d\n", argv[argc] == NULL);
  for (char** variable = environ; *variable != NULL; ++variable) printf("env %s\n", *variable);
  printf("page size %lu, clock ticks %lu\n", getauxval(AT_PAGESZ), getauxval(AT_CLKTCK));
  printf("phent %lu, phdr is mapped: %d, phnum > 3: %d\n", getauxval(AT_PHENT),
         *(unsigned char*)getauxval(AT_PHDR) != 0xff, getauxval(AT_PHNUM) > 3);
  printf("secure %lu, base %lu, flags %lu\n", getauxval(AT_SECURE), getauxval(AT_BASE),
         getauxval(AT_FLAGS));
  printf("has AT_RANDOM: %d\n", getauxval(AT_RANDOM) != 0);
  const char* name = (const char*)getauxval(AT_EXECFN);
  printf("AT_EXECFN ends in the program's name: %d\n",
         name != NULL && strstr(name, strrchr(argv[0], '/') + 1) != NULL);
  printf("uid as in AT_UID: %d\n",
         getuid() == getauxval(AT_UID) && geteuid() == getauxval(AT_EUID));
  printf("stack aligned: %d\n", is_aligned(__builtin_frame_address(0), 8));
  printf("thread-local %d %d\n", ++thread_local_value, thread_local_zeros[99]);
  printf("constructed %d\n", constructed);
  struct utsname system;
  printf("uname %d %s %s\n", uname(&system), system.sysname, system.machine);
  printf("isatty(file) %d\n", isatty(open("/dev/null", 0)));
  struct rlimit limit;
  printf("getrlimit %d\n", getrlimit(RLIMIT_STACK, &limit));
  printf("processors %d\n", sysconf(_SC_NPROCESSORS_ONLN) > 0);
  errno = 0;
  printf("bad resource %d %s\n", getrlimit(99, &limit), strerror(errno));
  char* old_break = sbrk(0);
  sbrk(100000);
  memset(old_break, 1, 100000);
  printf("break moved by %ld\n", (long)((char*)sbrk(0) - old_break));
  return 3;
}
