/* getpwent(3C), getgrent(3C): /etc/passwd and /etc/group. */
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

struct passwd* getpwent(void) {
  if (users == NULL) users = fopen("/etc/passwd", "r");
  if (users == NULL || fgets(user_line, sizeof user_line, users) == NULL) return NULL;
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

struct group* getgrent(void) {
  if (groups == NULL) groups = fopen("/etc/group", "r");
  if (groups == NULL || fgets(group_line, sizeof group_line, groups) == NULL) return NULL;
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
