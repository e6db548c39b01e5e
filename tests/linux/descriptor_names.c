// Open files by their names: /proc/self/fd, /dev/fd, /dev/stdin and its like (proc(5), fd(4)), and
// links of the working directory to them and to devices.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *of(long result) {
  static char text[40];
  if (result < 0) return strerror(errno);
  snprintf(text, sizeof text, "%ld", result);
  return text;
}

static const char *opened(const char *path, int flags) {
  const int file = open(path, flags, 0600);
  if (file >= 0) close(file);
  return file < 0 ? strerror(errno) : "opens";
}

static const char *link_of(const char *path) {
  static char text[1000];
  const ssize_t size = readlink(path, text, sizeof text - 1);
  if (size < 0) return strerror(errno);
  text[size] = 0;
  return text;
}

static char name[100];

static const char *named(const char *folder, int file) {
  snprintf(name, sizeof name, "%s/%d", folder, file);
  return name;
}

static void say_status(const char *path) {
  struct stat status;
  if (stat(path, &status) != 0) {
    printf("stat: %s; ", strerror(errno));
  } else {
    printf("stat: type %o, size %ld; ", status.st_mode & S_IFMT,
           S_ISREG(status.st_mode) ? (long)status.st_size : 0);
  }
  if (lstat(path, &status) != 0) {
    printf("lstat: %s\n", strerror(errno));
  } else {
    printf("lstat: mode %o\n", status.st_mode);
  }
}

static void links(void) {
  const char *const paths[] = {"/dev/fd", "/dev/stdin", "/dev/stdout", "/dev/stderr"};
  for (unsigned i = 0; i < 4; ++i) printf("%s -> %s\n", paths[i], link_of(paths[i]));
  struct stat a, b;
  printf("one folder: %d\n", stat("/dev/fd/", &a) == 0 && stat("/proc/self/fd", &b) == 0 &&
                                 S_ISDIR(a.st_mode) && a.st_ino == b.st_ino);
  int found = 0;
  DIR *const devices = opendir("/dev");
  for (struct dirent *entry; (entry = readdir(devices)) != NULL;) {
    for (unsigned i = 0; i < 4; ++i) found += strcmp(entry->d_name, paths[i] + 5) == 0;
  }
  closedir(devices);
  printf("listed %d\n", found);
}

static void listing(void) {
  const int file = open("/dev/null", O_RDONLY), high = fcntl(file, F_DUPFD, 100);
  int seen = 0;
  DIR *const folder = opendir("/dev/fd");
  for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
    const int number = atoi(entry->d_name);
    const int is_ours = number == file || number == high || number == dirfd(folder);
    if (entry->d_name[0] != '.' && is_ours) seen += entry->d_type == DT_LNK;
  }
  printf("seen %d\n", seen);
  closedir(folder);
  close(file);
  close(high);
}

static void regular(void) {
  const int file = open("data", O_RDWR | O_CREAT | O_TRUNC, 0644);
  write(file, "0123456789", 10);
  const int reader = open("data", O_RDONLY);
  char byte;
  read(reader, &byte, 1);
  say_status(named("/dev/fd", reader));
  say_status(named("/proc/self/fd", file));
  const int again = open(named("/dev/fd", reader), O_RDWR);
  byte = '?';
  read(again, &byte, 1);
  printf("a position of its own: %c, %s\n", byte, of(lseek(reader, 0, SEEK_CUR)));
  printf("write %s\n", of(write(again, "ab", 2)));
  printf("access %s ", of(access(named("/dev/fd", reader), R_OK | W_OK)));
  printf("execute %s\n", of(access(name, X_OK)));
  printf("new %s, ", opened(name, O_RDONLY | O_CREAT | O_EXCL));
  printf("directory %s, ", opened(name, O_RDONLY | O_DIRECTORY));
  printf("not followed %s, ", opened(name, O_RDONLY | O_NOFOLLOW));
  printf("appending %s\n", opened(name, O_WRONLY | O_APPEND | O_CREAT));
  unlink("data");
  struct stat status;
  printf("removed: %s, ", of(stat(name, &status)));
  printf("links %ld\n", (long)status.st_nlink);
  const int still = open(name, O_RDWR);
  char bytes[20] = "";
  printf("read %s ", of(read(still, bytes, 19)));
  printf("%s\n", bytes);
  printf("truncate %s, ", of(truncate(name, 3)));
  printf("now %s, ", of(lseek(reader, 0, SEEK_END)));
  close(open(name, O_WRONLY | O_TRUNC));
  printf("then %s\n", of(lseek(reader, 0, SEEK_END)));
  close(file);
  close(reader);
  printf("closed: %s\n", opened(name, O_RDONLY));
  say_status(name);
  printf("%s\n", link_of(name));
  close(again);
  close(still);
}

static void others(void) {
  int ends[2];
  pipe(ends);
  write(ends[1], "in the pipe", 11);
  say_status(named("/proc/self/fd", ends[0]));
  printf("%.6s\n", link_of(name));
  const int writer = open(name, O_WRONLY), reader = open(name, O_RDONLY | O_NONBLOCK);
  printf("write %s\n", of(write(writer, "!", 1)));
  char bytes[20] = "";
  printf("read %s ", of(read(reader, bytes, 19)));
  printf("%s\n", bytes);
  printf("again %s\n", of(read(reader, bytes, 19)));
  close(ends[1]);
  close(writer);
  printf("at the end %s\n", of(read(ends[0], bytes, 19)));
  const int late = open(name, O_RDONLY);
  printf("without a writer %s\n", of(read(late, bytes, 19)));
  close(late);
  close(ends[0]);
  close(reader);
  int pair[2];
  socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
  say_status(named("/dev/fd", pair[0]));
  printf("socket: %s, %.8s\n", opened(name, O_RDWR), link_of(name));
  close(pair[0]);
  close(pair[1]);
  mkdir("folder", 0700);
  close(open("folder/file", O_WRONLY | O_CREAT, 0600));
  const int folder = open("folder", O_RDONLY);
  char path[120];
  snprintf(path, sizeof path, "%s/file", named("/proc/self/fd", folder));
  printf("through a folder: %s\n", opened(path, O_RDONLY));
  printf("into it: %s\n", of(chdir(name)));
  printf("there: %s\n", opened("file", O_RDONLY));
  chdir("..");
  close(folder);
  printf("bad names: %s, ", opened("/dev/fd/x", O_RDONLY));
  printf("%s, ", opened("/dev/fd/01", O_RDONLY));
  printf("%s, ", opened("/dev/fd/-1", O_RDONLY));
  printf("%s\n", opened("/dev/fd/0/x", O_RDONLY));
}

// Links in the working directory.
static void own_links(void) {
  char byte = 'x';
  symlink("/dev/null", "nothing");
  symlink("/dev/zero", "zeros");
  symlink("/dev", "devices");
  symlink("nothing", "chain");
  symlink("/proc/self", "self");
  symlink("/dev/fd/9", "nine");
  symlink("nowhere/null", "dangling");
  say_status("nothing");
  printf("read %s, ", of(read(open("nothing", O_RDONLY), &byte, 1)));
  printf("write %s, ", of(write(open("chain", O_WRONLY | O_CREAT | O_TRUNC, 0600), "x", 1)));
  printf("zeros %s ", of(read(open("zeros", O_RDONLY), &byte, 1)));
  printf("%d, ", byte);
  const void* zeros = mmap(NULL, 1, PROT_READ, MAP_PRIVATE, open("zeros", O_RDONLY), 0);
  printf("mapped %d\n", zeros != MAP_FAILED);
  printf("below %s, ", opened("devices/null", O_RDWR));
  printf("below that %s, ", opened("devices/null/x", O_RDWR));
  printf("slash %s, ", opened("nothing/", O_RDONLY));
  printf("access %s, ", of(access("nothing", R_OK | W_OK)));
  printf("execute %s\n", of(access("nothing", X_OK)));
  printf("new %s, ", opened("nothing", O_WRONLY | O_CREAT | O_EXCL));
  printf("not followed %s, ", opened("nothing", O_RDONLY | O_NOFOLLOW));
  printf("dangling %s, ", opened("dangling", O_WRONLY | O_CREAT));
  printf("mkdir %s\n", of(mkdir("nothing", 0700)));
  symlink("folder", "to_folder");
  printf("a slash follows: %s, ", opened("to_folder/", O_RDONLY | O_NOFOLLOW | O_DIRECTORY));
  printf("%s\n", opened("to_folder", O_RDONLY | O_NOFOLLOW | O_DIRECTORY));
  printf("link of it: %s\n", link_of("nothing"));
  dup2(open("devices/null", O_RDONLY), 9);
  printf("nine %s, ", opened("nine", O_RDONLY));
  printf("in self %s, ", opened("self/fd/9", O_RDWR));
  close(9);
  printf("closed %s\n", opened("nine", O_RDONLY));
  printf("self: %s\n", opened("self/status", O_RDONLY));
  printf("directory %s, ", of(chdir("nothing")));
  printf("%s\n", of(chdir("self/fd")));
}

int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  links();
  listing();
  regular();
  others();
  own_links();
  return 0;
}
