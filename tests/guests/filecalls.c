// The file calls beyond the first call set, with their error cases, as TAP. Needs a writable
// working directory, where it leaves nothing behind. Each expectation is the RETURN VALUE or ERRORS
// section of the call's IRIX (SVR4) manual page, section 2.
#include <string.h>
#include <sys/times.h>
#include <sys/wait.h>
#include <time.h>

#include "tests/guests/filecalls.h"

// An address that no guest has mapped: the page below the program text.
#define BAD_POINTER ((void*)0x003ff000)

// The first result, which is -1 after an error.
static int first_result(int64_t results) {
  return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? (int)(results >> 32) : (int)results;
}

static char buffer[8192];

static int has_text(const char* text) {
  return memcmp(buffer, text, strlen(text)) == 0;
}

static void make_file(const char* path, const char* text) {
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  write(fd, text, strlen(text));
  close(fd);
}

static int wait_for(pid_t pid) {
  siginfo_t info;
  return waitid(P_PID, pid, &info, WEXITED) == 0 ? info.si_status : -1;
}

static void test_status(void) {
  struct stat status;
  struct stat64 wide;
  make_file("f", "0123456789");
  check(xstat(2, "f", &status) == 0, "xstat");
  check(status.st_size == 10 && status.st_blocks == 8,
        "st_size, and st_blocks of 512 bytes in a block of 4096");
  check(status.st_mode == (0100000 | 0644), "st_mode: a regular file; the umask was 022");
  check(status.st_nlink == 1 && status.st_ino != 0, "st_nlink and st_ino");
  check(strcmp(status.st_fstype, "xfs") == 0, "st_fstype");
  check(xstat(3, "f", &wide) == 0 && wide.st_size == 10 && wide.st_mode == status.st_mode &&
            wide.st_ino == status.st_ino && wide.st_blocks == status.st_blocks &&
            wide.st_mtim.tv_sec == status.st_mtim.tv_sec && strcmp(wide.st_fstype, "xfs") == 0,
        "xstat of version 3 fills a struct stat64 with the same");
  int fd = open("f", O_RDONLY);
  struct stat same;
  check(fxstat(2, fd, &same) == 0 && memcmp(&same, &status, sizeof same) == 0, "fxstat agrees");
  close(fd);
  check(xstat(2, ".", &status) == 0 && (status.st_mode & 0170000) == 0040000,
        "st_mode of a directory");
  check(xstat(2, "/dev/null", &status) == 0 && (status.st_mode & 0170000) == 0020000,
        "st_mode of a device");
  int fds[2];
  pipe(fds);
  check(fxstat(2, fds[0], &status) == 0 && (status.st_mode & 0170000) == 0010000,
        "st_mode of a pipe");
  close(fds[0]);
  close(fds[1]);
  check_error(xstat(1, "f", &status), EINVAL, "xstat of System V.3's version");
  check_error(xstat(2, "missing", &status), ENOENT, "xstat of a missing file");
  check_error(xstat(2, "f/x", &status), ENOTDIR, "xstat below a file");
  check_error(xstat(2, "f", BAD_POINTER), EFAULT, "xstat to a bad address");
  check_error(xstat(2, BAD_POINTER, &status), EFAULT, "xstat of a bad name");
  check_error(fxstat(2, 99, &status), EBADF, "fxstat of a closed descriptor");
  unlink("f");
}

static void test_times(void) {
  struct stat status;
  time_t times[2] = {86400, 825552000};
  make_file("t", "x");
  check(utime("t", times) == 0 && xstat(2, "t", &status) == 0, "utime");
  check(status.st_atim.tv_sec == 86400 && status.st_mtim.tv_sec == 825552000,
        "the times are those that utime set");
  check(utime("t", NULL) == 0 && xstat(2, "t", &status) == 0, "utime without times");
  int32_t age = time(NULL) - status.st_mtim.tv_sec;
  check(age >= 0 && age <= 1, "sets the time of day");
  check_error(utime("missing", times), ENOENT, "utime of a missing file");
  check_error(utime("t", BAD_POINTER), EFAULT, "utime from a bad address");
  unlink("t");
}

static void test_permissions(void) {
  struct stat status;
  make_file("p", "x");
  check(access("p", 0) == 0 && access("p", 4 | 2) == 0, "access");
  check_error(access("p", 1), EACCES, "access for execution of a file without the bit");
  check_error(access("missing", 0), ENOENT, "access of a missing file");
  check_error(access("p", 8), EINVAL, "access of an unknown kind");
  check(chmod("p", 0755) == 0 && access("p", 1) == 0, "chmod");
  int fd = open("p", O_RDWR);
  check(fchmod(fd, 0600) == 0 && fxstat(2, fd, &status) == 0 && status.st_mode == 0100600,
        "fchmod");
  check(status.st_uid == indirect_syscall(1024), "a file belongs to whoever made it");
  check(chown("p", -1, -1) == 0 && chown("p", status.st_uid, status.st_gid) == 0,
        "chown to the owner that it has");
  check_error(chown("p", 0, -1), EPERM, "chown to the superuser");
  check(fchown(fd, -1, status.st_gid) == 0, "fchown");
  check_error(fchown(99, -1, -1), EBADF, "fchown of a closed descriptor");
  check_error(chmod("missing", 0644), ENOENT, "chmod of a missing file");
  check_error(fchmod(99, 0644), EBADF, "fchmod of a closed descriptor");
  close(fd);
  unlink("p");

  check(umask(077) == 022 && umask(077) == 077, "umask returns the old mask");
  make_file("p", "x");
  check(xstat(2, "p", &status) == 0 && status.st_mode == 0100600, "and holds for new files");
  check(mkdir("d", 0777) == 0 && xstat(2, "d", &status) == 0 && status.st_mode == 0040700,
        "and for new directories");
  umask(022);
  rmdir("d");
  unlink("p");
}

static void test_links(void) {
  struct stat status;
  make_file("a", "text");
  check(link("a", "b") == 0 && xstat(2, "b", &status) == 0 && status.st_nlink == 2, "link");
  check_error(link("a", "b"), EEXIST, "link to a name that exists");
  check_error(link("missing", "c"), ENOENT, "link of a missing file");
  check(symlink("a", "s") == 0, "symlink");
  check_error(symlink("a", "s"), EEXIST, "symlink to a name that exists");
  check(lxstat(2, "s", &status) == 0 && (status.st_mode & 0170000) == 0120000, "lxstat of a link");
  check(xstat(2, "s", &status) == 0 && (status.st_mode & 0170000) == 0100000,
        "xstat follows the link");
  check(readlink("s", buffer, 10) == 1 && buffer[0] == 'a', "readlink");
  symlink("a-longer-target", "l");
  check(readlink("l", buffer, 4) == 4 && has_text("a-lo"), "readlink into a small buffer");
  check_error(readlink("a", buffer, 10), EINVAL, "readlink of a file");
  check_error(readlink("missing", buffer, 10), ENOENT, "readlink of a missing file");
  check_error(readlink("s", BAD_POINTER, 10), EFAULT, "readlink to a bad address");
  check(rename("b", "c") == 0, "rename");
  check_error(xstat(2, "b", &status), ENOENT, "the old name is gone");
  check_error(rename("missing", "b"), ENOENT, "rename of a missing file");
  check(unlink("c") == 0 && unlink("s") == 0 && unlink("l") == 0 && unlink("a") == 0, "unlink");
  check_error(unlink("a"), ENOENT, "unlink of a missing file");
  check_error(mknod("n", 0020666, 0), EPERM, "mknod of a device without privilege");
}

static void test_sizes(void) {
  struct stat status;
  int fd = open("z", O_RDWR | O_CREAT | O_TRUNC, 0666);
  check(ftruncate(fd, 100) == 0 && lseek(fd, 0, SEEK_END) == 100, "ftruncate extends");
  check(truncate("z", 5) == 0 && lseek(fd, 0, SEEK_END) == 5, "truncate cuts");
  check(ftruncate64(fd, 0x180000000) == 0 && lseek64(fd, 0, SEEK_END) == 0x180000000,
        "ftruncate64 and lseek64 beyond 4 GiB");
  check_error(xstat(2, "z", &status), 79, "xstat of a file too large for it: EOVERFLOW");
  check_error(lseek(fd, 0, SEEK_END), 79, "lseek to where off_t does not reach: EOVERFLOW");
  check(lseek64(fd, -1, SEEK_CUR) == 0x17fffffff, "lseek64 backwards");
  check(pwrite(fd, "end", 3, 0x17ffffff0) == 3 && pread(fd, buffer, 3, 0x17ffffff0) == 3 &&
            has_text("end"),
        "pwrite and pread beyond 4 GiB");
  check(lseek64(fd, 0, SEEK_CUR) == 0x17fffffff, "and the position stays");
  check(truncate64("z", 3) == 0 && lseek(fd, 0, SEEK_END) == 3, "truncate64");
  struct flock end = {.l_whence = SEEK_SET, .l_start = 7, .l_len = 0};
  check(fcntl(fd, F_FREESP, &end) == 0 && lseek(fd, 0, SEEK_END) == 7, "fcntl F_FREESP");
  check(fsync(fd) == 0 && fdatasync(fd) == 0 && sync() == 0, "fsync, fdatasync and sync");
  close(fd);
  fd = open("z", O_RDONLY);
  check_error(ftruncate(fd, 0), EINVAL, "ftruncate of a descriptor open for reading");
  check_error(ftruncate(99, 0), EBADF, "ftruncate of a closed descriptor");
  check_error(truncate("missing", 0), ENOENT, "truncate of a missing file");
  check_error(truncate("z", -1), EINVAL, "truncate to a negative size");
  check_error(fsync(99), EBADF, "fsync of a closed descriptor");
  check_error(first_result(lseek64(99, 0, SEEK_SET)), EBADF, "lseek64 of a closed descriptor");
  check_error(first_result(lseek64(fd, 0, 9)), EINVAL, "lseek64 with an unknown whence");
  close(fd);
  unlink("z");
}

static void test_vectors(void) {
  struct iovec out[3] = {{"one", 3}, {NULL, 0}, {"two", 3}};
  struct iovec in[2] = {{buffer, 2}, {buffer + 100, 10}};
  int fd = open("v", O_RDWR | O_CREAT | O_TRUNC, 0666);
  check(writev(fd, out, 3) == 6, "writev");
  lseek(fd, 0, SEEK_SET);
  check(readv(fd, in, 2) == 6 && has_text("on") && memcmp(buffer + 100, "etwo", 4) == 0,
        "readv scatters");
  check_error(readv(fd, in, 0), EINVAL, "readv of no vectors");
  check_error(writev(fd, BAD_POINTER, 1), EFAULT, "writev from a bad array");
  out[1].base = BAD_POINTER;
  out[1].length = 4;
  check_error(writev(fd, out + 1, 1), EFAULT, "writev from a bad buffer");
  check_error(readv(99, in, 2), EBADF, "readv from a closed descriptor");
  int fds[2];
  pipe(fds);
  check_error(pread(fds[0], buffer, 1, 0), ESPIPE, "pread from a pipe");
  close(fds[0]);
  close(fds[1]);

  // read(2): the number of bytes read ... less than nbyte if the number of bytes left in the file
  // is less, and not for another reason.
  static char large[200000];
  large[199999] = 'z';
  check(pwrite(fd, large, sizeof large, 0) == sizeof large, "a large write");
  large[199999] = 0;
  check(pread(fd, large, sizeof large, 0) == sizeof large && large[199999] == 'z',
        "a large read is whole");
  close(fd);
  unlink("v");
}

static void test_descriptors(void) {
  int fd = open("/dev/null", O_RDWR | O_APPEND);
  int copy = fcntl(fd, F_DUPFD, 20);
  check(copy == 20 && fcntl(fd, F_DUPFD, 20) == 21, "fcntl F_DUPFD takes the lowest free one");
  close(21);
  check_error(fcntl(fd, F_DUPFD, -1), EINVAL, "fcntl F_DUPFD below 0");
  check_error(fcntl(fd, F_DUPFD, 100000), EINVAL, "fcntl F_DUPFD above the limit");
  check_error(fcntl(99, F_GETFD, 0), EBADF, "fcntl of a closed descriptor");
  check_error(fcntl(fd, 999, 0), EINVAL, "fcntl with an unknown command");
  check(fcntl(fd, F_GETFD, 0) == 0 && fcntl(fd, F_SETFD, 1) == 0 && fcntl(fd, F_GETFD, 0) == 1,
        "fcntl F_SETFD and F_GETFD");
  check(fcntl(copy, F_GETFD, 0) == 0, "close-on-exec belongs to the descriptor");
  check(fcntl(fd, F_GETFL, 0) == (O_RDWR | O_APPEND), "fcntl F_GETFL");
  check(fcntl(fd, F_SETFL, O_NONBLOCK) == 0 && fcntl(copy, F_GETFL, 0) == (O_RDWR | O_NONBLOCK),
        "fcntl F_SETFL holds for the copy");
  check_error(ioctl(fd, 0x5401, buffer), ENOTTY, "ioctl TCGETA: not a terminal");
  check_error(ioctl(99, 0x5401, buffer), EBADF, "ioctl of a closed descriptor");
  check(ioctl(fd, 0x20006602, 0) == 0 && fcntl(fd, F_GETFD, 0) == 0, "ioctl FIONCLEX");
  check(ioctl(fd, 0x20006601, 0) == 0 && fcntl(fd, F_GETFD, 0) == 1, "ioctl FIOCLEX");
  close(fd);
  close(copy);

  int fds[2], count = -1, on = 1, off = 0;
  pipe(fds);
  check(ioctl(fds[0], 0x8004667e, &on) == 0, "ioctl FIONBIO");
  check_error(read(fds[0], buffer, 1), EAGAIN, "read from an empty pipe with O_NONBLOCK");
  check(ioctl(fds[0], 0x8004667e, &off) == 0 && fcntl(fds[0], F_SETFL, O_NDELAY) == 0 &&
            read(fds[0], buffer, 1) == 0,
        "and with O_NDELAY");
  fcntl(fds[1], F_SETFL, O_NONBLOCK);
  while (write(fds[1], buffer, 512) == 512) continue;
  check(errno == EAGAIN, "write to a full pipe with O_NONBLOCK");
  check(ioctl(fds[0], 0x4004667f, &count) == 0 && count == 10240, "ioctl FIONREAD of a pipe");
  check_error(ioctl(fds[0], 0x4004667f, BAD_POINTER), EFAULT, "ioctl FIONREAD to a bad address");
  close(fds[0]);
  close(fds[1]);
}

static void test_locks(void) {
  struct flock lock = {.l_type = F_WRLCK, .l_start = 10, .l_len = 10};
  struct flock seen = {.l_type = F_WRLCK, .l_start = 0, .l_len = 0};
  struct flock64 wide = {.l_type = F_RDLCK, .l_start = 15, .l_len = 1};
  int fds[2];
  pid_t parent = getpid();
  int fd = open("k", O_RDWR | O_CREAT | O_TRUNC, 0666);
  check(fcntl(fd, F_SETLK, &lock) == 0, "fcntl F_SETLK");
  check(fcntl(fd, F_GETLK, &seen) == 0 && seen.l_type == F_UNLCK,
        "one's own lock is in nobody's way");
  pipe(fds);
  pid_t pid = fork();
  if (pid == 0) {
    int mine = open("k", O_RDWR);
    seen.l_type = F_RDLCK;
    int found = fcntl(mine, F_GETLK, &seen) == 0 && seen.l_type == F_WRLCK && seen.l_start == 10 &&
                seen.l_len == 10 && seen.l_pid == parent;
    int wide_found = fcntl(mine, F_GETLK64, &wide) == 0 && wide.l_type == F_WRLCK &&
                     wide.l_start == 10 && wide.l_len == 10;
    int refused = fcntl(mine, F_SETLK, &lock) == -1 && errno == EAGAIN;
    lock.l_start = 20;
    int granted = fcntl(mine, F_SETLK, &lock) == 0;
    write(fds[1], "x", 1);
    lock.l_start = 10;
    int waited = fcntl(mine, F_SETLKW, &lock) == 0;
    _exit(found | wide_found << 1 | refused << 2 | granted << 3 | waited << 4);
  }
  read(fds[0], buffer, 1);
  lock.l_start = 20;
  check_error(fcntl(fd, F_SETLK, &lock), EAGAIN, "fcntl F_SETLK of what the child has");
  lock.l_type = F_UNLCK;
  lock.l_start = 0;
  lock.l_len = 0;
  check(fcntl(fd, F_SETLK, &lock) == 0, "fcntl F_SETLK with F_UNLCK");
  check(wait_for(pid) == 31, "the child saw the lock, was refused, and waited for it");
  lock.l_type = F_WRLCK;
  check(fcntl(fd, F_SETLK, &lock) == 0, "its end removed the child's locks");
  close(open("k", O_RDONLY));
  pid = fork();
  if (pid == 0) _exit(fcntl(fd, F_SETLK, &lock) == 0 ? 1 : 2);
  check(wait_for(pid) == 1, "closing any descriptor of the file removed the parent's");
  lock.l_type = 9;
  check_error(fcntl(fd, F_SETLK, &lock), EINVAL, "fcntl F_SETLK of an unknown type");
  check_error(fcntl(fd, F_SETLK, BAD_POINTER), EFAULT, "fcntl F_SETLK from a bad address");
  lock.l_type = F_WRLCK;
  check_error(fcntl(fds[0], F_SETLK, &lock), EINVAL, "fcntl F_SETLK of a pipe");
  close(fds[0]);
  close(fds[1]);
  close(fd);
  fd = open("k", O_RDONLY);
  check_error(fcntl(fd, F_SETLK, &lock), EBADF, "a write lock of a descriptor open for reading");
  close(fd);
  unlink("k");
}

static void test_directories(void) {
  struct stat status;
  int eof = -1;
  check(mkdir("dir", 0777) == 0 && xstat(2, "dir", &status) == 0 && status.st_mode == 0040755,
        "mkdir");
  check_error(mkdir("dir", 0777), EEXIST, "mkdir of a directory that exists");
  make_file("dir/b", "");
  make_file("dir/abc", "");
  int fd = open("dir", O_RDONLY);
  int size = getdents(fd, buffer, sizeof buffer);
  const char* const expected[] = {".", "..", "abc", "b"};
  int at = 0, same = 1, second = 0;
  for (int i = 0; i < 4; ++i) {
    struct dirent* entry = (struct dirent*)(buffer + at);
    same &= strcmp(entry->d_name, expected[i]) == 0 && entry->d_reclen % 4 == 0;
    if (i == 0) second = entry->d_off;
    if (i == 3) same &= xstat(2, "dir/b", &status) == 0 && status.st_ino == entry->d_ino;
    at += entry->d_reclen;
  }
  check(same && at == size, "getdents lists the names, the inode numbers are stat's");
  check(getdents(fd, buffer, sizeof buffer) == 0, "getdents at the end returns 0");
  check(lseek(fd, second, SEEK_SET) == second && getdents(fd, buffer, 16) > 0 &&
            strcmp(((struct dirent*)buffer)->d_name, "..") == 0,
        "d_off is where the next entry is");
  lseek(fd, 0, SEEK_SET);
  check(ngetdents64(fd, buffer, 64, &eof) > 0 && eof == 0 &&
            strcmp(((struct dirent64*)buffer)->d_name, ".") == 0 &&
            ((struct dirent64*)buffer)->d_reclen % 8 == 0,
        "ngetdents64 begins again after lseek to 0");
  check(ngetdents64(fd, buffer, sizeof buffer, &eof) > 0 && eof == 1, "ngetdents64 tells the end");
  lseek(fd, 0, SEEK_SET);
  check(
      getdents64(fd, buffer, sizeof buffer) > 0 && ngetdents(fd, buffer, 64, &eof) == 0 && eof == 1,
      "getdents64 and ngetdents");
  lseek(fd, 0, SEEK_SET);
  check_error(getdents(fd, buffer, 8), EINVAL, "getdents into too small a buffer");
  check_error(getdents(fd, BAD_POINTER, 100), EFAULT, "getdents to a bad address");
  check_error(getdents(99, buffer, 100), EBADF, "getdents of a closed descriptor");
  check_error(read(fd, buffer, 10), EISDIR, "read of a directory");
  check_error(rmdir("dir"), ENOTEMPTY, "rmdir of a directory with files");

  check(chdir("dir") == 0 && access("abc", 0) == 0, "chdir");
  check(chdir("..") == 0 && access("dir", 0) == 0, "chdir back");
  check(fchdir(fd) == 0 && access("abc", 0) == 0, "fchdir");
  chdir("..");
  close(fd);
  fd = open("dir/b", O_RDONLY);
  check_error(getdents(fd, buffer, 100), ENOTDIR, "getdents of a file");
  check_error(fchdir(fd), ENOTDIR, "fchdir to a file");
  close(fd);
  check_error(chdir("missing"), ENOENT, "chdir to a missing directory");
  check_error(chdir("dir/b"), ENOTDIR, "chdir to a file");
  check_error(fchdir(99), EBADF, "fchdir of a closed descriptor");
  unlink("dir/b");
  unlink("dir/abc");
  check(rmdir("dir") == 0, "rmdir");
  check_error(rmdir("dir"), ENOENT, "rmdir of a missing directory");
}

static void test_poll(void) {
  struct tms unused;
  int fds[2];
  pipe(fds);
  struct pollfd polled[4] = {
      {fds[0], POLLIN, 9}, {fds[1], POLLOUT, 9}, {-1, POLLIN, 9}, {99, 0, 9}};
  check(poll(polled, 4, -1) == 2 && polled[0].revents == 0 && polled[1].revents == POLLOUT &&
            polled[2].revents == 0 && polled[3].revents == POLLNVAL,
        "poll of an empty pipe, a negative and a closed descriptor");
  write(fds[1], "x", 1);
  check(poll(polled, 1, -1) == 1 && polled[0].revents == POLLIN, "poll of a pipe with data");
  read(fds[0], buffer, 1);
  clock_t start = times(&unused);
  check(poll(polled, 1, 0) == 0, "poll with the timeout 0 returns at once");
  check(poll(polled, 1, 300) == 0, "poll with a timeout returns 0");
  clock_t waited = times(&unused) - start;
  check(waited >= 30 && waited <= 40, "after that time");
  check_error(poll(BAD_POINTER, 1, 0), EFAULT, "poll of a bad address");
  check_error(poll(polled, 100000, 0), EINVAL, "poll of more descriptors than there can be");

  uint32_t in[1] = {1u << fds[0]}, out[1] = {1u << fds[1]};
  check(select(8, in, out, NULL, NULL) == 1 && in[0] == 0 && out[0] == 1u << fds[1],
        "select of an empty pipe");
  struct timeval time = {0, 300000};
  in[0] = 1u << fds[0];
  start = times(&unused);
  check(select(8, in, NULL, NULL, &time) == 0 && in[0] == 0, "select with a timeout returns 0");
  waited = times(&unused) - start;
  check(waited >= 30 && waited <= 40, "after that time, too");
  in[0] = 1u << fds[0];
  pid_t pid = fork();
  if (pid == 0) {
    write(fds[1], "x", 1);
    _exit(0);
  }
  check(select(8, in, NULL, NULL, NULL) == 1 && in[0] == 1u << fds[0],
        "select waits until another process writes");
  wait_for(pid);
  in[0] = 1u << 31;
  check_error(select(32, in, NULL, NULL, NULL), EBADF, "select of a closed descriptor");
  check_error(select(-1, NULL, NULL, NULL, NULL), EINVAL, "select of a negative count");
  time.tv_usec = 1000000;
  check_error(select(0, NULL, NULL, NULL, &time), EINVAL, "select with a million microseconds");
  check_error(select(8, BAD_POINTER, NULL, NULL, NULL), EFAULT, "select from a bad address");

  read(fds[0], buffer, 1);
  close(fds[1]);
  check(poll(polled, 1, -1) == 1 && polled[0].revents == POLLHUP, "poll of a pipe without writers");
  close(fds[0]);
}

static void test_file_systems(void) {
  static struct statvfs status, same;
  static struct statvfs64 wide;
  check(statvfs(".", &status) == 0 && status.f_bsize != 0 && status.f_frsize != 0 &&
            status.f_blocks >= status.f_bfree && status.f_bfree >= status.f_bavail &&
            strcmp(status.f_basetype, "xfs") == 0 && status.f_namemax == 255,
        "statvfs");
  int fd = open(".", O_RDONLY);
  check(fstatvfs(fd, &same) == 0 && memcmp(&same, &status, sizeof same) == 0, "fstatvfs agrees");
  close(fd);
  check(statvfs64(".", &wide) == 0 && wide.f_blocks == status.f_blocks &&
            wide.f_ffree == status.f_ffree && wide.f_fsid == status.f_fsid &&
            strcmp(wide.f_basetype, "xfs") == 0 && wide.f_namemax == 255,
        "statvfs64 agrees");
  check(statfs(".", buffer, 28, 0) == 0 && ((uint32_t*)buffer)[1] == status.f_bsize &&
            ((uint32_t*)buffer)[3] == status.f_blocks,
        "statfs");
  check_error(statfs(".", buffer, 28, 1), EINVAL, "statfs of an unmounted file system");
  check_error(statvfs("missing", &status), ENOENT, "statvfs of a missing file");
  check_error(fstatvfs(99, &status), EBADF, "fstatvfs of a closed descriptor");
  check_error(statvfs(".", BAD_POINTER), EFAULT, "statvfs to a bad address");
  check_error(mount("/dev/x", "."), EPERM, "mount without privilege");
  check_error(chroot("."), EPERM, "chroot without privilege");
}

int main(void) {
  test_status();
  test_times();
  test_permissions();
  test_links();
  test_sizes();
  test_vectors();
  test_descriptors();
  test_locks();
  test_directories();
  test_poll();
  test_file_systems();
  return finish_checks();
}
