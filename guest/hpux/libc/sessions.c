/* getpgrp(2), killpg(2), mkfifo(3C), tcattribute(3C), tccontrol(3C), getdtablesize(2),
 * setreuid(2). */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

int ioctl(int file, unsigned long request, void*argument), mknod(const char*, int, int);
int getpgrp2(pid_t), sysconf(int), setresuid(uid_t, uid_t, uid_t), setresgid(gid_t, gid_t, gid_t);

pid_t getpgrp(void) {
  return getpgrp2(0);
}
int killpg(pid_t group, int number) {
  return kill(-group, number);
}
int mkfifo(const char* path, mode_t mode) {
  enum { s_ififo = 0010000 };
  return mknod(path, s_ififo | mode, 0);
}
int getdtablesize(void) {
  enum { sc_open_max = 4 };
  return sysconf(sc_open_max);
}

/* TCGETATTR, TCSETATTR and what follows it: now, drained, flushed. */
int tcgetattr(int file, void* attributes) {
  return ioctl(file, 0x40245410, attributes);
}
int tcsetattr(int file, int when, const void* attributes) {
  return ioctl(file, 0x80245411u + when, (void*)attributes);
}
/* TIOCGPGRP, TIOCSPGRP */
pid_t tcgetpgrp(int file) {
  int group;
  return ioctl(file, 0x4004541e, &group) < 0 ? -1 : group;
}
int tcsetpgrp(int file, pid_t group) {
  return ioctl(file, 0x8004541d, &group);
}
/* TCSBRK, TCXONC, TCFLSH */
int tcdrain(int file) {
  return ioctl(file, 0x20005405, (void*)1);
}
int tcsendbreak(int file, int length) {
  (void)length;
  return ioctl(file, 0x20005405, 0);
}
int tcflow(int file, int action) {
  return ioctl(file, 0x20005406, (void*)(size_t)action);
}
int tcflush(int file, int queue) {
  return ioctl(file, 0x20005407, (void*)(size_t)queue);
}

/* confstr(3C): _CS_PATH, by the number that GNU bash for HP-UX has. Bytes with the zero. */
size_t confstr(int name, char* to, size_t size) {
  enum { cs_path = 200 };
  static const char path[] = "/usr/bin:/bin";
  if (name != cs_path) {
    errno = EINVAL;
    return 0;
  }
  if (size != 0) {
    strncpy(to, path, size);
    to[size - 1] = 0;
  }
  return sizeof path;
}

/* stdipc(3C): the file's number, the low byte of its file system's and the program's own. */
int ftok(const char* path, int id) {
  struct stat status;
  if (stat(path, &status) < 0) return -1;
  return (int)((unsigned)id << 24 | (status.st_dev & 0xff) << 16 | (status.st_ino & 0xffff));
}

/* The saved one becomes the effective one. */
int setreuid(uid_t real, uid_t effective) {
  return setresuid(real, effective, effective);
}
int setregid(gid_t real, gid_t effective) {
  return setresgid(real, effective, effective);
}
