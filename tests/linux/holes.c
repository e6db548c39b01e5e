// Holes in files: what is stored, where data and holes are, and how fallocate(2) makes both. All is in units of 64 KiB,
// which the blocks of every host's file system divide.
#define _FILE_OFFSET_BITS 64
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { unit = 65536 };
static const off_t terabyte = (off_t)1 << 40;
static char data[4 * unit];

static void print_position(const char* what, off_t position) {
  if (position < 0)
    printf("%s: errno %d", what, errno);
  else
    printf("%s: %lld+%lld", what, (long long)(position / unit), (long long)(position % unit));
}

// A file system may store a unit's worth of its own beside the data.
static void print_stored(const char* what, int file) {
  fsync(file);
  struct stat status;
  fstat(file, &status);
  printf("%s: size %lld, %lld units\n", what, (long long)status.st_size, (long long)status.st_blocks * 512 / unit);
}

static void print_map(const char* what, int file) {
  print_stored(what, file);
  off_t at = 0, data_begins, data_ends;
  while ((data_begins = lseek(file, at, SEEK_DATA)) >= 0) {
    data_ends = lseek(file, data_begins, SEEK_HOLE);
    print_position(" data", data_begins);
    print_position(", hole", data_ends);
    printf(", at %d\n", lseek(file, 0, SEEK_CUR) == data_ends);
    at = data_ends;
  }
  print_position(" then", data_begins);
  puts("");
}

static void write_at(int file, int units, int at) {
  printf("write %lld\n", (long long)pwrite(file, data, (size_t)units * unit, (off_t)at * unit));
}

static void change(int file, const char* what, int mode, off_t offset, off_t length) {
  int result = fallocate(file, mode, offset, length);
  printf("%s %d errno %d\n", what, result, result == 0 ? 0 : errno);
}

static void sum(const char* what, int file, off_t offset, size_t size) {
  static char bytes[4 * unit];
  ssize_t count = pread(file, bytes, size, offset);
  unsigned total = 0;
  for (ssize_t i = 0; i < count; ++i) total += (unsigned char)bytes[i];
  printf("%s: %lld bytes, sum %u\n", what, (long long)count, total);
}

static void test_positions(int file) {
  print_position("data at the end", lseek(file, 0, SEEK_END) < 0 ? -1 : lseek(file, lseek(file, 0, SEEK_CUR), SEEK_DATA));
  puts("");
  print_position("hole behind the end", lseek(file, 2 * terabyte, SEEK_HOLE));
  puts("");
  print_position("negative", lseek(file, -1, SEEK_DATA));
  puts("");
  print_position("no such whence", lseek(file, 0, 5));
  puts("");
}

static void test_growth(int file) {
  print_map("empty", file);
  write_at(file, 1, 0);
  print_map("one", file);
  write_at(file, 2, 8);
  print_map("two behind a hole", file);
  write_at(file, 1, 4);
  print_map("in the hole", file);
  ftruncate(file, 20 * unit);
  print_map("grown", file);
  ftruncate(file, 6 * unit);
  print_map("shrunk into a hole", file);
  ftruncate(file, 9 * unit);
  print_map("grown again", file);
  ftruncate(file, terabyte);
  print_map("a terabyte", file);
  test_positions(file);
  sum("hole", file, 6 * unit, unit);
  lseek(file, -unit, SEEK_END);
  printf("write at the end %lld\n", (long long)write(file, data, unit));
  print_map("its end written", file);
  ftruncate(file, 0);
  print_map("nothing again", file);
}

static void test_allocation(int file) {
  change(file, "allocate", 0, 0, 4 * unit);
  print_map("allocated", file);
  write_at(file, 4, 0);
  change(file, "punch without keeping the size", FALLOC_FL_PUNCH_HOLE, 0, unit);
  change(file, "punch", FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, unit, 2 * unit);
  print_map("punched", file);
  sum("what is left", file, 0, 4 * unit);
  change(file, "punch parts of blocks", FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 100, 200);
  sum("what is left", file, 0, unit);
  change(file, "punch beyond the end", FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 3 * unit, 8 * unit);
  print_map("punched to the end", file);
  change(file, "allocate the hole", FALLOC_FL_KEEP_SIZE, unit, unit);
  print_stored("allocated within", file);
  change(file, "zero", FALLOC_FL_ZERO_RANGE, 0, unit / 2);
  sum("zeroed", file, 0, unit);
  change(file, "no length", 0, 0, 0);
  change(file, "before the start", 0, -1, 5);
  change(file, "unknown mode", 0x4000, 0, unit);
  printf("posix_fallocate %d\n", posix_fallocate(file, 0, 6 * unit));
  print_stored("longer", file);
}

static void test_refusals(void) {
  int ends[2];
  if (pipe(ends) != 0) return;
  change(ends[1], "pipe", 0, 0, unit);
  print_position("data of a pipe", lseek(ends[0], 0, SEEK_DATA));
  puts("");
  int reader = open("sparse", O_RDONLY);
  change(reader, "not for writing", 0, 0, unit);
  change(-1, "no file", 0, 0, unit);
  int folder = open(".", O_RDONLY);
  change(folder, "directory", 0, 0, unit);
  close(folder);
  close(reader);
}

int main(void) {
  memset(data, 1, sizeof data);
  int file = open("sparse", O_RDWR | O_CREAT | O_TRUNC, 0644);
  test_growth(file);
  test_allocation(file);
  ftruncate(file, 0);
  write_at(file, 4, 0);
  close(file);
  file = open("sparse", O_RDWR);
  write_at(file, 1, 50);
  print_map("opened again", file);
  test_refusals();
  unlink("sparse");
  return 0;
}
