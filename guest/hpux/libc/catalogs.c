/* catopen(3C), catgets(3C): no message catalogue is found, and so every message is the program's own. */
#include <errno.h>

enum { no_catalogue = -1 };

int catopen(const char* name, int flags) {
  (void)name, (void)flags;
  errno = ENOENT;
  return no_catalogue;
}
char* catgets(int catalogue, int set, int message, const char* own) {
  (void)catalogue, (void)set, (void)message;
  return (char*)own;
}
int catclose(int catalogue) {
  (void)catalogue;
  errno = EBADF;
  return -1;
}
