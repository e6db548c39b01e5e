// memfd_create(2), and the seals that fcntl(2) puts on its files.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void show(const char* what, long result) {
  if (result < 0)
    printf("%s: %s\n", what, strerror(errno));
  else
    printf("%s: %ld\n", what, result);
}

static void* map(const char* what, int file, int protection, int flags) {
  void* const at = mmap(NULL, 4096, protection, flags, file, 0);
  show(what, at == MAP_FAILED ? -1 : 0);
  return at;
}

static void files(void) {
  printf("-- files\n");
  const int file = memfd_create("a name", MFD_CLOEXEC), other = memfd_create("", 0);
  struct stat status, second;
  char path[64], text[64] = "";
  fstat(file, &status);
  fstat(other, &second);
  printf("mode %o, links %d, size %d, the same %d\n", (unsigned)status.st_mode, (int)status.st_nlink,
         (int)status.st_size, status.st_ino == second.st_ino);
  printf("exec %d %d, access %d\n", fcntl(file, F_GETFD), fcntl(other, F_GETFD),
         fcntl(file, F_GETFL) & O_ACCMODE);
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  show("readlink", readlink(path, text, sizeof text - 1));
  puts(text);
  snprintf(path, sizeof path, "/proc/self/fd/%d", other);
  memset(text, 0, sizeof text);
  show("readlink", readlink(path, text, sizeof text - 1));
  puts(text);
  show("truncate", ftruncate(file, 10000));
  char* const at = map("map", file, PROT_READ | PROT_WRITE, MAP_SHARED);
  strcpy(at, "shared");
  memset(text, 0, sizeof text);
  show("pread", pread(file, text, 7, 0));
  puts(text);
  show("pwrite", pwrite(file, "XY", 2, 1));
  puts(at);
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    strcpy(at + 100, "the child's");
    _exit(0);
  }
  waitpid(child, NULL, 0);
  puts(at + 100);
  show("seek", lseek(file, 0, SEEK_END));
  show("write", write(file, "more", 4));
  fstat(file, &status);
  printf("size %d\n", (int)status.st_size);
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  const int again = open(path, O_RDONLY);
  show("read by a name", read(again, text, 6));
  printf("%.6s\n", text);
  show("write by a name", write(again, "x", 1));
  show("mode", fchmod(file, 0640));
  fstat(again, &status);
  printf("mode %o, size %d\n", (unsigned)status.st_mode, (int)status.st_size);
  munmap(at, 4096);
  close(file);
  show("read after all", pread(again, text, 6, 0));
  printf("%.6s\n", text);
  close(again);
  show("unknown flag", memfd_create("x", 0x80));
  char name[300];
  memset(name, 'n', sizeof name);
  name[249] = 0;
  const int longest = memfd_create(name, 0);
  printf("longest name %d\n", longest >= 0);
  close(longest);
  name[249] = 'n';
  name[250] = 0;
  show("too long", memfd_create(name, 0));
  show("no name", memfd_create((const char*)8, 0));
  close(other);
}

static void try_all(int file) {
  show("seals", fcntl(file, F_GET_SEALS));
  show("write", pwrite(file, "a", 1, 0));
  show("write at the end", pwrite(file, "b", 1, 8192));
  show("write over the end", pwrite(file, "0123456789", 10, 8190));
  show("grow", ftruncate(file, 8200));
  show("shrink", ftruncate(file, 8192));
  show("punch", fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 1));
  show("reserve", fallocate(file, 0, 0, 8192));
  show("reserve more", fallocate(file, 0, 0, 8193));
  if (ftruncate(file, 8192) != 0) show("back", -1);
}

static int sealed(const char* what, int seals) {
  printf("-- %s\n", what);
  const int file = memfd_create(what, MFD_ALLOW_SEALING);
  if (ftruncate(file, 8192) != 0) show("truncate", -1);
  show("add", fcntl(file, F_ADD_SEALS, seals));
  return file;
}

static void seals(void) {
  int file = sealed("none", 0);
  try_all(file);
  close(file);
  file = sealed("shrink", F_SEAL_SHRINK);
  try_all(file);
  close(file);
  file = sealed("grow", F_SEAL_GROW);
  try_all(file);
  static char pages[3 * 65536];
  printf("part of a long write %d\n", (int)pwrite(file, pages, 20000, 0) <= 8192);
  close(file);
  file = sealed("write", F_SEAL_WRITE);
  try_all(file);
  map("store", file, PROT_READ | PROT_WRITE, MAP_SHARED);
  char* const own = map("private", file, PROT_READ | PROT_WRITE, MAP_PRIVATE);
  own[0] = 'z';
  char byte = 1;
  show("read", pread(file, &byte, 1, 0));
  printf("%d\n", byte);
  munmap(own, 4096);
  close(file);
  file = sealed("all", F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL);
  try_all(file);
  show("more", fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK));
  close(file);
  file = sealed("seal", F_SEAL_SEAL);
  show("more", fcntl(file, F_ADD_SEALS, F_SEAL_GROW));
  show("none more", fcntl(file, F_ADD_SEALS, 0));
  try_all(file);
  close(file);
  file = sealed("mapped", 0);
  char* at = map("map", file, PROT_READ | PROT_WRITE, MAP_SHARED);
  show("write", fcntl(file, F_ADD_SEALS, F_SEAL_WRITE));
  show("others", fcntl(file, F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK));
  at[1] = 'q';
  munmap(at, 4096);
  show("write", fcntl(file, F_ADD_SEALS, F_SEAL_WRITE));
  show("pread", pread(file, &byte, 1, 1));
  printf("%c\n", byte);
  show("unknown", fcntl(file, F_ADD_SEALS, 0x10000));
  close(file);
  printf("-- not allowed\n");
  file = memfd_create("plain", 0);
  show("seals", fcntl(file, F_GET_SEALS));
  show("add", fcntl(file, F_ADD_SEALS, F_SEAL_WRITE));
  char path[40];
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  const int reader = open(path, O_RDONLY);
  show("of a reader", fcntl(reader, F_ADD_SEALS, F_SEAL_WRITE));
  show("for a reader", fcntl(reader, F_GET_SEALS));
  close(reader);
  close(file);
  int ends[2];
  if (pipe(ends) != 0) show("pipe", -1);
  show("a pipe's", fcntl(ends[1], F_GET_SEALS));
  show("a pipe's", fcntl(ends[1], F_ADD_SEALS, F_SEAL_WRITE));
  file = memfd_create("shared seals", MFD_ALLOW_SEALING);
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  const int second = open(path, O_RDWR), copy = dup(file);
  show("add", fcntl(second, F_ADD_SEALS, F_SEAL_WRITE));
  show("first", fcntl(file, F_GET_SEALS));
  show("write", write(copy, "x", 1));
}

int main(void) {
  files();
  seals();
  return 0;
}
