// The file calls that the C library does not have, through IRIX's indirect call, and their
// structures and constants: those of IRIX's headers as NetBSD's sys/compat/irix/irix_types.h has
// them.
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/types.h>
#include <unistd.h>

#include "tests/guests/tap.h"

// A 64-bit argument takes two words in the order of memory, behind one that aligns them.
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define OFFSET(offset) 0, (int)((int64_t)(offset) >> 32), (int)(offset)
#else
#define OFFSET(offset) 0, (int)(offset), (int)((int64_t)(offset) >> 32)
#endif

enum { O_NDELAY = 4, O_NONBLOCK = 0x80 };
enum { F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL };
enum { F_SETLK = 6, F_SETLKW = 7, F_FREESP = 11, F_GETLK = 14, F_GETLK64 = 33, F_SETLK64 = 34 };
enum { F_RDLCK = 1, F_WRLCK = 2, F_UNLCK = 3 };
enum { POLLIN = 1, POLLOUT = 4, POLLERR = 8, POLLHUP = 0x10, POLLNVAL = 0x20 };

struct timespec {
  time_t tv_sec;
  int32_t tv_nsec;
};

struct stat {
  uint32_t st_dev;
  int32_t st_pad1[3];
  uint32_t st_ino, st_mode, st_nlink;
  int32_t st_uid, st_gid;
  uint32_t st_rdev;
  int32_t st_pad2[2];
  off_t st_size;
  int32_t st_pad3;
  struct timespec st_atim, st_mtim, st_ctim;
  int32_t st_blksize, st_blocks;
  char st_fstype[16];
  int32_t st_projid, st_pad4[7];
};
_Static_assert(sizeof(struct stat) == 136, "struct stat");

struct stat64 {
  uint32_t st_dev;
  int32_t st_pad1[3];
  uint64_t st_ino;
  uint32_t st_mode, st_nlink;
  int32_t st_uid, st_gid;
  uint32_t st_rdev;
  int32_t st_pad2[2];
  int64_t st_size;
  int32_t st_pad3;
  struct timespec st_atim, st_mtim, st_ctim;
  int32_t st_blksize;
  int64_t st_blocks;
  char st_fstype[16];
  int32_t st_projid, st_pad4[7];
};
_Static_assert(sizeof(struct stat64) == 152, "struct stat64");

struct flock {
  int16_t l_type, l_whence;
  off_t l_start, l_len;
  int32_t l_sysid;
  pid_t l_pid;
  int32_t l_pad[4];
};

struct flock64 {
  int16_t l_type, l_whence;
  int64_t l_start, l_len;
  int32_t l_sysid;
  pid_t l_pid;
  int32_t l_pad[4];
};

struct dirent {
  uint32_t d_ino;
  off_t d_off;
  uint16_t d_reclen;
  char d_name[];
};

struct dirent64 {
  uint64_t d_ino;
  int64_t d_off;
  uint16_t d_reclen;
  char d_name[];
};

struct pollfd {
  int fd;
  int16_t events, revents;
};

struct iovec {
  const void* base;
  size_t length;
};

struct statvfs {
  uint32_t f_bsize, f_frsize, f_blocks, f_bfree, f_bavail, f_files, f_ffree, f_favail, f_fsid;
  char f_basetype[16];
  uint32_t f_flag, f_namemax;
  char f_fstr[32];
  uint32_t f_filler[16];
};

struct statvfs64 {
  uint32_t f_bsize, f_frsize;
  uint64_t f_blocks, f_bfree, f_bavail, f_files, f_ffree, f_favail;
  uint32_t f_fsid;
  char f_basetype[16];
  uint32_t f_flag, f_namemax;
  char f_fstr[32];
  uint32_t f_filler[16];
};

#define link(from, to) indirect_syscall(1009, from, to)
#define unlink(path) indirect_syscall(1010, path)
#define chdir(path) indirect_syscall(1012, path)
#define chmod(path, mode) indirect_syscall(1015, path, mode)
#define chown(path, user, group) indirect_syscall(1016, path, user, group)
#define mount(device, path) indirect_syscall(1021, device, path, 0, 0, 0, 0)
#define utime(path, times) indirect_syscall(1030, path, times)
#define access(path, how) indirect_syscall(1033, path, how)
#define statfs(path, buffer, size, type) indirect_syscall(1035, path, buffer, size, type)
#define sync() indirect_syscall(1036)
#define dup(fd) indirect_syscall(1041, fd)
#define ioctl(fd, request, argument) indirect_syscall(1054, fd, request, argument)
#define umask(mask) indirect_syscall(1060, mask)
#define chroot(path) indirect_syscall(1061, path)
#define fcntl(fd, command, argument) indirect_syscall(1062, fd, command, argument)
#define rmdir(path) indirect_syscall(1079, path)
#define mkdir(path, mode) indirect_syscall(1080, path, mode)
#define getdents(fd, buffer, size) indirect_syscall(1081, fd, buffer, size)
#define poll(fds, count, timeout) indirect_syscall(1087, fds, count, timeout)
#define select(count, in, out, except, time) indirect_syscall(1100, count, in, out, except, time)
#define truncate(path, size) indirect_syscall(1112, path, size)
#define ftruncate(fd, size) indirect_syscall(1113, fd, size)
#define rename(from, to) indirect_syscall(1114, from, to)
#define symlink(target, path) indirect_syscall(1115, target, path)
#define readlink(path, buffer, size) indirect_syscall(1116, path, buffer, size)
#define fsync(fd) indirect_syscall(1146, fd)
#define fchdir(fd) indirect_syscall(1147, fd)
#define fchown(fd, user, group) indirect_syscall(1152, fd, user, group)
#define fchmod(fd, mode) indirect_syscall(1153, fd, mode)
#define xstat(version, path, status) indirect_syscall(1158, version, path, status)
#define lxstat(version, path, status) indirect_syscall(1159, version, path, status)
#define fxstat(version, fd, status) indirect_syscall(1160, version, fd, status)
#define mknod(path, mode, device) indirect_syscall(1161, 2, path, mode, device)
#define statvfs(path, buffer) indirect_syscall(1174, path, buffer)
#define fstatvfs(fd, buffer) indirect_syscall(1175, fd, buffer)
#define readv(fd, vectors, count) indirect_syscall(1181, fd, vectors, count)
#define writev(fd, vectors, count) indirect_syscall(1182, fd, vectors, count)
#define truncate64(path, size) indirect_syscall(1183, path, OFFSET(size))
#define ftruncate64(fd, size) indirect_syscall(1184, fd, OFFSET(size))
#define pread(fd, buffer, size, offset) indirect_syscall(1187, fd, buffer, size, OFFSET(offset))
#define pwrite(fd, buffer, size, offset) indirect_syscall(1188, fd, buffer, size, OFFSET(offset))
#define fdatasync(fd) indirect_syscall(1189, fd)
#define statvfs64(path, buffer) indirect_syscall(1201, path, buffer)
#define getdents64(fd, buffer, size) indirect_syscall(1205, fd, buffer, size)
#define ngetdents(fd, buffer, size, eof) indirect_syscall(1207, fd, buffer, size, eof)
#define ngetdents64(fd, buffer, size, eof) indirect_syscall(1208, fd, buffer, size, eof)

// lseek64's two results are the halves of the position, in the order in which C returns them.
int64_t syscall64(int number, ...) __asm__("indirect_syscall");
#define lseek64(fd, offset, whence) syscall64(1078, fd, OFFSET(offset), whence)
