// Files, by all the ways that the C library takes to them.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static const char* result(long value) {
  return value < 0 ? strerror(errno) : "ok";
}

static void show(const char* name) {
  struct stat status;
  if (lstat(name, &status) != 0) {
    printf("%s: %s\n", name, strerror(errno));
    return;
  }
  printf("%s: %o %lld bytes, %ld links, %d\n", name, status.st_mode, (long long)status.st_size,
         S_ISDIR(status.st_mode) ? 0 : (long)status.st_nlink,
         status.st_uid == getuid() && status.st_gid == getgid());
}

// linkat(2): symbolic links as they are, and the files behind them.
static void link_through(int here) {
  printf("symlinks %s %s %s\n", result(symlink("c", "through")), result(symlink("none", "dangling")),
         result(symlink("e", "to-directory")));
  printf("the link itself %s\n", result(linkat(here, "through", here, "same-link", 0)));
  show("same-link");
  printf("its file %s\n", result(linkat(here, "through", here, "same-file", AT_SYMLINK_FOLLOW)));
  show("same-file");
  printf("no file %s\n", result(linkat(here, "dangling", here, "x", AT_SYMLINK_FOLLOW)));
  printf("dangling %s\n", result(linkat(here, "dangling", here, "x", 0)));
  printf("flags %s\n", result(linkat(here, "a", here, "y", AT_REMOVEDIR)));
  for (const char *const *name = (const char *const[]){"through", "dangling", "to-directory", "same-link",
                                                       "same-file", "x", NULL};
       *name != NULL; ++name) {
    printf("%s: %s\n", *name, result(unlink(*name)));
  }
}

int main(void) {
  umask(022);
  printf("mkdir %s\n", result(mkdir("folder", 0755)));
  printf("mkdir again %s\n", result(mkdir("folder", 0755)));
  printf("chdir %s\n", result(chdir("folder")));
  char path[4096];
  printf("getcwd %s\n", strrchr(getcwd(path, sizeof path), '/'));
  printf("getcwd too small %d %s\n", getcwd(path, 2) == NULL, strerror(errno));
  mkdir("gone", 0755);
  chdir("gone");
  rmdir("../gone");
  printf("getcwd of what is gone %ld %s\n", syscall(SYS_getcwd, path, sizeof path), strerror(errno));
  printf("back %s\n", result(chdir("..")));
  FILE* stream = fopen("a", "w+");
  fprintf(stream, "%s %d %.3f\n", "line", 1, 2.5);
  fseek(stream, 0, SEEK_SET);
  printf("fgets %s", fgets(path, sizeof path, stream));
  fclose(stream);
  show("a");
  int file = open("a", O_RDWR | O_APPEND);
  struct iovec parts[] = {{"one", 3}, {"two\n", 4}};
  printf("writev %zd\n", writev(file, parts, 2));
  printf("lseek %lld\n", (long long)lseek(file, 0, SEEK_END));
  // On PA-RISC the stack lies above 0x80000000.
  char first[4], second[8] = "";
  struct iovec on_stack[] = {{first, 4}, {second, 3}};
  lseek(file, 12, SEEK_SET);
  printf("readv %zd %.4s %s\n", readv(file, on_stack, 2), first, second);
  printf("writev from the stack %zd\n", writev(file, on_stack, 2));
  on_stack[1].iov_len = -1;
  printf("writev of too much %s\n", result(writev(file, on_stack, 2)));
#if !defined(_ABIN32) || _MIPS_SIM != _ABIN32  // QEMU cuts the result to 32 bits there
  printf("lseek64 %lld\n", (long long)lseek64(file, 0x123456789LL, SEEK_SET));
#endif
  printf("pread %zd", pread(file, path, 4, 5));
  printf(" %.4s\n", path);
  printf("ftruncate %s\n", result(ftruncate64(file, 5)));
  printf("fcntl %#x\n", fcntl(file, F_GETFL) & (O_ACCMODE | O_APPEND));
  int copy = fcntl(file, F_DUPFD_CLOEXEC, 20);
  printf("dup %d %d\n", copy, fcntl(copy, F_GETFD));
  printf("dup3 %s\n", result(dup3(file, file, 0)));
  printf("isatty %d %s\n", isatty(file), strerror(errno));
  struct timespec times[2] = {{100, 7}, {200, 8}};
  printf("futimens %s\n", result(futimens(file, times)));
  struct stat status;
  printf("fstat %s\n", result(fstat(file, &status)));
  printf("mtime %lld.%ld\n", (long long)status.st_mtim.tv_sec, (long)status.st_mtim.tv_nsec);
  close(file);
  show("a");
  printf("chmod %s\n", result(chmod("a", 0640)));
  show("a");
  printf("link %s, symlink %s\n", result(link("a", "b")), result(symlink("a", "c")));
  show("b");
  show("c");
  ssize_t size = readlink("c", path, sizeof path);
  printf("readlink %zd %.1s\n", size, path);
  printf("rename %s\n", result(rename("b", "d")));
  int here = open(".", O_RDONLY | O_DIRECTORY);
  printf("openat %s\n", result(file = openat(here, "d", O_RDONLY)));
  struct stat same;
  fstat(file, &status);
  fstatat(here, "a", &same, 0);
  printf("same inode %d\n", status.st_ino == same.st_ino);
  close(file);
  printf("mkdirat %s\n", result(mkdirat(here, "e", 0700)));
  printf("renameat %s\n", result(renameat(here, "d", here, "f")));
  link_through(here);
  printf("access %s\n", result(access("nowhere", F_OK)));
  printf("open a directory for writing %s\n", result(open("e", O_WRONLY)));
  printf("O_EXCL %s\n", result(open("a", O_CREAT | O_EXCL | O_WRONLY, 0600)));
  printf("unlinkat %s\n", result(unlinkat(here, "e", AT_REMOVEDIR)));
  printf("unlink %s %s %s\n", result(unlink("a")), result(unlink("c")), result(unlink("f")));
  printf("bad descriptor %s\n", result(read(77, path, 1)));
  void* volatile nowhere = (void*)16;
  printf("bad address %s\n", result(write(1, nowhere, 1)));
  chdir("..");
  printf("rmdir %s\n", result(rmdir("folder")));
  return 0;
}
