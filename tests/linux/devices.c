// The memory devices (null(4), full(4), random(4)): what stat(2) says of them, how they read, write and
// seek, and that /dev lists them.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <unistd.h>

static const char* const devices[] = {"/dev/null",   "/dev/zero",    "/dev/full",
                                      "/dev/random", "/dev/urandom", "/dev/tty"};

static void print(const char* what, long result) {
  if (result < 0)
    printf("%s: %s\n", what, strerror(errno));
  else
    printf("%s: %ld\n", what, result);
}

static void print_status(const char* path, const struct stat* status) {
  printf("%s: mode %o, device %u:%u, size %ld, links %ld, blocks of %ld\n", path, (unsigned)status->st_mode,
         major(status->st_rdev), minor(status->st_rdev), (long)status->st_size, (long)status->st_nlink,
         (long)status->st_blksize);
}

static void look_at(const char* path) {
  struct stat status;
  struct statx more;
  if (stat(path, &status) != 0) {
    perror(path);
    return;
  }
  print_status(path, &status);
  if (statx(AT_FDCWD, path, 0, STATX_BASIC_STATS, &more) != 0) perror(path);
  printf("statx: device %u:%u\n", more.stx_rdev_major, more.stx_rdev_minor);
  printf("may read and write %d, execute %d\n", access(path, R_OK | W_OK), access(path, X_OK));
}

static void look_through_dev(void) {
  DIR* const directory = opendir("/dev");
  unsigned found = 0;
  for (struct dirent* entry; directory != NULL && (entry = readdir(directory)) != NULL;) {
    for (unsigned i = 0; i < sizeof devices / sizeof *devices; ++i) {
      if (strcmp(entry->d_name, devices[i] + strlen("/dev/")) != 0) continue;
      found |= 1u << i;
      if (entry->d_type != DT_CHR) printf("%s: type %d\n", entry->d_name, entry->d_type);
    }
  }
  printf("listed: %x\n", found);
  if (directory != NULL) closedir(directory);
}

static void use(const char* path) {
  static char bytes[300000];
  struct stat status;
  struct iovec parts[2] = {{.iov_base = bytes, .iov_len = 3}, {.iov_base = bytes, .iov_len = 4}};
  const int file = open(path, O_RDWR | O_TRUNC);
  print(path, file >= 0 ? 0 : -1);
  if (fstat(file, &status) == 0) print_status("fstat", &status);
  memset(bytes, 1, sizeof bytes);
  print("read", read(file, bytes, sizeof bytes));
  long zeros = 0;
  for (unsigned i = 0; i < sizeof bytes; ++i) zeros += bytes[i] == 0;
  printf("more than 9 of 10 are zeros: %d\n", zeros > (long)sizeof bytes / 10 * 9);
  print("pread", pread(file, bytes, 10, 5));
  print("write", write(file, bytes, 10));
  print("write nothing", write(file, bytes, 0));
  print("writev", writev(file, parts, 2));
  print("pwrite", pwrite(file, bytes, 10, 5));
  print("seek", lseek(file, 5, SEEK_SET));
  print("seek from the end", lseek(file, 5, SEEK_END));
  print("where", lseek(file, 0, SEEK_CUR));
  print("truncate", ftruncate(file, 0));
  struct pollfd ready = {.fd = file, .events = POLLIN | POLLOUT};
  print("poll", poll(&ready, 1, 0));
  printf("ready: %x\n", ready.revents);
  const int reader = open(path, O_RDONLY);
  print("write to a reader", write(reader, bytes, 1));
  close(reader);
  close(file);
}

static void print_to_full(void) {
  FILE* const file = fopen("/dev/full", "w");
  print("print", fprintf(file, "text\n"));
  print("flush", fflush(file));
  print("close", fclose(file));
}

static void map_full(void) {
  const int file = open("/dev/full", O_RDWR);
  const int mapped = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, file, 0) == MAP_FAILED ? -1 : 0;
  print("map", mapped);
  close(file);
}

static void change_full(void) {
  print("make", open("/dev/full", O_RDWR | O_CREAT | O_EXCL, 0600));
  print("as directory", open("/dev/full", O_RDONLY | O_DIRECTORY));
  print("below", open("/dev/full/x", O_RDONLY));
  print("mkdir", mkdir("/dev/full", 0755));
  print("change into it", chdir("/dev/full"));
}

int main(void) {
  for (unsigned i = 0; i < sizeof devices / sizeof *devices; ++i) look_at(devices[i]);
  look_through_dev();
  use("/dev/null");
  use("/dev/zero");
  use("/dev/full");
  use("/dev/urandom");
  print_to_full();
  map_full();
  change_full();
  return 0;
}
