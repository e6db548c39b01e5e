/* getut(3C), getutx(3C): the users of the system, records of one size in a file. */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>
#include <utmpx.h>

enum { longest_path = 255 };

struct records {
  char path[longest_path + 1];
  int file; /* or 0: not open */
  char* entry; /* the last that was read; callers see it */
  size_t bytes, id, line, type; /* of a record, and where its fields are */
};

static struct utmp entry;
static struct records old = {"/etc/utmp",
                             0,
                             (char*)&entry,
                             sizeof entry,
                             offsetof(struct utmp, ut_id),
                             offsetof(struct utmp, ut_line),
                             offsetof(struct utmp, ut_type)};
static struct utmpx extended_entry;
static struct records extended = {"/etc/utmpx",
                                  0,
                                  (char*)&extended_entry,
                                  sizeof extended_entry,
                                  offsetof(struct utmpx, ut_id),
                                  offsetof(struct utmpx, ut_line),
                                  offsetof(struct utmpx, ut_type)};

static short type_of(const struct records* r, const char* record) {
  return *(const short*)(record + r->type);
}

static void shut(struct records* r) {
  if (r->file > 0) close(r->file);
  r->file = 0;
}

/* For reading alone where nothing else is permitted. */
static int is_open(struct records* r) {
  if (r->file > 0) return 1;
  r->file = open(r->path, O_RDWR | O_CREAT, 0644);
  if (r->file < 0) r->file = open(r->path, O_RDONLY);
  if (r->file < 0) return r->file = 0;
  fcntl(r->file, F_SETFD, FD_CLOEXEC);
  return 1;
}

static void* next(struct records* r) {
  if (!is_open(r)) return NULL;
  if (read(r->file, r->entry, r->bytes) == (ssize_t)r->bytes) return r->entry;
  memset(r->entry, 0, r->bytes);
  return NULL;
}

static void rewind_records(struct records* r) {
  if (r->file > 0) lseek(r->file, 0, 0);
  memset(r->entry, 0, r->bytes);
}

typedef int comparison(const struct records*, const char* record, const char* wanted);

/* A process has an id in all its states; what else there is, is there once. */
static int has_id(const struct records* r, const char* record, const char* wanted) {
  const short type = type_of(r, record), other = type_of(r, wanted);
  enum { id_bytes = sizeof entry.ut_id };
  if (other >= RUN_LVL && other <= NEW_TIME) return type == other;
  return other >= INIT_PROCESS && other <= DEAD_PROCESS && type >= INIT_PROCESS &&
         type <= DEAD_PROCESS && strncmp(record + r->id, wanted + r->id, id_bytes) == 0;
}

static int has_line(const struct records* r, const char* record, const char* wanted) {
  const short type = type_of(r, record);
  return (type == LOGIN_PROCESS || type == USER_PROCESS) &&
         strncmp(record + r->line, wanted + r->line, sizeof entry.ut_line) == 0;
}

/* From the last entry on, which the caller may have zeroed. */
static void* find(struct records* r, const void* wanted, comparison* matches) {
  do {
    if (matches(r, r->entry, wanted)) return r->entry;
  } while (next(r) != NULL);
  return NULL;
}

/* Over the entry with its id, or behind the last. The record may be the last entry itself. */
static void* put(struct records* r, const void* record) {
  char copy[sizeof extended_entry];
  memcpy(copy, record, r->bytes);
  if (!is_open(r)) return NULL;
  const int is_there = find(r, copy, has_id) != NULL;
  const off_t end = lseek(r->file, is_there ? -(off_t)r->bytes : 0, is_there ? 1 : 2);
  if (end < 0) return NULL;
  if (!is_there) lseek(r->file, end - end % (off_t)r->bytes, 0);
  if (write(r->file, copy, r->bytes) != (ssize_t)r->bytes) return NULL;
  return memcpy(r->entry, copy, r->bytes);
}

struct utmp* getutent(void) {
  return next(&old);
}
struct utmp* getutid(const struct utmp* wanted) {
  return find(&old, wanted, has_id);
}
struct utmp* getutline(const struct utmp* wanted) {
  return find(&old, wanted, has_line);
}
struct utmp* _pututline(const struct utmp* record) {
  return put(&old, record);
}
void pututline(const struct utmp* record) {
  put(&old, record);
}
void setutent(void) {
  rewind_records(&old);
}
void endutent(void) {
  shut(&old);
}

/* 0: the name is too long. */
int utmpname(const char* path) {
  if (strlen(path) > longest_path) return 0;
  shut(&old);
  strcpy(old.path, path);
  return 1;
}

struct utmpx* getutxent(void) {
  return next(&extended);
}
struct utmpx* getutxid(const struct utmpx* wanted) {
  return find(&extended, wanted, has_id);
}
struct utmpx* getutxline(const struct utmpx* wanted) {
  return find(&extended, wanted, has_line);
}
struct utmpx* pututxline(const struct utmpx* record) {
  return put(&extended, record);
}
void setutxent(void) {
  rewind_records(&extended);
}
void endutxent(void) {
  shut(&extended);
}
