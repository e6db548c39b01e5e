/* ttyname(3C), getlogin(3C), cuserid(3S), remove(3C). */
#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int ioctl(int file, unsigned long request, void* argument);

/* TCGETA: _IOR('T', 1, struct termio) */
int isatty(int file) {
  enum { tcgeta = 0x40125401 };
  char termio[32];
  return ioctl(file, tcgeta, termio) == 0;
}

char* ttyname(int file) {
  return isatty(file) ? "/dev/tty" : NULL;
}

char* getlogin(void) {
  char* name = getenv("LOGNAME");
  if (name != NULL) return name;
  struct passwd* user = getpwuid(getuid());
  return user == NULL ? NULL : user->pw_name;
}

char* cuserid(char* to) {
  static char own[L_cuserid];
  struct passwd* user = getpwuid(geteuid());
  if (to == NULL && user == NULL) return NULL;
  if (to == NULL) to = own;
  strncpy(to, user == NULL ? "" : user->pw_name, L_cuserid - 1);
  to[L_cuserid - 1] = 0;
  return to;
}

int remove(const char* path) {
  struct stat status;
  int is_directory = stat(path, &status) == 0 && (status.st_mode & S_IFMT) == S_IFDIR;
  return is_directory ? rmdir(path) : unlink(path);
}
