/* realpath(3X): without symbolic links, ".", ".." and doubled slashes. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { longest_path = 1024, most_links = 20 };

/* Puts what a link says in front of the rest. Whether it is one; -1: an error. */
static int follow(const char* link, char* rest, int* links) {
  char target[longest_path];
  int length = readlink(link, target, sizeof target - 1);
  if (length < 0) return errno == EINVAL ? 0 : -1;
  if (++*links > most_links || length + strlen(rest) + 2 > sizeof target) {
    errno = *links > most_links ? ELOOP : ENAMETOOLONG;
    return -1;
  }
  target[length] = '/';
  strcpy(target + length + 1, rest);
  strcpy(rest, target);
  return 1;
}

static void go_up(char* path) {
  char* slash = strrchr(path, '/');
  if (slash != NULL) *slash = 0;
}

/* One step from `path`, which is "" at the root. */
static int enter(char* path, const char* name, char* rest, int* links) {
  size_t length = strlen(path);
  if (length + strlen(name) + 2 > longest_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  path[length] = '/';
  strcpy(path + length + 1, name);
  int is_link = follow(path, rest, links);
  if (is_link > 0) path[*rest == '/' ? 0 : length] = 0;
  return is_link < 0 ? -1 : 0;
}

static int resolve(char* path, char* rest) {
  int links = 0;
  for (;;) {
    char name[longest_path];
    char* from = rest + strspn(rest, "/");
    size_t length = strcspn(from, "/");
    if (length == 0) return 0;
    memcpy(name, from, length);
    name[length] = 0;
    memmove(rest, from + length, strlen(from + length) + 1);
    if (strcmp(name, "..") == 0) {
      go_up(path);
    } else if (strcmp(name, ".") != 0 && enter(path, name, rest, &links) < 0) {
      return -1;
    }
  }
}

char* realpath(const char* name, char* to) {
  char rest[longest_path];
  if (name == NULL || strlen(name) >= sizeof rest) {
    errno = name == NULL ? EINVAL : ENAMETOOLONG;
    return NULL;
  }
  if (*name == 0) {
    errno = ENOENT;
    return NULL;
  }
  int old = errno; /* which a program may look at without need */
  strcpy(rest, name);
  *to = 0;
  if (*name != '/' && getcwd(to, longest_path) == NULL) return NULL;
  if (strcmp(to, "/") == 0) *to = 0;
  if (resolve(to, rest) < 0) return NULL;
  if (*to == 0) strcpy(to, "/");
  errno = old;
  return to;
}
