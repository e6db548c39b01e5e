/* Which libraries a program and its libraries need, and where they are. */
#include "loader.h"

enum { longest_path = 1024 };

struct object* objects;
static const char* paths_of_user[2]; /* LD_LIBRARY_PATH, SHLIB_PATH */

static const char* last_part(const char* path) {
  const char* last = path;
  for (; *path != 0; ++path) {
    if (*path == '/') last = path + 1;
  }
  return last;
}

struct object* find_object(const char* name) {
  for (struct object* each = objects->next; each != NULL; each = each->next) {
    if (is_equal(each->name, name) || is_equal(last_part(each->name), name)) return each;
  }
  return NULL;
}

static size_t length_of(const char* text, char end) {
  size_t length = 0;
  while (text[length] != 0 && text[length] != end) ++length;
  return length;
}

/* DIRECTORY/NAME, kept; null if it is too long. */
static const char* joined(const char* directory, size_t length, const char* name) {
  size_t name_bytes = length_of(name, 0) + 1;
  if (length + 1 + name_bytes > longest_path) return NULL;
  char* path = allocate(length + 1 + name_bytes);
  copy(path, directory, length);
  path[length] = '/';
  copy(path + length + 1, name, name_bytes);
  return path;
}

static int is_there(const char* path) {
  int file = open_file(path);
  if (file < 0) return 0;
  close_file(file);
  return 1;
}

/* In a list of directories with colons between. */
static struct object* load_from(const char* list, const char* name) {
  while (list != NULL && *list != 0) {
    size_t length = length_of(list, ':');
    const char* path = length == 0 ? NULL : joined(list, length, name);
    struct object* found = path != NULL && is_there(path) ? load_object(path) : NULL;
    if (found != NULL) return found;
    list += length + (list[length] == ':');
  }
  return NULL;
}

static const char* embedded_path(const struct object* object) {
  address place = dynamic_value(object, tag_run_path);
  if (place == 0) place = dynamic_value(object, tag_path);
  return place == 0 ? NULL : object->names + place;
}

static struct object* load_needed(const struct object* by, const char* name) {
  if (last_part(name) != name) return load_object(name);
  struct object* found = NULL;
  for (int i = 0; i < 2 && found == NULL; ++i) found = load_from(paths_of_user[i], name);
  if (found == NULL) found = load_from(embedded_path(by), name);
  return found != NULL ? found : load_from(default_path, name);
}

static void append(struct object* object) {
  struct object* last = objects;
  while (last->next != NULL) last = last->next;
  last->next = object;
}

static void load_libraries_of(const struct object* object) {
  for (const struct elf_dynamic* each = object->dynamic; each->tag != 0; ++each) {
    if (each->tag != tag_needed) continue;
    const char* name = object->names + each->value;
    if (find_object(name) != NULL) continue;
    struct object* library = load_needed(object, name);
    if (library != NULL) {
      append(library);
    } else {
      missing_library = name;
    }
  }
}

static int wants_all_now(const struct object* object) {
  return (dynamic_value(object, tag_flags) & flag_bind_now) != 0 ||
         (dynamic_value(object, tag_loader_flags) & loader_flag_bind_now) != 0;
}

/* From `first` on. */
static void load_and_relocate(struct object* first, int now) {
  for (const struct object* each = first; each != NULL; each = each->next) load_libraries_of(each);
  for (const struct object* each = first; each != NULL; each = each->next) {
    relocate_descriptors(each);
  }
  for (const struct object* each = first; each != NULL; each = each->next) {
    relocate(each, now || wants_all_now(each));
  }
}

struct object* add_library(const char* name, int now) {
  struct object* library = find_object(name);
  if (library == NULL) {
    library = load_needed(objects, name);
    if (library == NULL) return NULL;
    append(library);
    load_and_relocate(library, now);
    run_initializers(library);
  }
  ++library->users;
  return library;
}

/* What the program does not need itself stays in memory, as pointers to it may. */
void remove_library(struct object* object) {
  if (object->users == 0 || --object->users != 0) return;
  run_finalizers(object);
  for (struct object* each = objects; each != NULL; each = each->next) {
    if (each->next == object) each->next = object->next;
  }
}

static const char* value_of(char* const* environment, const char* name) {
  size_t length = length_of(name, 0);
  for (; *environment != NULL; ++environment) {
    const char* each = *environment;
    size_t at = 0;
    while (at < length && each[at] == name[at]) ++at;
    if (at == length && each[at] == '=') return each + at + 1;
  }
  return NULL;
}

void load_libraries_of_program(char* const* environment) {
  paths_of_user[0] = value_of(environment, "LD_LIBRARY_PATH");
  paths_of_user[1] = value_of(environment, "SHLIB_PATH");
  load_and_relocate(objects, value_of(environment, "LD_BIND_NOW") != NULL);
}
