// O_PATH: a descriptor that names a file without having it open (open(2)).
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char top[PATH_MAX];

static void print_result(const char* what, long result) {
  printf("%s: %ld", what, result);
  if (result < 0) printf(" %s", strerrorname_np(errno));
  putchar('\n');
}

// 0, or -1 with the reason: the numbers of descriptors do not matter.
static void print_open(const char* what, int descriptor) {
  print_result(what, descriptor < 0 ? -1 : 0);
}

static int path_only(const char* path, int flags) {
  return open(path, O_PATH | flags);
}

static const char* link_of(int descriptor) {
  static char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  return link;
}

static void print_mode(const char* what, int descriptor) {
  struct stat status;
  if (fstat(descriptor, &status) < 0) {
    print_result(what, -1);
    return;
  }
  printf("%s: mode %o\n", what, (unsigned)status.st_mode);
}

static void print_target(const char* what, int descriptor) {
  char target[PATH_MAX];
  const ssize_t size = readlink(link_of(descriptor), target, sizeof target - 1);
  if (size < 0) {
    print_result(what, -1);
    return;
  }
  target[size] = 0;
  const size_t length = strlen(top);
  printf("%s: %s\n", what, strncmp(target, top, length) == 0 ? target + length : target);
}

static int make(const char* path, const char* text) {
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file < 0 || write(file, text, strlen(text)) < 0) return -1;
  return close(file);
}

// What read(2) gives.
static void print_text(const char* what, int descriptor) {
  char text[64];
  const ssize_t size = read(descriptor, text, sizeof text - 1);
  if (size < 0) {
    print_result(what, -1);
    return;
  }
  text[size] = 0;
  printf("%s: \"%s\"\n", what, text);
}

// open(2): what cannot be done with such a descriptor gives EBADF.
static void refused(void) {
  make("file", "some text");
  const int file = path_only("file", O_RDWR | O_TRUNC | O_APPEND);
  char byte = 0;
  print_open("open for nothing", file);
  print_result("read", read(file, &byte, 1));
  print_result("write", write(file, &byte, 1));
  print_result("pread", pread(file, &byte, 1, 0));
  print_result("lseek", lseek(file, 0, SEEK_END));
  print_result("ftruncate", ftruncate(file, 0));
  print_result("fsync", fsync(file));
  print_result("fchmod", fchmod(file, 0600));
  print_result("fchown", fchown(file, -1, -1));
  print_result("futimens", futimens(file, NULL));
  print_result("ioctl", ioctl(file, FIONREAD, &(int){0}));
  print_result("mmap", mmap(NULL, 1, PROT_READ, MAP_PRIVATE, file, 0) == MAP_FAILED ? -1 : 0);
  print_result("F_SETFL", fcntl(file, F_SETFL, O_APPEND));
  struct flock lock = {.l_type = F_RDLCK};
  print_result("F_SETLK", fcntl(file, F_SETLK, &lock));
  print_result("F_GETOWN", fcntl(file, F_GETOWN));
  print_result("fallocate", fallocate(file, 0, 0, 1));
  print_result("getsockname", getsockname(file, (void*)&byte, &(socklen_t){1}));
  struct pollfd poll_of = {.fd = file, .events = POLLIN};
  print_result("poll", poll(&poll_of, 1, 0));
  printf("events %x\n", poll_of.revents);
  fd_set reading, writing;
  FD_ZERO(&reading);
  FD_ZERO(&writing);
  FD_SET(file, &reading);
  FD_SET(file, &writing);
  print_result("select", select(file + 1, &reading, &writing, NULL, &(struct timeval){0, 0}));
  print_result("sendfile", syscall(SYS_sendfile, 1, file, NULL, 1));
  close(file);
  const int directory = path_only(".", O_DIRECTORY);
  char names[512];
  print_result("getdents64", syscall(SYS_getdents64, directory, names, sizeof names));
  close(directory);
}

static void allowed(void) {
  make("file", "some text");
  const int file = path_only("file", O_CLOEXEC | O_APPEND);
  print_result("F_GETFD", fcntl(file, F_GETFD));
  print_result("F_SETFD", fcntl(file, F_SETFD, 0));
  print_result("O_PATH of F_GETFL", fcntl(file, F_GETFL) == O_PATH);
  struct stat status;
  print_result("fstat", fstat(file, &status));
  printf("size %ld\n", (long)status.st_size);
  struct statfs system;
  print_result("fstatfs", fstatfs(file, &system));
  const int again = dup(file), moved = fcntl(file, F_DUPFD_CLOEXEC, 100);
  print_open("dup", again);
  print_open("F_DUPFD_CLOEXEC", moved);
  print_open("dup2", dup2(file, 200));
  print_open("dup3", dup3(file, 201, O_CLOEXEC));
  print_result("O_PATH of a copy", fcntl(200, F_GETFL) == O_PATH);
  print_target("link", moved);
  struct stat link;
  print_result("lstat of the link", lstat(link_of(moved), &link));
  printf("permissions of the link %o\n", (unsigned)link.st_mode & 0777);
  for (int descriptor = 200; descriptor < 202; ++descriptor) close(descriptor);
  print_result("close", close(moved));
  print_result("close again", close(moved));
  close(again);
  print_result("fchdir", fchdir(file));
  print_result("openat", openat(file, "x", O_RDONLY));
  print_result("openat of nothing", openat(file, "", O_RDONLY));
  print_result("fchownat", fchownat(file, "", -1, -1, AT_EMPTY_PATH));
  print_result("utimensat", utimensat(file, "", (struct timespec[2]){{7, 0}, {8, 0}}, AT_EMPTY_PATH));
  print_result("fstatat", fstatat(file, "", &status, AT_EMPTY_PATH));
  printf("times %ld %ld\n", (long)status.st_atime, (long)status.st_mtime);
  print_result("linkat", linkat(AT_FDCWD, link_of(file), AT_FDCWD, "second", AT_SYMLINK_FOLLOW));
  print_result("stat", stat("second", &status));
  printf("links %ld\n", (long)status.st_nlink);
  unlink("second");
  close(file);
}

static void directories(void) {
  mkdir("d", 0755);
  make("d/file", "inside");
  const int directory = path_only("d", 0), with_flag = path_only("d", O_DIRECTORY);
  print_result("flags", fcntl(with_flag, F_GETFL) == (O_PATH | O_DIRECTORY));
  print_open("O_DIRECTORY of a file", path_only("d/file", O_DIRECTORY));
  print_open("a slash behind a file", path_only("d/file/", 0));
  rename("d", "e");
  const int file = openat(directory, "file", O_RDONLY);
  print_text("below a renamed one", file);
  close(file);
  print_target("link of a renamed one", directory);
  char path[80];
  snprintf(path, sizeof path, "%s/file", link_of(directory));
  const int through = open(path, O_RDONLY);
  print_text("through its link", through);
  close(through);
  const int reading = open(link_of(directory), O_RDONLY | O_DIRECTORY);
  char names[512];
  print_result("names", syscall(SYS_getdents64, reading, names, sizeof names) > 0);
  const int reading_again = open(link_of(reading), O_RDONLY);
  print_result("names again", syscall(SYS_getdents64, reading_again, names, sizeof names) > 0);
  close(reading_again);
  close(reading);
  print_result("chmod through the link", chmod(link_of(directory), 0700));
  print_mode("then", directory);
  print_result("fchdir", fchdir(directory));
  print_result("access", access("file", F_OK));
  print_result("back", chdir(".."));
  unlink("e/file");
  rmdir("e");
  print_result("fchdir to a removed one", fchdir(directory));
  print_result("back", chdir(top));
  print_result("below a removed one", openat(directory, "file", O_RDONLY));
  print_mode("a removed one", directory);
  close(directory);
  close(with_flag);
}

// It stays the same file, whatever becomes of the name.
static void renamed(void) {
  make("file", "first");
  const int file = path_only("file", 0);
  rename("file", "other");
  make("file", "second");
  int opened = open(link_of(file), O_RDONLY);
  print_text("renamed", opened);
  close(opened);
  chmod(link_of(file), 0640);
  struct stat status;
  stat("other", &status);
  printf("mode %o\n", (unsigned)status.st_mode);
  stat("file", &status);
  printf("mode of the other %o\n", (unsigned)status.st_mode);
  unlink("other");
  opened = open(link_of(file), O_RDWR);
  print_text("removed", opened);
  print_result("write", write(opened, "!", 1));
  fstat(file, &status);
  printf("size %ld, links %ld\n", (long)status.st_size, (long)status.st_nlink);
  const int second = path_only(link_of(opened), 0);
  print_mode("by the link of an open one", second);
  print_result("chmod through the link of an open one", chmod(link_of(opened), 0604));
  print_mode("then", second);
  close(opened);
  close(second);
  close(file);
  unlink("file");
}

static void symlinks(void) {
  make("file", "text");
  symlink("file", "link");
  symlink("nowhere", "dangling");
  const int link = path_only("link", O_NOFOLLOW), file = path_only("link", 0);
  print_mode("the link", link);
  print_mode("the file", file);
  char target[16] = "";
  print_result("readlinkat", readlinkat(link, "", target, sizeof target));
  printf("target %s\n", target);
  print_result("readlinkat of a file", readlinkat(file, "", target, sizeof target));
  print_result("open", open(link_of(link), O_RDONLY));
  print_result("F_GETFL", fcntl(link, F_GETFL) == (O_PATH | O_NOFOLLOW));
  print_open("dangling", path_only("dangling", 0));
  print_open("O_DIRECTORY of a link", path_only("link", O_NOFOLLOW | O_DIRECTORY));
  print_open("nothing", path_only("nowhere", O_CREAT));
  close(link);
  close(file);
  unlink("link");
  unlink("dangling");
  unlink("file");
}

// mkfifo -m of GNU sets the permissions so.
static void special_files(void) {
  mkfifo("fifo", 0600);
  const int fifo = path_only("fifo", O_NOFOLLOW | O_CLOEXEC);
  print_mode("fifo", fifo);
  print_result("chmod", chmod(link_of(fifo), 0640));
  print_mode("fifo", fifo);
  print_result("fchmodat", fchmodat(AT_FDCWD, "fifo", 0620, AT_SYMLINK_NOFOLLOW));
  print_mode("fifo", fifo);
  const int reader = open(link_of(fifo), O_RDONLY | O_NONBLOCK);
  const int writer = open("fifo", O_WRONLY | O_NONBLOCK);
  print_result("write", write(writer, "through", 7));
  print_text("read", reader);
  print_target("link of the reader", reader);
  close(reader);
  close(writer);
  print_result("no reader", open(link_of(fifo), O_WRONLY | O_NONBLOCK));
  close(fifo);
  unlink("fifo");

  int ends[2];
  pipe(ends);
  const int pipe_only = path_only(link_of(ends[0]), 0);
  print_mode("pipe", pipe_only);
  print_result("read of a pipe", read(pipe_only, ends, 1));
  const int again = open(link_of(pipe_only), O_RDONLY);
  write(ends[1], "pipe", 4);
  print_text("pipe", again);
  close(again);
  close(pipe_only);
  close(ends[0]);
  close(ends[1]);

  const int null = path_only("/dev/null", 0);
  struct stat status;
  fstat(null, &status);
  printf("null is a device: %d\n", S_ISCHR(status.st_mode));
  print_result("write to null", write(null, "x", 1));
  const int opened = open(link_of(null), O_WRONLY);
  print_result("opened null", write(opened, "x", 1));
  close(opened);
  close(null);

  const int process = path_only("/proc/self", O_DIRECTORY);
  const int name = openat(process, "comm", O_RDONLY);
  print_result("below /proc", name >= 0);
  close(name);
  close(process);
}

// By a message, by fork(2), and over an exec.
static void handed_on(void) {
  make("file", "text");
  const int file = path_only("file", 0);
  int pair[2];
  socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
  char control[CMSG_SPACE(sizeof(int))] = {0}, byte = 'x';
  struct iovec data = {&byte, 1};
  struct msghdr message = {.msg_iov = &data,
                           .msg_iovlen = 1,
                           .msg_control = control,
                           .msg_controllen = sizeof control};
  struct cmsghdr* const header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  memcpy(CMSG_DATA(header), &file, sizeof file);
  print_result("sendmsg", sendmsg(pair[0], &message, 0));
  print_result("recvmsg", recvmsg(pair[1], &message, 0));
  int received = -1;
  memcpy(&received, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof received);
  print_mode("received", received);
  print_result("read", read(received, &byte, 1));
  fflush(stdout);
  if (fork() == 0) {
    print_mode("child", file);
    print_result("read", read(file, &byte, 1));
    fflush(stdout);
    _exit(0);
  }
  wait(NULL);
  close(received);
  close(pair[0]);
  close(pair[1]);
  close(file);
  unlink("file");
}

int main(void) {
  getcwd(top, sizeof top);
  umask(022);
  refused();
  allowed();
  directories();
  renamed();
  symlinks();
  special_files();
  handed_on();
  return 0;
}
