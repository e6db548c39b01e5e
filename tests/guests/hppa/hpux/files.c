// Files: open, read, write, lseek, stat, getdirentries, rename, pipes and descriptors.
#include "guest/runtime/guest.h"

static char buffer[4096];

static void test_file(void) {
  struct stat status;
  const int fd = open("file", O_RDWR | O_CREAT | O_EXCL, 0644);
  check(fd >= 3, "open makes a file");
  check_error(open("file", O_WRONLY | O_CREAT | O_EXCL, 0644), EEXIST, "O_EXCL");
  check(write(fd, "0123456789", 10) == 10, "write");
  check(lseek(fd, -4, SEEK_END) == 6, "lseek");
  check(read(fd, buffer, 100) == 4 && memcmp(buffer, "6789", 4) == 0, "read");
  check(lseek64(fd, 0x100000003LL, SEEK_SET) == 0x100000003LL, "lseek64 beyond 4 GiB");
  check(fstat(fd, &status) == 0 && status.st_size == 10, "fstat: the size");
  check(status.st_mode == 0100644 && status.st_nlink == 1, "fstat: mode and links");
  check(status.st_uid == status.old_uid && status.st_blksize > 0, "fstat: owner, block size");
  check(close(fd) == 0, "close");
  check_error(read(fd, buffer, 1), EBADF, "a closed descriptor");
  check(rename("file", "other") == 0 && access("file", 0) == -1, "rename");
  check_error(stat("file", &status), ENOENT, "stat of what is not there");
  check(stat("other", &status) == 0 && status.st_size == 10, "stat");
  check_error(stat((const char*)0x30000000, &status), EFAULT, "a bad address");
}

#if __SIZEOF_LONG__ == 4
// getdirentries(2): "will not be supported for 64-bit applications".
static void test_getdirentries(int fd) {
  long position = -1;
  const int bytes = getdirentries(fd, buffer, sizeof buffer, &position);
  check(bytes > 0 && position == 0, "getdirentries");
  int found = 0, names = 0;
  for (int at = 0; at < bytes; ++names) {
    const struct direct* entry = (const struct direct*)(buffer + at);
    if (entry->d_namlen == 4 && strcmp(entry->d_name, "name") == 0) found = entry->d_ino != 0;
    at += entry->d_reclen;
  }
  check(found && names == 3, "the entries: ., .. and the file");
  check(getdirentries(fd, buffer, sizeof buffer, &position) == 0, "no more entries");
  check(lseek(fd, 0, SEEK_SET) == 0, "back to the beginning");
}
#endif

static void test_getdents(int fd) {
  const int bytes = getdents(fd, buffer, sizeof buffer);
  check(bytes > 0, "getdents");
  int found = 0, names = 0, aligned = 1;
  for (int at = 0; at < bytes; ++names) {
    const struct dirent* entry = (const struct dirent*)(buffer + at);
    if (entry->d_namlen == 4 && strcmp(entry->d_name, "name") == 0) found = entry->d_ino != 0;
    at += entry->d_reclen;
    aligned &= at % sizeof(long) == 0;
  }
  check(found && names == 3 && aligned, "the entries: ., .. and the file");
  check(getdents(fd, buffer, sizeof buffer) == 0, "no more entries");
}

static void test_directory(void) {
  check(mkdir("directory", 0755) == 0, "mkdir");
  check(close(open("directory/name", O_WRONLY | O_CREAT, 0600)) == 0, "creating a file in it");
  check_error(rmdir("directory"), ENOTEMPTY, "rmdir of what is not empty");
  const int fd = open("directory", O_RDONLY, 0);
#if __SIZEOF_LONG__ == 4
  test_getdirentries(fd);
#endif
  test_getdents(fd);
  close(fd);
  check(unlink("directory/name") == 0 && rmdir("directory") == 0, "unlink and rmdir");
  check(unlink("other") == 0, "unlink");
}

static void test_pipe(void) {
  int ends[2] = {-1, -1};
  check(pipe(ends) == 0 && ends[0] >= 0 && ends[1] > ends[0], "pipe has two results");
  check(write(ends[1], "abc", 3) == 3 && read(ends[0], buffer, 10) == 3, "through the pipe");
  check(dup2(ends[1], 9) == 9 && write(9, "d", 1) == 1, "dup2");
  check(fcntl(9, F_SETFD, 1) == 0 && fcntl(9, F_GETFD, 0) == 1, "close on exec");
  check(close(9) == 0 && close(ends[1]) == 0, "closing the writing end");
  check(read(ends[0], buffer, 10) == 1 && read(ends[0], buffer, 10) == 0, "the end of the pipe");
}

static void test_memory(void) {
  char* const page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  check(page != (char*)-1 && page[8191] == 0, "mmap of anonymous memory");
  page[0] = 7;
  check(munmap(page, 8192) == 0, "munmap");
}

static void test_mapped_file(void) {
  const int fd = open("mapped", O_RDWR | O_CREAT | O_TRUNC, 0600);
  check(lseek(fd, 4096, SEEK_SET) == 4096 && write(fd, "page 1", 7) == 7, "a file of two pages");
  char* const page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 4096);
  check(page != (char*)-1 && strcmp(page, "page 1") == 0, "mmap of a file's second page");
  check(munmap(page, 4096) == 0 && close(fd) == 0 && unlink("mapped") == 0, "its end");
}

int main(void) {
  test_file();
  test_directory();
  test_pipe();
  test_memory();
  test_mapped_file();
  return finish_checks();
}
