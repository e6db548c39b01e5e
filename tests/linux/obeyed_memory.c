// What limits of memory forbid (getrlimit(2)): private data, stacks, locked pages; and random bytes for less memory than
// was named. QEMU's user mode leaves these limits aside. The expected lines are those of Linux on x86-64 for a user
// without privileges.
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { megabyte = 1 << 20, kilobyte = 1 << 10, page = 16 << 10 };

static void answer(const char* what, int is_done) { printf("%s: %s\n", what, is_done ? "done" : strerror(errno)); }

static void limit(int resource, unsigned long bytes) {
  struct rlimit both;
  getrlimit(resource, &both);
  both.rlim_cur = bytes;
  answer("limit", setrlimit(resource, &both) == 0);
}

static char* map(int protection, int flags) {
  char* at = mmap(NULL, 8 * megabyte, protection, flags | MAP_ANONYMOUS, -1, 0);
  return at == MAP_FAILED ? NULL : at;
}

static void data(void) {
  limit(RLIMIT_DATA, 4 * megabyte);
  answer("private", map(PROT_READ | PROT_WRITE, MAP_PRIVATE) != NULL);
  answer("shared", map(PROT_READ | PROT_WRITE, MAP_SHARED) != NULL);
  char* only_read = map(PROT_READ, MAP_PRIVATE);
  answer("to read", only_read != NULL);
  answer("and write", mprotect(only_read, 8 * megabyte, PROT_READ | PROT_WRITE) == 0);
  answer("a part", mprotect(only_read, megabyte, PROT_READ | PROT_WRITE) == 0);
  answer("the heap", sbrk(8 * megabyte) != (void*)-1);
  limit(RLIMIT_DATA, RLIM_INFINITY);
  answer("the whole", mprotect(only_read, 8 * megabyte, PROT_READ | PROT_WRITE) == 0);
}

static int __attribute__((noinline)) use_stack(int kilobytes) {
  volatile char one[kilobyte];
  one[0] = (char)kilobytes;
  return kilobytes == 0 ? 0 : use_stack(kilobytes - 1) + (one[0] != (char)kilobytes);
}

static void overflow(int number) {
  (void)number;
  _exit(100);
}

static void in_child(const char* what, int kilobytes) {
  static char other_stack[64 * kilobyte];
  const stack_t other = {.ss_sp = other_stack, .ss_size = sizeof other_stack};
  const struct sigaction action = {.sa_handler = overflow, .sa_flags = SA_ONSTACK};
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    sigaltstack(&other, NULL);
    sigaction(SIGSEGV, &action, NULL);
    _exit(use_stack(kilobytes));
  }
  int status = 0;
  waitpid(child, &status, 0);
  printf("%s: %s\n", what, WEXITSTATUS(status) == 100 ? "SIGSEGV" : "done");
}

static void stack(const char* self) {
  in_child("500 KB of stack", 500);
  limit(RLIMIT_STACK, 256 * kilobyte);
  in_child("with less", 500);
  in_child("and little", 100);
  fflush(stdout);
  if (fork() == 0) {
    execl(self, self, "stack", NULL);
    _exit(1);
  }
  wait(NULL);
  limit(RLIMIT_STACK, 2 * megabyte);
  in_child("with more", 500);
}

static void locks(void) {
  char* at = mmap(NULL, megabyte, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  limit(RLIMIT_MEMLOCK, 4 * page);
  answer("all", mlock(at, megabyte) == 0);
  answer("three pages", mlock(at, 3 * page) == 0);
  answer("the same", mlock(at, 3 * page) == 0);
  answer("two more", mlock(at + 8 * page, 2 * page) == 0);
  answer("one more", mlock(at + 8 * page, page) == 0);
  answer("unlocked", munlock(at, page) == 0);
  answer("another", mlock(at + 9 * page, page) == 0);
  answer("unmapped", munmap(at + 8 * page, 2 * page) == 0);
  answer("two", mlock(at + 16 * page, 2 * page) == 0);
  answer("everything", mlockall(MCL_CURRENT) == 0);
  answer("nothing", munlockall() == 0);
  answer("four", mlock(at + 16 * page, 4 * page) == 0);
  limit(RLIMIT_MEMLOCK, 0);
  answer("none allowed", mlock(at, page) == 0);
}

static void random_bytes(void) {
  char* at = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  munmap(at + page, page);
  printf("10 of 20: %ld\n", (long)getrandom(at + page - 10, 20, 0));
  answer("none of 20", getrandom(at + page, 20, 0) >= 0);
}

int main(int count, char** arguments) {
  if (count == 2) {
    in_child("after exec", 500);
    return 0;
  }
  data();
  stack(arguments[0]);
  if (geteuid() == 0) setresuid(65534, 65534, 65534);
  locks();
  random_bytes();
  return 0;
}
