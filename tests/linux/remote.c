// What QEMU's user mode does not have: process_vm_readv(2), process_vm_writev(2); and what it asks
// the host to do: sethostname(2), personality(2).
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

static char words[32] = "words of the parent";

static void show(const char* what, long result) {
  if (result < 0) {
    printf("%s: %s\n", what, strerror(errno));
  } else {
    printf("%s: %lx\n", what, result);
  }
  fflush(stdout);
}

static void memory_of(pid_t child, char* page) {
  char a[6] = "", b[32] = "";
  struct iovec local[2] = {{a, 5}, {b, sizeof b}};
  struct iovec remote[2] = {{words, 8}, {words + 9, 3}};
  show("read", process_vm_readv(child, local, 2, remote, 2, 0));
  printf("'%s' '%s'\n", a, b);
  struct iovec from = {"MINE", 4}, to = {words, 4};
  show("write", process_vm_writev(child, &from, 1, &to, 1, 0));
  printf("here: '%s'\n", words);
  static char many[20000];
  struct iovec all = {many, sizeof many}, there = {page, sizeof many};
  show("up to what is not mapped", process_vm_readv(child, &all, 1, &there, 1, 0));
  there.iov_base = page + 4096;
  show("not mapped", process_vm_readv(child, &all, 1, &there, 1, 0));
  there.iov_base = page + 4096 - 100;
  all.iov_len = 150;
  show("write up to there", process_vm_writev(child, &all, 1, &there, 1, 0));
  there.iov_base = (void*)memory_of;
  show("write to code", process_vm_writev(child, &all, 1, &there, 1, 0));
  there.iov_base = page;
  all.iov_base = page + 4096;
  show("to what is not mapped here", process_vm_readv(child, &all, 1, &there, 1, 0));
}

static void refusals(void) {
  char text[8];
  struct iovec local = {text, sizeof text}, remote = {words, sizeof text};
  show("own", process_vm_readv(getpid(), &local, 1, &remote, 1, 0));
  printf("'%.8s'\n", text);
  show("flags", process_vm_readv(getpid(), &local, 1, &remote, 1, 1));
  show("nobody", process_vm_readv(9999, &local, 1, &remote, 1, 0));
  show("no vectors", process_vm_readv(9999, &local, 0, &remote, 1, 0));
  show("no vectors there", process_vm_readv(9999, &local, 1, &remote, 0, 0));
  show("bad vector", process_vm_readv(getpid(), (struct iovec*)16, 1, &remote, 1, 0));
  show("bad vector there", process_vm_readv(getpid(), &local, 1, (struct iovec*)16, 1, 0));
  show("too many", process_vm_readv(getpid(), &local, 1025, &remote, 1, 0));
  const pid_t child = fork();
  if (child == 0) _exit(0);
  usleep(200000);
  show("a zombie", process_vm_readv(child, &local, 1, &remote, 1, 0));
  waitpid(child, NULL, 0);
}

static void other_process(void) {
  int ready[2], go[2];
  char byte = 0;
  char* const page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  munmap(page + 4096, 4096);
  if (pipe(ready) < 0 || pipe(go) < 0) return;
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    strcpy(words, "those of the child");
    if (write(ready[1], &byte, 1) != 1 || read(go[0], &byte, 1) != 1) _exit(1);
    printf("child: '%s'\n", words);
    fflush(stdout);
    _exit(0);
  }
  if (read(ready[0], &byte, 1) != 1) return;
  memory_of(child, page);
  if (write(go[1], &byte, 1) != 1) return;
  waitpid(child, NULL, 0);
}

static void names(void) {
  struct utsname before, after;
  uname(&before);
  show("sethostname", sethostname("other", 5));
  show("setdomainname", setdomainname("other", 5));
  uname(&after);
  printf("%d\n", strcmp(before.nodename, after.nodename));
}

static void personalities(void) {
  show("personality", personality(0xffffffff));
  show("set", personality(PER_LINUX | ADDR_NO_RANDOMIZE));
  show("personality", personality(0xffffffff));
  fflush(stdout);
  if (fork() == 0) {
    show("of a child", personality(PER_LINUX));
    show("then", personality(0xffffffff));
    _exit(0);
  }
  wait(NULL);
  show("set", personality(PER_LINUX));
  show("personality", personality(0xffffffff));
}

int main(void) {
  refusals();
  other_process();
  names();
  personalities();
  return 0;
}
