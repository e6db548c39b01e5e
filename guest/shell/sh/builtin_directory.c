// cd and pwd.
#include "shell.h"

static bool same_file(const struct file_status* a, const struct file_status* b) {
  return a->device == b->device && a->inode == b->inode;
}

enum { entry_buffer_bytes = 2048 };

// The name of `inner` in the directory `up`, which is above it; null: not found.
static const char* name_in(const char* up, const struct file_status* inner) {
  const long file = sys_open(up, open_read, false);
  if (file < 0) return NULL;
  const char* found = NULL;
  uint64_t* const buffer = take(entry_buffer_bytes);
  long count;
  while (found == NULL && (count = sys_entries((int)file, buffer, entry_buffer_bytes)) > 0) {
    for (size_t at = 0, bytes = 1; at < (size_t)count && bytes != 0; at += bytes) {
      const char* const name = sys_entry_name((const char*)buffer + at, &bytes);
      struct file_status status;
      if (name == NULL || text_is(name, ".") || text_is(name, "..")) continue;
      if (sys_status(join(up, "/", name, NULL), false, &status) < 0) continue;
      if (!same_file(&status, inner)) continue;
      found = join(name, NULL);
      break;
    }
  }
  sys_close((int)file);
  return found;
}

// Upwards until a directory is its own parent.
static const char* physical_directory(void) {
  const char *path = "", *up = ".";
  struct file_status inner, outer;
  if (sys_status(up, true, &inner) < 0) return NULL;
  for (;;) {
    up = join(up, "/..", NULL);
    if (sys_status(up, true, &outer) < 0) return NULL;
    if (same_file(&inner, &outer)) return *path == 0 ? "/" : path;
    const char* const name = name_in(up, &inner);
    if (name == NULL) return NULL;
    path = join("/", name, path, NULL);
    inner = outer;
  }
}

static bool is_here(const char* path) {
  struct file_status there, here;
  return path != NULL && *path == '/' && sys_status(path, true, &there) >= 0 &&
         sys_status(".", true, &here) >= 0 && same_file(&there, &here);
}

const char* working_directory(void) {
  static bool is_known;
  if (is_known) return get("PWD");
  is_known = true;
  if (!is_here(get("PWD"))) {
    const char* const path = physical_directory();
    if (path != NULL) {
      set("PWD", path);
    } else {
      unset_variable("PWD");
    }
  }
  return get("PWD");
}

// Without . and .. and double slashes.
static char* logical_path(const char* path) {
  struct buffer made = {0};
  while (*path != 0) {
    while (*path == '/') ++path;
    size_t length = 0;
    while (path[length] != 0 && path[length] != '/') ++length;
    if (length == 2 && path[0] == '.' && path[1] == '.') {
      while (made.length > 0 && made.text[--made.length] != '/') continue;
    } else if (length != 0 && !(length == 1 && path[0] == '.')) {
      put(&made, '/');
      for (size_t at = 0; at < length; ++at) put(&made, path[at]);
    }
    path += length;
  }
  if (made.length == 0) put(&made, '/');
  return finish(&made);
}

static long change_to(const char* path, bool is_physical) {
  const char* const old = working_directory();
  const char* target = path;
  if (!is_physical && (*path == '/' || old != NULL)) {
    target = logical_path(*path == '/' ? path : join(old, "/", path, NULL));
  }
  const long result = sys_chdir(target);
  if (result < 0) return result;
  if (old != NULL) set("OLDPWD", old);
  const char* const now = is_physical || *target != '/' ? physical_directory() : target;
  if (now != NULL) {
    set("PWD", now);
  } else {
    unset_variable("PWD");
  }
  return 0;
}

static bool begins_with_period(const char* path) {
  return path[0] == '.' &&
         (path[1] == 0 || path[1] == '/' || (path[1] == '.' && (path[2] == 0 || path[2] == '/')));
}

// By CDPATH; *shows: the directory is not where its name says.
static long change_by_path(const char* to, bool is_physical, bool* shows) {
  const char* path = *to == '/' || begins_with_period(to) ? NULL : get("CDPATH");
  for (const char* each; (each = next_directory(&path)) != NULL;) {
    if (change_to(join(each, to, NULL), is_physical) < 0) continue;
    *shows = *each != 0;
    return 0;
  }
  return change_to(to, is_physical);
}

int cd_builtin(char** arguments, int count) {
  bool is_physical = false, shows = false;
  int at = 1;
  for (; at < count && arguments[at][0] == '-' && arguments[at][1] != 0; ++at) {
    is_physical = text_is(arguments[at], "-P");
    if (text_is(arguments[at], "--")) {
      ++at;
      break;
    }
  }
  const char* to = at < count ? arguments[at] : get("HOME");
  if (to == NULL) {
    complain("cd: HOME not set", NULL);
    return 2;
  }
  if (text_is(to, "-")) {
    to = get("OLDPWD") == NULL ? "" : join(get("OLDPWD"), NULL);
    shows = true;
  }
  const long result = change_by_path(to, is_physical, &shows);
  if (result < 0) {
    complain("cd: can't cd to ", to, NULL);
    return 2;
  }
  if (shows) {
    out(get("PWD"));
    out_character('\n');
  }
  return 0;
}

int pwd_builtin(char** arguments, int count) {
  const bool is_physical = count > 1 && text_is(arguments[1], "-P");
  const char* const path = is_physical ? physical_directory() : working_directory();
  if (path == NULL) {
    complain("pwd: the directory above cannot be read", NULL);
    return 1;
  }
  out(path);
  out_character('\n');
  return 0;
}
