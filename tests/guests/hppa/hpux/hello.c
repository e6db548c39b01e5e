// The start of a program, and what the system says of itself.
#include "guest/runtime/guest.h"

#ifdef __ia64__
#define RELEASE "B.11.31"
#else
#define RELEASE "B.11.11"
#endif

static char names[60];
static int data = 5;
static int bss[3000];
static int* volatile null;

int main(int argc, char** argv, char** envp) {
  printf("# hello");
  for (int i = 1; i < argc; ++i) printf(" %s", argv[i]);
  printf("\n");
  check(argv[argc] == NULL && argc >= 1, "argv ends with a null pointer");
  check((char**)argv + argc + 1 <= envp || envp + 1 <= argv, "envp is apart from argv");
  check(data == 5 && bss[0] == 0 && bss[2999] == 0, "data and bss");
  // GNU ld gives every 64-bit program the mark that it shall not.
  if (sizeof(long) == 4) check(*null == 0, "address 0 reads as zero");
  check(utssys(names, 0, 0) == 0 && strcmp(names, "HP-UX") == 0, "uname: the system's name");
  check(strcmp(names + 18, RELEASE) == 0, "uname: the release");
  check(sysconf(2) == 100, "_SC_CLK_TCK is 100");
  check_error(unknown_call(), ENOSYS, "a call that nobody knows");
  check_error(lightweight_call(), ENOSYS, "an entry of the gateway page that nobody knows");
  char* const end = (char*)(((uintptr_t)_end + 4095) & ~4095UL) + 8192;
  check(brk(end) == 0, "brk");
  end[-1] = end[0] = 1;
  check(end[-1] == 1, "memory up to the page of the new end");
  return finish_checks();
}
