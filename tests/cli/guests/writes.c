// Makes each kind of call that changes a file of the host, and says on standard output, with a
// write(2) for each line, "NAME" or "NAME: errno N". Exit status 0.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void say(const char* name, int result) {
  char line[80];
  if (result < 0) {
    sprintf(line, "%s: errno %d\n", name, errno);
  } else {
    sprintf(line, "%s\n", name);
  }
  // What cannot be said has been seen by whoever made it so.
  (void)!write(1, line, strlen(line));
}

// A part is no failure of the call, but one of whoever expects the whole.
static int whole(ssize_t moved, size_t size) {
  if (moved < 0 || (size_t)moved == size) return moved < 0 ? -1 : 0;
  errno = 0;
  return -1;
}

int main(void) {
  static const char text[] = "What the guest writes.\n";
  const size_t size = sizeof text - 1;
  int fd = open("guest.txt", O_WRONLY | O_CREAT | O_TRUNC, 0666);
  say("open", fd);
  say("write", whole(write(fd, text, size), size));
  say("more", whole(write(fd, text, size), size));
  say("ftruncate", ftruncate(fd, 30));
  say("fsync", fsync(fd));
  const int twin = dup(fd);
  say("close of a twin", close(twin));
  say("close", close(fd));
  say("closed", fcntl(fd, F_GETFD) < 0 && fcntl(twin, F_GETFD) < 0 && errno == EBADF ? 0 : -1);
  fd = open("guest.txt", O_WRONLY);
  say("dup2 over it", dup2(1, fd));
  say("close of the other", close(fd));
  say("link", link("guest.txt", "guest-link"));
  say("symlink", symlink("guest.txt", "guest-symlink"));
  say("rename", rename("guest-link", "guest-renamed"));
  say("mkdir", mkdir("guest-folder", 0777));
  fd = open("/tmp/guest", O_WRONLY | O_CREAT, 0666);
  say("open in /tmp", fd);
  say("write in /tmp", whole(write(fd, text, size), size));
  say("close in /tmp", close(fd));
  say("unlink", unlink("guest-symlink"));
  say("rmdir", rmdir("guest-folder"));
  say("unlink in /tmp", unlink("/tmp/guest"));
  return 0;
}
