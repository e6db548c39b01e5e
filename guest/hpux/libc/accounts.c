/* getpwent(3C), getgrent(3C): /etc/passwd and /etc/group. */
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int setgroups(int, const gid_t*);

enum { longest_line = 1024, most_members = 200 };

/* Cuts off the field that `*rest` starts with; "" when there is none. */
static char* next_field(char** rest) {
  char* field = *rest;
  char* end = field + strcspn(field, ":\n");
  *rest = *end == ':' ? end + 1 : end + strlen(end);
  *end = 0;
  return field;
}

static FILE* users;
static char user_line[longest_line];
static struct passwd user;

void setpwent(void) {
  if (users != NULL) rewind(users);
}

void endpwent(void) {
  if (users != NULL) fclose(users);
  users = NULL;
}

struct passwd* fgetpwent(FILE* file) {
  if (fgets(user_line, sizeof user_line, file) == NULL) return NULL;
  char* rest = user_line;
  user.pw_name = next_field(&rest);
  user.pw_passwd = next_field(&rest);
  user.pw_uid = atoi(next_field(&rest));
  user.pw_gid = atoi(next_field(&rest));
  user.pw_gecos = next_field(&rest);
  user.pw_dir = next_field(&rest);
  user.pw_shell = next_field(&rest);
  user.pw_age = user.pw_comment = "";
  user.pw_audid = -1;
  return &user;
}

struct passwd* getpwent(void) {
  if (users == NULL) users = fopen("/etc/passwd", "r");
  return users == NULL ? NULL : fgetpwent(users);
}

int putpwent(const struct passwd* entry, FILE* file) {
  return fprintf(file, "%s:%s:%d:%d:%s:%s:%s\n", entry->pw_name, entry->pw_passwd, entry->pw_uid, entry->pw_gid,
                 entry->pw_gecos, entry->pw_dir, entry->pw_shell) < 0;
}

struct passwd* getpwuid(uid_t id) {
  struct passwd* found;
  setpwent();
  while ((found = getpwent()) != NULL && found->pw_uid != id) continue;
  endpwent();
  return found;
}

struct passwd* getpwnam(const char* name) {
  struct passwd* found;
  setpwent();
  while ((found = getpwent()) != NULL && strcmp(found->pw_name, name) != 0) continue;
  endpwent();
  return found;
}

static FILE* groups;
static char group_line[longest_line];
static char* members[most_members + 1];
static struct group group;

void setgrent(void) {
  if (groups != NULL) rewind(groups);
}

void endgrent(void) {
  if (groups != NULL) fclose(groups);
  groups = NULL;
}

struct group* fgetgrent(FILE* file) {
  if (fgets(group_line, sizeof group_line, file) == NULL) return NULL;
  char* rest = group_line;
  group.gr_name = next_field(&rest);
  group.gr_passwd = next_field(&rest);
  group.gr_gid = atoi(next_field(&rest));
  char* list = next_field(&rest);
  int count = 0;
  for (char* each = strtok_r(list, ",", &rest); each != NULL && count < most_members;
       each = strtok_r(NULL, ",", &rest)) {
    members[count++] = each;
  }
  members[count] = NULL;
  group.gr_mem = members;
  return &group;
}

struct group* getgrent(void) {
  if (groups == NULL) groups = fopen("/etc/group", "r");
  return groups == NULL ? NULL : fgetgrent(groups);
}

struct group* getgrgid(gid_t id) {
  struct group* found;
  setgrent();
  while ((found = getgrent()) != NULL && found->gr_gid != id) continue;
  endgrent();
  return found;
}

struct group* getgrnam(const char* name) {
  struct group* found;
  setgrent();
  while ((found = getgrent()) != NULL && strcmp(found->gr_name, name) != 0) continue;
  endgrent();
  return found;
}

/* The groups that have the user as a member, behind the given one. */
int initgroups(const char* name, gid_t first) {
  enum { most = 20 }; /* NGROUPS_MAX */
  gid_t all[most] = {first};
  int count = 1;
  setgrent();
  for (struct group* each; count < most && (each = getgrent()) != NULL;) {
    char** member = each->gr_mem;
    while (*member != NULL && strcmp(*member, name) != 0) ++member;
    if (*member != NULL && each->gr_gid != first) all[count++] = each->gr_gid;
  }
  endgrent();
  return setgroups(count, all);
}

/* ---- Into the caller's room: POSIX's functions, which return the error. */

/* A string's copy there; null if it does not fit. */
static char* kept(const char* text, char** at, char* end) {
  const size_t size = strlen(text) + 1;
  if ((size_t)(end - *at) < size) return NULL;
  char* copy = memcpy(*at, text, size);
  *at += size;
  return copy;
}

static int keep_user(const struct passwd* found, struct passwd* to, char* room, size_t size, struct passwd** result) {
  *result = NULL;
  if (found == NULL) return 0;
  char* const end = room + size;
  *to = *found;
  char** const texts[] = {&to->pw_name, &to->pw_passwd, &to->pw_age,  &to->pw_comment,
                          &to->pw_gecos, &to->pw_dir,   &to->pw_shell};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
    *texts[i] = kept(*texts[i], &room, end);
    if (*texts[i] == NULL) return ERANGE;
  }
  *result = to;
  return 0;
}

int getpwnam_r(const char* name, struct passwd* to, char* room, size_t size, struct passwd** result) {
  return keep_user(getpwnam(name), to, room, size, result);
}
int getpwuid_r(uid_t id, struct passwd* to, char* room, size_t size, struct passwd** result) {
  return keep_user(getpwuid(id), to, room, size, result);
}

static int keep_group(const struct group* found, struct group* to, char* room, size_t size, struct group** result) {
  *result = NULL;
  if (found == NULL) return 0;
  char* const end = room + size;
  size_t count = 0;
  while (found->gr_mem[count] != NULL) ++count;
  const size_t gap = -(size_t)room % sizeof(char*), pointers = (count + 1) * sizeof(char*);
  if (size < gap + pointers) return ERANGE;
  *to = *found;
  to->gr_mem = (char**)(room + gap);
  room += gap + pointers;
  to->gr_mem[count] = NULL;
  to->gr_name = kept(found->gr_name, &room, end);
  to->gr_passwd = kept(found->gr_passwd, &room, end);
  int fits = to->gr_name != NULL && to->gr_passwd != NULL;
  for (size_t i = 0; i < count && fits; ++i) {
    to->gr_mem[i] = kept(found->gr_mem[i], &room, end);
    fits = to->gr_mem[i] != NULL;
  }
  if (!fits) return ERANGE;
  *result = to;
  return 0;
}

int getgrnam_r(const char* name, struct group* to, char* room, size_t size, struct group** result) {
  return keep_group(getgrnam(name), to, room, size, result);
}
int getgrgid_r(gid_t id, struct group* to, char* room, size_t size, struct group** result) {
  return keep_group(getgrgid(id), to, room, size, result);
}
