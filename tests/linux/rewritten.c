// A file that runs again and again with other code in it: each process runs what the file has then. The code is
// often called, so that hardclock translates it, and the processes before have left theirs.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MARK "Here is a number:"

// Three functions of two instructions each. The first one is the one that is called and changed.
#ifdef __mips__
#define NUMBER(n) "jr $31\n addiu $2,$0," #n "\n"
#else
#define NUMBER(n) "bv %r0(%r2)\n ldi " #n ",%r28\n"
#endif
__asm__(
    ".text\n .align 4\n"
#ifdef __mips__
    ".set noreorder\n .set nomips16\n"
#endif
    "mark: .ascii \"" MARK "\"\n .align 4\n"
    ".globl number\n number:\n" NUMBER(1) ".globl other_numbers\n other_numbers:\n" NUMBER(1) NUMBER(5) NUMBER(7)
#ifdef __mips__
    ".set reorder\n"
#endif
);
enum { size = 8, calls = 1000 };
extern int number(void);
extern const char other_numbers[];

static void check(int holds, const char* what) {
  if (holds) return;
  perror(what);
  exit(1);
}

static char* contents(const char* path, size_t* length) {
  const int file = open(path, O_RDONLY);
  check(file >= 0, path);
  *length = lseek(file, 0, SEEK_END);
  char* const bytes = malloc(*length);
  check(pread(file, bytes, *length, 0) == (ssize_t)*length, "pread");
  close(file);
  return bytes;
}

static void write_file(const char* path, const char* bytes, size_t length) {
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0700);
  check(file >= 0 && write(file, bytes, length) == (ssize_t)length, path);
  close(file);
}

static void run(const char* path) {
  const pid_t child = fork();
  if (child == 0) {
    execl(path, path, "again", (char*)NULL);
    _exit(9);
  }
  int status = 0;
  check(waitpid(child, &status, 0) == child && status == 0, "the child's status");
}

int main(int count, char** words) {
  if (count > 1) {
    int sum = 0;
    for (int i = 0; i < calls; ++i) sum += number();
    printf(" %d", sum);
    return 0;
  }
  char folder[] = "/tmp/rewritten.XXXXXX", path[40];
  check(mkdtemp(folder) != NULL, folder);
  snprintf(path, sizeof path, "%s/program", folder);
  size_t length;
  char* const bytes = contents(words[0], &length);
  char* const mark = memmem(bytes, length, MARK, strlen(MARK));
  check(mark != NULL, "the mark");
  char* const code = memmem(mark, bytes + length - mark, other_numbers, size);
  static const int order[] = {0, 0, 1, 1, 0, 2, 2, 1, 1, 0, 0};
  for (size_t i = 0; i < sizeof order / sizeof *order; ++i) {
    memcpy(code, other_numbers + size * order[i], size);
    if (i % 2 == 0) unlink(path);
    write_file(path, bytes, length);
    run(path);
  }
  printf("\n");
  unlink(path);
  rmdir(folder);
  return 0;
}
