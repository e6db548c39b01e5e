/* system.h */
#include "system.h"

#include <sys/stat.h>

enum {
  sys_read = 3,
  sys_write = 4,
  sys_open = 5,
  sys_close = 6,
  sys_lseek = 19,
  sys_getpid = 20,
  sys_kill = 37,
  sys_stat = 38,
  sys_mmap = 71
};

static long call_2(long number, long a, long b) {
  return system_call(a, b, 0, 0, 0, 0, number);
}

static long call_3(long number, long a, long b, long c) {
  return system_call(a, b, c, 0, 0, 0, number);
}

static int is_error(long result) {
  return result < 0 && result > -page_bytes;
}

void* map_anonymous(size_t bytes) {
  enum { read_write_execute = 7, private_anonymous = 0x12 };
  long place = system_call(0, bytes, read_write_execute, private_anonymous, -1, 0, sys_mmap);
  return is_error(place) ? NULL : (void*)place;
}

void* map_text(void* place, int file, size_t offset, size_t bytes) {
  enum { read_execute = 5, private = 2, fixed = 4 };
  int flags = private | (place == NULL ? 0 : fixed);
  long made = system_call((long)place, bytes, read_execute, flags, file, offset, sys_mmap);
  return is_error(made) ? NULL : (void*)made;
}

int open_file(const char* path) {
  return call_3(sys_open, (long)path, 0, 0);
}

void close_file(int file) {
  call_2(sys_close, file, 0);
}

int identify(const char* path, struct file_id* file) {
  struct stat status;
  if (is_error(call_2(sys_stat, (long)path, (long)&status))) return 0;
  file->device = status.st_dev;
  file->inode = status.st_ino;
  return 1;
}

int read_at(int file, size_t offset, void* to, size_t bytes) {
  if (is_error(call_3(sys_lseek, file, offset, 0))) return 0;
  while (bytes != 0) {
    long count = call_3(sys_read, file, (long)to, bytes);
    if (count <= 0) return 0;
    to = (char*)to + count;
    bytes -= count;
  }
  return 1;
}

/* One write for most lines; names may be of any length. */
struct line {
  char text[512];
  size_t used;
};

static void write_out(struct line* line) {
  call_3(sys_write, 2, (long)line->text, line->used);
  line->used = 0;
}

static void append(struct line* line, const char* text) {
  for (; *text != 0; ++text) {
    if (line->used == sizeof line->text) write_out(line);
    line->text[line->used++] = *text;
  }
}

void say(const char* const* parts) {
  struct line line; /* without a content, or GCC would call memset() */
  line.used = 0;
  append(&line, LOADER_NAME ": ");
  for (; *parts != NULL; ++parts) append(&line, *parts);
  append(&line, "\n");
  write_out(&line);
}

void give_up(void) {
  enum { sigabrt = 6, sigkill = 9 };
  long self = call_2(sys_getpid, 0, 0);
  call_2(sys_kill, self, sigabrt);
  call_2(sys_kill, self, sigkill); /* if the program catches the first */
}

int is_equal(const char* a, const char* b) {
  while (*a != 0 && *a == *b) ++a, ++b;
  return *a == *b;
}

void copy(void* to, const void* from, size_t bytes) {
  char* target = to;
  const char* source = from;
  while (bytes-- != 0) *target++ = *source++;
}

void* allocate(size_t bytes) {
  static char *free_from, *free_to;
  bytes = (bytes + 7) / 8 * 8;
  if ((size_t)(free_to - free_from) < bytes) {
    size_t taken = (bytes + page_bytes - 1) / page_bytes * page_bytes;
    free_from = map_anonymous(taken);
    if (free_from == NULL) {
      say((const char* const[]){"no memory for its tables; raise --max-memory", NULL});
      give_up();
    }
    free_to = free_from + taken;
  }
  free_from += bytes;
  return free_from - bytes;
}

const char* kept(const char* text) {
  size_t bytes = 1;
  for (const char* c = text; *c != 0; ++c) ++bytes;
  char* made = allocate(bytes);
  copy(made, text, bytes);
  return made;
}
