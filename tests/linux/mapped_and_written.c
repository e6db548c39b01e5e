// A file has one content: what write(2) and ftruncate(2) change shows in its MAP_SHARED mappings, and
// stores to one show to read(2), without msync(2).
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { size = 16384 };

static void show(const char* what, const volatile char* at) {
  printf("%s: ", what);
  for (int i = 0; i < 8; ++i) printf("%02x", (unsigned char)at[i]);
  printf("\n");
  fflush(stdout);
}

static void show_file(const char* what, int file, off_t offset) {
  char bytes[8] = {0};
  printf("%s, %d bytes, ", what, (int)pread(file, bytes, sizeof bytes, offset));
  show("pread", bytes);
}

int main(void) {
  const int file = open("mapped", O_CREAT | O_RDWR | O_TRUNC, 0600);
  const int other = open("mapped", O_RDWR);
  ftruncate(file, size);
  volatile char* const first = mmap(0, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  const volatile char* const second = mmap(0, size, PROT_READ, MAP_SHARED, other, 0);
  show("untouched", first);

  pwrite(file, "ABCD", 4, 0);
  show("pwrite, a touched page", first);
  show("pwrite, another mapping", second);
  first[4] = 'e';
  show_file("a store", other, 0);
  pwrite(other, "xy", 2, 1);
  show("between stores", first);
  first[0] = 'a';
  show_file("both", file, 0);

  // By position, by vector of pages, over a page's end.
  lseek(other, 4094, SEEK_SET);
  first[4096] = 'm';
  write(other, "1234", 4);
  show("write over a page's end", first + 4092);
  lseek(file, 4092, SEEK_SET);
  first[4093] = 'n';
  char bytes[8];
  read(file, bytes, sizeof bytes);
  show("read over a page's end", bytes);

  // A private mapping has what is in the file when it is first touched.
  first[8192] = 'p';
  volatile char* const own = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, other, 0);
  show("private", own + 8192);
  own[8192] = 'q';
  show("private, after its store", second + 8192);

  // Shorter and longer again: zeros.
  first[12] = 'z';
  ftruncate(file, 2);
  ftruncate(file, size);
  show("truncated", first);
  show("truncated, second page", first + 4092);
  show_file("truncated", other, 0);
  first[1] = 's';
  show_file("a store after that", other, 0);

  // Another process.
  if (fork() == 0) {
    first[2] = 'c';
    pwrite(other, "d", 1, 3);
    _exit(0);
  }
  wait(NULL);
  show("after a child", second);
  show_file("after a child", file, 0);

  const int appended = open("mapped", O_WRONLY | O_APPEND);
  ftruncate(file, 4);
  write(appended, "tail", 4);
  show("appended", first);
  msync((void*)first, size, MS_SYNC);
  munmap((void*)first, size);
  munmap((void*)second, size);
  show_file("in the end", file, 0);
  printf("size %ld\n", (long)lseek(file, 0, SEEK_END));
  return 0;
}
