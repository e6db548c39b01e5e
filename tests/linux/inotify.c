// inotify(7): what is reported of which calls, in which order; how watches are added, changed and
// removed; how events are read.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int notify;

static void print_result(const char* what, int result) {
  printf("%s: %d", what, result);
  if (result < 0) printf(" %s", strerrorname_np(errno));
  putchar('\n');
}

static const struct {
  unsigned bit;
  const char* name;
} names[] = {
    {IN_ACCESS, "ACCESS"},
    {IN_MODIFY, "MODIFY"},
    {IN_ATTRIB, "ATTRIB"},
    {IN_CLOSE_WRITE, "CLOSE_WRITE"},
    {IN_CLOSE_NOWRITE, "CLOSE_NOWRITE"},
    {IN_OPEN, "OPEN"},
    {IN_MOVED_FROM, "MOVED_FROM"},
    {IN_MOVED_TO, "MOVED_TO"},
    {IN_CREATE, "CREATE"},
    {IN_DELETE, "DELETE"},
    {IN_DELETE_SELF, "DELETE_SELF"},
    {IN_MOVE_SELF, "MOVE_SELF"},
    {IN_UNMOUNT, "UNMOUNT"},
    {IN_Q_OVERFLOW, "Q_OVERFLOW"},
    {IN_IGNORED, "IGNORED"},
    {IN_ISDIR, "ISDIR"},
};

// Cookies are numbered as they come, since the kernel's own count goes on from elsewhere.
static unsigned cookie_number(unsigned cookie) {
  static unsigned known[64], count;
  if (cookie == 0) return 0;
  for (unsigned i = 0; i < count; ++i) {
    if (known[i] == cookie) return i + 1;
  }
  known[count++] = cookie;
  return count;
}

static void print_event(const struct inotify_event* event) {
  printf("  %d", event->wd);
  unsigned mask = event->mask;
  for (unsigned i = 0; i < sizeof names / sizeof names[0]; ++i) {
    if ((mask & names[i].bit) != 0) printf(" %s", names[i].name);
    mask &= ~names[i].bit;
  }
  if (mask != 0) printf(" %#x", mask);
  if (event->cookie != 0) printf(" cookie %u", cookie_number(event->cookie));
  printf(" %u", event->len);
  if (event->len != 0) printf(" \"%s\"", event->name);
  putchar('\n');
}

// All events that wait.
static void print_events(const char* what) {
  _Alignas(struct inotify_event) char bytes[8192];
  printf("%s:\n", what);
  for (;;) {
    const ssize_t size = read(notify, bytes, sizeof bytes);
    if (size < 0) {
      if (errno != EAGAIN) print_result("  read", -1);
      return;
    }
    for (ssize_t at = 0; at < size;) {
      const struct inotify_event* event = (const struct inotify_event*)(bytes + at);
      print_event(event);
      at += (ssize_t)(sizeof *event + event->len);
    }
  }
}

static int add(const char* path, unsigned mask) {
  const int watch = inotify_add_watch(notify, path, mask);
  printf("watch %s", path);
  print_result("", watch);
  return watch;
}

static void start(void) {
  notify = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  if (notify < 0) {
    print_result("inotify_init1", notify);
    exit(1);
  }
}

static void make(const char* path, const char* text) {
  const int file = open(path, O_CREAT | O_WRONLY, 0644);
  if (write(file, text, strlen(text)) < 0) perror("write");
  close(file);
}

static void descriptors(void) {
  const int plain = inotify_init();
  printf("inotify_init %d, flags %#x, exec %d\n", plain >= 0, fcntl(plain, F_GETFL) & O_NONBLOCK,
         fcntl(plain, F_GETFD));
  const int both = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  printf("inotify_init1 %d, non-blocking %d, exec %d\n", both >= 0,
         (fcntl(both, F_GETFL) & O_NONBLOCK) != 0, fcntl(both, F_GETFD));
  printf("access mode %d\n", fcntl(both, F_GETFL) & O_ACCMODE);
  print_result("unknown flag", inotify_init1(1));
  char byte = 0;
  print_result("write", (int)write(both, &byte, 1));
  print_result("read", (int)read(both, &byte, 1));
  struct stat status;
  print_result("fstat", fstat(both, &status));
  printf("mode %o, size %d\n", status.st_mode & 07777, (int)status.st_size);
  close(both);
  close(plain);
}

static void errors(void) {
  start();
  make("file", "x");
  const int file = open("file", O_RDONLY);
  print_result("no descriptor", inotify_add_watch(99, "file", IN_MODIFY));
  print_result("no inotify", inotify_add_watch(file, "file", IN_MODIFY));
  print_result("no event", inotify_add_watch(notify, "file", 0));
  print_result("only flags", inotify_add_watch(notify, "file", IN_MASK_ADD));
  print_result("unknown bit", inotify_add_watch(notify, "file", IN_MODIFY | 0x10000));
  print_result("both masks", inotify_add_watch(notify, "file", IN_MODIFY | IN_MASK_ADD | IN_MASK_CREATE));
  print_result("no path", inotify_add_watch(notify, "none", IN_MODIFY));
  print_result("empty path", inotify_add_watch(notify, "", IN_MODIFY));
  print_result("no directory", inotify_add_watch(notify, "file", IN_MODIFY | IN_ONLYDIR));
  print_result("bad pointer", inotify_add_watch(notify, (const char*)1, IN_MODIFY));
  print_result("remove 1", inotify_rm_watch(notify, 1));
  print_result("remove of a file", inotify_rm_watch(file, 1));
  print_result("remove of none", inotify_rm_watch(99, 1));
  chmod("file", 0200);
  print_result("no permission", inotify_add_watch(notify, "file", IN_MODIFY));
  chmod("file", 0644);
  add("file", IN_MODIFY);
  print_result("once more", inotify_add_watch(notify, "file", IN_MODIFY | IN_MASK_CREATE));
  close(file);
  unlink("file");
  close(notify);
}

// What each call tells a watch of the directory and one of the file.
static void calls(void) {
  start();
  mkdir("d", 0755);
  add("d", IN_ALL_EVENTS);
  int file = open("d/file", O_CREAT | O_RDWR, 0644);
  print_events("create");
  add("d/file", IN_ALL_EVENTS);
  if (write(file, "abcdef", 6) != 6) perror("write");
  print_events("write");
  if (write(file, "", 0) != 0) perror("write");
  print_events("write nothing");
  char bytes[8];
  print_result("read", (int)read(file, bytes, sizeof bytes));
  print_events("read at the end");
  print_result("pread", (int)pread(file, bytes, 3, 0));
  print_events("pread");
  print_result("pwrite", (int)pwrite(file, "z", 1, 9));
  print_events("pwrite");
  print_result("ftruncate", ftruncate(file, 2));
  print_events("ftruncate");
  print_result("truncate", truncate("d/file", 3));
  print_events("truncate");
  print_result("fallocate", fallocate(file, 0, 0, 100));
  print_events("fallocate");
  print_result("fchmod", fchmod(file, 0600));
  print_events("fchmod");
  print_result("chmod", chmod("d/file", 0644));
  print_events("chmod");
  print_result("chown", chown("d/file", getuid(), getgid()));
  print_events("chown");
  print_result("fchown", fchown(file, getuid(), getgid()));
  print_events("fchown");
  print_result("chown of nobody", chown("d/file", -1, -1));
  print_events("chown of nobody");
  print_result("utimensat now", utimensat(AT_FDCWD, "d/file", NULL, 0));
  print_events("utimensat now");
  const struct timespec only_used[2] = {{.tv_sec = 1}, {.tv_nsec = UTIME_OMIT}};
  print_result("futimens of use", futimens(file, only_used));
  print_events("futimens of use");
  const struct timespec only_changed[2] = {{.tv_nsec = UTIME_OMIT}, {.tv_sec = 1}};
  print_result("utimensat of change", utimensat(AT_FDCWD, "d/file", only_changed, 0));
  print_events("utimensat of change");
  const struct timespec neither[2] = {{.tv_nsec = UTIME_OMIT}, {.tv_nsec = UTIME_OMIT}};
  print_result("futimens of neither", futimens(file, neither));
  print_events("futimens of neither");
  const int second = dup(file);
  close(file);
  print_events("close of one");
  close(second);
  print_events("close of both");
  file = open("d/file", O_RDONLY);
  close(file);
  print_events("open and close");
  // Linux tells of the opening before or after the truncation, as its version has it.
  add("d", IN_MODIFY);
  add("d/file", IN_MODIFY);
  file = open("d/file", O_WRONLY | O_TRUNC);
  print_events("open that truncates");
  close(file);
  add("d", IN_ALL_EVENTS);
  add("d/file", IN_ALL_EVENTS);
  print_result("link", link("d/file", "d/other"));
  print_events("link");
  print_result("unlink", unlink("d/other"));
  print_events("unlink of one name");
  print_result("stat", access("d/file", R_OK));
  print_result("open", open("d/none", O_RDONLY));
  print_events("access, and open of nothing");
  print_result("unlink", unlink("d/file"));
  print_events("unlink");
  print_result("symlink", symlink("nowhere", "d/link"));
  print_result("mkfifo", mkfifo("d/fifo", 0644));
  print_result("mkdir", mkdir("d/inner", 0755));
  print_events("symlink, mkfifo, mkdir");
  DIR* directory = opendir("d/inner");
  while (readdir(directory) != NULL) {
  }
  closedir(directory);
  print_events("a directory inside read");
  directory = opendir("d");
  while (readdir(directory) != NULL) {
  }
  closedir(directory);
  print_events("the directory read");
  print_result("chmod", chmod("d/inner", 0700));
  print_result("chmod", chmod("d", 0700));
  print_events("chmod of both");
  unlink("d/link");
  unlink("d/fifo");
  print_events("two names removed");
  add("d/inner", IN_ALL_EVENTS);
  rmdir("d/inner");
  print_events("rmdir inside");
  rmdir("d");
  print_events("rmdir");
  print_result("remove", inotify_rm_watch(notify, 1));
  close(notify);
}

static void moves(void) {
  start();
  mkdir("a", 0755);
  mkdir("b", 0755);
  make("a/one", "1");
  make("a/two", "2");
  add("a", IN_ALL_EVENTS);
  add("b", IN_ALL_EVENTS);
  add("a/one", IN_ALL_EVENTS);
  add("a/two", IN_ALL_EVENTS);
  print_result("rename", rename("a/one", "a/three"));
  print_events("rename in a directory");
  print_result("rename", rename("a/three", "b/four"));
  print_events("rename to another");
  print_result("rename", rename("b/four", "a/two"));
  print_events("rename over a file");
  print_result("link", link("a/two", "b/two"));
  print_events("link");
  print_result("rename", rename("a/two", "b/two"));
  print_events("rename to another name of itself");
  unlink("a/two");
  print_events("unlink of one of two names");
  mkdir("a/sub", 0755);
  make("a/sub/x", "x");
  print_events("mkdir");
  add("a/sub", IN_ALL_EVENTS);
  print_result("rename", rename("a/sub", "b/sub"));
  print_events("rename of a directory");
  make("b/sub/y", "y");
  print_events("a file in it");
  const int file = open("b/sub/y", O_WRONLY);
  print_events("open");
  rename("b/sub/y", "b/sub/z");
  print_events("rename of what is open");
  if (write(file, "x", 1) != 1) perror("write");
  print_events("write to it");
  rename("b/sub", "a/sub2");
  print_events("rename of its directory");
  close(file);
  print_events("close");
  unlink("a/sub2/x");
  unlink("a/sub2/z");
  rmdir("a/sub2");
  unlink("b/two");
  print_events("all removed");
  rmdir("a");
  rmdir("b");
  close(notify);
}

// The last close, not the last name, is a file's end.
static void open_files(void) {
  start();
  mkdir("d", 0755);
  make("d/file", "1");
  add("d", IN_ALL_EVENTS);
  add("d/file", IN_ALL_EVENTS);
  int file = open("d/file", O_RDWR);
  print_events("open");
  unlink("d/file");
  print_events("unlink");
  if (write(file, "x", 1) != 1) perror("write");
  print_events("write without a name");
  fchmod(file, 0600);
  print_events("fchmod without a name");
  close(file);
  print_events("close");
  add("d", IN_ALL_EVENTS | IN_EXCL_UNLINK);
  file = open("d/file", O_CREAT | O_RDWR, 0644);
  unlink("d/file");
  print_events("created, opened and removed");
  if (write(file, "x", 1) != 1) perror("write");
  close(file);
  print_events("not told of what has no name");
  make("d/file", "1");
  print_events("created");
  make("old", "2");
  add("d/file", IN_DELETE_SELF | IN_ATTRIB);
  rename("old", "d/file");
  print_events("another in its place");
  unlink("d/file");
  rmdir("d");
  close(notify);
}

static void watches(void) {
  start();
  mkdir("d", 0755);
  make("d/file", "1");
  symlink("file", "d/link");
  const int first = add("d/file", IN_MODIFY);
  printf("the same through a link: %d\n", inotify_add_watch(notify, "d/link", IN_MODIFY) == first);
  const int link = add("d/link", IN_ATTRIB | IN_DELETE_SELF | IN_DONT_FOLLOW);
  printf("another of the link itself: %d\n", link != first);
  add("d/file", IN_OPEN | IN_MASK_ADD);
  make("d/file", "2");
  print_events("mask added");
  add("d/file", IN_CLOSE);
  make("d/file", "3");
  print_events("mask replaced");
  add("d/file", IN_OPEN | IN_ONESHOT);
  make("d/file", "4");
  make("d/file", "5");
  print_events("once");
  print_result("removed already", inotify_rm_watch(notify, first));
  const int next = add("d/file", IN_ALL_EVENTS);
  printf("a new number: %d\n", next > link);
  print_result("remove", inotify_rm_watch(notify, next));
  make("d/file", "6");
  print_events("removed");
  print_result("remove again", inotify_rm_watch(notify, next));
  unlink("d/link");
  print_events("the link removed");
  add("d", IN_CREATE | IN_ONLYDIR);
  make("d/new", "7");
  print_events("create alone");
  close(notify);
  start();
  add("d", IN_MODIFY);
  add("d/file", IN_MODIFY);
  const int file = open("d/file", O_WRONLY);
  for (int i = 0; i < 3; ++i) {
    if (write(file, "x", 1) != 1) perror("write");
  }
  print_events("three writes, each of which two watches see");
  close(notify);
  start();
  add("d/file", IN_MODIFY | IN_ATTRIB);
  for (int i = 0; i < 3; ++i) {
    if (write(file, "x", 1) != 1) perror("write");
  }
  fchmod(file, 0600);
  if (write(file, "x", 1) != 1) perror("write");
  close(file);
  print_events("equal events that follow each other are one");
  unlink("d/file");
  unlink("d/new");
  rmdir("d");
  close(notify);
}

static void reading(void) {
  start();
  mkdir("d", 0755);
  add("d", IN_CREATE | IN_DELETE);
  _Alignas(struct inotify_event) char bytes[256];
  int available = -1;
  print_result("FIONREAD", ioctl(notify, FIONREAD, &available));
  printf("available %d\n", available);
  print_result("read", (int)read(notify, bytes, sizeof bytes));
  struct pollfd poll_of = {.fd = notify, .events = POLLIN | POLLOUT};
  printf("poll %d, events %#x\n", poll(&poll_of, 1, 0), poll_of.revents);
  make("d/a", "");
  make("d/sixteen_letters_", "");
  ioctl(notify, FIONREAD, &available);
  printf("available %d\n", available);
  printf("poll %d, events %#x\n", poll(&poll_of, 1, 0), poll_of.revents);
  fd_set set;
  FD_ZERO(&set);
  FD_SET(notify, &set);
  printf("select %d\n", select(notify + 1, &set, NULL, NULL, &(struct timeval){0}));
  const int epoll = epoll_create1(0);
  struct epoll_event wanted = {.events = EPOLLIN}, found = {0};
  print_result("epoll_ctl", epoll_ctl(epoll, EPOLL_CTL_ADD, notify, &wanted));
  printf("epoll %d, events %#x\n", epoll_wait(epoll, &found, 1, 0), found.events);
  print_result("small buffer", (int)read(notify, bytes, 31));
  print_result("one event", (int)read(notify, bytes, 79));
  print_event((const struct inotify_event*)bytes);
  print_result("the other", (int)read(notify, bytes, 80));
  print_event((const struct inotify_event*)bytes);
  ioctl(notify, FIONREAD, &available);
  printf("available %d\n", available);
  printf("epoll %d\n", epoll_wait(epoll, &found, 1, 0));
  close(epoll);
  // A read that waits.
  fcntl(notify, F_SETFL, 0);
  const pid_t child = fork();
  if (child == 0) {
    usleep(50000);
    unlink("d/a");
    _exit(0);
  }
  print_result("read that waits", (int)read(notify, bytes, sizeof bytes));
  print_event((const struct inotify_event*)bytes);
  waitpid(child, NULL, 0);
  unlink("d/sixteen_letters_");
  rmdir("d");
  close(notify);
}

static void overflow(void) {
  start();
  mkdir("d", 0755);
  add("d", IN_ATTRIB);
  make("d/a", "");
  make("d/b", "");
  for (int i = 0; i < 9000; ++i) {
    chmod("d/a", 0600);
    chmod("d/b", 0600);
  }
  int available = 0;
  ioctl(notify, FIONREAD, &available);
  printf("available %d\n", available);
  _Alignas(struct inotify_event) char bytes[4096];
  int events = 0;
  for (ssize_t size; (size = read(notify, bytes, sizeof bytes)) > 0;) {
    for (ssize_t at = 0; at < size; ++events) {
      const struct inotify_event* event = (const struct inotify_event*)(bytes + at);
      if (event->wd < 0) print_event(event);
      at += (ssize_t)(sizeof *event + event->len);
    }
  }
  printf("%d events\n", events);
  chmod("d/a", 0644);
  print_events("after that");
  unlink("d/a");
  unlink("d/b");
  rmdir("d");
  close(notify);
}

// A directory that is somebody's own goes when nobody is there any more.
static void own_directory(void) {
  start();
  mkdir("d", 0755);
  add("d", IN_ALL_EVENTS);
  if (chdir("d") != 0) perror("chdir");
  rmdir("../d");
  print_events("removed, but there is a process in it");
  if (chdir("..") != 0) {
    print_result("chdir", -1);
    if (fchdir(3) != 0) perror("fchdir");
  }
  print_events("left");
  close(notify);
}

int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  open(".", O_RDONLY);
  descriptors();
  errors();
  calls();
  moves();
  open_files();
  watches();
  reading();
  overflow();
  own_directory();
  return 0;
}
