/* ftw(3C). A directory's names are read before its entries are visited, so that one file at a time is open. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int fchdir(int), lstat(const char*, struct stat*);

enum { longest_path = 1023 };

/* The directories around an object. */
struct around {
  const struct around* next;
  dev_t device;
  ino_t number;
};

struct walk {
  char path[longest_path + 1];
  int (*visit)(const char*, const struct stat*, int, struct FTW*);
  int (*visit_of_old)(const char*, const struct stat*, int); /* ftw()'s; then the other is null */
  int flags, start;                                          /* start: the directory, open for FTW_CHDIR */
};

/* -1: nobody knows what it is, and that ends the walk. */
static int kind_of(const struct walk* walk, struct stat* status) {
  enum { link = 0120000 };
  const int is_physical = walk->flags & FTW_PHYS;
  if ((is_physical ? lstat : stat)(walk->path, status) == 0) {
    if ((status->st_mode & S_IFMT) == link) return FTW_SL;
    return S_ISDIR(status->st_mode) ? FTW_D : FTW_F;
  }
  if (errno == EACCES) return FTW_NS;
  return !is_physical && errno == ENOENT && lstat(walk->path, status) == 0 ? FTW_SLN : -1;
}

static int is_around(const struct around* around, const struct stat* status) {
  for (; around != NULL; around = around->next) {
    if (around->device == status->st_dev && around->number == status->st_ino) return 1;
  }
  return 0;
}

static int change_to_parent(struct walk* walk, int base) {
  char parent[longest_path + 1];
  memcpy(parent, walk->path, base);
  parent[base] = 0;
  return base == 0 ? 0 : chdir(parent);
}

static int visit(struct walk* walk, const struct stat* status, int kind, struct FTW* place) {
  if (walk->visit == NULL) {
    return walk->visit_of_old(walk->path, status, kind == FTW_SLN ? FTW_NS : kind);
  }
  if (!(walk->flags & FTW_CHDIR)) return walk->visit(walk->path, status, kind, place);
  if (change_to_parent(walk, place->base) < 0) return -1;
  const int result = walk->visit(walk->path, status, kind, place);
  return fchdir(walk->start) < 0 && result == 0 ? -1 : result;
}

/* Every name with a zero behind, and one more; null if there is no memory. */
static char* names_in(DIR* directory) {
  size_t size = 1, used = 0;
  char* names = malloc(size);
  for (struct dirent* entry; names != NULL && (entry = readdir(directory)) != NULL;) {
    const size_t length = strlen(entry->d_name) + 1;
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    if (used + length + 1 > size) {
      size = 2 * (used + length + 1);
      char* grown = realloc(names, size);
      if (grown == NULL) free(names);
      names = grown;
    }
    if (names == NULL) break;
    memcpy(names + used, entry->d_name, length);
    used += length;
  }
  if (names != NULL) names[used] = 0;
  return names;
}

static int walk_from(struct walk* walk, const struct around* around, struct FTW place);

static int walk_names(struct walk* walk, const char* name, const struct around* around, int level) {
  const size_t length = strlen(walk->path);
  const size_t base = length + (length == 0 || walk->path[length - 1] != '/');
  int result = 0;
  for (; result == 0 && *name != 0; name += strlen(name) + 1) {
    if (base + strlen(name) > longest_path) {
      errno = ENAMETOOLONG;
      result = -1;
    } else {
      walk->path[base - 1] = '/';
      strcpy(walk->path + base, name);
      result = walk_from(walk, around, (struct FTW){base, level});
    }
    walk->path[length] = 0;
  }
  return result;
}

static int walk_directory(struct walk* walk, const struct stat* status, const struct around* around, struct FTW place) {
  const int is_deep = walk->flags & FTW_DEPTH;
  DIR* directory = opendir(walk->path);
  if (directory == NULL) return errno == EACCES ? visit(walk, status, FTW_DNR, &place) : -1;
  char* names = names_in(directory);
  closedir(directory);
  if (names == NULL) return -1;
  const struct around inner = {around, status->st_dev, status->st_ino};
  int result = is_deep ? 0 : visit(walk, status, FTW_D, &place);
  if (result == 0) result = walk_names(walk, names, &inner, place.level + 1);
  if (result == 0 && is_deep) result = visit(walk, status, FTW_DP, &place);
  free(names);
  return result;
}

static int walk_from(struct walk* walk, const struct around* around, struct FTW place) {
  struct stat status;
  const int kind = kind_of(walk, &status);
  if (kind < 0) return -1;
  if (kind != FTW_D) return visit(walk, &status, kind, &place);
  if ((walk->flags & FTW_MOUNT) && around != NULL && status.st_dev != around->device) return 0;
  if (is_around(around, &status)) return 0;
  return walk_directory(walk, &status, around, place);
}

static int start_walk(struct walk* walk, const char* path) {
  const size_t length = strlen(path);
  if (length > longest_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  memcpy(walk->path, path, length + 1);
  size_t base = length;
  while (base > 0 && path[base - 1] == '/') --base;
  while (base > 0 && path[base - 1] != '/') --base;
  return walk_from(walk, NULL, (struct FTW){base, 0});
}

int ftw(const char* path, int (*function)(const char*, const struct stat*, int), int depth) {
  (void)depth;
  struct walk walk = {.visit_of_old = function};
  return start_walk(&walk, path);
}

int nftw(const char* path, int (*function)(const char*, const struct stat*, int, struct FTW*), int depth, int flags) {
  (void)depth;
  struct walk walk = {.visit = function, .flags = flags};
  if (!(flags & FTW_CHDIR)) return start_walk(&walk, path);
  walk.start = open(".", O_RDONLY);
  if (walk.start < 0) return -1;
  const int result = start_walk(&walk, path);
  close(walk.start);
  return result;
}
