// Memory that ends before the transfer does: Linux moves what there is, of a regular file and of a
// directory; of a pipe what one write put there, whole; and devices may leave the memory alone. The expected lines are those of Linux 6.18 on
// x86-64; QEMU's user mode locks the whole buffer first.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static void answer(const char* what, long result) {
  printf("%s: ", what);
  if (result < 0) {
    printf("%s\n", strerror(errno));
  } else {
    printf("%ld\n", result);
  }
}

// A page before the end of what addresses there are, which no program has.
static char* const nobodys = (char*)-4096;

// Writes to and reads of a device, whose memory ends at `end`.
static void device(const char* name, char* end) {
  const struct iovec parts[] = {{end - 10, 10}, {end - 20, 40}, {end - 30, 30}};
  const struct iovec with_nobodys[] = {{end - 10, 10}, {nobodys, 40}};
  const int both = open(name, O_RDWR), reads = open(name, O_RDONLY), writes = open(name, O_WRONLY);
  printf("-- %s\n", name);
  answer("write", write(both, end - 100, 200));
  answer("none", write(both, end, 200));
  answer("much", write(both, end, 200000));
  answer("pwrite", pwrite(both, end - 100, 200, 50));
  answer("writev", writev(both, parts, 3));
  answer("pwritev", pwritev(both, parts, 3, 10));
  answer("nobody's", write(both, nobodys, 200));
  answer("nobody's, pwrite", pwrite(both, nobodys, 200, 3));
  answer("nobody's, writev", writev(both, with_nobodys, 2));
  answer("not for writing", write(reads, end, 200));
  answer("read", read(both, end - 60, 100));
  answer("pread", pread(both, end - 60, 100, 0));
  answer("preadv", preadv(both, parts, 3, 0));
  answer("none", read(both, end, 10));
  answer("nobody's", read(both, nobodys, 10));
  answer("not for reading", read(writes, end, 10));
  close(both);
  close(reads);
  close(writes);
}

static void devices(char* end) {
  device("/dev/null", end);
  device("/dev/zero", end);
  device("/dev/full", end);
  device("/dev/urandom", end);
}

int main(void) {
  enum { page = 65536 };
  setvbuf(stdout, NULL, _IONBF, 0);
  char* const memory =
      mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  char* const end = memory + page;
  memset(memory, 'a', page);
  mprotect(end, page, PROT_NONE);
  char name[] = "short.XXXXXX";
  const int file = mkstemp(name);
  unlink(name);
  answer("write", write(file, end - 100, 200));
  answer("position", lseek(file, 0, SEEK_CUR));
  answer("pwrite", pwrite(file, end - 100, 200, 50));
  answer("none", write(file, end, 200));
  const struct iovec parts[] = {{end - 10, 10}, {end - 20, 40}, {end - 30, 30}};
  answer("writev", writev(file, parts, 3));
  lseek(file, 0, SEEK_SET);
  answer("read", read(file, end - 60, 100));
  answer("position", lseek(file, 0, SEEK_CUR));
  answer("pread", pread(file, end - 60, 100, 0));
  answer("readv", preadv(file, parts, 3, 0));
  answer("none", read(file, end, 10));
  answer("at the end", pread(file, end, 10, 5000));
  int ends[2];
  if (pipe(ends) != 0) return 1;
  answer("into a pipe", write(ends[1], end - 100, 200));
  answer("into it", write(ends[1], end - 40, 40));
  answer("out of it, too little room", read(ends[0], end - 20, 100));
  answer("out of it, enough", read(ends[0], end - 60, 100));

  char directory[] = "names.XXXXXX";
  if (mkdtemp(directory) == NULL || chdir(directory) != 0) return 1;
  const int names = open(".", O_RDONLY | O_DIRECTORY);
  for (int i = 0; i < 20; ++i) {
    char text[20];
    snprintf(text, sizeof text, "name%02d", i);
    close(open(text, O_CREAT | O_WRONLY, 0600));
  }
  long count = 0, sum = 0, calls = 0;
  while ((count = syscall(SYS_getdents64, names, end - 160, 100000)) > 0) {
    if (count > 160) printf("too many\n");
    sum += count;
    ++calls;
  }
  printf("names: more than one call %d, %ld bytes\n", calls > 1, sum);
  lseek(names, 0, SEEK_SET);
  answer("no room for a name", syscall(SYS_getdents64, names, end - 8, 100000));
  for (int i = 0; i < 20; ++i) {
    char text[20];
    snprintf(text, sizeof text, "name%02d", i);
    unlink(text);
  }
  if (chdir("..") != 0) return 1;
  rmdir(directory);
  devices(end);
  return 0;
}
