// What programs ask of the system around their work: identities, prctl(2), sysinfo(2), statfs(2),
// /dev/fd, close_range(2), renameat2(2), mincore(2), the end of a parent.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/statvfs.h>
#include <sys/sysinfo.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

static const char* of(long result) {
  return result < 0 ? strerror(errno) : "done";
}

static void identities(void) {
  uid_t user = geteuid();
  gid_t group = getegid();
  printf("setresuid %s\n", of(setresuid(user, user, user)));
  printf("setresuid -1 %s\n", of(setresuid(-1, -1, -1)));
  printf("setresgid %s\n", of(setresgid(-1, group, -1)));
}

static void options(void) {
  char name[17] = "????????????????";
  unsigned long slack = 0;
  printf("set %s\n", of(prctl(PR_SET_NAME, "a name that is too long")));
  prctl(PR_GET_NAME, name);
  printf("name %s\n", name);
  int signal = -1;
  printf("signal %s\n", of(prctl(PR_SET_PDEATHSIG, 15)));
  prctl(PR_GET_PDEATHSIG, &signal);
  printf("signal %d, invalid %s\n", signal, of(prctl(PR_SET_PDEATHSIG, 1000)));
  printf("dumpable %d\n", prctl(PR_GET_DUMPABLE));
  printf("new privileges %d", prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0));
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  printf(" %d\n", prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0));
  prctl(PR_SET_TIMERSLACK, 70000);
  slack = prctl(PR_GET_TIMERSLACK);
  printf("slack %lu\n", slack);
  printf("unknown %s\n", of(prctl(12345, 0, 0, 0, 0)));
}

static void system_as_a_whole(void) {
  struct sysinfo info;
  memset(&info, 0xff, sizeof info);
  printf("sysinfo %s\n", of(sysinfo(&info)));
  printf("processes %d, unit %d, high %lu\n", info.procs > 0, info.mem_unit > 0, info.totalhigh);
  struct statvfs status;
  memset(&status, 0xff, sizeof status);
  printf("statvfs %s\n", of(statvfs(".", &status)));
  printf("blocks %d %d %d, names %lu, %lu %lu\n", status.f_blocks > 0,
         status.f_bfree <= status.f_blocks, status.f_bavail <= status.f_bfree, status.f_namemax,
         status.f_bsize, status.f_frsize);
  struct statfs file_system;
  printf("statfs %s\n", of(statfs("nowhere", &file_system)));
  printf("fstatfs %s\n", of(fstatfs(77, &file_system)));
  printf("fstatfs %s, names %ld\n", of(fstatfs(0, &file_system)), (long)file_system.f_namelen);
  char value[10];
  printf("getxattr %s\n", of(getxattr("nowhere", "user.x", value, sizeof value)));
  printf("fgetxattr %s\n", of(fgetxattr(77, "user.x", value, sizeof value)));
}

static void descriptors(void) {
  int ends[2];
  char path[32], text[10] = "";
  if (pipe(ends) != 0) perror("pipe");
  snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
  int again = open(path, O_RDONLY);
  if (write(ends[1], "pipe", 4) != 4) perror("write");
  printf("read %zd", read(again, text, sizeof text));
  printf(" %s\n", text);
  printf("/dev/fd/77 %s\n", of(open("/dev/fd/77", O_RDONLY)));
  printf("/dev/stdin %d\n", open("/dev/stdin", O_RDONLY) >= 0);
  printf("close_range %s\n", of(close_range(9, 5, 0)));
  close_range(again, again, 0);
  printf("closed %s\n", of(read(again, text, 1)));
}

static void names(void) {
  close(open("a", O_CREAT | O_WRONLY, 0600));
  close(open("b", O_CREAT | O_WRONLY, 0600));
  printf("renameat2 %s", of(renameat2(AT_FDCWD, "a", AT_FDCWD, "b", RENAME_NOREPLACE)));
  printf(" %s", of(renameat2(AT_FDCWD, "a", AT_FDCWD, "c", RENAME_NOREPLACE)));
  printf(" %s", of(renameat2(AT_FDCWD, "c", AT_FDCWD, "b", 0)));
  printf(" %s\n", of(renameat2(AT_FDCWD, "b", AT_FDCWD, "c", 64)));
}

static void residence(void) {
  unsigned char vector[3] = {7, 7, 7};
  char* pages =
      mmap(NULL, 2 * getpagesize(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  pages[0] = pages[getpagesize()] = 1;
  printf("mincore %s", of(mincore(pages, 2 * getpagesize(), vector)));
  printf(" %d %d %d\n", vector[0] & 1, vector[1] & 1, vector[2]);
  printf("mincore %s\n", of(mincore(pages + 1, 1, vector)));
}

// The grandchild is told of its parent's end: it does not write after its sleep.
static void parent_death(void) {
  int ready[2], held[2];
  char text[10];
  if (pipe(ready) != 0 || pipe(held) != 0) perror("pipe");
  if (fork() == 0) {
    if (fork() == 0) {
      prctl(PR_SET_PDEATHSIG, SIGTERM);
      if (write(ready[1], "r", 1) != 1) perror("write");
      sleep(5);
      if (write(held[1], "alive", 5) != 5) perror("write");
      _exit(0);
    }
    if (read(ready[0], text, 1) != 1) perror("read");
    _exit(0);
  }
  wait(NULL);
  close(held[1]);
  printf("parent death: %zd bytes\n", read(held[0], text, sizeof text));
}

int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  identities();
  options();
  system_as_a_whole();
  descriptors();
  names();
  residence();
  parent_death();
  return 0;
}
