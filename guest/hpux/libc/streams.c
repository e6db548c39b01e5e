/* getmsg(2), putmsg(2), isastream(3C): no file is a stream here. */
#include <errno.h>
#include <fcntl.h>
#include <stropts.h>
#include <unistd.h>

/* -1: there is no such file. */
int isastream(int file) {
  return fcntl(file, F_GETFD, 0) < 0 ? -1 : 0;
}

static int refuse(int file) {
  if (isastream(file) == 0) errno = ENOSTR;
  return -1;
}

int getmsg(int file, struct strbuf* control, struct strbuf* data, int* flags) {
  (void)control, (void)data, (void)flags;
  return refuse(file);
}
int getpmsg(int file, struct strbuf* control, struct strbuf* data, int* band, int* flags) {
  (void)control, (void)data, (void)band, (void)flags;
  return refuse(file);
}
int putmsg(int file, const struct strbuf* control, const struct strbuf* data, int flags) {
  (void)control, (void)data, (void)flags;
  return refuse(file);
}
int putpmsg(int file, const struct strbuf* control, const struct strbuf* data, int band, int flags) {
  (void)control, (void)data, (void)band, (void)flags;
  return refuse(file);
}
