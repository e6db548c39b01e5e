/* directory(3C), getcwd(3C). */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { buffer_bytes = 2048 };

/* What getdirentries(2) gives; that readdir() gives is longer where ino_t is. */
struct entry {
  unsigned d_ino;
  short d_reclen, d_namlen;
  char d_name[256];
};

struct _dirdesc {
  int file, at, count; /* of the buffer's bytes */
  off_t start;         /* of the buffer in the directory */
  union {
    char bytes[buffer_bytes];
    struct entry first;
  } buffer;
  struct dirent entry; /* the last that readdir() gave */
};

DIR* opendir(const char* path) {
  struct stat status;
  int file = open(path, O_RDONLY);
  if (file < 0) return NULL;
  DIR* made = NULL;
  if (fstat(file, &status) == 0 && (status.st_mode & S_IFMT) != S_IFDIR) {
    errno = ENOTDIR;
  } else {
    made = calloc(1, sizeof *made);
  }
  if (made == NULL) {
    close(file);
    return NULL;
  }
  fcntl(file, F_SETFD, FD_CLOEXEC);
  made->file = file;
  return made;
}

static struct dirent* told(DIR* directory, const struct entry* entry) {
  struct dirent* to = &directory->entry;
  to->d_ino = entry->d_ino;
  to->d_namlen = entry->d_namlen;
  to->d_reclen = entry->d_reclen + sizeof to->d_ino - sizeof entry->d_ino;
  memcpy(to->d_name, entry->d_name, entry->d_namlen + 1);
  return to;
}

struct dirent* readdir(DIR* directory) {
  for (;;) {
    if (directory->at >= directory->count) {
      directory->at = 0;
      directory->count =
          getdirentries(directory->file, directory->buffer.bytes, buffer_bytes, &directory->start);
      if (directory->count <= 0) return NULL;
    }
    const struct entry* entry = (const struct entry*)(directory->buffer.bytes + directory->at);
    directory->at += entry->d_reclen;
    if (entry->d_ino != 0) return told(directory, entry);
  }
}

/* Into the caller's room; its pointer is null at the end. */
int readdir_r(DIR* directory, struct dirent* room, struct dirent** result) {
  const int before = errno;
  errno = 0;
  const struct dirent* entry = readdir(directory);
  const int error = errno;
  errno = before;
  *result = entry == NULL ? NULL : memcpy(room, entry, offsetof(struct dirent, d_name) + entry->d_namlen + 1);
  return entry == NULL ? error : 0;
}

int closedir(DIR* directory) {
  int result = close(directory->file);
  free(directory);
  return result;
}

void rewinddir(DIR* directory) {
  lseek(directory->file, 0, SEEK_SET);
  directory->at = directory->count = 0;
}

/* How many entries come before. */
long telldir(DIR* directory) {
  return lseek(directory->file, 0, SEEK_CUR) * buffer_bytes + directory->at;
}

void seekdir(DIR* directory, long place) {
  rewinddir(directory);
  while (telldir(directory) < place && readdir(directory) != NULL) continue;
}

/* The name in `parent` of the directory that `inner` describes. */
static int find_name(const char* parent, const struct stat* inner, char* name) {
  DIR* directory = opendir(parent);
  if (directory == NULL) return -1;
  int found = -1;
  for (struct dirent* each; found != 0 && (each = readdir(directory)) != NULL;) {
    char path[1024];
    struct stat status;
    if (strlen(parent) + each->d_namlen + 2 > sizeof path) continue;
    sprintf(path, "%s/%s", parent, each->d_name);
    if (strcmp(each->d_name, ".") == 0 || strcmp(each->d_name, "..") == 0 ||
        stat(path, &status) < 0)
      continue;
    if (status.st_ino != inner->st_ino || status.st_dev != inner->st_dev) continue;
    strcpy(name, each->d_name);
    found = 0;
  }
  closedir(directory);
  return found;
}

/* Upwards, until a directory is its own parent. */
static int spell(char* path, size_t size) {
  char up[512] = ".", name[256];
  struct stat inner, outer;
  size_t at = size - 1;
  path[at] = 0;
  if (stat(up, &inner) < 0) return -1;
  for (;;) {
    if (strlen(up) + 4 > sizeof up) break;
    strcat(up, "/..");
    if (stat(up, &outer) < 0) return -1;
    if (outer.st_ino == inner.st_ino && outer.st_dev == inner.st_dev) {
      if (at == size - 1) path[--at] = '/';
      memmove(path, path + at, size - at);
      return 0;
    }
    if (find_name(up, &inner, name) < 0) return -1;
    size_t length = strlen(name);
    if (length + 2 > at) break;
    at -= length;
    memcpy(path + at, name, length);
    path[--at] = '/';
    inner = outer;
  }
  errno = ERANGE;
  return -1;
}

char* getcwd(char* path, size_t size) {
  if (size < 2) {
    errno = size == 0 ? EINVAL : ERANGE;
    return NULL;
  }
  char* made = path != NULL ? path : malloc(size);
  if (made == NULL) return NULL;
  if (spell(made, size) == 0) return made;
  if (path == NULL) free(made);
  return NULL;
}

char* getwd(char* path) {
  return getcwd(path, 1024);
}

/* ---- scandir(3C) */

static struct dirent* kept(const struct dirent* entry) {
  const size_t bytes = offsetof(struct dirent, d_name) + entry->d_namlen + 1;
  struct dirent* copy = malloc(bytes);
  return copy == NULL ? NULL : memcpy(copy, entry, bytes);
}

static int discard(struct dirent** entries, int count) {
  while (count > 0) free(entries[--count]);
  free(entries);
  return -1;
}

/* One more entry of the list, which doubles where it is full. */
static struct dirent** with_room(struct dirent** entries, int count) {
  if ((count & (count - 1)) != 0) return entries;
  struct dirent** longer = malloc(2 * (count + 1) * sizeof *longer);
  if (longer != NULL) memcpy(longer, entries, count * sizeof *longer);
  if (longer != NULL) free(entries);
  return longer;
}

int alphasort(const struct dirent** a, const struct dirent** b) {
  return strcmp((*a)->d_name, (*b)->d_name);
}

int scandir(const char* path, struct dirent*** to, int (*is_wanted)(const struct dirent*),
            int (*compare)(const struct dirent**, const struct dirent**)) {
  DIR* directory = opendir(path);
  if (directory == NULL) return -1;
  struct dirent **entries = NULL, *entry;
  int count = 0, is_whole = 1;
  while (is_whole && (entry = readdir(directory)) != NULL) {
    if (is_wanted != NULL && !is_wanted(entry)) continue;
    struct dirent** longer = with_room(entries, count);
    is_whole = longer != NULL && (longer[count] = kept(entry)) != NULL;
    if (longer != NULL) entries = longer;
    count += is_whole;
  }
  closedir(directory);
  if (!is_whole) return discard(entries, count);
  if (compare != NULL) qsort(entries, count, sizeof *entries, (int (*)(const void*, const void*))compare);
  *to = entries;
  return count;
}
